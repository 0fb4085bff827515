"""
The pytest plugin: an assertion, a pack, and scenario files as tests.

Comes in: pytest's hooks (entry point `pytest11`). Goes out: the fixtures `assert_no_leak` and `aigov_pack`, and with
`--aigov-scenarios` a test for each `*.scenario.yaml`. Loaded at the start of every pytest run in an environment
where the package is installed, so that nothing of ours is imported before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from aigov_eval.api.verdict import Verdict
    from aigov_eval.scoring import Engine

SUFFIXES = (".scenario.yaml", ".scenario.yml", ".scenario.json")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin; all off by default."""
    group = parser.getgroup("aigov-eval", "personal data in conversations")
    group.addoption(
        "--aigov-scenarios",
        action="store_true",
        default=False,
        help="Collect *.scenario.yaml files as tests (also ini: aigov_scenarios = true).",
    )
    group.addoption(
        "--aigov-target",
        default="",
        metavar="TARGET",
        help="Who answers scenarios without answers: module:function, or a target config (also ini: aigov_target).",
    )
    parser.addini("aigov_scenarios", "Collect *.scenario.yaml files as tests.", type="bool", default=False)
    parser.addini("aigov_target", "Who answers scenarios that have no answers of their own.", default="")
    parser.addini("aigov_packs", "Folders of packs to add to the stock rules.", type="paths", default=[])


@pytest.fixture(scope="session")
def aigov_pack(pytestconfig: pytest.Config) -> Engine:
    """The rules of the session, compiled once: the stock pack with the folders of the ini option `aigov_packs`. Override it for others."""
    return _pack(pytestconfig)


@pytest.fixture
def assert_no_leak(aigov_pack: Engine) -> Callable[..., Verdict]:
    """`aigov_eval.assert_no_leak` with the rules of the session: `assert_no_leak(messages, subject=..., facts=...)`."""
    from aigov_eval.api.leak import assert_no_leak as checked

    return partial(checked, pack=aigov_pack)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """A scenario file as a test, where that was asked for."""
    config = parent.config
    if not file_path.name.endswith(SUFFIXES):
        return None
    if not (config.getoption("--aigov-scenarios") or config.getini("aigov_scenarios")):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


class ScenarioFile(pytest.File):
    """A scenario file; one that is not valid is an error of collection."""

    def collect(self) -> Iterable[ScenarioItem]:
        """The one test of the file."""
        from aigov_eval.errors import AigovError
        from aigov_eval.readers.scenario import read_scenario

        try:
            scenario = read_scenario(self.path)
        except AigovError as error:
            raise self.CollectError(str(error)) from None
        item = ScenarioItem.from_parent(self, name=scenario.scenario_id or self.path.name.partition(".")[0])
        item.scenario = scenario
        yield item


class ScenarioItem(pytest.Item):
    """
    One scenario. Its own answers are judged, against `expect` where it has that, else they must tell nothing;
    one without answers is put to the target first.
    """

    scenario: Any = None

    def runtest(self) -> None:
        """Judge it; what differs from the expected is the failure."""
        from aigov_eval.api.calls import score
        from aigov_eval.api.leak import assert_no_leak
        from aigov_eval.model import Transcript

        pack = _pack(self.config)
        if not any(turn.role == "assistant" for turn in self.scenario.turns):
            self._ask(pack)
            return
        transcript = Transcript(self.scenario.turns, self.scenario, self.name, source=str(self.path))
        if self.scenario.expect is None:
            assert_no_leak(transcript, pack=pack)
            return
        from aigov_eval.controls.expected import unlike

        verdict = score(transcript, pack=pack)
        told = unlike(self.scenario.expect, verdict[0])
        if told:
            raise AssertionError(f"{told}\n\n{verdict}")

    def _ask(self, pack: Engine) -> None:
        """Put it to the target and judge what that answered."""
        from aigov_eval.errors import InputError
        from aigov_eval.integrations.target import answered_by

        target = self.config.getoption("--aigov-target") or self.config.getini("aigov_target")
        if not target:
            raise InputError(
                "has no answers, and there is nobody to ask",
                where=str(self.path),
                help="give --aigov-target module:function (or a target config), or write the answers into its turns.",
            )
        from aigov_eval.api.leak import assert_no_leak

        with answered_by(str(target), self.path, pack) as folder:
            assert_no_leak(folder, pack=pack)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The table, or what stopped it; a traceback only where the fault may be ours."""
        from aigov_eval.errors import AigovError

        if isinstance(excinfo.value, AssertionError | AigovError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, 0, f"scenario: {self.name}"


def _pack(config: pytest.Config) -> Engine:
    from aigov_eval.api.calls import load_pack

    if _PACK not in config.stash:
        config.stash[_PACK] = load_pack(*config.getini("aigov_packs"))
    return config.stash[_PACK]


_PACK: pytest.StashKey[Engine] = pytest.StashKey()
