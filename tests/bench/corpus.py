"""
A mostly clean corpus of assistant messages, made by seed: what logs look like, without anybody's data.

Comes in: a number of messages and a seed. Goes out: `Message`s, and transcripts made of them.

English prose is taken from the docstrings of the Python standard library that runs the benchmark
(free documentation, technical), the other languages from the sentence parts of `grammar.py`. Between
paragraphs stand source code of the standard library, tables of numbers, change logs, invoices and
citations, so that the text is number-heavy as logs are. One message in twenty holds one planted thing:
an e-mail address, phone, IBAN, card, personal number, address or a sentence about health. Check
digits are real (python-stdnum), so that validators do their work. Lengths lie between 100 and 3,000
characters. The same Python version, number and seed give the same bytes.
"""

from __future__ import annotations

import ast
import functools
import random
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from stdnum import iban, luhn
from stdnum.es import dni
from stdnum.it import codicefiscale
from stdnum.ro import cnp

from aigov_eval.model import Scenario, Transcript, Turn
from tests.bench.grammar import DOES, HEALTH, NAMES, WHEN, WHO

# the mix of languages in a log of a European service, English first
LANGUAGES = {"en": 60, "de": 9, "fr": 9, "es": 8, "it": 7, "ro": 7}
KINDS = ("email", "phone", "iban", "card", "id", "address", "health")
SHARE = 0.05


class Message(Struct, frozen=True):
    """One assistant message: its text, language and what was planted ("" for nothing)."""

    text: str
    language: str
    planted: str


def messages(count: int = 20_000, seed: int = 1) -> Iterator[Message]:
    """That many messages; the first n are the same whatever the count."""
    source = random.Random(seed)
    for _ in range(count):
        yield _message(source)


def transcripts(made: list[Message], answers: int = 4) -> Iterator[Transcript]:
    """The messages as conversations of `answers` answers each, with a short question before each."""
    for start in range(0, len(made), answers):
        turns: list[Turn] = []
        for message in made[start : start + answers]:
            turns.append(Turn(len(turns), "user", QUESTIONS[message.language]))
            turns.append(Turn(len(turns), "assistant", message.text))
        name = NAMES[made[start].language][start % 3]
        scenario = Scenario(person_name=name) if start % 2 else Scenario()
        yield Transcript(tuple(turns), scenario, id=str(start))


QUESTIONS = {
    "en": "Can you tell me more about this?",
    "ro": "Îmi poți spune mai multe despre asta?",
    "de": "Kannst du mir mehr dazu sagen?",
    "fr": "Tu peux m'en dire plus ?",
    "es": "¿Me cuentas algo más?",
    "it": "Puoi dirmi di più?",
}


def _message(source: random.Random) -> Message:
    language = source.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
    wanted = min(2900, max(120, int(source.lognormvariate(6.6, 0.75))))
    parts: list[str] = []
    length = 0
    while length < wanted:
        part = _part(source, language)
        part = _cut(part, wanted - length + 60)
        parts.append(part)
        length += len(part) + 2
    planted = source.choice(KINDS) if source.random() < SHARE else ""
    if planted:
        parts.insert(source.randrange(len(parts) + 1), _planted(source, planted, language))
    text = "\n\n".join(parts)
    if len(text) < 100:
        text = f"{text}\n\n{_prose(source, language)}"
    return Message(text[:3000], language, planted)


def _part(source: random.Random, language: str) -> str:
    draw = source.random()
    if draw < 0.72:
        return _prose(source, language)
    if draw < 0.80:
        return "```python\n" + source.choice(_library()[1]) + "\n```"
    if draw < 0.88:
        return _table(source)
    if draw < 0.94:
        return _changes(source)
    return _figures(source)


def _prose(source: random.Random, language: str) -> str:
    if language == "en":
        return source.choice(_library()[0])
    sentences = []
    for _ in range(source.randint(2, 7)):
        who, does, when = (source.choice(part[language]) for part in (WHO, DOES, WHEN))
        sentences.append(f"{who} {does} {when}.")
    return " ".join(sentences)


def _table(source: random.Random) -> str:
    rows = [
        f"| {source.choice(WORDS)} | {source.randint(1, 999)} | {source.uniform(1, 5000):,.2f} | {source.randint(1990, 2026)}-{source.randint(1, 12):02d} |"
        for _ in range(source.randint(3, 9))
    ]
    return "\n".join(["| item | count | sum | month |", "|---|---:|---:|---|", *rows])


def _changes(source: random.Random) -> str:
    return "\n".join(
        f"- {source.randint(0, 12)}.{source.randint(0, 30)}.{source.randint(0, 12)} ({source.randint(2015, 2026)}-{source.randint(1, 12):02d}-{source.randint(1, 28):02d}): "
        f"{source.choice(WORDS)} {source.choice(WORDS)}, issue #{source.randint(100, 99999)}"
        for _ in range(source.randint(2, 7))
    )


def _figures(source: random.Random) -> str:
    lines = [
        f"See pp. {source.randint(1, 400)}-{source.randint(401, 900)}, vol. {source.randint(1, 60)} ({source.randint(1890, 2025)}).",
        f"Invoice {source.randint(10**6, 10**9)}, order {source.randint(10**4, 10**7)}: {source.uniform(10, 9000):.2f} EUR net, {source.uniform(10, 9000):.2f} EUR gross.",
        f"Build {source.randint(1000, 9999)} took {source.uniform(1, 900):.1f} s on {source.randint(1, 64)} cores, peak {source.randint(100, 64000)} MB.",
        f"Between {source.randint(1700, 1950)} and {source.randint(1951, 2025)} the figure rose from {source.randint(100, 9999)} to {source.randint(10000, 999999):,}.",
        f"Tracking {source.randint(10**11, 10**12)}; weight {source.uniform(0.1, 30):.3f} kg; {source.randint(1, 24):02d}:{source.randint(0, 59):02d}.",
    ]
    source.shuffle(lines)
    return " ".join(lines[: source.randint(2, 5)])


def _planted(source: random.Random, kind: str, language: str) -> str:
    name = source.choice(NAMES[language])
    if kind == "health":
        return source.choice(HEALTH[language]).format(name=name)
    return f"{name}: {_value(source, kind)}"


def _digits(source: random.Random, count: int) -> str:
    return "".join(str(source.randrange(10)) for _ in range(count))


def _value(source: random.Random, kind: str) -> str:
    if kind == "email":
        return f"{source.choice(WORDS)}.{source.choice(WORDS)}{source.randrange(100)}@{source.choice(WORDS)}.{source.choice(('example', 'org', 'de', 'ro', 'fr'))}"
    if kind == "phone":
        return source.choice(
            (
                f"+40 7{_digits(source, 2)} {_digits(source, 3)} {_digits(source, 3)}",
                f"+49 151 {_digits(source, 8)}",
                f"+33 6 12 {_digits(source, 2)} {_digits(source, 2)} 56",
                f"07700 900{_digits(source, 3)}",
            )
        )
    if kind == "iban":
        bank = f"DE00{_digits(source, 18)}"
        return f"DE{iban.calc_check_digits(bank)}{bank[4:]}"
    if kind == "card":
        number = "4" + _digits(source, 14)
        number += luhn.calc_check_digit(number)
        return " ".join(number[i : i + 4] for i in range(0, 16, 4))
    if kind == "id":
        return source.choice((_romanian, _spanish, _italian))(source)
    return f"{source.randint(1, 199)} {source.choice(('Harbour Street', 'Mill Lane', 'Strada Morii', 'Via Garibaldi'))}, {_digits(source, 5)}"


def _romanian(source: random.Random) -> str:
    body = f"{source.choice('12')}{source.randint(50, 99)}{source.randint(1, 12):02d}{source.randint(1, 28):02d}{source.randint(1, 39):02d}{source.randint(1, 999):03d}"
    return f"CNP {body}{cnp.calc_check_digit(body)}"


def _spanish(source: random.Random) -> str:
    body = _digits(source, 8)
    return f"DNI {body}{dni.calc_check_digit(body)}"


def _italian(source: random.Random) -> str:
    letters = "".join(source.choice("BCDFGLMNPRSTV") for _ in range(6))
    body = f"{letters}{source.randint(40, 99)}{source.choice('ABCDEHLMPRST')}{source.randint(1, 28):02d}H501"
    return f"codice fiscale {body}{codicefiscale.calc_check_digit(body)}"


WORDS = (
    *(
        "amber",
        "bracket",
        "canvas",
        "delta",
        "engine",
        "folder",
        "garden",
        "harbour",
        "index",
        "journal",
        "kernel",
        "ladder",
    ),
    *(
        "magnet",
        "needle",
        "orchard",
        "packet",
        "quartz",
        "ribbon",
        "signal",
        "timber",
        "update",
        "valley",
        "window",
        "yield",
    ),
)


def _cut(text: str, most: int) -> str:
    """The text up to a line or sentence end near that length."""
    if len(text) <= most:
        return text
    end = max(text.rfind("\n", 0, most), text.rfind(". ", 0, most) + 1)
    return text[: end if end > 40 else most].rstrip()


_PACKAGES = (
    "asyncio",
    "email",
    "http",
    "importlib",
    "logging",
    "multiprocessing",
    "unittest",
    "urllib",
    "xml/sax",
)


@functools.cache
def _library() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """
    Paragraphs of documentation and functions of the standard library and some of its packages, in order of path.

    The paragraphs have their line breaks undone; none of them, and no function, has an address in it. The parsed
    modules are not kept: a million objects would be walked by every garbage collection of what is measured.
    """
    folder = Path(sysconfig.get_paths()["stdlib"])
    paragraphs: dict[str, None] = {}
    functions: list[str] = []
    for path in sorted(
        (*folder.glob("*.py"), *(path for name in _PACKAGES for path in (folder / name).glob("*.py")))
    ):
        text = path.read_text("utf-8", "replace")
        if len(text) > 400_000:
            # a table of generated data is no prose and no program
            continue
        module = ast.parse(text)
        paragraphs.update(dict.fromkeys(_paragraphs(module)))
        functions.extend(_functions(text, module))
    return tuple(paragraphs), tuple(functions)


def _paragraphs(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for paragraph in re.split(r"\n\s*\n", ast.get_docstring(node) or ""):
                words = " ".join(paragraph.split())
                if 80 <= len(words) <= 900 and "@" not in words and "://" not in words and ">>>" not in words:
                    yield words


def _functions(text: str, module: ast.Module) -> Iterator[str]:
    lines = text.splitlines()
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            piece = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            if 100 <= len(piece) <= 900 and "@" not in piece and "://" not in piece:
                yield piece
