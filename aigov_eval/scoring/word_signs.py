"""
Single words as signs: those of a mention and its sentence, of what is said right before, and of the question that is answered.

Comes in: a live turn, a mention and the user turn that is answered. Goes out: `Seen`s, each word by its first letters.
"""

from __future__ import annotations

from collections.abc import Iterator

from aigov_eval.detect.find import LocatedMention
from aigov_eval.scoring.clauses import REACH
from aigov_eval.scoring.known_values import stem_of
from aigov_eval.scoring.seen import Seen
from aigov_eval.scoring.turn_view import TurnView
from aigov_eval.text.spans import Span

_FIGURES = 5  # figures of a number that are counted
_BEFORE = 40  # words before a sentence, and at the end of a question


def words(live: TurnView, placed: LocatedMention, question: TurnView | None) -> Iterator[Seen]:
    """The words of a mention, around it, right before its sentence and of the question, without the names of persons."""
    reading = live.reading
    tokens = reading.tokens
    sentence = reading.sentence_at(placed.start)
    own, own_last = reading.word_at(placed.start), reading.word_at(placed.end - 1)
    opens = reading.word_at(sentence.start)
    first = max(own - REACH, opens)
    last = min(own_last + REACH, reading.word_at(sentence.end - 1))
    told = [Span(one.start, one.end) for one in live.placed_by_place.within(sentence.start, sentence.end)]
    left_out = _words_of(live, told)
    for word, stem in _stems(live, first, min(last, len(tokens.words) - 1)):
        start, end = tokens.starts[word], tokens.ends[word]
        if own <= word <= own_last:
            # some words of a list have everyday senses, and are seldom told of anybody
            if not stem.startswith("#"):
                yield Seen(f"own word={stem}", start, end)
        elif word not in left_out:
            yield Seen(f"word={stem}", start, end)
            if word == first:
                yield Seen(f"first word={stem}", start, end)
    for word, stem in _stems(live, max(0, opens - _BEFORE), opens - 1):
        yield Seen(f"earlier word={stem}", tokens.starts[word], tokens.ends[word])
    if question is not None:
        size = len(question.reading.tokens.words)
        for _, stem in _stems(question, max(0, size - _BEFORE), size - 1):
            yield Seen(f"asked word={stem}")


def _stems(live: TurnView, first: int, last: int) -> Iterator[tuple[int, str]]:
    """The words of a stretch with their numbers, without the names of persons; of a figure only its length."""
    if first > last:
        return
    tokens = live.reading.tokens
    people = live.people.within(tokens.starts[first], tokens.ends[last])
    named = [Span(one.start, one.end) for one in people if one.kind in ("subject", "name")]
    left_out = _words_of(live, named)
    for word in range(first, last + 1):
        if word not in left_out:
            folded = tokens.folded[word]
            figures = folded[:1].isdigit()
            yield word, f"#{min(len(folded), _FIGURES)}" if figures else stem_of(folded)


def _words_of(live: TurnView, spans: list[Span]) -> set[int]:
    """The numbers of the words of some stretches."""
    word_at = live.reading.word_at
    return {word for one in spans for word in range(word_at(one.start), word_at(one.end - 1) + 1)}
