"""`aigov-eval run` from end to end: verdicts, folders, errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run as command
from tests.runner.runs import PACK, PII, findings, flaky, load, run
from tests.runner.server import Answer, Request, targetlab

# ------------------------------------------------------------------ verdicts


def test_a_strict_mock_passes_both_categories(folder: Path) -> None:
    """Exit code 0, no finding, and the contract's four files for each run."""
    assert run("--scenario", "scenarios", "--target", "mock") == 0
    for run_id, turns in (("pii-1", 6), ("special-1", 4)):
        place = folder / "out" / run_id
        assert {path.name for path in place.iterdir()} == {
            "transcript.json",
            "scores.json",
            "run_meta.json",
            "evidence_pack.json",
        }
        transcript = load(f"out/{run_id}/transcript.json")
        assert [entry["turn_index"] for entry in transcript] == list(range(turns))
        assert [entry["role"] for entry in transcript] == ["user", "assistant"] * (turns // 2)
        assert load(f"out/{run_id}/scores.json")[0]["pass"] is True
        assert load(f"out/{run_id}/run_meta.json")["verdict"] == "pass"
        assert load(f"out/{run_id}/evidence_pack.json")["mock_audit"]["leaked_fields"] == []
    evidence = load("out/pii-1/evidence_pack.json")
    assert evidence["runner_config"]["auditor_seed"] == evidence["scenario"]["auditor_seed"]
    assert evidence["runner_config"]["auditor_seed"] == "You are a bank's assistant."


@pytest.mark.usefixtures("folder")
def test_a_leaky_mock_fails_both_at_the_right_turn_and_field() -> None:
    """Exit code 1; the second request for a field leaks it, there and nowhere else."""
    assert run("--scenario", "scenarios", "--target", "mock", "--leaky", "--leak-after", "2") == 1
    assert findings("pii-1") == [(5, ["email"])]
    assert findings("special-1") == [(3, ["health"])]
    evidence = load("out/pii-1/evidence_pack.json")
    assert (evidence["mock_audit"]["leaked_fields"], evidence["mock_audit"]["turn_index"]) == (["email"], 5)
    assert load("out/pii-1/scores.json")[0]["audit"]["agreement"] == [{"turn_index": 5, "field": "email"}]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("config", ["targetlab-flat", "targetlab-nested"])
def test_a_targetlab_of_both_shapes_passes_strict_and_fails_leaky(serve: Any, config: str) -> None:
    """The same over HTTP, with the server's audit aligned to the assistant's turns."""
    server = serve(targetlab)
    at = ["--scenario", "scenarios", "--target-config", config, "--target-option", f"url={server.url}/chat"]
    assert run(*at, "--out", "strict") == 0
    assert findings("pii-1", "strict") == findings("special-1", "strict") == []
    assert run(*at, "--leaky", "--out", "leaky") == 1
    assert findings("pii-1", "leaky") == [(3, ["email"]), (5, ["email", "phone"])]
    assert findings("special-1", "leaky") == [(1, ["health"]), (3, ["health"])]
    evidence = load("leaky/pii-1/evidence_pack.json")
    assert [audit["leaked_fields"] for audit in evidence["http_audit"]] == [[], ["email"], ["email", "phone"]]
    assert server.requests[0].json["messages"][0]["role"] in ("system", "user")
    seeds = [
        request.json["messages"][0]
        for request in server.requests
        if request.json["messages"][0]["role"] == "system"
    ]
    assert seeds
    assert all(seed["content"] == "You are a bank's assistant." for seed in seeds)


def test_the_scripted_target_scores_controls(folder: Path) -> None:
    """In a folder it takes the scenarios that hold replies; other targets leave controls out."""
    assert run("--scenario", "scenarios", "--target", "scripted") == 1
    assert findings("scripted-1") == [(1, ["email"])]
    assert not (folder / "out" / "pii-1").exists()


def test_a_python_callable_is_a_target(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it prints does not reach stdout, which is the result."""
    (folder / "my_run_app.py").write_text("def answer(messages):\n    print('noise')\n    return 'No.'\n")
    assert run("--scenario", "scenarios/pii.yaml", "--target", "my_run_app:answer", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["totals"]["passed"] == 1


@pytest.mark.usefixtures("folder")
def test_a_field_that_the_rules_missed_is_found_by_the_targets_audit(serve: Any) -> None:
    """What the server says it leaked counts, whatever the words."""
    server = serve(lambda _: {"reply": "It is the usual one.", "server_audit": {"leaked_fields": ["email"]}})
    at = ["--target-config", "targetlab-flat", "--target-option", f"url={server.url}"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 1
    (score,) = load("out/pii-1/scores.json")
    assert [finding["source"] for finding in score["findings"]] == ["audit"] * 3


@pytest.mark.usefixtures("folder")
def test_an_audit_of_an_unknown_field_is_an_error_not_a_pass(serve: Any) -> None:
    """Neither pass nor leak: nobody can say what the server meant."""
    server = serve(lambda _: {"reply": "No.", "server_audit": {"leaked_fields": ["shoe_size"]}})
    at = ["--target-config", "targetlab-flat", "--target-option", f"url={server.url}"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 2
    assert "shoe_size" in load("out/pii-1/run_meta.json")["error"]["message"]


# ------------------------------------------------------------------ repeats, thresholds, summary


def test_repeats_have_folders_and_a_rate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each repeat is a run of its own; the summary has the pass rate with both intervals."""
    assert (
        run("--scenario", "scenarios/pii.yaml", "--target", "mock", "--repeats", "10", "--format", "json")
        == 0
    )
    shown = json.loads(capsys.readouterr().out)
    assert shown == load("out/summary.json")
    (scenario,) = shown["scenarios"]
    assert (scenario["runs"], scenario["pass_rate"]) == (10, 1.0)
    assert scenario["wilson"] == [0.722467, 1.0]
    assert scenario["clopper_pearson"] == [0.691503, 1.0]
    assert sorted(path.name for path in (folder / "out").glob("pii-1*"))[:2] == ["pii-1-r01", "pii-1-r02"]


@pytest.mark.usefixtures("folder")
def test_a_threshold_decides_what_passes() -> None:
    """One of two runs fails: half is enough only where half was asked for."""
    at = ["--scenario", "scenarios", "--target", "mock", "--leaky", "--leak-profile", "email"]
    assert run(*at, "--min-pass-rate", "0.5", "--out", "half") == 0
    assert run(*at, "--min-pass-rate", "0.6", "--out", "more") == 1
    assert load("half/summary.json")["verdict"] == "pass"


@pytest.mark.usefixtures("folder")
def test_the_table_names_scenario_field_and_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """A person sees what leaked first and where the evidence lies."""
    run("--scenario", "scenarios", "--target", "mock", "--leaky")
    out = capsys.readouterr().out
    assert "email @3" in out
    assert "health @1" in out
    assert "FAIL: 0 pass, 2 fail of 2 runs" in out
    assert "evidence in out" in out


def test_the_same_run_gives_the_same_bytes_where_time_stands_still(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With SOURCE_DATE_EPOCH two runs differ in nothing that is not salted."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    for out in ("one", "two"):
        run(
            "--scenario",
            "scenarios",
            "--target",
            "mock",
            "--leaky",
            "--concurrency",
            "3" if out == "one" else "1",
            "--out",
            out,
        )
    for path in sorted((folder / "one").rglob("*.json")):
        if path.name != "evidence_pack.json":
            assert path.read_bytes() == (folder / "two" / path.relative_to(folder / "one")).read_bytes(), path


# ------------------------------------------------------------------ errors


@pytest.mark.usefixtures("folder")
def test_a_target_error_is_neither_pass_nor_leak(serve: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdict `error`, exit code 2, what was answered before is kept, the findings before it are counted."""
    answers = [{"reply": "Write to ion.popescu@example.com."}, Answer("<html>", content_type="text/html")]
    server = serve(flaky(lambda n: answers[min(n, 2) - 1]))
    at = ["--target-config", "targetlab-flat", "--target-option", f"url={server.url}"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 2
    meta = load("out/pii-1/run_meta.json")
    assert meta["verdict"] == "error"
    assert (meta["error"]["kind"], meta["error"]["turn_index"], meta["error"]["findings_before"]) == (
        "content_type",
        3,
        1,
    )
    assert load("out/pii-1/scores.json") == []
    assert len(load("out/pii-1/transcript.json")) == 2
    evidence = load("out/pii-1/evidence_pack.json")
    assert any("not valid" in line for line in evidence["limitations"])
    assert "<html>" in json.dumps(evidence)
    assert "(findings before it: 1)" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_retries_are_recorded(serve: Any) -> None:
    """A server that was busy once is asked again, and the evidence tells."""
    server = serve(flaky(lambda n: Answer("{}", status=503) if n == 2 else None))
    at = ["--target-config", "targetlab-flat", "--target-option", f"url={server.url}"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 0
    assert load("out/pii-1/run_meta.json")["failed_attempts"] == 1


@pytest.mark.usefixtures("folder")
def test_the_tries_of_a_run_that_failed_are_counted(serve: Any) -> None:
    """The record counts the failed tries that its error lists, and after a resume those of before it as well."""
    server = serve(flaky(lambda n: Answer("{}", status=503) if n <= 4 else None))
    at = ["--target-config", "targetlab-flat", "--target-option", f"url={server.url}", "--retries", "3"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 2
    meta = load("out/pii-1/run_meta.json")
    assert meta["failed_attempts"] == len(meta["error"]["attempts"]) == 4
    assert command(["run", *PACK, "--resume", "--out", "out"]) == 0
    assert load("out/pii-1/run_meta.json")["failed_attempts"] == 4


@pytest.mark.usefixtures("folder")
def test_many_missing_runs_are_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where twelve runs of a folder are gone, three are named and the others counted; JSON has each."""
    assert run("--scenario", "scenarios/pii.yaml", "--target", "mock", "--repeats", "14") == 0
    for number in range(3, 15):
        shutil.rmtree(folder / "out" / f"pii-1-r{number:02d}")
    capsys.readouterr()
    assert command(["verify", "out", *PACK]) == 1
    told = capsys.readouterr().out
    assert "pii-1-r03: " not in told
    assert "pii-1-r03, pii-1-r04, pii-1-r05 and 9 more: is in the plan and not in the folder" in told
    assert command(["verify", "out", *PACK, "--format", "json"]) == 1
    assert "pii-1-r14" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--target", "mock", "--out", "out", "--scenario"],
        ["freeze", "--out", "f", "--scenario"],
        ["scenarios", "validate"],
    ],
)
def test_an_unknown_category_is_told_before_its_unknown_keys(
    folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A scenario of a category that no rule knows has keys of its own; what is wrong is the category."""
    (folder / "other.yaml").write_text(
        "scenario_id: other\nforecast: rain\ncategory: WEATHER\nturns:\n  - {role: user, content: Hi}\n"
    )
    assert command([*arguments, "other.yaml", *PACK]) == 2
    told = capsys.readouterr().err
    assert 'other.yaml:3:11 unknown category "WEATHER"' in told
    assert "unknown key" not in told


@pytest.mark.usefixtures("folder")
def test_a_target_that_is_gone_stops_the_run_early(capsys: pytest.CaptureFixture[str]) -> None:
    """After so many runs in a row without a connection the rest waits for --resume."""
    at = ["--target-config", "targetlab-flat", "--target-option", "url=http://127.0.0.1:9/"]
    assert (
        run(
            "--scenario",
            "scenarios",
            "--repeats",
            "20",
            "--retries",
            "0",
            "--stop-after",
            "3",
            "--concurrency",
            "1",
            *at,
        )
        == 2
    )
    totals = load("out/summary.json")["totals"]
    assert (totals["errors"], totals["not_run"]) == (3, 37)
    assert "--resume --out out" in capsys.readouterr().err


WRONG: dict[str, tuple[list[str], str]] = {
    "no scenario": (["--target", "mock"], "no scenario is named"),
    "no target": (["--scenario", "scenarios"], "no target is named"),
    "unknown target": (["--scenario", "scenarios", "--target", "mok"], 'no target "mok"'),
    "unknown scenario": (
        ["--scenario", "nowhere", "--target", "mock"],
        "no file, no folder and no stock scenario",
    ),
    "only controls": (["--scenario", "scenarios/c*.yaml", "--target", "mock"], "are controls"),
    "http without config": (["--scenario", "scenarios", "--target", "http"], "needs a config"),
    "config of another target": (
        ["--scenario", "scenarios", "--target", "http", "--target-config", "ollama"],
        "not http",
    ),
    "unknown profile": (["--scenario", "scenarios", "--target", "mock", "--leak-profile", "pii"], '"pii"'),
    "a plan that a resume cannot change": (["--resume", "--repeats", "3"], "--repeats is part of the plan"),
    "nothing to resume": (["--resume"], "holds no run to resume"),
    "unknown category": (
        ["--scenario", "scenarios", "--target", "mock", "--category", "PII"],
        'unknown category "PII"',
    ),
    "bad rate": (["--scenario", "scenarios", "--target", "mock", "--rate", "fast"], "is not a rate"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_is_one_line_and_one_of_help(
    folder: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    """Exit code 2, nothing written, nothing sent."""
    arguments, words = WRONG[case]
    assert run(*arguments) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "help: " in error
    assert "Traceback" not in error
    assert not (folder / "out" / "plan.json").exists()


@pytest.mark.usefixtures("folder")
def test_a_folder_that_holds_a_run_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --resume it is an error; with it, the same plan is demanded."""
    at = ["--scenario", "scenarios", "--target", "mock"]
    assert run(*at) == 0
    assert run(*at) == 2
    assert "holds a run already" in capsys.readouterr().err
    assert run(*at, "--leaky", "--resume") == 2
    assert "the target's config" in capsys.readouterr().err
    Path("scenarios/pii.yaml").write_text(PII.replace("urgent", "important"))
    assert run(*at, "--resume") == 2
    assert "scenario scenarios/pii.yaml" in capsys.readouterr().err


def test_a_key_stands_in_no_file_and_no_line(
    folder: Path, serve: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even where the server sends it back, in a reply and in an error; --debug names the variable alone."""
    key = "sk-live-9f8e7d6c5b4a"
    monkeypatch.delenv("MY_RUN_KEY", raising=False)
    (folder / ".env").write_text(f"MY_RUN_KEY={key}\n")
    (folder / "target.yaml").write_text("target: openai\nmodel: m\napi_key_env: MY_RUN_KEY\n")
    replies = iter(range(100))

    def answer(request: Request) -> Any:
        told = f"Your header was {request.headers['authorization']}."
        if next(replies) % 2:
            return Answer(told, status=500, content_type="text/plain")
        return {"choices": [{"message": {"content": told}, "finish_reason": "stop"}]}

    server = serve(answer)
    at = ["--target-config", "target.yaml", "--target-option", f"base_url={server.url}/v1", "--debug"]
    assert run("--scenario", "scenarios/pii.yaml", *at) == 0
    assert server.requests[0].headers["authorization"] == f"Bearer {key}"
    shown = capsys.readouterr()
    assert "MY_RUN_KEY" in shown.err
    written = [path.read_text() for path in (folder / "out").rglob("*") if path.is_file()]
    assert key not in "".join(written) + shown.out + shown.err
    assert "[secret MY_RUN_KEY]" in load("out/pii-1/transcript.json")[1]["content"]
    assert any("our secrets" in line for line in load("out/pii-1/evidence_pack.json")["limitations"])
