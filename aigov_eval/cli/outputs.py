"""
What `score` writes: one format on standard output, and any number of files beside it.

Comes in: `--format`, `--out` as typed; conversations with their scores, as they are judged. Goes out: text on standard
output, as it comes where the format allows that; at the end the files, all of them made before the first is written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from aigov_eval.cli.say import put, say
from aigov_eval.errors import InputError
from aigov_eval.model import Score, Transcript
from aigov_eval.reports.kinds import WRITERS

if TYPE_CHECKING:
    from aigov_eval.reports.cases import Case

# every format, with the endings of files that say so
FORMATS: dict[str, tuple[str, ...]] = {
    "table": (".txt",),
    "json": (".json",),
    "jsonl": (".jsonl",),
    **{name: writer.endings for name, writer in WRITERS.items()},
}
_DOCUMENTS = frozenset(WRITERS)


class Outputs(Struct):
    """Where results go: `format` to standard output, `files` (path -> format) when all is judged."""

    format: str
    files: dict[Path, str]
    fail_on: str = "LOW"
    quiet: bool = False
    verbose: bool = False
    _cases: list[Case] = field(default_factory=list)
    _table: list[str] = field(default_factory=list)
    _lines: list[dict[str, Any]] = field(default_factory=list)
    _waiting: list[dict[str, Any]] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        """Whether standard output shows nothing while conversations are judged, or goes to no terminal."""
        return self.quiet or self.format not in ("table", "jsonl") or not sys.stdout.isatty()

    def tell(self, transcript: Transcript, scores: Sequence[Score], refused: str, *, failed: bool) -> None:
        """The next conversation; `refused` says why it has no verdict, `failed` whether it is shown when quiet."""
        wanted = {self.format, *self.files.values()}
        if "table" in wanted:
            self._tell_table(transcript, scores, refused, shown=failed or bool(refused) or not self.quiet)
        if wanted & {"json", "jsonl"}:
            self._tell_json(transcript, scores, refused)
        if wanted & _DOCUMENTS:
            from aigov_eval.reports.written import case_of

            self._cases.append(case_of(transcript, scores, error=refused, fail_on=self.fail_on))

    def end(self, totals: str) -> None:
        """What is shown at the end, and the files; raises InputError for a file that cannot be written."""
        if self.format == "table":
            if totals:
                say(totals)
        elif self.format == "json":
            judged = [{"id": one["id"], "scores": one["scores"]} for one in self._waiting if one["scores"]]
            if judged:
                put(_array(judged))
        elif self.format in _DOCUMENTS:
            put(self._made(self.format, totals))
        if self.files:
            from aigov_eval import files

            made = {path: self._made(format, totals) for path, format in self.files.items()}
            for path, data in made.items():
                files.write(path, data)

    def _tell_table(
        self, transcript: Transcript, scores: Sequence[Score], refused: str, *, shown: bool
    ) -> None:
        from aigov_eval.reports.terminal import has_colour, lines_of

        if not shown:
            return
        if self.format == "table":
            colour = has_colour()
            lines = lines_of(transcript, scores, refused=refused, colour=colour, verbose=self.verbose)
            say("\n".join(lines), painted=True)
        if "table" in self.files.values():
            from aigov_eval.text.printable import printable

            plain = lines_of(transcript, scores, refused=refused, verbose=self.verbose)
            self._table.append(printable("\n".join(plain)))

    def _tell_json(self, transcript: Transcript, scores: Sequence[Score], refused: str) -> None:
        from aigov_eval.objects import score_to_dict

        by_line = transcript.format.startswith("jsonl:")
        line: dict[str, Any] = {
            "id": transcript.id if by_line else transcript.id or transcript.source,
            "scores": [score_to_dict(one) for one in scores],
            **({"error": refused} if refused else {}),
        }
        if {"json", "jsonl"} & set(self.files.values()):
            self._lines.append(line)
        if self.format == "jsonl" or (self.format == "json" and by_line):
            say(json.dumps(line, ensure_ascii=False))  # a log is answered as it is read
        elif self.format == "json":
            self._waiting.append(line)

    def _made(self, format: str, totals: str) -> bytes:
        if format == "table":
            return _bytes("\n".join([*self._table, *([totals] if totals else [])]))
        if format == "jsonl":
            return _bytes("\n".join(json.dumps(one, ensure_ascii=False) for one in self._lines))
        if format == "json":
            return _array(self._lines, named=True)
        from aigov_eval.reports.written import written

        return written(format, self._cases).encode()


def _array(lines: Sequence[dict[str, Any]], *, named: bool = False) -> bytes:
    """The score objects of all conversations, with ids where there are several or `named`; one object a conversation where one has no verdict."""
    if any("error" in one for one in lines):
        told = list(lines)
    else:
        named = named or len({one["id"] for one in lines}) > 1
        told = [{"id": one["id"], **score} if named else score for one in lines for score in one["scores"]]
    return _bytes(json.dumps(told, ensure_ascii=False, indent=2))


def _bytes(text: str) -> bytes:
    from aigov_eval.text.printable import printable

    return (printable(text) + "\n").encode("utf-8", "backslashreplace")


def outputs_of(
    format: str, out: Sequence[str], *, fail_on: str, quiet: bool = False, verbose: bool = False
) -> Outputs:
    """
    What was asked for: `--format`, and each `--out FILE` or `--out FORMAT=FILE`.

    A file's format is the one before its `=`, else that of its ending, else --format; a file in the format of --format takes
    its place, and standard output shows the table. Raises InputError for what is not known or cannot be written.
    """
    if format not in FORMATS:
        raise InputError(f'unknown format "{format}"', help="known: " + ", ".join(FORMATS))
    if quiet and verbose:
        raise InputError("--quiet and --verbose ask for opposite things", help="give one of them.")
    files: dict[Path, str] = {}
    for one in out:
        path, own = _file_of(one, format)
        if path in files:
            raise InputError("is written twice", where=str(path), help="give each --out a file of its own.")
        if path.is_dir() or not path.parent.is_dir():
            what = "is a folder" if path.is_dir() else "its folder is not there"
            raise InputError(f"cannot be written: {what}", where=str(path), help="give a file in a folder.")
        files[path] = own
    shown = "table" if format in files.values() else format
    return Outputs(shown, files, fail_on, quiet, verbose)


def _file_of(text: str, format: str) -> tuple[Path, str]:
    before, equals, after = text.partition("=")
    if equals and before in FORMATS:
        if not after:
            raise InputError(f'--out "{text}" names no file', help=f"give {before}=FILE.")
        return Path(after), before
    suffix = Path(text).suffix.lower()
    own = next((name for name, endings in FORMATS.items() if suffix in endings), "")
    if not own and format == "table":
        raise InputError(
            "its ending says no format",
            where=text,
            help=f"give FORMAT={text}, or --format; formats are " + ", ".join(FORMATS),
        )
    return Path(text), own or format
