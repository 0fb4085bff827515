"""
Tables for people: aligned columns of plain text.

Comes in: rows of cells, the first the header. Goes out: one text. Nothing is cut to the width of
the terminal, so that what is piped on is whole.
"""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """The rows as lines, two spaces between columns; the columns in `right` are aligned to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
