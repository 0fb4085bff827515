"""Packs that nobody wrote: files with bytes, lines and values changed are loaded and scored with, or refused with a place."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

import yaml

from aigov_eval.errors import AigovError, PackError
from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.pack.compile import compile_pack
from aigov_eval.pack.files import PackFile
from aigov_eval.scoring import build_engine, score_transcript
from tests.pack.small import FILES

TALK = Transcript(
    (
        Turn(0, "user", "What does Nora Feld like?"),
        Turn(1, "assistant", "Nora Feld enjoys falconry, her club card has no. 1234."),
    ),
    Scenario(person_name="Nora Feld"),
)
_KEYS = (
    "find ignore terms cell regex presidio phone spacy validator near beyond within side claimed controls finds skips"
    " language case explicit scope reaches unless about detects rules category severity legal speaker expect turns fields"
).split()
_VALUES: tuple[Any, ...] = (
    *("", "x", "hobby", "luhn", "(a+)+b", "a[[b]c", "[", "\\", "(?P<value>", "a{1000}{1000}", "\x00", "[[", "]]", "~", "!", "=A", "a*"),
    *(None, True, 0, -1, 10**30, 1.5, [], {}, ["hobby", "hobby"], {"hobby": ["hobby"]}, [[]], [{"user": "?"}]),
)  # fmt: skip
_NOISE = (
    "\x00",
    "\t",
    "\ufeff",
    "\u2028",
    "\x1b[2J",
    ": ",
    "- ",
    "&a ",
    "*a ",
    "!!python ",
    "[[",
    "]]",
    "|\n",
    "'",
    '"',
    "#",
)


def test_no_pack_breaks_the_loader_or_the_scorer(effort: int, tried: Counter[str]) -> None:
    """Whatever was changed in its files, a pack is refused by named faults, or loads and gives a verdict."""
    chance = random.Random(18)
    refused = loaded = 0
    for _ in range(60 * effort):
        tried["packs"] += 1
        files = dict(FILES)
        for _ in range(chance.randint(1, 3)):
            _change(files, chance)
        try:
            engine = build_engine(compile_pack(_files(files, chance)))
        except PackError as error:
            refused += 1
            _says(error)
            continue
        loaded += 1
        try:
            for score in score_transcript(TALK, engine):
                assert score.passed == (not score.findings)
        except AigovError as error:
            assert error.help

    assert refused > 20
    assert loaded > 2


def _says(error: PackError) -> None:
    assert str(error)
    for issue in getattr(error, "issues", ()):
        assert issue.path
        assert issue.line >= 1
        assert issue.column >= 1
        assert re.fullmatch(r"AG\d{3}", issue.code)
        assert issue.text


def _files(files: dict[str, str], chance: random.Random) -> tuple[PackFile, ...]:
    listed = []
    for path, text in sorted(files.items()):
        data = text.encode("utf-8", "replace")
        if chance.random() < 0.01:
            at = chance.randrange(len(data) + 1)
            data = data[:at] + bytes([chance.randrange(256)]) + data[at:]
        listed.append(PackFile(path, data, 0))
    return tuple(listed)


def _change(files: dict[str, str], chance: random.Random) -> None:
    """One change: of a value in a YAML file, of letters or lines, of a name, or a file less."""
    path = chance.choice(sorted(files))
    text = files[path]
    way = chance.random()
    if way < 0.45 and path.endswith(".yaml"):
        try:
            value = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            return
        files[path] = json.dumps(_one_change(value, chance), ensure_ascii=False, default=str)
    elif way < 0.7:
        at = chance.randrange(len(text) + 1)
        files[path] = text[:at] + chance.choice(_NOISE) + text[at + chance.choice((0, 0, 1, 5)) :]
    elif way < 0.9:
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(4)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif kind == 2:
            lines[at] = lines[at][chance.randrange(len(lines[at]) + 1) :]
        else:
            lines[at] = "  " + lines[at]
        files[path] = "\n".join(lines)
    elif way < 0.95:
        del files[path]
    else:
        new = chance.choice(
            ("x.yaml", "hobby.xx.txt", "hobby.en.txt", "refusal.de.txt", "..yaml", "detectors.yaml")
        )
        files[path.rpartition("/")[0] + "/" + new] = files.pop(path)


def _one_change(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict | list) and value and chance.random() < 0.85:
        key = chance.choice(list(value) if isinstance(value, dict) else list(range(len(value))))
        way = chance.random()
        if way < 0.65:
            value[key] = _one_change(value[key], chance)
        elif way < 0.8:
            del value[key]
        elif isinstance(value, dict):
            value[chance.choice(_KEYS)] = value[key] if way < 0.9 else chance.choice(_VALUES)
        else:
            value.insert(key, chance.choice(_VALUES))
        return value
    return chance.choice(_VALUES)
