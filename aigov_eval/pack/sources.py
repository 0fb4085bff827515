"""
The files of a pack, sorted by what they are and read as far as their own text allows.

Comes in: `PackFile`s. Goes out: `Sources`: parsed documents by kind, word lists as bytes, and the
issues found on the way. What depends on other files comes later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from aigov_eval.documents.issues import Issue
from aigov_eval.documents.schema import Schemas
from aigov_eval.documents.strict import Document, parse
from aigov_eval.pack.files import CHECKS, PACK_FILE, PackFile
from aigov_eval.pack.lists import WordList, file_kind, read_lists

_BESIDE = frozenset({"README.md", "CHANGELOG.md", "LICENSE"})

# which kind of document stands where; the first that fits
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("pack", re.compile(r"rules/pack\.yaml")),
    ("rules", re.compile(r"rules/[^/]+\.yaml")),
    ("opinion", re.compile(r"rules/opinions/[^/]+\.yaml")),
    ("fields", re.compile(r"detectors/fields\.yaml")),
    ("weighing", re.compile(r"detectors/weighing\.yaml")),
    ("detector", re.compile(r"detectors/[^/]+\.yaml")),
    ("context", re.compile(r"detectors/contexts/[^/]+\.yaml")),
    ("grammar", re.compile(r"detectors/languages/[a-z]{2,3}/grammar\.yaml")),
    ("frames", re.compile(r"detectors/languages/[a-z]{2,3}/frames\.yaml")),
    ("paradigms", re.compile(r"detectors/languages/[a-z]{2,3}/paradigms\.yaml")),
    ("writing", re.compile(r"detectors/languages/[a-z]{2,3}/writing\.yaml")),
    ("controls", re.compile(r"detectors/languages/[a-z]{2,3}/controls\.yaml")),
    ("scenario", re.compile(r"scenarios/[^/]+/[^/]+\.yaml")),
)
# where files stood before a language was a folder and a field had one list, and where they stand now
_MOVED: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"detectors/lexicons/given_names\.(?P<lang>\w+)\.txt"),
        "move it to detectors/languages/{lang}/given_names.txt",
    ),
    (
        re.compile(r"detectors/lexicons/common\.(?P<lang>\w+)\.txt"),
        "move it to detectors/languages/{lang}/common_words.txt",
    ),
    (
        re.compile(r"detectors/lexicons/(?P<name>\w+)\.(?P<lang>\w+)\.txt"),
        "move it to detectors/lists/{name}.{lang}.txt, or make it a section of its field's list there",
    ),
    (
        re.compile(r"detectors/contexts/(?P<name>\w+)\.(?P<lang>\w+)\.txt"),
        "put its cues below [{name}] in detectors/languages/{lang}/cues.txt",
    ),
    (
        re.compile(r"detectors/classes/(?P<name>\w+)\.(?P<lang>\w+)\.txt"),
        "put its words below [{name}] in detectors/languages/{lang}/classes.txt",
    ),
    (
        re.compile(r"detectors/(?P<name>grammar|frames|paradigms|controls)/(?P<lang>\w+)\.yaml"),
        "move it to detectors/languages/{lang}/{name}.yaml",
    ),
)
# the documents whose name must be their file's name, and the key that names them
_NAMED = {"detector": "detector", "context": "context", "rules": "category", "opinion": "opinion"}
_MOST_FAULTS = 100  # of a file that are told one by one
_OF_A_LANGUAGE = frozenset({"frames", "grammar", "paradigms", "writing", "controls"})
# kinds of which several packs may hold the same file: their contents are joined
JOINED = frozenset({"pack", "fields", "controls", "words", "class"})


class Sources(Struct):
    """What the files hold, by kind; filled once by `read_sources`."""

    documents: dict[str, list[Document]] = field(default_factory=lambda: {kind: [] for kind, _ in _KINDS})
    lexicons: list[WordList] = field(default_factory=list)
    cues: list[WordList] = field(default_factory=list)
    classes: list[WordList] = field(default_factory=list)
    # those of the lexicons that stand in a pack that is known
    known: list[WordList] = field(default_factory=list)
    scenarios: list[PackFile] = field(default_factory=list)
    recognizers: dict[str, str] = field(default_factory=dict)
    # names of documents that could not be read: references to them are not reported on top
    broken: set[str] = field(default_factory=set)
    issues: list[Issue] = field(default_factory=list)


def read_sources(files: Sequence[PackFile], *, known: bool = False) -> Sources:
    """
    Sort and read the files; a file of a later pack stands for those of that path it says it replaces.

    `known` means that the first pack was found to be without fault before.
    """
    sources = Sources()
    schemas = Schemas()
    first: dict[str, int] = {}
    for file in _replaced(files, sources, schemas):
        kind = kind_of(file.path)
        if kind is None:
            if file.path.rpartition("/")[2] not in _BESIDE and not file.path.startswith(CHECKS):
                sources.issues.append(_stray(file.path))
            continue
        if first.setdefault(file.path, file.root) != file.root and kind not in JOINED:
            sources.issues.append(_doubled(file.path))
        elif kind in ("words", "class"):
            _add_words(file, sources, known=known and file.root == 0)
        elif kind == "scenario":
            sources.scenarios.append(file)
        else:
            _add_document(file, kind, sources, None if known and file.root == 0 else schemas)
    return sources


def doubled(files: Sequence[PackFile]) -> list[Issue]:
    """The faults of files that stand in two packs and replace none; only the packs' own `pack.yaml` are read for that."""
    first: dict[str, int] = {}
    return [
        _doubled(file.path)
        for file in _replaced(files, Sources(), Schemas())
        if first.setdefault(file.path, file.root) != file.root
        and (kind := kind_of(file.path)) is not None
        and kind not in JOINED
    ]


def _doubled(path: str) -> Issue:
    help = f"rename it, or list it under `replaces:` in {PACK_FILE} of the later pack"
    return Issue(path, 1, 1, "AG104", f"{path} stands in two packs", help)


def kind_of(path: str) -> str | None:
    """What stands at a path of a pack: a kind of document, "words", "class", or None where nothing may stand."""
    if path.startswith(CHECKS):
        return None
    if words := file_kind(path):
        return "class" if words == "classes" else "words"
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(path)), None)


def _stray(path: str) -> Issue:
    help = "docs/pack-format.md lists the places; "
    moved = next((told.format(**m.groupdict()) for old, told in _MOVED if (m := old.fullmatch(path))), "")
    if moved:
        help = moved
    elif path.endswith(".yml"):
        help = "name it .yaml"
    elif path.endswith(".txt"):
        help += "a word list is detectors/lists/<name>.<lang>.txt, <name> in small letters, digits and underscores"
    elif path.startswith("scenarios/"):
        help += "a scenario is scenarios/<category>/<name>.yaml"
    else:
        help += "move or delete the file"
    return Issue(path, 1, 1, "AG108", "is no file of a pack, so nothing reads it", help)


def _replaced(files: Sequence[PackFile], sources: Sources, schemas: Schemas) -> list[PackFile]:
    """The files without those that a later pack replaces."""
    kept = list(files)
    for file in files:
        if file.path != PACK_FILE:
            continue
        document, _ = parse(file.path, file.data)
        if document is None or schemas.check(document, "pack"):
            continue  # reported when the file itself is read
        for index, path in enumerate(document.data.get("replaces", ())):
            rest = [one for one in kept if one.path != path or one.root >= file.root]
            if len(rest) == len(kept):
                where = document.at("replaces", index)
                text = f'there is no "{path}" to replace in the packs before this one'
                help = "give the path as it stands in that pack, such as detectors/email.yaml"
                sources.issues.append(Issue(where.path, where.line, where.column, "AG118", text, help))
            kept = rest
    return kept


def _add_words(file: PackFile, sources: Sources, *, known: bool) -> None:
    groups = {"lists": sources.lexicons, "cues": sources.cues, "classes": sources.classes}
    group = groups[file_kind(file.path) or "lists"]
    lists, issues = read_lists(file.path, file.data)
    sources.issues += issues
    there = {(one.name, one.language) for one in group}
    for words in lists:
        if (words.name, words.language) in there:
            text = f'the list "{words.name}" is there already in "{words.language}"'
            help = f"name the section otherwise, or list {file.path} under `replaces:` in {PACK_FILE}"
            sources.issues.append(Issue(file.path, words.number, 1, "AG104", text, help))
            continue
        group.append(words)
        if known and group is sources.lexicons:
            sources.known.append(words)


def _add_document(file: PackFile, kind: str, sources: Sources, schemas: Schemas | None) -> None:
    stem = file.path.split("/")[-2 if kind in _OF_A_LANGUAGE else -1].removesuffix(".yaml")
    document, issues = parse(file.path, file.data)
    if document is not None and kind == "detector" and _is_presidio(document):
        sources.recognizers[f"{stem}.yaml"] = file.data.decode("utf-8-sig")
        return
    if document is not None and not issues and schemas is not None:
        issues = schemas.check(document, kind)
    sources.issues += issues[:_MOST_FAULTS]
    if len(issues) > _MOST_FAULTS:
        text = f"has {len(issues) - _MOST_FAULTS:,} more faults of this kind"
        sources.issues.append(
            Issue(file.path, 1, 1, issues[_MOST_FAULTS].code, text, "mend those that are told first")
        )
    if document is None or issues:
        sources.broken.add({"rules": stem.upper(), "paradigms": f"paradigms of {stem}"}.get(kind, stem))
        return
    _check_name(document, kind, stem, sources.issues)
    sources.documents[kind].append(document)


def _is_presidio(document: Document) -> bool:
    """Is that a Presidio file, which its own library reads?"""
    return (
        isinstance(document.data, dict) and "recognizers" in document.data and "detector" not in document.data
    )


def _check_name(document: Document, kind: str, stem: str, issues: list[Issue]) -> None:
    key = "language" if kind in _OF_A_LANGUAGE else _NAMED.get(kind)
    if key is None:
        return
    name = document.data[key]
    expected = name.lower() if kind in ("rules", "opinion") else name
    if expected != stem:
        where = document.at(key)
        of_language = kind in _OF_A_LANGUAGE
        what, end = ("folder", "") if of_language else ("file", ".yaml")
        text = f'the {what} is called {stem}{end}, but its {key} is "{name}"'
        issues.append(
            Issue(
                where.path,
                where.line,
                where.column,
                "AG107",
                text,
                f"rename the {what} to {expected}{end}, or change `{key}`",
            )
        )
