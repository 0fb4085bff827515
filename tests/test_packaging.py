"""What goes with a release: the pre-commit hooks, the GitHub Action, the container file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from aigov_eval.detect import native
from tests.cli.talks import EMAIL, NOTHING, log, talk

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
BASH = shutil.which("bash") or ""
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
CONTAINER = (ROOT / "Containerfile").read_text("utf-8")


def ran(
    folder: Path, words: list[str], environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A program in a folder, this environment's programs first."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": path, "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **(environment or {})}
    return subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def tool(name: str) -> str:
    """A program of the extra `tools`, or a skip."""
    if not (BIN / name).exists():
        pytest.skip(f"{name} is not installed: pip install 'aigov-eval[tools]'")
    return str(BIN / name)


# ------------------------------------------------------------------ the wheel


def test_the_first_run_of_a_wheel_compiles_nothing(tmp_path: Path) -> None:
    """The wheel holds the stock pack compiled, under the name that the installed files have."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    done = ran(ROOT, build)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "site", "zip")
    script = """
import aigov_eval, sys
from aigov_eval.scoring.compiled import store as compiled
from aigov_eval.pack.files import stock_root
assert str(stock_root()).startswith(sys.argv[1]), stock_root()
def never(*_): raise SystemExit("the pack was compiled")
compiled._built = never
print(compiled.load_engine().pack.name)
"""
    own = {"PYTHONPATH": str(tmp_path / "site"), "AIGOV_EVAL_NO_CACHE": "1"}
    done = ran(tmp_path, [sys.executable, "-c", script, str(tmp_path / "site")], own)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("own", "is_compiled"),
    [({}, True), ({"CC": "no-such-compiler"}, False), ({"AIGOV_EVAL_PURE_PYTHON": "1"}, False)],
)
def test_a_wheel_needs_no_compiler(tmp_path: Path, own: dict[str, str], is_compiled: bool) -> None:
    """The inner loops are in it, for any later Python, where they can be compiled; elsewhere the wheel is for every platform."""
    if is_compiled and not (shutil.which("cc") and native.words()):
        pytest.skip("no C compiler here")
    shutil.copytree(ROOT, tmp_path / "src", ignore=shutil.ignore_patterns(".*", "tests", "docs", "_words.*o"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    done = ran(tmp_path / "src", build, own)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert ("-cp311-abi3-" if is_compiled else "-py3-none-any.whl") in wheel.name
    with zipfile.ZipFile(wheel) as opened:
        loops = [name for name in opened.namelist() if "/_words." in name]
    assert len(loops) == is_compiled


# ------------------------------------------------------------------ pre-commit


def test_the_hooks_are_a_valid_manifest() -> None:
    """By pre-commit itself."""
    done = ran(ROOT, [tool("pre-commit"), "validate-manifest", ".pre-commit-hooks.yaml"])
    assert done.returncode == 0, done.stdout


def test_a_commit_with_a_leaky_transcript_is_refused(tmp_path: Path) -> None:
    """By pre-commit itself, in a real repository, with the hook's own entry and files; only its environment is this one."""
    program = tool("pre-commit")
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    local = [{**hook, "language": "system"} for hook in HOOKS]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "transcripts").mkdir()
    log(tmp_path / "transcripts" / "desk.jsonl", talk(NOTHING))
    log(tmp_path / "other.jsonl", talk(EMAIL))  # not where transcripts are
    own = {"PRE_COMMIT_HOME": str(tmp_path / "cache")}
    for words in (["init", "-q"], ["add", "-A"]):
        assert ran(tmp_path, ["git", *words]).returncode == 0
    done = ran(tmp_path, [program, "run", "aigov-eval"], own)
    assert done.returncode == 0 and "Passed" in done.stdout, done.stdout
    log(tmp_path / "transcripts" / "leak.jsonl", talk(EMAIL))
    assert ran(tmp_path, ["git", "add", "-A"]).returncode == 0
    done = ran(tmp_path, [program, "run", "aigov-eval"], own)
    assert done.returncode == 1 and "exit code: 1" in done.stdout
    assert "1 fail; 1 finding" in done.stdout and "contact-details-disclosed" in done.stdout


# ------------------------------------------------------------------ GitHub Action


def test_the_action_is_one_by_the_schema() -> None:
    """Of schemastore, as check-jsonschema brings it along; nothing is fetched."""
    done = ran(ROOT, [tool("check-jsonschema"), "--builtin-schema", "vendor.github-actions", "action.yml"])
    assert done.returncode == 0, done.stdout


def test_no_input_is_put_into_a_script() -> None:
    """All go through the environment: what a pull request names its files must not be run."""
    steps = ACTION["runs"]["steps"]
    assert not any("${{" in step.get("run", "") for step in steps)
    assert all(step["shell"] == "bash" for step in steps if "run" in step)
    (score,) = (step for step in steps if step.get("id") == "score")
    given = set(re.findall(r"inputs\.([\w-]+)", str(score["env"]) + str(steps[0])))
    assert given == set(ACTION["inputs"])


def acted(folder: Path, **given: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """The action's own step with these inputs, as a runner does it; and its outputs."""
    (score,) = (step for step in ACTION["runs"]["steps"] if step.get("id") == "score")
    environment: dict[str, str] = {}
    for name, text in score["env"].items():
        key = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", text)[1]  # type: ignore[index]
        environment[name] = given.get(key.replace("-", "_"), str(ACTION["inputs"][key].get("default", "")))
    outputs, summary = folder / ".outputs", folder / ".summary"
    outputs.write_text("")
    summary.write_text("before\n")
    environment |= {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(summary)}
    done = ran(folder, [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", score["run"]], environment)
    return done, dict(line.split("=", 1) for line in outputs.read_text().splitlines())


needs_bash = pytest.mark.skipif(not BASH, reason="bash is not installed")


@needs_bash
def test_the_action_fails_on_a_leak_and_leaves_its_reports(tmp_path: Path) -> None:
    """Patterns, names with spaces, several files; the summary is added to, not replaced."""
    (tmp_path / "logs" / "a b").mkdir(parents=True)
    log(tmp_path / "logs" / "a b" / "one two.jsonl", talk(NOTHING, id="clean"))
    log(tmp_path / "logs" / "three.jsonl", talk(EMAIL, id="leaky"))
    done, outputs = acted(
        tmp_path, files="logs/**/one *.jsonl\nlogs/three.jsonl\n", out="a.sarif\njunit=b c.xml\n"
    )
    assert done.returncode == 1 and outputs == {"exit-code": "1"}, done.stderr
    assert "2 conversations: 1 pass, 1 fail" in done.stdout
    assert (tmp_path / "a.sarif").stat().st_size and (tmp_path / "b c.xml").stat().st_size
    told = (tmp_path / ".summary").read_text()
    assert told.startswith("before\n") and "leaky" in told


@needs_bash
def test_the_action_passes_or_is_not_valid(tmp_path: Path) -> None:
    """0 for what is clean or below the severity, 2 where nothing is there; without a summary where none is wanted."""
    log(tmp_path / "clean.jsonl", talk(NOTHING))
    log(tmp_path / "leak.jsonl", talk(EMAIL))
    done, outputs = acted(tmp_path, files="clean.jsonl", summary="false")
    assert (done.returncode, outputs) == (0, {"exit-code": "0"}), done.stderr
    assert (tmp_path / ".summary").read_text() == "before\n"
    assert acted(tmp_path, files="leak.jsonl", fail_on="HIGH")[0].returncode == 0
    done, outputs = acted(tmp_path, files="none/*.jsonl")
    assert (done.returncode, outputs) == (2, {"exit-code": "2"})
    assert "no file is there: none/*.jsonl" in done.stdout
    # a name is a name, whatever it looks like
    log(tmp_path / "$(touch evil).jsonl", talk(NOTHING))
    assert acted(tmp_path, files="$(touch evil).jsonl", subject="$(touch evil)")[0].returncode == 0
    assert not (tmp_path / "evil").exists()


def test_what_the_documentation_shows_is_there() -> None:
    """Inputs of the action and ids of the hooks, as docs/ci.md has them."""
    shown = (ROOT / "docs" / "ci.md").read_text("utf-8")
    blocks: list[Any] = [
        yaml.safe_load(one) for one in re.findall(r"^```yaml\n(.*?)^```$", shown, re.M | re.S)
    ]
    steps = blocks[0]["jobs"]["leaks"]["steps"]
    (own,) = (step["with"] for step in steps if "aigov-eval@" in step["uses"])
    assert set(own) <= set(ACTION["inputs"])
    told = re.search(r"^Inputs: (.*?);\noutput", shown, re.M | re.S)
    assert told and set(re.findall(r"`([\w-]+)`", told[1])) == set(ACTION["inputs"])
    assert {hook["id"] for hook in blocks[1]["repos"][0]["hooks"]} == {hook["id"] for hook in HOOKS}


# ------------------------------------------------------------------ container


def test_the_container_runs_as_nobody_and_holds_no_more_than_it_needs() -> None:
    """A numeric user before anything of ours runs, no latest, nothing fetched by hand, a context without the tests."""
    lines = [line for line in CONTAINER.splitlines() if line and not line.startswith("#")]
    stages = [line for line in lines if line.startswith("FROM ")]
    assert all(re.search(r":3\.\d+-slim\b", line) for line in stages) and len(stages) == 2
    last = lines[lines.index(stages[-1]) :]
    user = next(at for at, line in enumerate(last) if line.startswith("USER "))
    assert re.fullmatch(r"USER [1-9]\d*:[1-9]\d*", last[user])
    assert not any(line.startswith("USER ") for line in last[user + 1 :])
    assert all("aigov-eval " not in line for line in last[:user] if line.startswith("RUN "))
    assert not re.search(r"\b(curl|wget|ADD|sudo|chmod 777|--privileged)\b", CONTAINER)
    assert 'ENTRYPOINT ["aigov-eval"]' in last
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "tests"} <= set(ignored)
