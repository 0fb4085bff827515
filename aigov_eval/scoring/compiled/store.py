"""
A compiled pack kept between runs, so that a run starts at once.

Comes in: the folders of packs. Goes out: an `Engine`, from the cache where these very bytes were
compiled before. Of the word lists only the entries that a text calls for are decoded.
Measured: building the stock engine takes seconds, reading it a few hundredths of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from aigov_eval.detect.automata import Rewritten
from aigov_eval.detect.gate import Gate
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.spoken import Spoken
from aigov_eval.model import Category, Context, FieldInfo, Pack, Question, Weighing, Writing
from aigov_eval.pack import cache, collecting, witness
from aigov_eval.pack.files import PackFile, pack_hash, places_in, read_files, stock_root
from aigov_eval.scoring.compiled import words as stored_words
from aigov_eval.scoring.compiled.engine import Engine, build_engine
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
    """What is kept of an engine: all of it but the word lists' own lines and the controls."""

    name: str
    version: str
    sha256: str
    categories: dict[str, Category]
    contexts: dict[str, Context]
    fields: dict[str, FieldInfo]
    languages: tuple[str, ...]
    cue_names: tuple[str, ...]
    words: StoredWords
    names: StoredWords
    phrases: StoredWords
    far_cues: StoredWords
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
    # our own code first: it is there even where a folder is no pack
    code = cache.code_files(_READERS)
    seen = witness.folder_beside(store) if store is not None else None
    name = cache.make_key("seen", *(str(folder.absolute()) for folder in folders))
    state = witness.state_of((*code, *places_in(folders))) if seen is not None else None
    if seen is not None and state is not None and (path := witness.recall(seen, name, state)) is not None:
        stored = cache.decoded(cache.mapped(path, known=True), _Stored)
        if stored is not None:
            return _restored(stored)
    key = key_of(read_files(folders))
    for path, payload in _kept(store, key):
        stored = cache.decoded(payload, _Stored)
        if stored is not None:
            if seen is not None and state is not None:
                witness.note(seen, name, state, path)
            return _restored(stored)
    engine = _built(roots, cache_folder)
    if store is not None:
        keep(engine, store, key)
    return engine


def keep(engine: Engine, store: Path, key: str) -> None:
    """Store an engine under the name of the files that it was built from."""
    cache.write(store, key, bytes_of(engine))


def bytes_of(engine: Engine) -> bytes:
    """An engine as it is kept."""
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
    """The engine that is kept under a name; None where there is none."""
    found = (cache.decoded(payload, _Stored) for _, payload in _kept(store, key))
    return next((_restored(stored) for stored in found if stored is not None), None)


def _built(roots: Sequence[Path] | None, cache_folder: Path | None) -> Engine:
    # what reads packs is not imported by a start that finds one compiled
    from aigov_eval.detect.validators import VALIDATORS
    from aigov_eval.pack.load import load_pack

    return build_engine(load_pack(roots, cache_folder=cache_folder, validators=VALIDATORS))


def _to_store(engine: Engine) -> _Stored:
    pack, index = engine.pack, engine.detection
    return _Stored(
        pack.name,
        pack.version,
        pack.sha256,
        {name: _without_controls(category) for name, category in pack.categories.items()},
        {name: replace(c, excused=(), not_excused=(), each=()) for name, c in pack.contexts.items()},
        dict(pack.fields),
        pack.languages,
        tuple(sorted(pack.cues)),
        stored_words.to_store(index.words),
        stored_words.to_store(engine.people.names),
        stored_words.to_store(engine.phrases),
        stored_words.to_store(engine.far_cues),
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
        engine.people.common,
        dict(engine.common),
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


def _restored(stored: _Stored) -> Engine:
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
    index = Index(
        stored_words.from_store(stored.words),
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
    return Engine(
        pack,
        index,
        NameIndex(stored_words.from_store(stored.names), stored.common_words),
        stored_words.from_store(stored.phrases),
        stored_words.from_store(stored.far_cues),
        stored.common,
    )
