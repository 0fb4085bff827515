"""The stock detectors of identifiers: what they find, what they leave, and how long they may take."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aigov_eval.detect import backends
from aigov_eval.detect.find import find_mentions
from aigov_eval.detect.index import Index
from aigov_eval.detect.validators import VALIDATORS
from aigov_eval.model import Pack
from aigov_eval.scoring import Engine
from tests.bench import spans

HERE = Path(__file__).parent
GOLD = HERE.parents[2] / "shared" / "gold"
DETECTORS = frozenset(
    "email phone address date_of_birth national_id passport driver_licence vehicle_plate iban bank_account credit_card "
    "ip_address credential mac_address device_id crypto_wallet geolocation".split()
)


def _table() -> list[tuple[frozenset[str], str]]:
    rows = []
    for line in (HERE / "identifiers.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            fields, text = line.split("|", 1)
            rows.append((frozenset(fields.split()), text.replace("\\n", "\n")))
    return rows


@pytest.fixture(scope="module")
def index(engine: Engine) -> Index:
    """The stock detectors, compiled."""
    return engine.detection


@pytest.mark.parametrize(("fields", "text"), _table())
def test_finds_what_a_person_would(fields: frozenset[str], text: str, index: Index) -> None:
    """Each text of the table tells exactly the fields that stand beside it."""
    assert {m.field for m in find_mentions(text, index) if m.field in DETECTORS} == fields


# printed groupings of one Romanian personal number, one card, one IBAN: (detector, pieces, separators)
PRINTED = [
    ("national_id", ("2", "710814", "125174"), ("", " ")),
    ("credit_card", ("4929", "6183", "0745", "5526"), ("", " ", "-", ".")),
    ("iban", ("RO49", "BACX", "1B31", "0075", "9384", "0077"), ("", " ", "-", ".")),
]


@given(
    pick=st.sampled_from(PRINTED),
    data=st.data(),
    before=st.sampled_from(["", "Note: ", "(", '"', "it is ", "este ", "lautet: "]),
    after=st.sampled_from(["", ".", ", thanks", ")", '"', " da."]),
)
@settings(max_examples=150, deadline=None)
def test_any_printed_grouping_is_found_whole(
    index: Index,
    pick: tuple[str, tuple[str, ...], tuple[str, ...]],
    data: st.DataObject,
    before: str,
    after: str,
) -> None:
    """However a number is grouped, and whatever stands around it, the mention is the number."""
    detector, pieces, separators = pick
    if detector == "iban":
        pieces = ("RO" + _iban_check("".join(pieces)[4:]), *pieces[1:])
    value = data.draw(st.sampled_from(separators)).join(pieces)
    found = [m for m in find_mentions(before + value + after, index) if m.detector == detector]
    assert [m.text for m in found] == [value]


def _iban_check(bban: str) -> str:
    number = int("".join(str(int(c, 36)) for c in bban + "RO00"))
    return f"{98 - number % 97:02d}"


@given(digits=st.from_regex(r"[1-8][0-9]{12}", fullmatch=True))
@settings(max_examples=200, deadline=None)
def test_a_personal_number_with_a_wrong_check_digit_is_said_to_be_wrong(index: Index, digits: str) -> None:
    """Thirteen digits after "CNP" are Romania's personal number only where its check digit says so; else they are told as wrong."""
    found = [m for m in find_mentions(f"CNP: {digits}", index) if m.detector == "national_id"]
    valid = VALIDATORS["stdnum.ro.cnp"](digits)
    assert ("ro_cnp" in {m.subtype for m in found}) <= valid
    assert [bool(m.checksum) for m in found] in ([True], [False])
    assert valid or found[0].checksum or found[0].subtype != "ro_cnp"
    unlabelled = find_mentions(f"Box {digits}", index)
    assert not any(m.checksum for m in unlabelled)


@pytest.mark.parametrize("octets", ["4.12.0.118", "81.196.44.213", "11.0.0.1"])
@pytest.mark.parametrize(
    "text",
    [
        "Update to version {}.",
        "Build {} had the fault.",
        "Take {} or later.",
        "Actualizați la versiunea {}.",
        "Ab Firmware {} geht es.",
        "Installez la version {}.",
        "Instale la versión {}.",
        "Serve la versione {}.",
        "resolver {} -> {}",
    ],
)
def test_a_release_is_no_address(text: str, octets: str, index: Index) -> None:
    """Four numbers with dots are a release where the words say so, in six languages."""
    assert "ip_address" not in {m.detector for m in find_mentions(text.format(octets, octets), index)}


LONG = {
    "digits": "1" * 20_000,
    "digits apart": "1 " * 10_000,
    "letters": "a" * 20_000,
    "capitals apart": "Aa " * 7_000,
    "small words": "of the way " * 2_000,
    "at signs": "a@" * 10_000,
    "dots": "1." * 10_000,
    "colons": "a:" * 10_000,
    "pass words": "password is " * 2_000,
    "lines": "Street 1\n" * 2_000,
    "base": "QUJD" * 5_000,
}


@pytest.mark.parametrize("kind", sorted(LONG))
def test_no_pattern_needs_more_than_linear_time(kind: str, pack: Pack) -> None:
    """Twenty thousand characters made to lead a pattern astray take each pattern less than a second."""
    slow = []
    for name in sorted(DETECTORS & set(pack.detectors)):
        for find in pack.detectors[name].finds:
            if not find.pattern:
                continue
            pattern = backends.compiled(find.pattern, case=find.case)
            start = time.perf_counter()
            for _ in pattern.finditer(LONG[kind], timeout=5):
                pass
            if time.perf_counter() - start > 1.0:
                slow.append(f"{name}/{find.subtype}")
    assert slow == []


# set: least recall, most negatives hit
BARS = {"presidio_tests": (0.97, 0.03), "stdnum_personal": (0.98, 0.02)}


@pytest.mark.parametrize("name", sorted(BARS))
def test_public_collections_of_identifiers(name: str, index: Index) -> None:
    """The tests of other detectors, where they lie beside the project: recall, and how many negatives are hit."""
    if not GOLD.is_dir():
        pytest.skip(f"the labelled sets are not at {GOLD}")
    known = {"ip_internal": "ip_address"}
    found = missed = negatives = hit = 0
    for case in spans._cases(spans.SETS[name], GOLD):
        # these sets ask which numbers are valid: one that is said to be wrong counts for none
        told = [m for m in find_mentions(case.text, index) if not m.checksum]
        got = [(m.start, m.end, known.get(m.field, m.field)) for m in told]
        got = [span for span in got if span[2] in case.fields]
        for gold in case.gold:
            met = any(spans._meets(gold, other) for other in got)
            found, missed = found + met, missed + (not met)
        if not case.gold:
            negatives, hit = negatives + 1, hit + bool(got)
    recall, most = BARS[name]
    assert found / (found + missed) >= recall
    assert hit / negatives <= most
