"""
The reports: one line each, and all that the rest of the program has to know of them.

Comes in: nothing. Goes out: `WRITERS` by format. A new report is a module beside this one and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Writer(Struct, frozen=True):
    """A report: `module:function` in this folder, which takes cases, and the endings of files that ask for it."""

    made_by: str
    endings: tuple[str, ...]


WRITERS: Mapping[str, Writer] = {
    "html": Writer("html:html", (".html", ".htm")),
    "junit": Writer("junit:junit", (".xml",)),
    "sarif": Writer("sarif:sarif", (".sarif",)),
    "markdown": Writer("markdown:markdown", (".md", ".markdown")),
    "csv": Writer("table:table", (".csv",)),
}
FORMATS = tuple(WRITERS)
