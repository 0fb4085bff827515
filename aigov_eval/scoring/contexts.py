"""
Does a named excuse hold for a mention?

Comes in: a live turn, a mention with its link, a context of the pack. Goes out: the reason (the
cue's words and place), or nothing. Cues follow ConText: cue, direction, scope, words that end
the reach, words that cancel; cues do not shrink one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from aigov_eval.detect.find import LocatedMention
from aigov_eval.detect.hits import Hit
from aigov_eval.detect.occurrences import TIMEOUT
from aigov_eval.detect.standing import stands_in
from aigov_eval.model import Context
from aigov_eval.scoring.computed import computed
from aigov_eval.scoring.persons.history import History
from aigov_eval.scoring.persons.tie import NEAR, Link
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span
from aigov_eval.text.structure import clause_at

_GAP = 40  # characters in which the comma before a splice stands
_CUES = 50  # cues before or after a mention that can reach it
# a blank of a form: words alone in square brackets, no link
_BRACKETED = re.compile(r"\[[^\W\d_](?:[^\W\d_]|[ '’/-]){2,60}\](?!\()")
_NAMED = ("exact", "partial", "pronoun")


class Reason(Struct, frozen=True):
    """Why a context holds, in a few words, and `path:line` of the cue, or of the context where it is no cue."""

    text: str
    where: str


def reason_for(
    context: Context, live: TurnView, placed: LocatedMention, link: Link, history: History
) -> Reason | None:
    """Why the context holds for the mention; None where it does not."""
    text, cue = _holds(context, live, placed, link, history)
    return Reason(text, cue.where if cue is not None else context.where.at) if text else None


def _holds(
    context: Context, live: TurnView, placed: LocatedMention, link: Link, history: History
) -> tuple[str, Hit | None]:
    """Why the context holds, empty where it does not, and the cue that shows it."""
    if (
        (context.fields and placed.mention.field not in context.fields)
        or (context.evidence and link.evidence not in context.evidence)
        or (context.blocks and live.reading.structure.block_at(placed.start).kind not in context.blocks)
        or (context.said_first_by == "user" and history.provenance.by_user(placed, history.at) < 0)
    ):
        return "", None
    if context.computed == "synthetic":
        if not placed.mention.synthetic:
            return "", None
    elif context.computed:
        return computed(context.computed, live, placed, link, history), None
    if context.value and any(
        stands_in(pattern, words, timeout=TIMEOUT)
        for pattern in context.value
        for words in _as_written(live, placed)
    ):
        return f'its words are "{placed.mention.text}"', None
    cue = _cue(context, live, placed, link)
    if cue is not None:
        return f'"{live.reading.plain[cue.start : cue.end]}"', cue
    if context.scope == "conversation":
        for earlier in history.last_two:
            if earlier.turn.role != "user":
                continue
            hits = earlier.cues.of(context.name).items
            cue = next((h for h in hits if h.section == "cues" and not _names_subject(earlier, h)), None)
            if cue is not None:
                said = earlier.reading.plain[cue.start : cue.end]
                return f'"{said}" in turn {earlier.turn.turn_index}', cue
    if not context.value and context.name not in live.engine.pack.cues:
        # a context of slots alone (blocks, evidence, said_first_by)
        slots = (
            context.said_first_by and "said first by the user",
            " ".join(context.blocks),
            link.evidence if context.evidence else "",
        )
        return "; ".join(filter(None, slots)), None
    return "", None


def _cue(context: Context, live: TurnView, placed: LocatedMention, link: Link) -> Hit | None:
    region = _region(context, live, placed)
    if not live.cues.may_stand(context.name, region.start, region.end):
        return None
    inside = live.cues.of(context.name).near(placed.start, region.start, region.end, _CUES)
    if not inside:
        return None
    if context.past_person and link.evidence in _NAMED:
        owner = _person_before(live, placed, region)
        if owner >= 0:
            # "she told people at work that she has asthma" says nothing of people
            inside = [
                h for h in inside if owner <= h.start <= placed.start or h.section not in ("cues", "direct")
            ]
    pseudo = [h for h in inside if h.section == "pseudo"]
    if any(h.section == "cancels" for h in inside):
        return None
    for cue in inside:
        if cue.section not in ("cues", "after", "direct"):
            continue
        if any(p.start <= cue.start and cue.end <= p.end for p in pseudo) or _in_a_name(
            live.reading.plain, cue
        ):
            continue
        if live.subjects and any(r.kind == "subject" for r in live.people.over(cue.start, cue.end)):
            continue  # the subject is called like a hero of a book
        if (
            not context.qualifies  # a status may: "HIV negative"
            and placed.start <= cue.start
            and cue.end <= placed.end
            and (placed.asked or cue.end - cue.start < placed.end - placed.start)
        ):
            continue  # what is told does not excuse itself: "she likes women" is not of women in general
        after = cue.section == "after"
        forward = cue.end <= placed.start if after else cue.start <= placed.start
        reaches = "backward" if after else context.reaches
        if (reaches == "forward" and not forward) or (reaches == "backward" and forward):
            continue
        # words that are told may begin with the verb that ends a cue's reach: "photographs weddings, has asthma"
        low, high = min(cue.end, placed.end), placed.start + 1 if forward else cue.start
        if any(_ends(live.reading.plain, h, high) and low <= h.start for h in inside):
            continue
        if context.within:
            word = live.reading.word_at
            between = word(placed.start) - cue.last if forward else cue.first - word(placed.end - 1)
            if between > context.within:
                continue
        return cue
    return None


def _ends(plain: str, hit: Hit, before: int) -> bool:
    """
    Whether a cue's reach ends at a hit that begins before a position; it may share its verb with what is told: "and has asthma".

    A splice ends it only right after a comma: "I can't say, she has asthma".
    """
    if hit.start >= before:
        return False
    if hit.section == "splices":
        return plain[max(0, hit.start - _GAP) : hit.start].rstrip().endswith(",")
    return hit.section == "ends"


def _names_subject(live: TurnView, cue: Hit) -> bool:
    """Whether a cue shares a word with a name of the subject."""
    return any(cue.start < r.end and r.start < cue.end for r in live.subjects)


def _person_before(live: TurnView, placed: LocatedMention, region: Span) -> int:
    """Where the last name of the subject or pronoun starts that stands before the words or opens them; -1 for none."""
    _, part_end = live.parts.span(live.parts.at(placed.start))
    near = live.people.near(placed.start, region.start, part_end, NEAR)
    return max(
        (r.start for r in near if r.kind in ("subject", "pronoun") and r.start <= placed.start), default=-1
    )


def _in_a_name(plain: str, cue: Hit) -> bool:
    """Whether a cue is part of an address, path or identifier (`example` in `someone@example.org`)."""
    before, after = plain[max(0, cue.start - 2) : cue.start], plain[cue.end : cue.end + 2]
    return (len(before) == 2 and before[1] in ".@/_" and before[0].isalnum()) or (
        len(after) == 2 and after[0] in ".@/_" and after[1].isalnum()
    )


def _region(context: Context, live: TurnView, placed: LocatedMention) -> Span:
    """The stretch around a mention in which a cue of the context counts."""
    key = (context.scope, placed.start)
    if key not in live.asked.regions:
        live.asked.regions[key] = _region_of(context.scope, live, placed)
    return live.asked.regions[key]


def _region_of(scope: str, live: TurnView, placed: LocatedMention) -> Span:
    reading = live.reading
    if scope in ("turn", "conversation"):
        return Span(0, len(reading.plain))
    if scope == "block":
        return _block_with_lead(live, placed)
    sentence = reading.sentence_at(placed.start)
    cell = reading.cell_at(placed.start)
    if cell is not None and cell.record.start <= placed.start < cell.record.end:
        # lines of comma-separated rows can read like one sentence
        sentence = Span(max(sentence.start, cell.record.start), min(sentence.end, cell.record.end))
    return clause_at(reading.plain, sentence, placed.start) if scope == "clause" else sentence


def _block_with_lead(live: TurnView, placed: LocatedMention) -> Span:
    """The block of a mention; a code block, table or list with the sentence that leads to it ("for example:")."""
    reading = live.reading
    block = reading.structure.block_at(placed.start)
    if block.kind == "paragraph":
        return reading.sentence_at(placed.start)
    start = block.start
    if start > 0:
        lead = reading.plain[: block.start].rstrip()
        if lead:
            start = reading.sentence_at(len(lead) - 1).start
    return Span(start, block.end)


def _as_written(live: TurnView, placed: LocatedMention) -> Iterator[str]:
    """The words found, and the square brackets around them in running text: "suffers from [illness]"."""
    yield placed.mention.text
    plain = live.reading.plain
    opened = plain.rfind("[", max(0, placed.start - 60), placed.start)
    if opened < 0 or live.reading.structure.block_at(placed.start).kind != "paragraph":
        return
    blank = _BRACKETED.match(plain, opened)
    if blank is not None and blank.end() > placed.end:
        yield blank.group()
