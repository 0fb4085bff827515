"""
A compiled pack kept between runs, so that a run starts at once.

Comes in: the folders of packs. Goes out: an `Engine`, from the cache where these very bytes were
compiled before. Of the word lists only the entries that a text calls for are decoded. Packs that only add to the
first one are compiled and kept without its word lists, which stay where they are.
Measured: building the stock engine takes seconds, reading it a few hundredths of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from aigov_eval.detect.added import with_part
from aigov_eval.detect.automata import Rewritten
from aigov_eval.detect.gate import Gate
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.spoken import Spoken
from aigov_eval.detect.words import WordIndex
from aigov_eval.model import Category, Context, FieldInfo, Pack, Question, Weighing, Writing
from aigov_eval.pack import cache, collecting, witness
from aigov_eval.pack.files import PackFile, pack_hash, places_in, read_files, stock_root
from aigov_eval.scoring.compiled import words as stored_words
from aigov_eval.scoring.compiled.engine import Engine, build_engine, part_for, with_pack
from aigov_eval.scoring.compiled.words import StoredWords
from aigov_eval.scoring.persons.name_spots import NameIndex

# the stock pack as it was compiled when the package was built; the code lies beside it, so whoever can write there need not
SHIPPED = Path(__file__).resolve().parents[2] / "data" / "compiled"
_READERS = (
    "model/*.py",
    "documents/*.py",
    "pack/*.py",
    "schemas/*.json",
    "text/*.py",
    "detect/*.py",
    "detect/prefilter/*.py",
    "scoring/*.py",
    "scoring/compiled/*.py",
    "scoring/persons/*.py",
    "readers/scenario.py",
)


class _Gate(msgspec.Struct, frozen=True):
    """A `Gate` without its automata."""

    alphabets: dict[str, Rewritten]
    figures: tuple[int, ...]
    anchored: frozenset[int]
    broad: frozenset[int]


class _Stored(msgspec.Struct, frozen=True):
    """
    What is kept of an engine: all of it but the word lists' own lines and the controls.

    Where packs add to the first one, `base` is the name of its engine, `words` are what they add, and what has no value is
    that of the first one.
    """

    base: str
    name: str
    version: str
    sha256: str
    categories: dict[str, Category]
    contexts: dict[str, Context]
    fields: dict[str, FieldInfo]
    languages: tuple[str, ...]
    cue_names: tuple[str, ...]
    words: StoredWords
    names: StoredWords | None
    phrases: StoredWords | None
    far_cues: StoredWords | None
    gate: _Gate
    labelled: _Gate
    steps: tuple[Step, ...]
    abbreviations: frozenset[str]
    spoken: Spoken
    asks: dict[int, str]
    blank: frozenset[int]
    by_gate: dict[int, int]
    by_label: dict[int, tuple[int, ...]]
    by_lexicon: dict[int, tuple[int, ...]]
    others: tuple[int, ...]
    common_words: frozenset[str]
    common: dict[str, frozenset[str]]
    weighing: dict[str, Weighing]
    questions: dict[str, Question]
    writing: Writing


@collecting.gc_paused()
def load_engine(roots: Sequence[Path] | None = None, *, cache_folder: Path | None = None) -> Engine:
    """
    The stock pack, or the packs in these folders as one, compiled for scoring.

    Raises PackError, as `load_pack` does.
    """
    folders = (stock_root(),) if roots is None else tuple(Path(root) for root in roots)
    store = cache_folder or cache.default_folder()

    def first() -> Engine:
        return load_engine(folders[:1], cache_folder=cache_folder)

    # our own code first: it is there even where a folder is no pack
    code = cache.code_files(_READERS)
    seen = witness.folder_beside(store) if store is not None else None
    name = cache.make_key("seen", *(str(folder.absolute()) for folder in folders))
    state = witness.state_of((*code, *places_in(folders))) if seen is not None else None
    if seen is not None and state is not None and (path := witness.recall(seen, name, state)) is not None:
        stored = cache.decoded(cache.mapped(path, known=True), _Stored)
        if stored is not None:
            return _restored(stored, first)
    files = read_files(folders)
    key = key_of(files)
    for path, payload in _kept(store, key):
        stored = cache.decoded(payload, _Stored)
        if stored is not None:
            if seen is not None and state is not None:
                witness.note(seen, name, state, path)
            return _restored(stored, first)
    engine, part = built(folders, files, cache_folder)
    if store is not None:
        keep(engine, store, files, part)
    return engine


def keep(engine: Engine, store: Path, files: Sequence[PackFile], part: WordIndex | None) -> None:
    """Store an engine under the name of the files that it was built from, as `built` told it."""
    base = "" if part is None else key_of([file for file in files if file.root == 0])
    cache.write(store, key_of(files), msgspec.msgpack.encode(_to_store(engine, part, base)), spared=base)


def bytes_of(engine: Engine) -> bytes:
    """A whole engine as it is kept."""
    return msgspec.msgpack.encode(_to_store(engine))


def key_of(files: Sequence[PackFile]) -> str:
    """The name under which the engine of these very files is kept."""
    return cache.make_key(
        "engine", cache.code_hash(_READERS), pack_hash(files), *(str(file.root) for file in files)
    )


def _kept(store: Path | None, key: str) -> Iterator[tuple[Path, memoryview | None]]:
    """Where the engine of that name may be: with the package, as it was built, and in the folder of the user."""
    yield SHIPPED / key, cache.mapped(SHIPPED / key)
    if store is not None:
        yield store / key, cache.read(store, key)


def stored_engine(store: Path, key: str) -> Engine | None:
    """The engine that is kept under a name; None where there is none, or what it adds to is gone."""
    found = (cache.decoded(payload, _Stored) for _, payload in _kept(store, key))
    stored = next((one for one in found if one is not None), None)
    base = stored_engine(store, stored.base) if stored is not None and stored.base else None
    if stored is None or (stored.base and base is None):
        return None
    return _restored(stored, lambda: base)


def built(
    folders: Sequence[Path],
    files: Sequence[PackFile],
    cache_folder: Path | None = None,
    *,
    whole: bool = False,
) -> tuple[Engine, WordIndex | None]:
    """
    The engine of the packs in these folders, with their controls; and what is to be kept of its words where the first pack's
    are kept already, unless it is wanted as a whole.

    Raises PackError, as `load_pack` does.
    """
    # what reads packs is not imported by a start that finds one compiled
    from aigov_eval.detect.validators import VALIDATORS
    from aigov_eval.pack.load import load_added, load_pack

    if len(folders) > 1 and not whole:
        # what is wrong with the files is told before anything is compiled
        added = load_added(files, folders, VALIDATORS)
        if added is not None:
            base = load_engine(folders[:1], cache_folder=cache_folder)
            part = part_for(base, *added)
            if part is not None:
                return with_pack(base, added[0], part), part
    # the files of the stock pack are named without their folder
    roots = None if tuple(folders) == (stock_root(),) else folders
    return build_engine(load_pack(roots, cache_folder=cache_folder, validators=VALIDATORS)), None


def _to_store(engine: Engine, part: WordIndex | None = None, base: str = "") -> _Stored:
    """An engine as it is kept; where it adds to another of the name `base`, `part` is what it adds to the words."""
    pack, index = engine.pack, engine.detection
    return _Stored(
        base,
        pack.name,
        pack.version,
        pack.sha256,
        {name: _without_controls(category) for name, category in pack.categories.items()},
        {name: replace(c, excused=(), not_excused=(), each=()) for name, c in pack.contexts.items()},
        dict(pack.fields),
        pack.languages,
        tuple(sorted(pack.cues)),
        stored_words.to_store(index.words if part is None else part),
        stored_words.to_store(engine.people.names) if part is None else None,
        stored_words.to_store(engine.phrases) if part is None else None,
        stored_words.to_store(engine.far_cues) if part is None else None,
        _stored_gate(index.gate),
        _stored_gate(index.labelled),
        index.steps,
        index.abbreviations,
        index.spoken,
        dict(index.asks),
        index.blank,
        dict(index.by_gate),
        dict(index.by_label),
        dict(index.by_lexicon),
        index.others,
        engine.people.common if part is None else frozenset(),
        dict(engine.common) if part is None else {},
        dict(pack.weighing),
        dict(pack.questions),
        pack.writing,
    )


def _without_controls(category: Category) -> Category:
    return replace(category, rules=tuple(replace(rule, leaks=(), clean=()) for rule in category.rules))


def _stored_gate(gate: Gate) -> _Gate:
    return _Gate(gate.alphabets, gate.figures, gate.anchored, gate.broad)


def _restored_gate(stored: _Gate) -> Gate:
    return Gate(stored.alphabets, stored.figures, stored.anchored, stored.broad)


def _restored(stored: _Stored, first: Callable[[], Engine | None]) -> Engine:
    """The engine again; `first` tells that of the first pack, where this one adds to it."""
    present: Mapping[str, tuple[()]] = dict.fromkeys(stored.cue_names, ())
    pack = Pack(
        stored.name,
        stored.version,
        stored.sha256,
        stored.categories,
        {},
        stored.contexts,
        {},
        {},
        stored.fields,
        stored.languages,
        cues=present,
        weighing=stored.weighing,
        questions=stored.questions,
        writing=stored.writing,
    )
    words = stored_words.from_store(stored.words)
    base = first() if stored.base else None
    index = Index(
        words if base is None else with_part(base.detection.words, words),
        _restored_gate(stored.gate),
        stored.steps,
        stored.abbreviations,
        stored.spoken,
        stored.asks,
        stored.blank,
        stored.by_gate,
        _restored_gate(stored.labelled),
        stored.by_label,
        stored.by_lexicon,
        stored.others,
    )
    if base is not None:
        return replace(base, pack=pack, detection=index)
    assert stored.names is not None and stored.phrases is not None and stored.far_cues is not None
    return Engine(
        pack,
        index,
        NameIndex(stored_words.from_store(stored.names), stored.common_words),
        stored_words.from_store(stored.phrases),
        stored_words.from_store(stored.far_cues),
        stored.common,
    )
