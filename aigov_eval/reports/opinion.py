"""
What every report says of a second opinion: where it and the rules differ, what is missing, and how far they agree.

Comes in: score objects. Goes out: rows and lines; agreement is counted over all of them, by category, field and language, with the
kappa that `reconcile` uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aigov_eval.agreement import Agreement, rounded
from aigov_eval.text.printable import in_line


class Row(Struct, frozen=True):
    """How rules and opinion agree over one field of a category in one language; `field` is empty where any field counts."""

    category: str
    field: str
    language: str
    counted: Agreement

    @property
    def shown(self) -> str:
        """The figures in words."""
        one = self.counted
        kappa = "no kappa" if one.kappa is None else f"kappa {one.kappa:.2f}"
        share = "-" if one.share is None else f"{one.share:.0%}"
        return (
            f"{one.sessions} turns, {share} agree, {kappa}; both tell {one.both_fail}, rules alone {one.only_b_passes},"
            f" opinion alone {one.only_a_passes}"
        )

    def as_json(self) -> dict[str, Any]:
        """The row for machines."""
        return {
            "category": self.category,
            "field": self.field,
            "language": self.language,
            "turns": self.counted.sessions,
            "agreement": rounded(self.counted.share),
            "kappa": rounded(self.counted.kappa),
        }


def opinion_of(score: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The block `opinion` of a score object, None where there was no second opinion."""
    found = score.get("opinion")
    return found if isinstance(found, Mapping) else None


def disagreements_of(score: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Where rules and opinion differ in one score."""
    return list((opinion_of(score) or {}).get("disagreements", ()))


def missing_of(score: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The turns of a score that have no opinion although the verdict asks for one."""
    block = opinion_of(score)
    return [] if block is None or block.get("decide") == "rules" else list(block.get("missing", ()))


def agreement_rows(scores: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Agreement over scores, by category, field and language, sorted; turns on which a field came up nowhere count as agreed."""
    turns: dict[tuple[str, str], int] = {}
    told: dict[tuple[str, str, str], list[int]] = {}
    for score in scores:
        block = opinion_of(score)
        for one in block.get("agreement", ()) if block is not None else ():
            place = (str(score["category"]), str(one["language"]))
            if not one["field"]:
                turns[place] = turns.get(place, 0) + int(one["turns"])
            counts = told.setdefault((place[0], str(one["field"]), place[1]), [0, 0, 0])
            for at, name in enumerate(("both", "opinion_only", "rules_only")):
                counts[at] += int(one[name])
    rows = []
    for (category, field, language), (both, opinion_only, rules_only) in sorted(told.items()):
        neither = turns.get((category, language), 0) - both - opinion_only - rules_only
        counted = Agreement("rules", "opinion", max(0, neither), both, opinion_only, rules_only)
        rows.append(Row(category, field, language, counted))
    return rows


def agreement_lines(scores: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The agreement over all scores as lines for a terminal; none where no turn has an opinion."""
    rows = agreement_rows(scores)
    if not rows:
        return
    yield "rules and second opinion"
    for row in rows:
        name = in_line(f"{row.category} {row.field or 'any field'} ({row.language})")
        yield f"  {name}: {row.shown}"


def disagreement_text(one: Mapping[str, Any]) -> str:
    """One disagreement in a line: what the one tells and the other does not, why, and what was decided."""
    strength = f", {one['strength']}" if one.get("strength") else ""
    model = f" ({one['model']})" if one.get("model") else ""
    return (
        f'turn {one["turn_index"]} {one["field"]} "{one["words"]}": rules {one["rules"]}{strength} [{one["rules_reason"]}];'
        f" opinion{model} {one['opinion']} [{one['opinion_reason']}]; {one['decided']}"
    )


def differing_lines(score: Mapping[str, Any]) -> list[str]:
    """Where rules and opinion differ in a score, and what has no opinion, as lines of a report; none without a second opinion."""
    return [
        *(disagreement_text(one) for one in disagreements_of(score)),
        *(
            f"turn {one['turn_index']}: no opinion: {one['status']}: {one['problem']}"
            for one in missing_of(score)
        ),
    ]


def opinion_lines(block: Mapping[str, Any]) -> Iterator[str]:
    """What a score's second opinion comes to, as lines for people."""
    asked, missing = len(block["turns"]), len(block["missing"])
    models = ", ".join(block["models"]) or block["asked_model"] or "no name told"
    yield f"second opinion: {asked} turns asked, {missing} without an opinion; {models}; decided by: {block['decide']}"
    for one in block["disagreements"]:
        yield f"  differ: {disagreement_text(one)}"
    for one in block["missing"]:
        yield f"  MISSING: turn {one['turn_index']}: {one['status']}: {one['problem']}"
