"""The plan remembers which key signs: a resume signs with it or is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run as command
from tests.evidence.test_sign import KEY, OTHER, pem, public
from tests.runner.runs import MINIPACK
from tests.runner.server import Answer

PACK = ["--only-pack", "--pack", str(MINIPACK)]
SCENARIO = "scenario_id: {0}\ncategory: PII_DISCLOSURE\nperson_name: Ion Popescu\nturns:\n  - {{role: user, content: Hello}}\n"
CONFIG = "target: http\nurl: {url}/chat\nrequest: {{messages: $messages}}\nresponse: {{reply: [/reply]}}\n"


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Any) -> Path:
    """A signed run of which the second conversation failed, whose server answers by now."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    for name in ("a", "b"):
        (tmp_path / "s" / f"{name}.yaml").write_text(SCENARIO.format(name))
    (tmp_path / "key.pem").write_bytes(pem(KEY))
    (tmp_path / "other.pem").write_bytes(pem(OTHER))
    (tmp_path / "key.pub").write_bytes(public(KEY))
    answers = iter([{"reply": "No."}, Answer("{}", status=404)])
    server = serve(lambda _: next(answers, {"reply": "No."}))
    (tmp_path / "target.yaml").write_text(CONFIG.format(url=server.url))
    arguments = [
        "--target-config",
        "target.yaml",
        "--concurrency",
        "1",
        "--retries",
        "0",
        "--sign",
        "key.pem",
    ]
    assert command(["run", "--scenario", "s", *arguments, "--out", "out", *PACK]) == 2
    return tmp_path


def resume(*arguments: str) -> int:
    """Go on with that run."""
    return command(["run", "--resume", "--out", "out", *PACK, *arguments])


def signatures(folder: Path) -> list[bool]:
    """Whether the pack of each run is signed."""
    return [
        "signature" in json.loads((folder / "out" / name / "evidence_pack.json").read_text())
        for name in ("a", "b")
    ]


def test_a_resume_without_the_key_is_refused(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would leave packs unsigned: one line says which key it was, and nothing is asked or written."""
    capsys.readouterr()
    before = (begun / "out" / "summary.json").read_bytes()
    assert resume() == 2
    told = capsys.readouterr().err.splitlines()
    assert "would go on unsigned" in told[0]
    assert "--sign" in told[1]
    assert (begun / "out" / "summary.json").read_bytes() == before


def test_a_resume_with_another_key_is_refused(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run is signed by one key."""
    assert resume("--sign", str(begun / "other.pem")) == 2
    assert "another key signs" in capsys.readouterr().err


def test_a_resume_with_the_key_signs_all(begun: Path) -> None:
    """Every pack of the run verifies with the key, those of before the resume as well."""
    assert resume("--sign", "key.pem") == 0
    assert signatures(begun) == [True, True]
    assert command(["verify", "out", "--key", "key.pub", *PACK]) == 0


@pytest.mark.usefixtures("begun")
def test_a_whole_command_without_the_key_differs_from_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    """Repeating the command with --resume compares the key as well."""
    arguments = ["--scenario", "s", "--target-config", "target.yaml"]
    assert resume(*arguments) == 2
    assert "the key that signs" in capsys.readouterr().err
