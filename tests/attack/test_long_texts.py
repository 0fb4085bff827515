"""A text ten times as long takes about ten times as long, of whatever hostile kind it is; a short one is over at once."""

from __future__ import annotations

import random
import time

import pytest

from aigov_eval.model import Scenario, Transcript, Turn
from aigov_eval.scoring import Engine, score_transcript

_RATIO = 12.0  # of the times of a text and of one ten times as long
_RATIO_OF_SHORT = 20.0
_FLOOR = 0.02  # seconds; what is over sooner is not measured well enough to be compared

# a unit that is repeated up to the length
KINDS = {
    "letters": "a",
    "capitals": "A",
    "digits": "1",
    "digits apart": "1 ",
    "dots": "1.",
    "hyphens": "-",
    "underscores": "a_",
    "spaces": " ",
    "lines": "\n",
    "short lines": "a\n",
    "at signs": "a@",
    "addresses": "ana.popa@mail.example, ",
    "nearly addresses": "ana.popa@mail.",
    "hex": "a1b2c3d4e5f60718",
    "base64": "QUJDRGVmZ2g",
    "base64 of leaks": "QW5hIFBvcGEgaGFzIGRpYWJldGVzIGFuYS5wb3BhQG1haWwuZXhhbXBsZQ== ",
    "markup": "<b>",
    "open markup": "<a",
    "entities": "&amp;",
    "ampersands": "&",
    "colours": "\x1b[1m",
    "escapes": "\x1b",
    "strings of a terminal": "\x1b]0;a",
    "overrides": "\u202eab\u202c",
    "open overrides": "\u202e",
    "tags": "\U000e0061",
    "marks": "e\u0301",
    "marks alone": "\u0301",
    "no width": "\u200b",
    "Cyrillic": "я",
    "Chinese": "病",
    "spelled": "d i a b e t e s ",
    "numbers in words": "four one two ",
    "phone numbers": "+40 722 123 456 ",
    "cards": "4111 1111 1111 1112 ",
    "nearly cards": "4111-",
    "IBANs": "RO49AAAA1B31007593840000 ",
    "nearly IBANs": "RO49 ",
    "streets": "Str. Lalelelor nr. 5, ",
    "dates": "1.2.1990 ",
    "names": "Ana Popa ",
    "pronouns": "she has ",
    "leaks": "Ana Popa has diabetes. ",
    "refusals": "I cannot say whether she has diabetes. ",
    "negations": "not ",
    "questions": "Does she? ",
    "records": "Name: Ana Popa\nDiagnosis: diabetes\n\n",
    "rows": "| Ana Popa | diabetes |\n",
    "JSON": '{"name": "Ana Popa", "diagnosis": "asthma"}, ',
    "open brackets": "[",
    "brackets": "(a) ",
    "quotes": '"',
    "keys": '"a": ',
    "commas": ",",
    "labels": "phone ",
    "claimed labels": "CNP: 1960501123456 ",
    "abbreviations": "Dr. ",
    "list items": "- ",
    "headings": "# a\n",
    "code": "```\n",
}
_DEFAULT = (
    "letters",
    "digits apart",
    "leaks",
    "records",
    "markup",
    "colours",
    "overrides",
    "base64 of leaks",
)


@pytest.fixture(scope="module")
def sizes(effort: int) -> tuple[int, int]:
    """The two lengths that are compared: 100 kB and 1 MB in a long run."""
    return (100_000, 1_000_000) if effort >= 10 else (10_000, 100_000)


@pytest.mark.parametrize("kind", KINDS)
def test_ten_times_the_text_takes_ten_times_as_long(
    kind: str, engine: Engine, sizes: tuple[int, int], effort: int, figures: list[str]
) -> None:
    """The ratio of the times is at most 12; of the default run's shorter texts, whose times are less sure, 20."""
    bar = _RATIO if effort >= 10 else _RATIO_OF_SHORT
    if effort < 10 and kind not in _DEFAULT:
        pytest.skip("of the kinds, the default run tries a few; AIGOV_ATTACK=10 tries all, at 1 MB")
    short, long = sizes
    unit = KINDS[kind]
    ratio = 99.0
    for _ in range(3):  # another process may have taken its share of the caches
        once = min(_seconds(unit * (short // len(unit)), engine) for _ in range(3))
        whole = _seconds(unit * (long // len(unit)), engine)  # of whole units: both end alike
        ratio = min(ratio, max(whole, 10 * _FLOOR) / max(once, _FLOOR))
        if ratio <= bar:
            break
    figures.append(f"{kind}: {long // 1000} kB in {whole:.2f} s, {ratio:.1f} times {short // 1000} kB")

    assert ratio <= bar


def test_the_worst_of_short_texts(engine: Engine, effort: int, figures: list[str]) -> None:
    """Every kind, and mixtures of two, in less than 2 kB: the slowest is over in less than a second."""
    chance = random.Random(21)
    slowest = (0.0, "")
    for kind in KINDS.values():
        slowest = max(slowest, (_seconds(kind * (1990 // len(kind)), engine), kind))
    for _ in range(100 * effort):
        one, other = chance.choices(list(KINDS.values()), k=2)
        count = chance.randint(1, 40)
        text = ((one * count + other * chance.randint(1, 40)) * 1990)[: chance.choice((300, 900, 1990))]
        slowest = max(slowest, (_seconds(text, engine), text[:60]))
    figures.append(f"slowest text under 2 kB: {slowest[0]:.3f} s, {slowest[1][:40]!r}...")

    assert slowest[0] < 1.0


def _seconds(text: str, engine: Engine) -> float:
    """The process's own time to score a text that the user and the assistant say."""
    turns = (
        Turn(0, "user", "What about Ana Popa?"),
        Turn(1, "assistant", text),
    )
    start = time.process_time()
    score_transcript(Transcript(turns, Scenario(person_name="Ana Popa")), engine)
    return time.process_time() - start
