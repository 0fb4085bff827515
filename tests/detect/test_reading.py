"""What a text's letters and neighbouring words rule out is really not there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aigov_eval.detect.hits import hits_of
from aigov_eval.detect.known import WordCache
from aigov_eval.detect.reading import Reading
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon, Location, Term, Word
from aigov_eval.pack.entries import parse_entry
from aigov_eval.scoring import Engine
from aigov_eval.text.structure import structure_of

NOWHERE = Location("words.txt", 1, 1)
ENTRIES = [
    "sclerosis",
    "multiple sclerosis",
    "(a|an) (old|new) chair",
    "type ..2 diabetes",
    "diabet*",
    "in (the|) clinic",
    "(old|) chair ..1 clinic",
    "diabet* ..2 (the|) clinic",
    "a ..3 (diabet*|epilep*)",
    "x ..1 (new|) ..1 2",
    "=PP",
    "=SOS Clinic",
    "épilepsie",
    "crise d épilepsie",
    "tel",
    "*rosis",
    "(type|*betes) 2",
    "<place>",
    "(a|an) ..1 <place> (old|)",
    "<place> ..1 <chair>",
    "(old|) <chair> <place> in",
    "the <ill>",
    "<ill> ..1 (clinic|2)",
    "x ..2 <phrase> (old|)",
]
CLASSES = {
    "ill": Word(stems=("diabet",), phrases=((Word(frozenset({"old"})), Word(frozenset({"chair"}))),)),
    "phrase": Word(
        phrases=(
            (Word(frozenset({"type"})), Word(frozenset({"2"}))),
            (Word(frozenset({"a"})), Word(frozenset({"tel"}), gap=1), Word(ends=("rosis",), optional=True)),
        )
    ),
    "chair": Word(frozenset({"chair"}), phrases=((Word(frozenset({"new"})), Word(frozenset({"chair"}))),)),
    "place": Word(
        frozenset({"clinic"}),
        phrases=(
            (Word(frozenset({"old"}), optional=True), Word(frozenset({"clinic"}))),
            (Word(frozenset({"chair"})), Word(frozenset({"in"}), gap=1), Word(frozenset({"clinic"}))),
            (Word(ends=("rosis",)), Word(frozenset({"clinic"}))),
        ),
    ),
}
WORDS = [
    "sclerosis",
    "Multiple",
    "a",
    "an",
    "old",
    "new",
    "chair",
    "type",
    "diabetes",
    "diabetic",
    "in",
    "the",
    "clinic",
    "PP",
    "pp",
    "Pp",
    "SOS",
    "sos",
    "Clinic",
    "épilepsie",
    "epilepsie",
    "crise",
    "d",
    "tel",
    "tél",
    "Tel",
    "x",
    "2",
]
BETWEEN = [" ", " ", "-", "'", ", ", "\n", "\n\n", ". ", "  ", "_", ": ", "|", ""]


def _terms(line: str) -> tuple[Term, ...]:
    exact = line.startswith("=")
    return parse_entry(line.removeprefix("="), where=NOWHERE, paradigms={}, exact=exact, classes=CLASSES)


@pytest.fixture(scope="module")
def index() -> WordIndex:
    """A word list with every kind of entry, each in a lexicon of its own."""
    return build_index(
        {
            f"list_{n:02}": [Lexicon(f"list_{n:02}", "en", "", "", "", _terms(line), (), NOWHERE)]
            for n, line in enumerate(ENTRIES)
        }
    )


TEXTS = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)), max_size=14).map(
    lambda pairs: "".join(word + between for word, between in pairs)
)


@given(text=TEXTS)
@settings(max_examples=400, deadline=None)
def test_what_is_asked_first_hides_no_entry(index: WordIndex, text: str) -> None:
    """The entries that a text may hold, and where they may begin, are all that a search for every entry finds."""
    reading = Reading(text, index, frozenset())
    anywhere = range(len(reading.row))
    everything = hits_of(
        index, reading.tokens, reading.plain, dict.fromkeys(range(len(index.entries)), anywhere)
    )
    every_list = frozenset(range(len(index.names)))

    assert reading.hits(every_list) == everything
    for hit in everything:
        assert hit.start in reading.beginnings(frozenset({hit.lexicon})), (text, hit)


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_what_an_index_remembers_changes_nothing(
    index: WordIndex, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """However few words an index keeps between texts, a text gives the same hits, also when it brings more of its own."""
    texts = [" ".join(WORDS[start : start + 8]) for start in range(0, len(WORDS) - 8)]
    texts += ["multiple sclerosis, a new chair", "new words stand here before multiple sclerosis"]
    every_list = frozenset(range(len(index.names)))
    told = [Reading(text, index, frozenset()).hits(every_list) for text in texts]

    monkeypatch.setattr("aigov_eval.detect.known._MET", most)
    forgetful = replace(index)

    assert [Reading(text, forgetful, frozenset()).hits(every_list) for text in texts] == told


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("the old type", []),
        ("the old clinic", [4, 8]),
        ("a chair in", []),
        ("a chair in the clinic", [2, 15]),
    ],
)
def test_a_phrase_of_a_class_is_asked_by_its_other_words(
    index: WordIndex, text: str, starts: list[int]
) -> None:
    """A word that begins a phrase of a class makes an entry a candidate only where the phrase may go on."""
    place = index.number(f"list_{ENTRIES.index('<place>'):02}")

    assert Reading(text, index, frozenset()).beginnings(frozenset({place})) == starts


def test_letter_case_is_asked_of_a_word_once(index: WordIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that stands a thousand times in another letter case costs one search of the text, not a thousand."""
    asked: list[str] = []
    ask = WordCache.may_be_written

    def counted(met: WordCache, at: int, light: str, plain: str) -> bool:
        asked.append(light)
        return ask(met, at, light, plain)

    monkeypatch.setattr(WordCache, "may_be_written", counted)

    exact = frozenset(index.number(f"list_{n:02}") for n, line in enumerate(ENTRIES) if line.startswith("="))

    assert Reading("the pp and the sos clinic, " * 1000, index, frozenset()).hits(exact) == ()
    assert sorted(asked) == ["pp", "sos"]


@given(
    text=st.lists(
        st.tuples(
            st.sampled_from([*WORDS, "key", "```", "{", "}", '"']),
            st.sampled_from([*BETWEEN, ";", ",", "\t", " = ", "=", " | "]),
        ),
        max_size=24,
    ).map(lambda pairs: "".join(a + b for a, b in pairs))
)
@settings(max_examples=400, deadline=None)
def test_a_cell_is_where_signs_of_records_are(text: str) -> None:
    """Whatever records are read in a text, their signs and their block are seen without reading it."""
    structure = structure_of(text)
    for cell in structure.cells:
        around = structure.around(cell.start)
        block = structure.block_at(cell.start)
        assert structure.may_hold_cells(cell.start), (text, cell)
        assert around.start <= block.start and len(text[: block.end].rstrip()) <= around.end, (text, cell)
        assert all(around.start <= label.start and label.end <= around.end for label in cell.labels)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Multiple. Sclerosis is rare.", False),
        ("Multiple.Sclerosis", False),
        ("multiple. sclerosis", True),
        ("diabetic, x. The clinic", True),
        ("diabetic. The clinic", False),
        ("SOS. Clinic", True),  # as of "St. Mary"
    ],
)
def test_no_entry_reaches_into_the_next_sentence(index: WordIndex, text: str, held: bool) -> None:
    """A full stop after a whole word, and a capital, end a sentence; after a short one they may not."""
    reading = Reading(text, index, frozenset())
    every_list = frozenset(range(len(index.names)))

    assert any(hit.last > hit.first for hit in reading.hits(every_list)) is held


def test_no_entry_of_the_stock_pack_is_hidden(engine: Engine) -> None:
    """Texts of the controls, of every list and language: what is asked first finds all that a search for every entry everywhere finds."""
    texts = [t for d in engine.pack.detectors.values() for e in d.must_find for _, t in e.turns]
    for text in texts[:: len(texts) // 24]:
        for words in (engine.detection.words, engine.phrases, engine.people.names, engine.far_cues):
            reading = Reading(text[:120], words, frozenset())
            everywhere = dict.fromkeys(range(len(words.entries)), range(len(reading.row)))

            assert reading.hits(frozenset(range(len(words.names)))) == hits_of(
                words, reading.tokens, reading.plain, everywhere
            )


def test_what_threads_share_is_made_with_its_owner(stock: Engine) -> None:
    """What an index remembers and a gate compiles is one thing from the start, however many threads ask first, a copy's its own."""
    words, gate = replace(stock.detection.words), replace(stock.detection.gate)
    assert "met" in vars(words) and "compiled" in vars(gate)
    assert vars(words)["met"] is not stock.detection.words.met
    assert vars(gate)["compiled"] == {}
