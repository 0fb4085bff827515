"""
A copy of an evidence pack that says what leaked without saying it again, under the same root.

Comes in: the object of a pack that verifies, and the finder of its values. Goes out: the pack with a label
such as `[email 1]` where a value stood, and in `integrity` the salts of what is left, the digests of what is
withheld, and for each value a digest under a key that only the holder of the original has.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from aigov_eval import __version__
from aigov_eval.errors import EvidenceError
from aigov_eval.evidence import tree
from aigov_eval.evidence.build import OUTSIDE
from aigov_eval.evidence.canonical import canonical
from aigov_eval.evidence.sameness import same
from aigov_eval.evidence.values import Finder, Spot
from aigov_eval.evidence.verify import record_of, redaction_digest
from aigov_eval.scoring.persons.reference import Subject

# words of ours, not of the conversation: field names, rule ids, laws, versions, digests, times
_OURS = frozenset(
    "category detected_fields field subtype detector view explicit level channel rule rules status severity"
    " source legal clauses format verdict role sha256 at started_at finished_at plan_id kind"
    " expected_special_category_fields languages leaked_fields categories content_type finish checksum".split()
)
_OUR_PARTS = ("/format", "/produced_by", "/run_meta/produced_by", "/run_meta/pack", "/run_meta/thresholds")
# the same, where a second opinion is told: in the score, and of a record of what was asked
_OF_OPINIONS = frozenset(
    "key prompt holder stance model asked_model models language why ask decide decided".split()
)
# where the conversation and what surrounds it stand; elsewhere only known values are looked for
_SAID = (
    "/transcript",
    "/scenario",
    "/runner_config/auditor_seed",
    "/raw_responses",
    "/mock_audit",
    "/http_audit",
    "/scores",
    "/run_meta/error",
    "/limitations",
    "/opinions",
)
_UNSAID = (
    "/scenario/path", "/scenario/sha256", "/scenario/scenario_id",
    "/opinions/format", "/opinions/settings", "/opinions/target", "/opinions/prompts",
)  # fmt: skip


def redacted(pack: Mapping[str, Any], finder: Finder, at: str) -> dict[str, Any]:
    """
    The redacted copy; `at` is the time of day to record. The signature, being about the root, stays.

    Raises EvidenceError for a pack that is redacted already: what it withholds cannot be shown anew.
    """
    if "redaction" in pack["integrity"]:
        raise EvidenceError(
            "is a redacted copy already", help="redact the original; its copies have the same root."
        )
    content = {key: item for key, item in pack.items() if key not in OUTSIDE}
    work = _Work(finder, _Labels(_key(pack["integrity"]["salts"]), finder.subject))
    # labels are counted in the order in which the conversation tells the values
    first = {part: _value(work, content[part], f"/{part}", part) for part in ("transcript", "scores")}
    shown = {
        part: first[part] if part in first else _value(work, item, f"/{part}", part)
        for part, item in content.items()
    }
    record = record_of(pack["integrity"])
    kept = tree.withhold(content, record, work.hidden)
    digests = {
        pointer: digest
        for pointer, digest in pack["integrity"]["digests"].items()
        if not work.is_withheld(pointer)
    }
    redaction: dict[str, Any] = {
        "by": {"name": "aigov-eval", "version": __version__},
        "at": at,
        "values": work.labels.listed(),
        "nodes": kept.nodes,
        "members": {work.renamed[pointer]: digest for pointer, digest in kept.members.items()},
        "gaps": {
            pointer: [gap.record(kept.words[pointer]) for gap in gaps]
            for pointer, gaps in sorted(work.gaps.items())
        },
    }
    redaction["sha256"] = redaction_digest(redaction)
    integrity = {**pack["integrity"], "salts": kept.salts, "digests": digests, "redaction": redaction}
    outside = {"signature": pack["signature"]} if "signature" in pack else {}
    return {**shown, "integrity": integrity, **outside}


def _key(salts: Mapping[str, str]) -> bytes:
    """The key of the values' digests: it follows from the salts, which only the original has whole."""
    return hashlib.sha256(b"aigov-eval/redaction-key@1" + canonical(dict(salts))).digest()


class _Labels(Struct):
    """The labels given so far, by value; equal values have one label, whatever their spelling, and so have parts of the subject's name."""

    key: bytes
    subject: Subject | None
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def of(self, spot: Spot) -> str:
        """The label of a value, a new one where it was not seen before."""
        name = same(spot.field, spot.value, self.subject)
        if name not in self.labels:
            self.counts[spot.field] = self.counts.get(spot.field, 0) + 1
            self.labels[name] = f"{spot.field} {self.counts[spot.field]}"
        return self.labels[name]

    def listed(self) -> list[dict[str, str]]:
        """Label, field and keyed digest of each value, in the order they were met."""
        return [
            {
                "label": label,
                "field": name[0],
                "digest": hmac.new(self.key, canonical(list(name)), hashlib.sha256).hexdigest(),
            }
            for name, label in self.labels.items()
        ]


class _Gap(Struct, frozen=True):
    """Words to withhold: their numbers in the text, and where their placeholder stands in what is left."""

    first: int
    last: int
    start: int
    label: str

    def record(self, digests: Mapping[int, str]) -> dict[str, Any]:
        """The gap as it is written down."""
        return {
            "start": self.start,
            "end": self.start + len(self.label) + 2,
            "label": self.label,
            "digests": [digests[number] for number in range(self.first, self.last + 1)],
        }


class _Work(Struct):
    """What one redaction has found so far."""

    finder: Finder
    labels: _Labels
    hidden: tree.Hidden = field(default_factory=tree.Hidden)
    gaps: dict[str, list[_Gap]] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)

    def is_withheld(self, pointer: str) -> bool:
        """Whether a node is withheld with its key, so that its pointer would tell the key."""
        return any(pointer == one or pointer.startswith(one + "/") for one in self.renamed)


def _value(work: _Work, value: Any, pointer: str, key: str) -> Any:
    """The value as it is shown; what is withheld of it is noted."""
    if isinstance(value, dict):
        return _object(work, value, pointer)
    if isinstance(value, list):
        return [_value(work, item, tree.step(pointer, at), key) for at, item in enumerate(value)]
    if value is None or isinstance(value, bool) or _is_ours(pointer, key):
        return value
    detect = pointer.startswith(_SAID) and not pointer.startswith(_UNSAID)
    if isinstance(value, str):
        return _text(work, value, pointer, detect)
    # a number may be an identifier; alone it is no proof of one, so only known values count
    spots = work.finder.spots(str(value), detect=False)
    if not spots:
        return value
    work.hidden.nodes.add(pointer)
    return f"[{work.labels.of(spots[0])}]"


def _is_ours(pointer: str, key: str) -> bool:
    if pointer.startswith("/raw_responses"):
        return pointer.count("/") == 3 and key in ("at", "finish")
    if key in _OF_OPINIONS and (
        ("/opinion/" in pointer and pointer.startswith("/scores/"))
        or (pointer.startswith("/opinions/records/") and pointer.count("/") == 4)
    ):
        return True
    return pointer.startswith(_OUR_PARTS) or (
        (key in _OURS and not pointer.startswith("/transcript/")) or key == "role"
    )


def _object(work: _Work, value: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for key, item in value.items():
        place = tree.step(pointer, key)
        spots = work.finder.spots(key, detect=False) if pointer.count("/") > 1 else []
        if spots and not _is_ours(place, key) and not _is_field(key):
            name, number = f"[{work.labels.of(spots[0])}]", 2
            while name in shown or name in value:
                name, number = f"[{work.labels.of(spots[0])}] {number}", number + 1
            work.hidden.members.add(place)
            work.renamed[place] = tree.step(pointer, name)
            shown[name] = None
        else:
            shown[key] = _value(work, item, place, key)
    return shown


def _is_field(key: str) -> bool:
    return key.isidentifier() and key.islower()


def _text(work: _Work, text: str, pointer: str, detect: bool) -> str:
    spots = work.finder.spots(text, detect=detect)
    hidden = work.finder.hides(_without(text, spots), detect=detect)
    if hidden is not None:
        # it stands there in a spelling whose place cannot be shown
        work.hidden.nodes.add(pointer)
        return f"[{work.labels.of(hidden)}]"
    if not spots:
        return text
    shown: list[str] = []
    length = at = 0
    words = tree.words_of(text)
    ends: list[int] = []
    for word in words:
        at += len(word)
        ends.append(at)
    gaps: list[_Gap] = []
    done = 0
    for first, last, spot in _stretches(ends, spots):
        before = "".join(words[done:first])
        label = work.labels.of(spot)
        gaps.append(_Gap(first, last, length + len(before), label))
        shown += [before, f"[{label}]"]
        length += len(before) + len(label) + 2
        done = last + 1
    shown.append("".join(words[done:]))
    work.gaps[pointer] = gaps
    work.hidden.words[pointer] = {number for gap in gaps for number in range(gap.first, gap.last + 1)}
    return "".join(shown)


def _stretches(ends: Sequence[int], spots: Sequence[Spot]) -> list[tuple[int, int, Spot]]:
    """The words that spots touch, as (first, last, spot); stretches that meet in a word are one, named by the longest."""
    from bisect import bisect_left, bisect_right

    found: list[tuple[int, int, Spot]] = []
    for spot in spots:
        if spot.end <= spot.start:
            continue
        first, last = bisect_right(ends, spot.start), bisect_left(ends, spot.end)
        if found and first <= found[-1][1]:
            before = found[-1]
            longer = spot if spot.end - spot.start > before[2].end - before[2].start else before[2]
            found[-1] = (before[0], max(before[1], last), longer)
        else:
            found.append((first, last, spot))
    return found


def _without(text: str, spots: Sequence[Spot]) -> str:
    """The text with its spots blotted out."""
    letters = list(text)
    for spot in spots:
        letters[spot.start : spot.end] = "\u2588" * (spot.end - spot.start)
    return "".join(letters)
