"""
The one place that prints.

Comes in: text for people, or for programs as JSON. Goes out: the text on standard output or standard error,
with everything as an escape that a terminal would take as a command; only our own colours act.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, TextIO

from aigov_eval.errors import AigovError, PackError
from aigov_eval.text.printable import in_line, printable

if TYPE_CHECKING:
    from rich.console import Console

# what `reports/terminal.py` paints with
_OURS = re.compile("(\x1b\\[(?:0|7|32|31;1)m)")


def say(text: str = "", *, file: TextIO | None = None, end: str = "\n", painted: bool = False) -> None:
    """Print a text; `painted` lets our own colours through, so that all else in it must be free of them already."""
    if painted:
        pieces = _OURS.split(text)
        shown = "".join(piece if at % 2 else printable(piece) for at, piece in enumerate(pieces))
    else:
        shown = printable(text)
    print(shown, end=end, file=file or sys.stdout)


def put(data: bytes) -> None:
    """A whole document on standard output, as its writer made it."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say_error(error: AigovError) -> None:
    """An error on standard error: one line of what, one line of help; the faults of a pack a line each."""
    # what was given may be quoted: only a pack's list of faults has lines of its own
    lines = str(error).split("\n") if isinstance(error, PackError) else _lines(error)
    say("error: " + "\n".join(map(in_line, lines)), file=sys.stderr)


def _lines(error: AigovError) -> list[str]:
    return [error.head, f"  help: {in_line(error.help)}"] if error.help else [error.head]


def cell(text: str) -> str:
    """A text for a table or a line of rich: in one line, and without its markup."""
    from rich.markup import escape

    return escape(in_line(text))


def console(*, stderr: bool = False, **options: Any) -> Console:
    """A console of rich on standard output or error; texts from outside go to it through `cell`."""
    from rich.console import Console

    return Console(stderr=stderr, **options)
