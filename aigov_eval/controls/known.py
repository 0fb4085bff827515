"""
What the last check of a pack found, so that the next one runs only what a change can touch.

Comes in: the files of a pack, and what became of its controls. Goes out: a `Known`, kept in the user's cache folder
beside the compiled packs. It holds for the very code that made it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from aigov_eval.controls.inventory import Control
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Context
from aigov_eval.pack import cache
from aigov_eval.pack.files import PackFile

# whatever decides on a verdict beside the pack: our own files, and the libraries that know numbers and entities
_CODE = ("*.py", "*/*.py", "schemas/*.json")
_LIBRARIES = ("presidio-analyzer", "spacy", "python-stdnum", "phonenumbers", "google-re2", "regex")


class Known(msgspec.Struct, frozen=True):
    """
    A finished check.

    `engine` names the compiled pack of `built` (path -> digest) in the cache. `files` are the bytes of the word lists and
    the digests of all other files as they were checked, by place. `raw`, `ids` and `letters` have one item a control;
    `failing` are the numbers of those that did not hold.
    """

    engine: str
    built: dict[str, str]
    files: dict[str, bytes]
    contexts: dict[str, Context]
    ids: list[str]
    letters: list[str]
    raw: list[msgspec.Raw]
    failing: list[int]
    missing: list[Issue]

    def control(self, number: int) -> Control:
        """The control of that number."""
        return msgspec.msgpack.decode(self.raw[number], type=Control)


def raw_of(control: Control) -> msgspec.Raw:
    """A control as it is kept."""
    return msgspec.Raw(msgspec.msgpack.encode(control))


def key_of(folders: Sequence[Path], kind: str) -> str:
    """The name under which the last check of these folders is kept; `kind` says which controls it ran."""
    code = cache.code_hash(_CODE)
    return cache.make_key(
        "check", code, *map(_version, _LIBRARIES), *(str(one.resolve()) for one in folders), kind
    )


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"


def read(key: str) -> Known | None:
    """The last check of that name; None where there is none."""
    folder = _folder()
    return None if folder is None else cache.decoded(cache.read(folder, key), Known)


def write(key: str, known: Known) -> None:
    """Keep a check, where the user has not switched the cache off."""
    folder = _folder()
    if folder is not None:
        cache.write(folder, key, msgspec.msgpack.encode(known))


def _folder() -> Path | None:
    packs = cache.default_folder()
    return None if packs is None else packs.parent / "checks"


def place(file: PackFile) -> str:
    """The place of a file among several packs: the number of its pack, and its path there."""
    return f"{file.root}:{file.path}"


def digest(data: bytes) -> str:
    """What tells one state of a file from another."""
    return hashlib.sha256(data).hexdigest()
