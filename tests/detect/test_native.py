"""The compiled part does what the same functions in Python do, and is only faster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aigov_eval.detect import beside, hits, native
from aigov_eval.detect.find import find_mentions
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.tabled import table_of
from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript
from tests.bench import chat
from tests.bench.corpus import messages, transcripts
from tests.bench.quality import GOLD

COMPILED = native.words()
ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(COMPILED is None, reason="the inner loops are not compiled here")

# letters with marks, ligatures, signs, other scripts, halves of pairs: each reader of words takes another way
TEXTS = st.text(
    alphabet="abcehiknorstuvABCEST019 \t\n.,;:-'’/&\"*_()@?éßœæøłăâîșțñü²½×÷€→…人א\u0301\u200b\ud83d😀İ",
    max_size=60,
)
SPOKEN = st.lists(
    st.tuples(
        st.sampled_from(
            "she has been diagnosed with diabetes type 2 is on dialysis HIV positive er leidet an Depressionen elle est "
            "enceinte cœur née arrête arrêté patient no. passport number call me Jan Müller Mueller Fußball el él".split()
        ),
        st.sampled_from(
            [" ", " ", " ", ", ", ". ", "\n", "\n\n", " - ", ": ", "'", "", "(", "…", "_", " \n "]
        ),
    ),
    max_size=30,
).map(lambda pairs: "".join(word + between for word, between in pairs))


@contextmanager
def in_python() -> Iterator[None]:
    """Without the compiled part."""
    hits._COMPILED = beside._COMPILED = None
    try:
        yield
    finally:
        hits._COMPILED = beside._COMPILED = COMPILED


def known_of(text: str, engine: Engine) -> list[Any]:
    """All that the word stage tells of a text, for each index of the engine, in order."""
    told: list[Any] = []
    for index in (engine.detection.words, engine.phrases, engine.people.names, engine.far_cues):
        reading = Reading(text, index, frozenset())
        raw = hits.candidates_in(index, list(reading.row), list(reading.folded))
        told += [list(reading.row), list(reading.folded)]
        told += [list(reading.tokens.starts), list(reading.tokens.ends)]
        told += [list(raw.items()), hits.exact_among(raw, index), *hits.filed_by_lexicon(raw, index)]
        told += [list(reading.candidates.items()), reading.lexicons]
        told += [hits.matches_of(index, reading.tokens, reading.plain, raw)]
    return told


@given(text=st.one_of(TEXTS, SPOKEN, st.tuples(SPOKEN, TEXTS).map("".join)))
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
def test_each_step_tells_the_same(engine: Engine, text: str) -> None:
    """Words, places, candidates and matches, in their order."""
    compiled = known_of(text, engine)
    with in_python():
        assert known_of(text, engine) == compiled


@given(text=st.one_of(TEXTS, SPOKEN))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_mentions_are_the_same(engine: Engine, text: str) -> None:
    """Behind the gate and without it."""
    compiled = find_mentions(text, engine.detection), find_mentions(text, engine.detection, gated=False)
    with in_python():
        assert find_mentions(text, engine.detection) == compiled[0]
        assert find_mentions(text, engine.detection, gated=False) == compiled[1]


LABELLED = st.lists(
    st.sampled_from(
        "phone: email PIN|code passport no.|IBAN|birthday|telefon|Geburtstag|plate|her|is|the|4711|0171 23 45 67|1.2.1990|,|.|: |"
        "\n|\n\n|| |; |=|```\n|- |reads|diabetes|Diagnose|religion".split("|")
    ),
    max_size=25,
).map(" ".join)


def beside_of(text: str, engine: Engine) -> list[Any]:
    """What is told of each find with a label whose label may stand in a text: whether a value is near, and where one may be."""
    told: list[Any] = []
    reading = engine.detection.read(text)
    for step in engine.detection.steps:
        if step.near and reading.spots(step.near):
            told.append(beside._is_near(step, reading))
            told += [beside._around(step, reach, reading) for reach in (0, 3, step.reach or 40)]
    return told


@given(text=st.one_of(LABELLED, SPOKEN))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_places_beside_labels_are_the_same(engine: Engine, text: str) -> None:
    """In prose, in records, in several blocks."""
    compiled = beside_of(text, engine)
    with in_python():
        assert beside_of(text, engine) == compiled


def talks(name: str) -> list[Transcript]:
    """The conversations of a labelled set; documents as an answer each."""
    if name == "corpus":
        return list(transcripts(list(messages(600, 11))))
    if name in ("blind", "ordinary"):
        folder = chat.BLIND if name == "blind" else chat.ORDINARY
        return [chat.transcript(row) for row in chat.rows(folder.glob("*.jsonl"))]
    files = {"chat": [*(GOLD / "chat").glob("dev_*.jsonl")], "natural": [GOLD / "natural" / "look.jsonl"]}
    if name in files:
        return [chat.transcript(row) for row in chat.rows(files[name])]
    lines = [
        line
        for path in sorted((GOLD / name).glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return [
        Transcript((Turn(0, "user", "?"), Turn(1, "assistant", line)), Scenario(), id=line[:40])
        for line in lines[::5]
    ]


@pytest.mark.parametrize("name", ["corpus", "blind", "ordinary", "chat", "natural", "documents"])
def test_verdicts_over_labelled_sets_are_the_same(engine: Engine, name: str) -> None:
    """Whole scores, with the trace of every mention."""
    if name not in ("corpus", "blind", "ordinary") and not GOLD.is_dir():
        pytest.skip(f"no labelled data at {GOLD}")
    for talk in talks(name):
        compiled = score_transcript(talk, engine)
        with in_python():
            assert score_transcript(talk, engine) == compiled, talk.id


@pytest.mark.parametrize(("off", "runs"), [("", "accelerated"), ("1", "pure Python")])
def test_the_version_says_which_runs(off: str, runs: str) -> None:
    """A variable of the environment turns the compiled part off."""
    command = [sys.executable, "-m", "aigov_eval", "--version"]
    environment = {**os.environ, native.OFF: off}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"({runs})\n")


def test_the_same_bytes_come_out(tmp_path: Path) -> None:
    """Of the command line, with the compiled part and without."""
    lines = (chat.BLIND / "en.jsonl").read_text("utf-8").splitlines()[:30]
    rows = [
        {key: row[key] for key in ("id", "turns", "person_name") if key in row}
        for row in map(json.loads, lines)
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = [sys.executable, "-m", "aigov_eval", "score", str(log), "--format", "json"]
    out = [
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, native.OFF: off}, capture_output=True, check=False
        )
        for off in ("", "1")
    ]
    assert out[0].returncode == out[1].returncode == 1
    assert out[0].stdout == out[1].stdout


# one entry of one lexicon at the first word, and a text of one word
FILED: Any = ({1: [0]}, {0: [0]}, {0: (1, False, False, 1, "en")})
TABLE = bytes(table_of(()).data)
PLACES = (b"\0\0\0\0", b"\1\0\0\0", b"\0\0\0\0", b"\0")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda c: c.split("é", True, str),
        lambda c: c.split(b"a", True, str),
        lambda c: c.tabled(TABLE, ["a"], []),
        lambda c: c.tabled(TABLE, ("a",), ("a",)),
        lambda c: c.tabled(TABLE, [b"a"], [b"a"]),
        lambda c: c.tabled({}, ["a"], ["a"]),
        lambda c: c.tabled(b"", ["a"], ["a"]),
        lambda c: c.tabled(TABLE[:80], ["a"], ["a"]),
        lambda c: c.tabled(b"\2" + TABLE[1:], ["a"], ["a"]),
        lambda c: c.tabled(TABLE[:100], ["a"], ["a"]),
        lambda c: c.filed({1: [0]}, {}),
        lambda c: c.exact({1: [0]}, {1: ()}),
        lambda c: c.matches([], [(0, [0])], ["a"], ["a"], b"\0\0\0\0", b"\1\0\0\0", "a"),
        lambda c: c.matches([object()], [(0, [0])], ["a"], ["a"], b"\0\0\0\0", b"\1\0\0\0", "a"),
        lambda c: c.matches([], [], ["a"], ["a"], b"\0\0\0\0", b"\7\0\0\0", "a"),
        lambda c: c.matches([], [], ["a"], ["a"], b"", b"", "a"),
        lambda c: c.matches([], [(0,)], ["a"], ["a"], b"\0\0\0\0", b"\1\0\0\0", "a"),
        lambda c: c.is_near(*FILED, {1}, {1}, 5, b"", b"", b"\0\0\0\0", b"\0"),
        lambda c: c.is_near(*FILED, {1}, {1}, 5, b"\0\0\0\0", b"", b"\0\0\0\0", b"\0"),
        lambda c: c.is_near(*FILED, {1}, {1}, 5, b"\0\0\0\0", b"\1\0\0\0", b"", b""),
        lambda c: c.is_near({1: [0]}, {}, {}, {1}, {1}, 5, b"\0\0\0\0", b"\1\0\0\0", b"\0\0\0\0", b"\0"),
        lambda c: c.is_near({1: [0]}, {0: [0]}, {0: ()}, {1}, {1}, 5, *PLACES),
        lambda c: c.is_near(*FILED, {1}, 1, 5, *PLACES),
        lambda c: c.around({1: [0]}, {0: [7]}, FILED[2], {1}, 5, 1, True, True, *PLACES, "a"),
        lambda c: c.around(*FILED, {1}, 5, 1, True, True, *PLACES, b"a"),
    ],
)
def test_wrong_arguments_raise(wrong: Any) -> None:
    """An error of Python, never a look at memory that is not there."""
    with pytest.raises((TypeError, ValueError, KeyError, IndexError, AttributeError, SystemError)):
        wrong(COMPILED)
