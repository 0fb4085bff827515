"""
The sets whose gold is spans: which of their labels are which of our fields, and how they are compared.

Comes in: a gold folder and an engine. Goes out: Outcomes, twice for each set: `NAME` is detection (the
mentions of the text), `NAME.score` the verdict over the text as an assistant's one turn with no
subject named, where excuses (documentation, an organisation's contact point, test values) may
dismiss what detection found. The bars are on detection, as the peers they come from detect and do
not judge.

Assumptions, set by set:

- A gold span is found where a mention of its field overlaps it; a mention is false where it overlaps no
  gold span of its field. Labels that are not our fields (person, organisation, title, age, url, money)
  are left out. A mention on a span of a label in `neutral` counts neither way: a postcode or a place
  may be part of an address, a date a date of birth.
- presidio_tests: a row tests one recognizer, so only its target's field is counted. Rows marked
  `weak_only` are not expected hits and are left out; `count_only` rows are found by any mention of the
  field. Health-insurance numbers are our national_id. Registers of organisations, professional
  licences, dates, postcodes and URLs are not ours.
- piisa_tests, datafog_tests: every field of the table is counted in every row, negatives included. In
  piisa a negative of one country's test may hold a value that another test labels as good (a Spanish
  number in the test of American ones): a mention of such a value counts neither way. Its Australian
  business numbers are a company's and are left out.
- Addresses of private networks are labelled as IP addresses; the pack finds them as `ip_internal`, which
  no rule judges. Detection counts them as ip_address.
- stdnum_personal: each number stands after its register's own label ("CNP: ..."). IMEI is our device_id.
- synth_en: addresses of organisations are labelled as addresses, which detection finds and scoring
  may excuse.
- meddocan_es: e-mail, telephone and fax, addresses; a date is a date of birth where "nacimiento" stands
  in the 40 characters before it. Its `national_id` is a hospital record number and its `health_id` is
  invented without check digits: both are left out. Clinical content is not labelled, so special
  categories are not counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.detect.find import find_mentions
from aigov_eval.model import Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript
from tests.bench.chat import trace
from tests.bench.measure import Counts, Outcome

Span = tuple[int, int, str]

IDENTIFIERS = {
    "email": "email",
    "phone": "phone",
    "national_id": "national_id",
    "health_id": "national_id",
    "credit_card": "credit_card",
    "iban": "iban",
    "de_iban": "iban",
    "bank_account": "bank_account",
    "passport": "passport",
    "driver_license": "driver_licence",
    "vehicle_plate": "vehicle_plate",
    "ip": "ip_address",
    "mac_address": "mac_address",
    "crypto": "crypto_wallet",
}


class SpanSet(Struct, frozen=True):
    """One set: its files, label -> our field, label -> fields it is neutral to."""

    name: str
    files: tuple[str, ...]
    fields: Mapping[str, str]
    neutral: Mapping[str, frozenset[str]]


PLACES = {label: frozenset({"address"}) for label in ("postcode", "location", "org")}
DATES = {"date": frozenset({"date_of_birth"})}

SETS: dict[str, SpanSet] = {
    one.name: one
    for one in (
        SpanSet("presidio_tests", ("identifiers/presidio_tests.jsonl",), IDENTIFIERS, {}),
        SpanSet(
            "piisa_tests",
            ("identifiers/piisa_tests.jsonl",),
            {
                k: IDENTIFIERS[k]
                for k in ("email", "phone", "national_id", "credit_card", "bank_account", "ip", "crypto")
            },
            {},
        ),
        SpanSet(
            "datafog_tests",
            ("identifiers/datafog_tests.jsonl",),
            {
                **{
                    k: IDENTIFIERS[k]
                    for k in ("email", "phone", "national_id", "credit_card", "ip", "de_iban")
                },
                "address": "address",
            },
            {**PLACES, **DATES},
        ),
        SpanSet("stdnum_personal", ("identifiers/stdnum_personal.jsonl",), IDENTIFIERS, {}),
        SpanSet(
            "synth_en",
            ("documents/synth_en.jsonl",),
            {
                **{
                    k: IDENTIFIERS[k]
                    for k in ("email", "phone", "national_id", "credit_card", "iban", "ip", "driver_license")
                },
                "address": "address",
            },
            {**PLACES, **DATES},
        ),
        SpanSet(
            "meddocan_es",
            ("documents/meddocan_es_train.jsonl", "documents/meddocan_es_dev.jsonl"),
            {"email": "email", "phone": "phone", "address": "address", "date_of_birth": "date_of_birth"},
            {**PLACES, **DATES},
        ),
    )
}

# python-stdnum module -> how its number is called where it is used
LABELS = {
    **{
        "ar.dni": "DNI",
        "at.vnr": "Versicherungsnummer",
        "be.bis": "Bisnummer",
        "be.nn": "Rijksregisternummer",
    },
    **{
        "be.ssn": "INSZ",
        "bg.egn": "ЕГН",
        "bg.pnf": "ЛНЧ",
        "br.cpf": "CPF",
        "ch.ssn": "AHV-Nummer",
        "cl.rut": "RUT",
    },
    **{"cn.ric": "身份证号", "cr.cpf": "Cédula", "cu.ni": "Carné de identidad", "cz.rc": "Rodné číslo"},
    **{"de.idnr": "Steuer-ID", "de.stnr": "Steuernummer", "dk.cpr": "CPR-nummer", "do.cedula": "Cédula"},
    **{"ee.ik": "Isikukood", "es.dni": "DNI", "es.nie": "NIE", "es.nif": "NIF", "fi.hetu": "Henkilötunnus"},
    **{
        "fr.nif": "Numéro fiscal",
        "fr.nir": "Numéro de sécurité sociale",
        "gb.nhs": "NHS number",
        "gb.utr": "UTR",
    },
    **{"gr.amka": "AMKA", "hr.oib": "OIB", "iban": "IBAN", "id.nik": "NIK", "ie.pps": "PPS number"},
    **{
        "il.idnr": "Teudat Zehut",
        "imei": "IMEI",
        "in_.aadhaar": "Aadhaar",
        "in_.pan": "PAN",
        "is_.kennitala": "Kennitala",
    },
    **{
        "it.codicefiscale": "Codice fiscale",
        "kr.rrn": "주민등록번호",
        "lt.asmens": "Asmens kodas",
        "mx.curp": "CURP",
    },
    **{
        "my.nric": "NRIC",
        "nl.bsn": "BSN",
        "no.fodselsnummer": "Fødselsnummer",
        "pk.cnic": "CNIC",
        "pl.pesel": "PESEL",
    },
    **{"pt.cc": "Cartão de Cidadão", "ro.cnp": "CNP", "se.personnummer": "Personnummer", "si.emso": "EMŠO"},
    **{
        "sk.rc": "Rodné číslo",
        "th.pin": "เลขประจำตัวประชาชน",
        "tr.tckimlik": "T.C. Kimlik No",
        "ua.rntrc": "РНОКПП",
    },
    **{"us.atin": "ATIN", "us.itin": "ITIN", "us.ssn": "SSN", "za.idnr": "ID number"},
}


class Case(Struct, frozen=True):
    """One text with its gold: spans of our fields, neutral spans, the fields that count, and its groups."""

    id: str
    text: str
    gold: tuple[Span, ...]
    neutral: tuple[tuple[int, int, frozenset[str]], ...]
    fields: frozenset[str]
    groups: Mapping[str, str]
    known: frozenset[tuple[str, str]] = frozenset()


def outcomes(name: str, gold: Path, engine: Engine) -> Iterator[Outcome]:
    """The outcomes of one set, by detection and by scoring."""
    cases = list(_cases(SETS[name], gold))
    if name == "piisa_tests":
        cases = _with_known_values(cases)
    for case in cases:
        yield _outcome(name, case, detected(case.text, engine))
        spans, lines = scored(case.text, engine)
        yield _outcome(f"{name}.score", case, spans, lines)


def detected(text: str, engine: Engine) -> list[Span]:
    """
    What detection finds: (start, end, field).

    A number that is said to have wrong check digits is not counted: these sets ask which numbers are valid.
    """
    names = {"ip_internal": "ip_address"}
    return [
        (one.start, one.end, names.get(one.field, one.field))
        for one in find_mentions(text, engine.detection)
        if not one.checksum
    ]


def scored(text: str, engine: Engine) -> tuple[list[Span], list[str]]:
    """What the verdicts find in a text that an assistant says: (start, end, field), and the trace."""
    scores = score_transcript(Transcript((Turn(0, "assistant", text),)), engine)
    spans = [
        (judged.mention.start, judged.mention.end, judged.mention.field)
        for score in scores
        for finding in score.findings
        for judged in finding.mentions
        if not judged.mention.checksum
    ]
    return spans, [line for score in scores for line in trace(score)]


def rows_of(gold: Path, *files: str) -> Iterator[dict[str, Any]]:
    """The rows of some files of the gold folder."""
    for file in files:
        with (gold / file).open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _cases(which: SpanSet, gold: Path) -> Iterator[Case]:
    for row in rows_of(gold, *which.files):
        if which.name == "stdnum_personal":
            yield _labelled_number(row)
        elif "test_abn" in row["id"]:
            continue
        elif which.name == "presidio_tests":
            case = _presidio(row)
            if case is not None:
                yield case
        else:
            yield _document(row, which)


def _with_known_values(cases: list[Case]) -> list[Case]:
    """The cases, each knowing the gold values of all: a mention of one that is not its own counts neither way."""
    known = frozenset(
        (field, _compact(case.text[start:end])) for case in cases for start, end, field in case.gold
    )
    return [replace(case, known=known) for case in cases]


def _compact(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _document(row: dict[str, Any], which: SpanSet) -> Case:
    gold: list[Span] = []
    neutral: list[tuple[int, int, frozenset[str]]] = []
    for span in row["spans"]:
        label = span["label"]
        if (
            label == "date"
            and "date_of_birth" in which.fields
            and "nacimiento" in row["text"][max(0, span["start"] - 40) : span["start"]]
        ):
            label = "date_of_birth"
        if label in which.fields:
            gold.append((span["start"], span["end"], which.fields[label]))
        elif label in which.neutral:
            neutral.append((span["start"], span["end"], which.neutral[label]))
    kind = row["meta"].get("kind") or ("positive" if gold else "negative")
    return Case(
        row["id"],
        row["text"],
        tuple(gold),
        tuple(neutral),
        frozenset(which.fields.values()),
        {"language": row["lang"], "phenomenon": row["meta"].get("country", ""), "kind": kind},
    )


def _presidio(row: dict[str, Any]) -> Case | None:
    meta = row["meta"]
    field = IDENTIFIERS.get(meta["target_label"])
    if field is None or meta["weak_only"]:
        return None
    spans = tuple(
        (span["start"], span["end"], field)
        for span in row["spans"]
        if IDENTIFIERS.get(span["label"]) == field
    )
    anywhere = meta["gold"] == "count_only" and meta["expected_count"] > 0
    return Case(
        row["id"],
        row["text"],
        ((0, len(row["text"]), field),) if anywhere else spans,
        (),
        frozenset({field}),
        {"language": row["lang"], "phenomenon": meta["target_entity"], "kind": meta["kind"]},
    )


def _labelled_number(row: dict[str, Any]) -> Case:
    module = row["meta"]["module"]
    label = LABELS[module]
    number = row["text"].strip()
    start = len(label) + 2
    field = {"iban": "iban", "imei": "device_id"}.get(module, "national_id")
    valid = row["label"] == "valid"
    return Case(
        row["id"],
        f"{label}: {number}",
        ((start, start + len(number), field),) if valid else (),
        (),
        frozenset({field}),
        {
            "language": module.split(".")[0].rstrip("_"),
            "phenomenon": module,
            "kind": "positive" if valid else "negative",
        },
    )


def _outcome(name: str, case: Case, found: list[Span], lines: list[str] | None = None) -> Outcome:
    got = [span for span in found if span[2] in case.fields]
    fields: dict[str, Counts] = {}
    missed = [one for one in case.gold if not any(_meets(one, other) for other in got)]
    false = [
        one
        for one in dict.fromkeys(got)
        if not any(_meets(one, other) for other in case.gold)
        and not any(one[2] in free and one[0] < end and start < one[1] for start, end, free in case.neutral)
        and (one[2], _compact(case.text[one[0] : one[1]])) not in case.known
    ]
    for one in case.gold:
        counts = fields.setdefault(one[2], Counts())
        counts.fn += one in missed
        counts.tp += one not in missed
    for one in false:
        fields.setdefault(one[2], Counts()).fp += 1
    shown: tuple[str, ...] = ()
    if missed or false:
        shown = (
            f"{case.id}  {' '.join(value for value in case.groups.values() if value)}",
            f"  {_shortened(case.text, [*missed, *false])}",
            f"  missed {_told(case.text, missed)}; false {_told(case.text, false)}",
            *(lines or ()),
        )
    hit = any(counts.tp or counts.fp for counts in fields.values())
    return Outcome(name, case.id, case.groups, fields, bool(case.gold) == hit, shown)


def _meets(one: Span, other: Span) -> bool:
    return one[2] == other[2] and one[0] < other[1] and other[0] < one[1]


def _told(text: str, spans: list[Span]) -> str:
    return ", ".join(f"{field} {text[start:end]!r}" for start, end, field in spans) or "nothing"


def _shortened(text: str, spans: list[Span]) -> str:
    """The text, or the 100 characters around the first fault of a long one."""
    if len(text) <= 400:
        return repr(text)
    start = max(0, min(span[0] for span in spans) - 100)
    return f"... {text[start : start + 300]!r} ..."
