"""Spans by place answer what a look at all of them would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aigov_eval.text.spans import ByPlace, Parted, Span, by_place

PLACES = st.integers(0, 30)
SPANS = st.lists(
    st.tuples(PLACES, st.integers(0, 9)).map(lambda p: Span(p[0], p[0] + p[1])), max_size=20, unique=True
)


@given(SPANS, PLACES, PLACES)
def test_the_answers_are_those_of_a_full_look(spans: list[Span], one: int, other: int) -> None:
    """Within, over, before and after a stretch: as many as a look at every span finds, in order of place."""
    start, end = sorted((one, other))
    ordered = sorted(spans, key=lambda s: s.start)
    placed = by_place(spans)

    assert placed.within(start, end) == [s for s in ordered if start <= s.start and s.end <= end]
    assert list(placed.over(start, end)) == [s for s in ordered if s.start <= start and end <= s.end][::-1]
    assert list(placed.before(start)) == [s for s in ordered if s.end <= start][::-1]
    assert list(placed.after(start)) == [s for s in ordered if s.start >= start]
    assert placed.near(start, 0, 99, 99) == ordered


@given(SPANS, PLACES)
def test_near_takes_the_nearest(spans: list[Span], place: int) -> None:
    """Of a long list only so many on either side count, and those are the nearest."""
    placed = by_place(spans)
    near = placed.near(place, 0, 99, 2)

    assert len(near) <= 4
    assert near == [s for s in placed.items if s in near]
    left = [s for s in placed.items if s.start <= place]
    assert near[: len(left[-2:])] == left[-2:]


@given(SPANS, PLACES, PLACES, PLACES)
def test_parts_answer_as_the_whole_does(spans: list[Span], one: int, other: int, cut: int) -> None:
    """Spans that are found part by part, none of them over a cut."""
    start, end = sorted((one, other))
    kept = [s for s in spans if s.end < cut or cut <= s.start]
    whole = by_place(kept)
    parts = by_place(s for s in kept if s.start < cut), by_place(s for s in kept if cut <= s.start)
    parted = Parted((0, cut), lambda number: parts[number])

    assert parted.within(start, end) == whole.within(start, end)
    assert list(parted.over(start, end)) == list(whole.over(start, end))
    assert list(parted.before(start)) == list(whole.before(start))
    assert list(parted.after(start)) == list(whole.after(start))
    assert parted.near(start, start, end, 2) == whole.near(start, start, end, 2)
    assert parted.items == list(whole.items)
    assert bool(parted) is bool(kept)


def test_only_the_parts_asked_about_are_read() -> None:
    """A part is read once, and not before somebody asks about it."""
    read: list[int] = []

    def find(number: int) -> ByPlace[Span]:
        read.append(number)
        return by_place([Span(number * 10, number * 10 + 3)])

    parted = Parted((0, 10, 20), find)

    assert parted.within(10, 15) == [Span(10, 13)]
    assert parted.within(11, 19) == []
    assert [span.start for span in parted.after(5, 12)] == [10]
    assert read == [1, 0]
