"""
The one way in: folders to a `Pack`.

Comes in: the folders of packs, or none for the stock pack. Goes out: the `Pack`, from the cache
where these very bytes were compiled before. Raises PackError, which lists every fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from pathlib import Path

from msgspec.structs import replace

from aigov_eval.documents.issues import InvalidPack, Issue
from aigov_eval.errors import PackError
from aigov_eval.model import Pack
from aigov_eval.pack import cache, collecting
from aigov_eval.pack.files import PackFile, pack_hash, read_files, stock_root

# our own files that decide what a pack file compiles to: a change in them makes other packs
_READERS = ("model/*.py", "documents/*.py", "pack/*.py", "schemas/*.json", "text/views.py", "readers/*.py")


@collecting.gc_paused()
def load_pack(
    roots: Sequence[Path] | None = None, *, cache_folder: Path | None = None, validators: Collection[str] = ()
) -> Pack:
    """
    Load the stock pack, or the packs in these folders as one.

    Later folders add to earlier ones; an id that is there already is an error, unless the later
    pack's `rules/pack.yaml` lists the file under `replaces:`. `cache_folder` is where compiled
    packs are kept (default: the user's cache folder; none if AIGOV_EVAL_NO_CACHE is set). `validators` are the
    names of those that are known, where they are to be checked here.
    Raises PackError.
    """
    folders = (stock_root(),) if roots is None else tuple(Path(root) for root in roots)
    if not folders:
        raise PackError("no pack was given", help="give at least one folder, or none for the stock pack")
    files = read_files(folders)
    store = cache_folder or cache.default_folder()
    key = cache.make_key(
        "pack", cache.code_hash(_READERS), pack_hash(files), *(str(file.root) for file in files)
    )
    if store is not None and (pack := cache.decoded(cache.read(store, key), Pack)) is not None:
        return pack
    # compiling imports a YAML parser and a schema checker, which a cached pack does without
    from aigov_eval.pack.compile import compile_pack

    try:
        pack = compile_pack(files, validators)
    except InvalidPack as error:
        if roots is None:
            raise
        raise InvalidPack(_in_their_folders(error.issues, files, folders)) from None
    if store is not None:
        import msgspec

        cache.write(store, key, msgspec.msgpack.encode(pack))
    return pack


@collecting.gc_paused()
def load_added(
    files: Sequence[PackFile], folders: Sequence[Path], validators: Collection[str]
) -> tuple[Pack, Set[str]] | None:
    """The packs in these folders as one, as `compile.compile_added` tells it. Raises PackError, as `load_pack` does."""
    from aigov_eval.pack.compile import compile_added

    try:
        return compile_added(files, validators)
    except InvalidPack as error:
        raise InvalidPack(_in_their_folders(error.issues, files, folders)) from None


def _in_their_folders(
    issues: Iterable[Issue], files: Iterable[PackFile], folders: Sequence[Path]
) -> list[Issue]:
    """The issues with the folder in their path, as the caller gave it, so that an editor opens the file."""
    folder = {file.path: folders[file.root] for file in files}
    return [replace(issue, path=str(folder[issue.path] / issue.path)) for issue in issues]
