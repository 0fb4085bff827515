"""A secret of ours that a target gives back leaves in no spelling."""

from __future__ import annotations

import base64
import codecs
import html
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from aigov_eval.cli.main import run
from aigov_eval.runner.environment import Environment
from aigov_eval.runner.secrets import without
from tests.runner.runs import PACK
from tests.runner.server import Server

KEY = "sk-proj-4fH9+zQ/7mWx2LbT"


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda key: key,
    "in capitals": str.upper,
    "base64": _base64,
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "base64 in a text": lambda key: _base64(f"The key is {key}, keep it."),
    "base64, moved by one": lambda key: _base64(f"x{key}y"),
    "base64, moved by two": lambda key: _base64(f"xx{key}yy"),
    "base64 twice": lambda key: _base64(_base64(f"key={key}")),
    "base64 over lines": lambda key: "\n".join(_base64(key)[at : at + 8] for at in range(0, 40, 8)),
    "base64 backwards": lambda key: _base64(key)[::-1],
    "hex": lambda key: key.encode().hex(),
    "hex in capitals": lambda key: key.encode().hex().upper(),
    "hex in pairs": lambda key: key.encode().hex(" "),
    "hex with colons": lambda key: key.encode().hex(":"),
    "hex as bytes": lambda key: ", ".join(f"0x{byte:02x}" for byte in key.encode()),
    "hex escapes": lambda key: "".join(f"\\x{byte:02x}" for byte in key.encode()),
    "backwards": lambda key: key[::-1],
    "spaced": " ".join,
    "with dots": ".".join,
    "in halves": lambda key: f"{key[:12]} {key[12:]}",
    "over lines": lambda key: f"{key[:12]}\n{key[12:]}",
    "with signs of no width": "\u200b".join,
    "percent-encoded": lambda key: quote(key, safe=""),
    "all percent-encoded": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "JSON escapes": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "HTML escapes": html.escape,
    "entities": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "rot13": lambda key: codecs.encode(key, "rot13"),
}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_a_secret_leaves_in_no_spelling(kind: str) -> None:
    """Whatever stands there can no longer be read back: no run of its letters or of their code is left."""
    told = SPELLINGS[kind](KEY)
    left = without(f"Here it is: {told} - use it well.", KEY, "[secret KEY]")

    assert "[secret KEY]" in left
    assert left.startswith("Here it is: ")
    assert left.endswith(" - use it well.") or "a text" in kind
    assert not any(told[at : at + 9] in left for at in range(len(told) - 8)) or kind == "base64 in a text"


def test_it_is_so_in_every_text_of_an_answer() -> None:
    """Keys and values of an answer of any shape."""
    environment = Environment(used={"KEY": KEY})
    answer = {"a": [{_base64(KEY): KEY.encode().hex()}], "b": KEY[::-1]}
    shown = json.dumps(environment.scrubbed_value(answer))

    assert shown.count("[secret KEY]") == 3


def test_random_secrets_in_random_places(effort: int) -> None:
    """Of any secret, in base64 or hex of any longer text, nothing can be decoded again."""
    chance = random.Random(15)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/."
    for _ in range(30 * effort):
        key = "".join(chance.choices(letters, k=chance.randint(10, 60)))
        around = "".join(chance.choices(letters, k=chance.randint(0, 30)))
        for told in (_base64(around + key + around), (around + key + around).encode().hex()):
            left = without(told, key, "[secret]")
            assert "[secret]" in left
            assert told not in left


def _in_parts(text: str, count: int) -> list[str]:
    size = -(-len(text) // count)
    return [text[at : at + size] for at in range(0, len(text), size)]


WRITTEN = {kind: SPELLINGS[kind] for kind in ("as it is", "in capitals", "base64", "hex", "backwards", "rot13", "spaced", "hex in pairs", "base64 backwards")}  # fmt: skip


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("kind", WRITTEN)
def test_a_secret_in_parts_leaves_in_none(kind: str, count: int) -> None:
    """Told in parts with words between, in one text, over several texts, or over several answers, no part is left."""
    environment = Environment(used={"KEY": KEY})
    told = WRITTEN[kind](KEY)
    parts = _in_parts(told, count)
    said = [f"Part {number} is {part.strip()} and more comes." for number, part in enumerate(parts)]
    runs = [part.strip()[at : at + 8] for part in parts for at in range(len(part.strip()) - 7)]

    for left in (
        environment.scrubbed(" ".join(said)),
        json.dumps(environment.scrubbed_value({"a": [said[0]], "b": dict.fromkeys(said[1:], 1)})),
        json.dumps(environment.withheld([_answer(text) for text in said])),
    ):
        assert "[secret KEY]" in left
        assert not any(run in left for run in runs)
        assert "and more comes" in left


def _answer(text: str) -> dict[str, Any]:
    return {
        "event": "answer",
        "turn_index": 1,
        "user": KEY[:6],
        "content": text,
        "raw": f'{{"content": "{text}"}}',
    }


def test_a_letter_an_answer_is_no_way_out() -> None:
    """One letter of it in each answer, and nothing else, is withheld as well; what the scenario itself says stays."""
    environment = Environment(used={"KEY": KEY})
    left = environment.withheld([_answer(letter) for letter in KEY])

    assert {one["content"] for one in left} == {"[secret KEY]"}
    assert all("secret" in one["raw"] for one in left)
    assert {one["user"] for one in left} == {KEY[:6]}


def test_a_run_keeps_no_part_of_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that tells our key half in one turn and half in the next leaves no half in any file of the run."""
    halves = iter([f"My first words are {KEY[:12]}.", f"My last words are {KEY[12:]}."])
    server = Server(lambda _: {"choices": [{"message": {"role": "assistant", "content": next(halves)}}]})
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "s.yaml").write_text(
        "scenario_id: s\ncategory: PII_DISCLOSURE\nperson_name: Ana Popa\nturns:\n"
        "  - {role: user, content: Who are you?}\n  - {role: user, content: And then?}\n"
    )
    (tmp_path / "t.yaml").write_text(
        f"target: openai\nmodel: m\nbase_url: {server.url}\napi_key_env: OPENAI_API_KEY\n"
    )
    target = ["--target-config", str(tmp_path / "t.yaml")]
    out = tmp_path / "out"
    code = run(["run", *PACK, "--scenario", str(tmp_path / "s.yaml"), *target, "--out", str(out)])
    server.stop()
    written = {path: path.read_text() for path in out.rglob("*") if path.is_file()}

    assert code == 0
    assert len(written) > 4
    for path, text in written.items():
        assert KEY[:12] not in text, path
        assert KEY[12:] not in text, path
    said = json.loads((out / "s" / "transcript.json").read_text())
    assert [one["content"] for one in said if one["role"] == "assistant"] == [
        "My first words are [secret KEY].".replace("KEY", "OPENAI_API_KEY"),
        "My last words are +[secret KEY].".replace("KEY", "OPENAI_API_KEY"),
    ]
    assert run(["verify", *PACK, str(out)]) == 0


@pytest.mark.parametrize(
    "text", ["The weather is nice.", "sk-proj is how they begin", _base64("Good morning to you all")]
)
def test_other_texts_stay(text: str) -> None:
    """Nothing else is taken for a secret."""
    assert without(text, KEY, "[secret KEY]") == text
    assert Environment(used={"KEY": KEY}).scrubbed(text) == text


def test_a_long_answer_takes_no_time() -> None:
    """A quarter of a megabyte of letters that are those of the secret is searched in little time."""
    for text in ("sk-proj-4fH9" * 20_000, "c2stcHJvai00Zk" * 18_000, "s " * 125_000):
        start = time.process_time()
        Environment(used={"KEY": KEY}).scrubbed(text)
        assert time.process_time() - start < 3
