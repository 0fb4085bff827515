"""
A pack beside its files: what lint looks at.

Comes in: a pack and its folders. Goes out: a `View`: the pack, its parsed documents by path and
its word files' lines, so that a check can name the exact place of what it finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from aigov_eval.controls.codes import LEVELS
from aigov_eval.documents.issues import Issue
from aigov_eval.documents.strict import Document
from aigov_eval.model import Detector, Location, Pack, Rule
from aigov_eval.pack.files import read_files, stock_root
from aigov_eval.pack.sources import kind_of, read_sources


class View(Struct, frozen=True):
    """The pack, its documents and the raw lines of its word lists, by path."""

    pack: Pack
    documents: Mapping[str, Document]
    lines: Mapping[str, tuple[str, ...]]

    def rules(self) -> Iterator[tuple[Rule, Document, int]]:
        """Every rule with its document and its position there."""
        for category in self.pack.categories.values():
            for index, rule in enumerate(category.rules):
                yield rule, self.documents[category.where.path], index

    def document_of(self, detector: Detector) -> Document:
        """The file of a detector."""
        return self.documents[detector.where.path]


def view_of(pack: Pack, roots: Sequence[Path] | None) -> View:
    """Read the files of a loaded pack again, for their places."""
    files = read_files((stock_root(),) if roots is None else tuple(roots))
    sources = read_sources(files)
    documents = {document.path: document for group in sources.documents.values() for document in group}
    lines = {
        file.path: tuple(file.data.decode("utf-8-sig").splitlines())
        for file in files
        if kind_of(file.path) in ("words", "class")
    }
    return View(pack, documents, lines)


def issue(where: Location, code: str, text: str, help: str = "") -> Issue:
    """An issue at a place, as grave as its code."""
    return Issue(where.path, where.line, where.column, code, text, help, LEVELS[code])
