"""
Run folders: `transcript.json` and `evidence_pack.json`, in one folder or in many below it.

Comes in: a folder. Goes out: its run folders in the order of their paths, each as the one object
that the evidence-pack reader knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.readers import decode

_PARTS = ("evidence_pack.json", "transcript.json")


def read_folder(path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """
    Each run folder at or below `path`, with the object to be read as its evidence pack.

    Raises InputError where there is none.
    """
    found = False
    for folder in (path, *sorted(below for below in path.rglob("*") if below.is_dir())):
        if any((folder / part).is_file() for part in _PARTS):
            found = True
            yield folder, _joined(folder)
    if not found:
        raise InputError(
            "holds no run: no transcript.json and no evidence_pack.json",
            where=str(path),
            help="name a run folder, a folder of run folders, or the transcript files themselves.",
        )


def _joined(folder: Path) -> dict[str, Any]:
    """The evidence pack, with the transcript of the folder where the pack does not hold its own."""
    pack_file, transcript_file = (folder / part for part in _PARTS)
    pack: dict[str, Any] = {}
    if pack_file.is_file():
        value = _json(pack_file)
        if not isinstance(value, dict):
            raise InputError(
                "is not an evidence pack", where=str(pack_file), help="an evidence pack is an object."
            )
        pack = value
    if isinstance(pack.get("transcript"), list) or not transcript_file.is_file():
        return {"limitations": [], **pack}
    value = _json(transcript_file)
    entries = value
    if isinstance(value, dict):
        entries = next((value[key] for key in ("transcript", "turns", "messages") if key in value), None)
    return {"limitations": [], **pack, "transcript": entries}


def _json(path: Path) -> object:
    try:
        return decode.json_value(path.read_bytes())
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", where=str(path), help="check its rights."
        ) from None
    except InputError as error:
        raise InputError(error.text, where=str(path), help=error.help) from None
