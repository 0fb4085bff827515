"""The commands for rule authors: exit codes, and what goes to standard output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aigov_eval.cli.main import run
from tests.pack.small import FILES, PROVEN, write_pack

DETECTOR = "detectors/hobby.yaml"


@pytest.mark.parametrize(
    ("arguments", "files", "code"),
    [
        (["check"], {}, 0),
        (["check", "--mutate"], PROVEN, 0),
        (["check", "--mutate"], {}, 1),
        (["check", "frames/en", "--mutate"], {}, 1),
        (["check", "frames/en"], {}, 2),
        (["check", "rules/"], {}, 0),
        (["check"], {DETECTOR: FILES[DETECTOR].replace("enjoys silence", "enjoys falconry")}, 1),
        (["check"], {"scenarios/test_leak/withheld.yaml": None}, 1),
        (
            ["check", "--mutate"],
            {**PROVEN, DETECTOR: FILES[DETECTOR].replace("    - Her parcel has no. 1234.\n", "")},
            1,
        ),
        (["check", "nonsense"], {}, 2),
        (["check", "--format", "xml"], {}, 2),
        (["check"], {DETECTOR: "detector: hobby\n"}, 2),
        (["lint"], {}, 0),
        (["lint"], {DETECTOR: "detector: hobby\n"}, 1),
        (
            ["lint"],
            {"detectors/lists/club.any.txt": FILES["detectors/lists/club.any.txt"] + "league \n"},
            0,
        ),
        (["rules"], {}, 0),
        (["rules", "show", "hobby"], {}, 0),
    ],
)
def test_exit_codes(
    tmp_path: Path, arguments: list[str], files: dict[str, str | bytes | None], code: int
) -> None:
    """0 all is well, 1 something does not hold, 2 the run is not valid."""
    folder = str(write_pack(tmp_path, files))

    assert run([*arguments, "--pack", folder, "--only-pack"]) == code


def test_check_tells_machines_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--format json lists every control, what is missing and the survivors."""
    folder = str(write_pack(tmp_path, PROVEN))

    run(["check", "--pack", folder, "--only-pack", "--mutate", "--format", "json"])

    document = json.loads(capsys.readouterr().out)
    assert document["controls"][0] == {
        "id": "detectors/hobby/finds/0",
        "where": "detectors/hobby.yaml:15:7",
        "holds": True,
        "text": "",
        "help": "",
    }
    assert document["missing"] == []
    assert document["mutants"] == {"total": 16, "killed": 16, "survivors": []}


def test_lint_tells_machines_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--format json lists issues with place, code and level."""
    text = FILES["detectors/lists/club.any.txt"] + "league \n"
    folder = str(write_pack(tmp_path, {"detectors/lists/club.any.txt": text}))

    run(["lint", "--pack", folder, "--only-pack", "--format", "json"])

    (issue,) = json.loads(capsys.readouterr().out)
    assert (issue["path"], issue["line"], issue["code"], issue["level"]) == (
        "detectors/lists/club.any.txt",
        5,
        "AG110",
        "warning",
    )


def test_a_missing_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--pack with a folder that is not there, and --only-pack alone, are refused."""
    assert run(["lint", "--pack", str(tmp_path / "none")]) == 2
    assert run(["check", "--only-pack"]) == 2

    assert "no such folder" in capsys.readouterr().err
