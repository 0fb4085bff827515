"""
The signs of grammar: words of closed classes before, in and after a mention, and what clauses plainly say.

Comes in: a live turn, a mention and what ties it. Goes out: `Seen`s. Nothing here is a language's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.clauses import (
    PLAIN,
    REACH,
    is_plain,
    plainly_not,
    refused,
)
from aigov_eval.scoring.seen import Seen
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.structure import clause_at

_NEAR = 3  # words before and after a mention whose distance counts


def grammar(live: TurnView, placed: LocatedMention, tie: str) -> Iterator[Seen]:
    """The words of closed classes around a mention, and what its clause plainly says; `tie` is what ties it to a person."""
    reading = live.reading
    sentence = reading.sentence_at(placed.start)
    clause = clause_at(reading.plain, sentence, placed.start)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    first, last = reading.word_at(sentence.start), reading.word_at(sentence.end - 1)
    by_word: dict[int, set[str]] = {}
    for one in live.grammar_in(sentence):
        name, hit = one.name, one.hit
        if hit.last < own - REACH or hit.first > own_last + REACH:
            continue
        where = hit.where
        for word in range(hit.first, hit.last + 1):
            by_word.setdefault(word, set()).add(name)
        if own <= hit.first <= own_last:
            yield Seen(f"inside {name}", hit.start, hit.end, where)
            continue
        side = "before" if hit.first < own else "after"
        yield Seen(f"{side} {name}", hit.start, hit.end, where)
        if hit.first == first:
            yield Seen(f"first {name}", hit.start, hit.end, where)
        for distance in range(1, _NEAR + 1):
            if hit.first <= own - distance <= hit.last:
                yield Seen(f"{distance} before {name}", hit.start, hit.end, where)
            if hit.first <= own_last + distance <= hit.last:
                yield Seen(f"{distance} after {name}", hit.start, hit.end, where)
    if any("refuse" in names for names in by_word.values()):
        for name in refused(live, placed, tie, by_word):
            yield Seen(name, sentence.start, placed.end)
    if is_plain(live, placed, tie, clause, by_word):
        yield Seen(PLAIN, clause.start, placed.end)
    for name in plainly_not(live, placed, tie, sentence, by_word):
        yield Seen(name, clause.start, placed.end)
    for distance in range(1, _NEAR + 1):
        if own - distance < first:
            yield Seen(f"{distance} before nothing")
        elif own - distance not in by_word:
            yield Seen(f"{distance} before other")
        if own_last + distance > last:
            yield Seen(f"{distance} after nothing")
        elif own_last + distance not in by_word:
            yield Seen(f"{distance} after other")
    earlier = next((by_word[n] for n in range(own - 1, first - 1, -1) if n in by_word), {"nothing"})
    later = next((by_word[n] for n in range(own_last + 1, last + 1) if n in by_word), {"nothing"})
    for side, names in (("before", earlier), ("after", later)):
        for name in sorted(names):
            yield Seen(f"next {side} {name}")
            # a modal beside her name is another sign than one in an answer that names nobody
            yield Seen(f"next {side} {name} tie={tie}")
