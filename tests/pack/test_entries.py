"""The form of an entry: what each sign stands for, and that every wrong entry says what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aigov_eval.model import Location, Word
from aigov_eval.pack.entries import MAX_EXPANSIONS, parse_entry
from aigov_eval.pack.inflecting import EntryError
from aigov_eval.text.views import WORD

HERE = Location("x.en.txt", 1, 1)
PARADIGMS = {
    "ă": ["ă", "a", "i"],
    "ie": ["", "-1a", "-1ei"],
    "adj": ["", "e", "en"],
    "noun": {"": ["", "s"], "ch": ["", "es"], "y": ["", "-1ies"], "ey": ["", "s"]},
    "feminine": {"a": ["", "s"]},
}
CLASSES = {
    "clinician": Word(frozenset({"doctor", "nurse"})),
    "place": Word(
        frozenset({"clinic"}), ("hospi",), phrases=((Word(frozenset({"day"})), Word(frozenset({"unit"}))),)
    ),
    "illness": Word(ends=("itis",)),
    "elsewhere": None,
}


def compiled(entry: str) -> list[str]:
    """The terms of an entry, written so that a table can hold them."""
    return [
        " ".join(shown(word) for word in term.words)
        for term in parse_entry(entry, where=HERE, paradigms=PARADIGMS, classes=CLASSES)
    ]


def shown(word: Word) -> str:
    """`forms/of/a/word`, stems with a star, `..n` for a gap before, `?` where it may be absent."""
    phrases = ("<" + " ".join(shown(one) for one in phrase) + ">" for phrase in word.phrases)
    parts = (
        *sorted(word.forms),
        *(f"{stem}*" for stem in word.stems),
        *(f"*{end}" for end in word.ends),
        *phrases,
    )
    forms = "/".join(parts)
    return (f"..{word.gap} " if word.gap else "") + forms + ("?" if word.optional else "")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("word another", ["word another"]),
        ("Type-2 Diabetes", ["type 2 diabetes"]),
        ("can't", ["can t"]),
        ("can’t", ["can t"]),
        ("diabet*", ["diabet*"]),
        ("(diabet*|epilep*|gout) nurse", ["gout/diabet*/epilep* nurse"]),
        ("(can't|cannot) share", ["cannot share", "can t share"]),
        ("(he|she|) told", ["he/she? told"]),
        ("told ... that", ["told ..3 that"]),
        ("told … that", ["told ..3 that"]),
        ("told ..2 that ..5 it", ["told ..2 that ..5 it"]),
        ("told ... (him|) that", ["told ..3 him that", "told ..3 that"]),
        ("boal~ă", ["boala/boali/boală"]),
        ("o boal~ă rară", ["o boala/boali/boală rară"]),
        ("schizofrenie~ie", ["schizofrenia/schizofrenie/schizofreniei"]),
        ("(klein|groß)~adj Kind", ["groß/große/großen/klein/kleine/kleinen kind"]),
        ("patient(s|)", ["patients", "patient"]),
        ("(l'|d'|)insuline", ["l insuline", "d insuline", "insuline"]),
        ("((very|quite) bad|poor) state", ["poor state", "very bad state", "quite bad state"]),
        ("a (b|c d|) e", ["a b? e", "a c d e"]),
        ("un(able|known) to", ["unable/unknown to"]),
        ("*itis", ["*itis"]),
        ("(*itis|*osis|gout) clinic", ["gout/*itis/*osis clinic"]),
        ("*(carcin|sarc)oma", ["*carcinoma/*sarcoma"]),
        ("*algi~ă", ["*algiă/*algia/*algii"]),
        ("lobby~noun", ["lobbies/lobby"]),
        ("(crutch|key)~noun", ["crutch/crutches/key/keys"]),
        ("crutch~noun", ["crutch/crutches"]),
        ("the <clinician>", ["the doctor/nurse"]),
        ("(his|her) <place>", ["her/his clinic/hospi*/<day unit>"]),
        ("in ..2 <place>", ["in ..2 clinic/hospi*/<day unit>"]),
        ("(my|) (<clinician>|vet) says", ["my? doctor/nurse/vet says"]),
        ("see (<clinician>|) now", ["see doctor/nurse? now"]),
        ("(a <clinician>|vet)", ["vet", "a doctor/nurse"]),
        ("<illness> nurse", ["*itis nurse"]),
        ("<clinician>s", ["doctors/nurses"]),
        ("a < b", ["a b"]),
    ],
)
def test_an_entry_stands_for_these_phrases(entry: str, expected: list[str]) -> None:
    """Each form of the table in docs/pack-format.md compiles to the phrases it stands for."""
    assert sorted(compiled(entry)) == sorted(expected)


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("dia*", "AG121"),
        ("(long|dia*)", "AG121"),
        ("(open", "AG122"),
        ("shut)", "AG122"),
        ("this|that", "AG122"),
        ("*", "AG122"),
        ("diabet*ic", "AG122"),
        ("a .. b", "AG122"),
        ("(a|)~adj", "AG122"),
        ("word~unknown", "AG123"),
        ("(a b|c d|e f)" * 6, "AG124"),
        ("... word", "AG125"),
        ("word ...", "AG125"),
        ("(a|b|)", "AG126"),
        ("---", "AG126"),
        ("a~ie", "AG127"),
        ("*is", "AG137"),
        ("*card*", "AG122"),
        ("a*itis", "AG122"),
        ("card*itis", "AG122"),
        ("abc(de*|fg)hi", "AG122"),
        ("the <nurse>", "AG134"),
        ("the <elsewhere>", "AG135"),
        ("<place>s", "AG122"),
        ("(a<clinician>|b)", "AG122"),
        ("hotel~feminine", "AG136"),
        ("(ab|cd)" * 20 + "x", "AG124"),
    ],
)
def test_a_wrong_entry_says_so(entry: str, code: str) -> None:
    """Each way to write an entry wrongly has its code, a sentence and a help line."""
    with pytest.raises(EntryError) as caught:
        parse_entry(entry, where=HERE, paradigms=PARADIGMS, classes=CLASSES)

    assert caught.value.code == code
    assert caught.value.text
    assert caught.value.help


def test_alternatives_of_one_word_cost_no_expansion() -> None:
    """Slots of single words stay one term, however many alternatives they have."""
    entry = " ".join(["(" + "|".join(f"word{n}" for n in range(50)) + ")"] * 4)

    assert len(parse_entry(entry, where=HERE, paradigms={})) == 1


def test_a_class_costs_no_expansion() -> None:
    """Classes are sets of words: phrases of several with many words each stay one term."""
    many = {
        "many": Word(
            frozenset(f"word{n}" for n in range(500)),
            phrases=((Word(frozenset({"day"})), Word(frozenset({"unit"}))),) * 200,
        )
    }
    entry = "a <many> b (<many>|) c <many>"

    assert len(parse_entry(entry, where=HERE, paradigms={}, classes=many)) == 1


@pytest.mark.parametrize("entry", ["<clinician>", "*itis", "the <place>"])
def test_no_class_or_ending_asks_for_a_letter_case(entry: str) -> None:
    """`=` holds for the letters that stand in the entry; of a class there are none."""
    with pytest.raises(EntryError) as caught:
        parse_entry(entry, where=HERE, paradigms={}, exact=True, classes=CLASSES)

    assert caught.value.code == "AG122"


def test_an_exact_entry_keeps_its_letters_beside_its_forms() -> None:
    """Forms are in lower case for every entry; the line keeps the case that an exact entry demands."""
    (term,) = parse_entry("AIDS", where=HERE, paradigms={}, exact=True)

    assert (term.exact, term.line, term.words[0].forms) == (True, "AIDS", frozenset({"aids"}))


@example("(=)")  # brackets around no word at all
@given(st.text(alphabet="ab (|)~*.'-!=1ăß…<>", max_size=30))
def test_no_text_breaks_the_reader(entry: str) -> None:
    """Any text compiles to terms of true words, at least one of which must stand, or is refused with a code."""
    try:
        terms = parse_entry(entry, where=HERE, paradigms=PARADIGMS)
    except EntryError as error:
        assert error.code.startswith(("AG12", "AG13"))
        return

    assert 1 <= len(terms) <= MAX_EXPANSIONS
    for term in terms:
        assert any(not word.optional for word in term.words)
        assert term.words[0].gap == 0
        for word in term.words:
            assert word.forms or word.stems or word.ends
            assert all(WORD.fullmatch(form) for form in (*word.forms, *word.stems, *word.ends))


@given(st.lists(st.text(alphabet="abcdeăîșț", min_size=1, max_size=6), min_size=1, max_size=5))
def test_plain_words_stay_what_they_are(words: list[str]) -> None:
    """An entry without signs is exactly its words."""
    (term,) = parse_entry(" ".join(words), where=HERE, paradigms={})

    assert [set(word.forms) for word in term.words] == [{word} for word in words]
