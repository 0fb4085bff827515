"""Target configs and the environment: what is read, merged, refused, and never stored."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from aigov_eval.cli.run_plan import target_config_of
from aigov_eval.errors import InputError
from aigov_eval.runner.config import parse_options, read_config, ready_configs, with_options
from aigov_eval.runner.environment import Environment, read_environment
from aigov_eval.runner.targets.build import build_target

HTTP = "target: http\nurl: http://localhost:1/chat\nrequest: {messages: $messages}\nresponse: {reply: [/reply]}\n"


@pytest.mark.parametrize("name", ready_configs())
def test_every_ready_config_builds_a_target(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The configs that come with the package are whole; keys and models come from the environment."""
    config = read_config(name)
    for key in ("model_env", "api_key_env"):
        if key in config:
            monkeypatch.setenv(config[key], "value-of-it")
    monkeypatch.setenv("AZURE_OPENAI_RESOURCE", "my-resource")
    target = build_target(config, timeout=1, environment=Environment(), connections=1)
    assert target.kind == config["target"]


@pytest.mark.parametrize(
    "encode",
    [
        str.encode,
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    ],
    ids=["plain", "byte-order mark", "crlf", "utf-16"],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_configs_load_however_an_editor_wrote_them(tmp_path: Path, encode: object, as_json: bool) -> None:
    """A byte-order mark, CRLF and UTF-16 are no fault of the user's; tabs in JSON neither."""
    text = HTTP
    if as_json:
        text = json.dumps(
            {
                "target": "http",
                "url": "http://localhost:1/chat",
                "request": {"messages": "$messages"},
                "response": {"reply": ["/reply"]},
            },
            indent="\t",
        )
    path = tmp_path / "config"
    path.write_bytes(encode(text))  # type: ignore[operator]
    assert read_config(str(path))["request"] == {"messages": "$messages"}


def test_the_old_flat_form_still_loads(tmp_path: Path) -> None:
    """`base_url`, `chat_path` and the modes alone mean the flat TargetLab."""
    path = tmp_path / "old.json"
    path.write_text(
        '{"base_url":"http://localhost:8001/","chat_path":"/chat","leak_mode":"leaky","leak_profile":"pii_basic","use_llm":false}'
    )
    config = read_config(str(path))
    assert (config["target"], config["url"]) == ("http", "http://localhost:8001/chat")
    assert config["options"] == {"leak_mode": "leaky", "leak_profile": "pii", "use_llm": False}


def test_a_config_extends_a_ready_one(tmp_path: Path) -> None:
    """What the file sets wins; what it leaves out comes from the ready config."""
    path = tmp_path / "mine.yaml"
    path.write_text("extends: targetlab-nested\nurl: https://lab.example.org/chat\noptions: {top_k: 9}\n")
    config = read_config(str(path))
    assert config["url"] == "https://lab.example.org/chat"
    assert config["options"]["top_k"] == 9
    assert config["options"]["leak_mode"] == "strict"
    assert config["request"]["mode"]["policy_mode"] == "$leak_mode"


FAULTS = {
    "unknown key": ("target: http\nurll: x\n", "2:1", 'unknown key "urll"'),
    "unknown target": ("target: htp\n", "1:9", "htp"),
    "no target": ("url: x\n", "", 'has no "target"'),
    "wrong type": ("target: http\nheaders: [a]\n", "2:10", "headers"),
    "unknown base": ("extends: targetlab\n", "1:10", 'no ready config "targetlab"'),
    "not yaml": ("target: [\n", "2:1", "not valid YAML"),
    "empty": ("", "1:1", "empty"),
    "key in a header": ("target: http\nheaders: {Authorization: Bearer sk-abc}\n", "2:26", "written out"),
    "key in the query": ("target: openai\nquery: {api_key: abc}\n", "2:18", "written out"),
    "password in the address": ("target: http\nurl: http://me:pw@host/\n", "2:6", "user name or password"),
    "token in the address": ("target: http\nurl: http://host/?token=abc\n", "2:6", "a value for 'token'"),
    "line break in a header": ('target: http\nheaders: {X-A: "a\\nb"}\n', "2:16", ""),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_name_their_place(tmp_path: Path, case: str) -> None:
    """What is wrong is told with path:line:column, and a secret is never repeated."""
    text, place, words = FAULTS[case]
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_config(str(path))
    told = str(caught.value)
    assert f"config.yaml:{place}" in told if place else "config.yaml" in told
    assert words in told
    assert caught.value.help
    assert "sk-abc" not in told
    assert "pw@" not in told


def test_a_missing_config_lists_the_ready_ones() -> None:
    """A name that is neither a file nor ready is answered with the names there are."""
    with pytest.raises(InputError) as caught:
        read_config("targetlab-round")
    assert "targetlab-flat" in caught.value.help


def test_options_are_typed_translated_and_known() -> None:
    """NAME=VALUE is JSON where it can be; an unknown name is an error."""
    assert parse_options(["a=1", "b=true", "c=leaky", 'd={"x": 1}', "e=a=b"]) == {
        "a": 1,
        "b": True,
        "c": "leaky",
        "d": {"x": 1},
        "e": "a=b",
    }
    with pytest.raises(InputError, match="is not NAME=VALUE"):
        parse_options(["leaky"])
    with pytest.raises(InputError, match='no option "leak_mod"') as caught:
        with_options(read_config("targetlab-flat"), {"leak_mod": 1})
    assert "leak_mode" in caught.value.help


def test_an_unknown_name_in_a_template_is_an_error(tmp_path: Path) -> None:
    """A `$name` that nothing fills is told before anything is sent."""
    path = tmp_path / "config.yaml"
    path.write_text(HTTP.replace("$messages", "$mesages"))
    with pytest.raises(InputError, match=r"\$mesages") as caught:
        build_target(read_config(str(path)), timeout=1, environment=Environment(), connections=1)
    assert "messages" in caught.value.help


# ------------------------------------------------------------------ environment


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .env in the working folder gives what the environment does not; it changes nothing itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEY_A", "from-environment")
    monkeypatch.delenv("KEY_B", raising=False)
    Path(".env").write_bytes(codecs.BOM_UTF8 + b'KEY_A=from-file\r\nKEY_B="from file"\r\nKEY_C=$KEY_A\r\n')
    environment = read_environment()
    assert environment.get("KEY_A") == "from-environment"
    assert environment.get("KEY_B") == "from file"
    assert environment.get("KEY_C") == "$KEY_A"
    assert environment.file == Path(".env")


def test_no_file_is_no_fault_unless_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a .env there is the environment alone; a file that was asked for must be there."""
    monkeypatch.chdir(tmp_path)
    assert read_environment().file is None
    with pytest.raises(InputError, match=r"other\.env"):
        read_environment(tmp_path / "other.env")


def test_a_missing_variable_says_how_to_set_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the variable and the place that asked for it."""
    monkeypatch.delenv("NO_SUCH", raising=False)
    with pytest.raises(InputError, match="NO_SUCH is not set") as caught:
        Environment().filled("Bearer ${NO_SUCH}", "headers/Authorization")
    assert caught.value.where == "headers/Authorization"


def test_a_key_with_a_line_break_is_refused() -> None:
    """A key copied with its line end would be a second header."""
    with pytest.raises(InputError, match="line break"):
        Environment(from_file={"KEY": "abc\ndef"}).secret("KEY")


def test_secrets_are_taken_out_of_values_of_any_depth() -> None:
    """Longer secrets first, in texts and keys alike."""
    environment = Environment(from_file={"A": "secret-1", "B": "secret-1-longer"})
    environment.secret("A")
    environment.secret("B")
    value = {"x": ["secret-1-longer", 1, None], "secret-1": {"y": "a secret-1 b"}}
    assert environment.scrubbed_value(value) == {
        "x": ["[secret B]", 1, None],
        "[secret A]": {"y": "a [secret A] b"},
    }


# ------------------------------------------------------------------ what the command line sets


@pytest.mark.parametrize(
    ("config", "option", "told"),
    [
        ("old.json", "base_url=http://localhost:9", "url=http"),
        ("old.json", "chat_path=/v2", "url=http"),
        ("targetlab-nested", "base_url=http://localhost:9", "url=http"),
        ("targetlab-nested", "model=m", "url=http"),
        ("ollama", "url=http://localhost:9", "base_url"),
        ("ollama", "temprature=1", "it has no options"),
    ],
)
def test_an_option_that_a_target_would_pass_over_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str, option: str, told: str
) -> None:
    """--target-option sets what this kind of target has; the address of an old config is its `url`."""
    monkeypatch.chdir(tmp_path)
    Path("old.json").write_text(
        '{"base_url":"http://localhost:8001","chat_path":"/chat","leak_mode":"strict","use_llm":false}'
    )
    with pytest.raises(InputError, match=option.partition("=")[0]) as caught:
        target_config_of("", config, [option], "", False, "", None)
    assert told in caught.value.help


def test_an_http_target_takes_no_model() -> None:
    """--model beside an http config would change nothing: it is refused."""
    with pytest.raises(InputError, match="no model"):
        target_config_of("", "targetlab-nested", [], "gpt", False, "", None)


def test_a_config_that_bounds_no_option_is_refused(tmp_path: Path) -> None:
    """`confirms` and `option_choices` speak of options that there are."""
    path = tmp_path / "config.yaml"
    path.write_text(HTTP + "options: {mode: a}\nconfirms: {mod: [/mode]}\n")
    with pytest.raises(InputError, match='"mod", which is no option') as caught:
        read_config(str(path))
    assert "mode" in caught.value.help
