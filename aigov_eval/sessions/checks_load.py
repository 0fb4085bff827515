"""
Check files to a `CheckSet`.

Comes in: folders of checks (`<name>.yaml`, and `tools.yaml` with the logical names). Goes out: the
set, sorted by id. Raises InvalidPack, which lists every fault with its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from aigov_eval.documents import strict
from aigov_eval.documents.issues import InvalidPack, Issue
from aigov_eval.documents.schema import Schemas
from aigov_eval.documents.strict import Document
from aigov_eval.errors import PackError
from aigov_eval.pack.files import CHECKS, PackFile, pack_hash, stock_root
from aigov_eval.sessions.checks_clauses import TOOLS, build, issue_at
from aigov_eval.sessions.checks_model import Check, CheckSet, Names
from aigov_eval.sessions.disk import read_bytes

_BESIDE = ("README.md",)


def stock_folder() -> Path:
    """Where the checks of the stock pack lie."""
    return stock_root() / CHECKS


def load_checks(folders: Sequence[Path] = (), *, stock: bool = True, names: Sequence[Path] = ()) -> CheckSet:
    """
    The stock checks, with those of the folders; `stock=False` leaves out the stock checks, not their names.

    `names` are further files of tool names (`tool_mappings`). Raises InvalidPack with every fault, and
    PackError for a folder that is not there or holds no check.
    """
    issues: list[Issue] = []
    schemas = Schemas()
    known = _Vocabulary()
    read: list[tuple[Path, Document]] = []
    files: list[PackFile] = []
    for at, folder in enumerate((stock_folder(), *folders)):
        documents = _documents(folder, at, schemas, issues, files)
        for path, document in documents:
            if path.name == TOOLS:
                known.add(document)
            elif stock or at:
                read.append((path, document))
    if not stock:
        files = [one for one in files if one.root or one.path == CHECKS + TOOLS]
    for at, path in enumerate(names, len(folders) + 1):
        known.add(_document(path, schemas, "check_tools", issues))
        files.append(PackFile(CHECKS + path.name, read_bytes(path), at))
    checks: dict[str, Check] = {}
    for path, document in read:
        check = build(document, known.names(), issues)
        if check is None:
            continue
        if check.id != path.stem:
            issues.append(
                issue_at(
                    document,
                    ("check",),
                    "AG107",
                    f'the file is named "{path.stem}", not "{check.id}"',
                    "rename the file or the check",
                )
            )
        if check.id in checks:
            held = checks[check.id].document.path
            issues.append(
                issue_at(
                    document,
                    ("check",),
                    "AG104",
                    f'the check "{check.id}" is there already',
                    f"it stands in {held}; rename one",
                )
            )
        checks[check.id] = check
    if issues:
        raise InvalidPack(issues)
    if not checks:
        raise PackError(
            "holds no checks",
            where=", ".join(map(str, folders)),
            help="a check is a file <name>.yaml; docs/checks.md shows one",
        )
    return CheckSet(tuple(checks[one] for one in sorted(checks)), known.names(), pack_hash(files))


# ------------------------------------------------------------------ files


def _documents(
    folder: Path, root: int, schemas: Schemas, issues: list[Issue], files: list[PackFile]
) -> list[tuple[Path, Document]]:
    if not folder.is_dir():
        raise PackError("is no folder", where=str(folder), help="--checks takes a folder with checks in it.")
    found: list[tuple[Path, Document]] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__")) or path.name.endswith("~") or path.name in _BESIDE:
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise PackError(
                "is no regular file", where=str(path), help="put the file itself there; links are not read"
            )
        if path.suffix != ".yaml" or path.is_dir():
            issues.append(
                Issue(
                    _shown(path),
                    1,
                    1,
                    "AG108",
                    "no part of a check set reads this file",
                    "checks are <name>.yaml, right in the folder",
                )
            )
            continue
        files.append(PackFile(CHECKS + path.name, read_bytes(path), root))
        document = _document(path, schemas, "check_tools" if path.name == TOOLS else "check", issues)
        if document is not None:
            found.append((path, document))
    return found


def _document(path: Path, schemas: Schemas, kind: str, issues: list[Issue]) -> Document | None:
    """A file read and of the right shape; None, with issues, where it is not."""
    document, found = strict.parse(_shown(path), read_bytes(path))
    if document is not None and not found:
        found = schemas.check(document, kind)
    issues += found
    return None if found else document


def _shown(path: Path) -> str:
    """A path as an editor opens it from the current folder."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


class _Vocabulary(Struct):
    """The logical names of several files, gathered: a tool may have several names, an argument more paths."""

    tools: dict[str, set[str]] = field(default_factory=dict)
    arguments: dict[str, list[str]] = field(default_factory=dict)

    def add(self, document: Document | None) -> None:
        if document is None:
            return
        for logical, tools in document.data.get("tool_mappings", {}).items():
            for tool in (logical, *([tools] if isinstance(tools, str) else tools)):
                self.tools.setdefault(tool, set()).add(logical)
        for logical, paths in document.data.get("argument_mappings", {}).items():
            held = self.arguments.setdefault(logical, [])
            held += [path for path in paths if path not in held]

    def names(self) -> Names:
        return Names(
            {tool: frozenset(names) for tool, names in self.tools.items()},
            {name: tuple(paths) for name, paths in self.arguments.items()},
        )
