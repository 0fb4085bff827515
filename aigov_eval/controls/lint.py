"""
Lint: what is wrong with a pack that loads, and what nobody could know from its parts alone.

Comes in: a pack and the folders it was loaded from. Goes out: issues as values, sorted. `render`
shows one with its source line and a caret. The checks live in the `lint_*` modules; each is a
function from `View` to issues.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aigov_eval.controls import lint_controls, lint_languages, lint_patterns, lint_use, lint_words
from aigov_eval.controls.view import View, view_of
from aigov_eval.documents.issues import InvalidPack, Issue
from aigov_eval.model import Pack
from aigov_eval.pack.files import read_files, stock_root

_CHECKS = (lint_words.check, lint_controls.check, lint_languages.check, lint_use.check)


_SHOWN = 120  # characters of a source line


def lint(pack: Pack, roots: Sequence[Path] | None = None, *, patterns: bool = True) -> tuple[Issue, ...]:
    """
    Every issue of a loaded pack, sorted by place.

    `roots` are the folders it came from (None: the stock pack); `patterns=False` leaves out the trial of
    its regular expressions, which takes the longest.
    """
    view: View = view_of(pack, roots)
    checks = (*_CHECKS, lint_patterns.check) if patterns else _CHECKS
    issues = {issue for check in checks for issue in check(view)}
    return tuple(sorted(issues))


def missing(pack: Pack, roots: Sequence[Path] | None = None) -> tuple[Issue, ...]:
    """What has no proof yet: the issues of controls and of empty word lists, sorted; part of `check`."""
    return tuple(
        issue
        for issue in lint(pack, roots, patterns=False)
        if issue.code.startswith("AG2") or issue.code == "AG128"
    )


def lint_folders(roots: Sequence[Path] | None = None) -> tuple[Issue, ...]:
    """Like `lint`, from folders: what keeps the pack from loading, or else every issue of the loaded pack."""
    from aigov_eval.detect.validators import VALIDATORS
    from aigov_eval.pack.compile import compile_pack

    try:
        pack = compile_pack(read_files(folders_of(roots)), VALIDATORS)
    except InvalidPack as error:
        return error.issues
    return lint(pack, roots)


def folders_of(roots: Sequence[Path] | None) -> tuple[Path, ...]:
    """The folders given, or the stock pack's."""
    return (stock_root(),) if roots is None else tuple(roots)


def render(issue: Issue, roots: Sequence[Path], read: dict[Path, list[str]] | None = None) -> str:
    """
    The issue as people read it: place, code, sentence, the source line with a caret, and the help.

    `read` keeps the lines of files from one issue to the next, so that a file of many faults is read once.
    """
    path = source_of(issue.path, roots)
    head = f"{path or issue.path}:{issue.line}:{issue.column} {issue.code} {issue.text}"
    source, column = _window(_line(path, issue.line, read), issue.column)
    lines = [head]
    if source.strip():
        gutter = f"{issue.line:>4} | "
        lines += [
            gutter + source,
            " " * (len(gutter) - 2) + "| " + " " * (column - 1) + "^" * _width(source, column, issue.path),
        ]
    if issue.help:
        lines.append(f"  help: {issue.help}")
    return "\n".join(lines)


def shown_path(path: str, roots: Sequence[Path]) -> str:
    """A path of the pack as an editor opens it from the current folder."""
    return str(source_of(path, roots) or path)


def source_of(relative: str, roots: Sequence[Path]) -> Path | None:
    """The file of that path in the last folder that has it; relative to the current folder where it lies below."""
    for root in reversed(roots):
        path = root / relative
        if path.is_file():
            here = Path.cwd()
            return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path
    return None


def _line(path: Path | None, number: int, read: dict[Path, list[str]] | None) -> str:
    if path is None or path.is_symlink():
        return ""
    lines = (read or {}).get(path)
    if lines is None:
        lines = path.read_text("utf-8-sig", errors="replace").splitlines()
        if read is not None:
            read[path] = lines
    return lines[number - 1] if number <= len(lines) else ""


def _window(source: str, column: int) -> tuple[str, int]:
    """The part of a long line around a column, and the column in it."""
    if len(source) <= _SHOWN:
        return source, column
    start = max(0, min(column - 1 - _SHOWN // 4, len(source) - _SHOWN))
    head, tail = "... " if start else "", " ..." if start + _SHOWN < len(source) else ""
    return head + source[start : start + _SHOWN] + tail, column - start + len(head)


def _width(source: str, column: int, path: str) -> int:
    """How far the caret reaches: over the entry of a word list, else over the word at the column."""
    rest = source[column - 1 :]
    if path.endswith(".txt"):
        return min(len(rest.split(" #")[0].rstrip()), 60) or 1
    if rest[:1] in ("'", '"'):
        end = rest.find(rest[0], 1)
        return end + 1 if end > 0 else len(rest)
    return max(1, next((at for at, char in enumerate(rest) if char in " ,]}"), len(rest)))
