"""What all tests share: no network but loopback, a private cache folder, the stock pack loaded once."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aigov_eval.model import Pack
from aigov_eval.pack.load import load_pack
from aigov_eval.scoring import Engine, build_engine

_SLOW = Path(__file__).parent / "slow.txt"
_connect = socket.socket.connect
_OF_VALUES = ("organisation", "format_explanation")  # excuses of numbers and addresses alone
_LOOPBACK = ("127.", "::1", "localhost")


def slow_tests() -> frozenset[str]:
    """The tests, and files of tests, that are not part of the fast tier."""
    lines = (line.partition("#")[0].strip() for line in _SLOW.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if line)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests: `pytest -m "not slow"` leaves them out."""
    slow = slow_tests()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in slow or name.partition("::")[0] in slow:
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to anything but this machine fails the test."""

    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(_LOOPBACK):
            raise AssertionError(f"the test tried to reach {address[0]}")
        return _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(scope="session", autouse=True)
def _at_home() -> Iterator[None]:
    """Tests stand in the checkout, from whichever folder they were started; messages shorten paths by it."""
    before = Path.cwd()
    os.chdir(Path(__file__).parent.parent)
    yield
    os.chdir(before)


@pytest.fixture(scope="session", autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled packs go to a folder of the test run, not to the user's."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def pack() -> Pack:
    """The stock pack."""
    return load_pack()


@pytest.fixture(scope="session")
def stock(pack: Pack) -> Engine:
    """The stock pack, compiled for scoring; `engine` where a module has none of its own."""
    return build_engine(pack)


@pytest.fixture(scope="session")
def engine(stock: Engine) -> Engine:
    """The stock pack, compiled for scoring."""
    return stock


@pytest.fixture(scope="session")
def linking(stock: Engine) -> Engine:
    """The stock pack with rules that ask for a link and excuses alone: what these find is tested apart from the weighing."""
    contexts = stock.pack.contexts
    said = [name for name, one in contexts.items() if one.speaks_against and name not in _OF_VALUES]
    categories = {
        name: replace(
            category,
            rules=tuple(
                replace(rule, holder=(), stance=(), unless=tuple(dict.fromkeys((*rule.unless, *said))))
                for rule in category.rules
            ),
        )
        for name, category in stock.pack.categories.items()
    }
    return replace(stock, pack=replace(stock.pack, categories=categories))
