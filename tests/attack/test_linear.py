"""No text takes long: every regular expression of the code is proven as those of a pack are, and dense texts are tried."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import aigov_eval
from aigov_eval.controls.redos import pump
from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript

_ONCE = {"match", "fullmatch"}
# a pattern by its place that is not linear, and why that does no harm
_BOUNDED = {
    "scoring.record_owner._LIKE_A_NAME": "is given names of at most some dozens of letters",
    "sessions.checks_shell._LEAD": "is given one command; each of its rounds ends at white space",
    "sessions.checks_shell._SHELL": "is given one command, at its beginning",
}


def _patterns() -> Iterator[tuple[str, str]]:
    """Every pattern of the code with its place; one that is only ever tried at one place is anchored there."""
    for found in pkgutil.walk_packages(aigov_eval.__path__, "aigov_eval."):
        if found.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError:
            # the tool that it belongs to is not installed: it must then hold no pattern
            there = importlib.util.find_spec(found.name)
            assert found.name.startswith("aigov_eval.integrations.") and there and there.origin
            assert "re.compile" not in Path(there.origin).read_text()
            continue
        assert module.__file__ is not None
        if not module.__file__.endswith(".py"):
            continue  # the compiled part, which holds no pattern
        tree = ast.parse(Path(module.__file__).read_text())
        short = found.name.removeprefix("aigov_eval.")
        used: dict[str, set[str]] = {}
        # compiled there, a pattern is a value of the module, and seen below
        at_import = {id(node.value) for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used.setdefault(node.value.id, set()).add(node.attr)
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and ast.unparse(node.func).startswith("re.")
                and node.args
                and id(node) not in at_import
                and (told := _text_of(node.args[0], vars(module)))
            ):
                yield f"{short}:{node.lineno}", rf"\A(?:{told})" if node.func.attr in _ONCE else told
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                ways = used.get(name, set()) - {"pattern"}
                once = bool(ways) and ways <= _ONCE
                yield f"{short}.{name}", rf"\A(?:{value.pattern})" if once else value.pattern


def _text_of(pattern: ast.expr, names: Mapping[str, object]) -> str:
    """The text of a pattern given as it is, or by the name of a constant; empty for one that is put together."""
    if isinstance(pattern, ast.Name):
        value = names.get(pattern.id)
        return value if isinstance(value, str) else ""
    return str(pattern.value) if isinstance(pattern, ast.Constant) else ""


_ALL = {pattern: place for place, pattern in _patterns()}


@pytest.mark.parametrize("pattern", _ALL, ids=_ALL.get)
def test_the_patterns_of_the_code_are_linear(pattern: str) -> None:
    """No regular expression of the code has a shape, or a text, that makes it run on and on."""
    if _ALL[pattern] not in _BOUNDED:
        assert pump(pattern, case=True) is None


BROKEN = (
    r"(?:[A-Z]{0,4}\d[\dA-Z]*(?:[ .\-/]?[\dA-Z]{1,8}){0,8})(?![\w@])",
    r"\w*q\w*z",
    r"(?:[A-Z][\w.-]{0,25},? ?){1,6}\d",
    r"(\w+\s?)*z",
    r"(?:ab|a|b)*c",
    r"\s*\n\s*x",
    r"(?<=a)(\w+)\1+b",
    r"(a?){30}a{30}",
)


@pytest.mark.parametrize("pattern", BROKEN)
def test_the_proof_sees_what_is_not_linear(pattern: str) -> None:
    """Shapes that were found by attack are seen by the proof."""
    assert pump(pattern) is not None


_UNITS = (
    *"0 9 A a Aa A0 - . @ _ + / ( ) : | é ă ' \" = % < > & #".split(),
    *(" ", "\n", "\t", ", ", "\u200b", "e\u0301", "я", "\x1b[1m", "\U000e0020", "\u202e"),
    *("Str. ", "Via ", "nr. ", "tel ", "RO49", "4111 ", "07", "+40 ", "0x", "==", "www.", "<b>", "&shy;"),
    *("she ", "Ana Popa ", "diabetes ", "has ", "not ", "at ", "dot ", "one ", "zwei ", "'s ", "Dr. "),
)
_SECONDS = 1.0  # of this process's own time, for any input under 2 kB
_KNOWN = (
    "It is " + "A1B2C3D4E5F60718" * 4 + "_v2.",
    "0" * 44 + "a",
    "He lives in Via Roma 5, 00184 Roma. Via " + "A" * 300 + "_",
    "Vive en la Calle Mayor 5, 28013 Madrid. Calle " + "A" * 300 + "_",
    "Locuiește pe Str. Lalelelor nr. 5, București. Str. " + "A" * 300 + "_",
    "." * 1900 + "a",
    "\x1b[" * 900,
    "<" * 1900,
    "&" * 1900,
    "<a" * 900,
    "a<b" * 600,
)


@pytest.mark.parametrize("text", _KNOWN, ids=range(len(_KNOWN)))
def test_what_was_slow_is_quick(text: str, engine: Engine) -> None:
    """The texts that took seconds to minutes."""
    assert _seconds(text, engine) < _SECONDS


def test_dense_texts_are_quick(engine: Engine, effort: int, tried: Counter[str]) -> None:
    """Short texts of few units, many times over, in every turn of a conversation: none takes a second."""
    chance = random.Random(15)
    slowest = (0.0, "")
    for _ in range(300 * effort):
        parts = [
            chance.choice(_UNITS) * chance.choice((1, 1, 1, chance.randint(1, 300)))
            for _ in range(chance.choice((1, 1, 2, 2, 3, 4)))
        ]
        text = ("".join(parts) * 2000)[: chance.choice((60, 200, 390, 1900))]
        tried["dense texts"] += 1
        text += chance.choice(("", "a", "_", "!", "@", "\x00", ".", "5"))
        slowest = max(slowest, (_seconds(text, engine), text))

    assert slowest[0] < _SECONDS, slowest


def _seconds(text: str, engine: Engine) -> float:
    asked = "Is it 4111 1111 1111 1112? And the rest?"
    turns = (
        Turn(0, "user", asked),
        Turn(1, "assistant", text),
        Turn(2, "user", text),
        Turn(3, "assistant", text[1:] + "7"),
    )
    start = time.process_time()
    score_transcript(Transcript(turns, Scenario(person_name="Ana Popa")), engine)
    return time.process_time() - start
