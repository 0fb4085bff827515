"""
A compiled pack kept between runs, so that a run starts at once.

Comes in: the folders of packs. Goes out: an `Engine`, from the cache where these very bytes were
compiled before. Of the word lists only the entries that a text calls for are decoded.
Measured: building the stock engine takes seconds, reading it a few hundredths of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from aigov_eval.detect.gate import Gate, Rewritten
from aigov_eval.detect.index import Index, Step
from aigov_eval.detect.obfuscation import Spoken
from aigov_eval.model import Category, Context, FieldInfo, Pack, Question, Weighing
from aigov_eval.pack import cache, collecting
from aigov_eval.pack.files import PackFile, pack_hash, read_files, stock_root
from aigov_eval.scoring import stored_words
from aigov_eval.scoring.live import Engine, build_engine
from aigov_eval.scoring.people import People
from aigov_eval.scoring.stored_words import StoredWords

_READERS = (
    "model.py",
    "documents/*.py",
    "pack/*.py",
    "schemas/*.json",
    "text/*.py",
    "detect/*.py",
    "scoring/*.py",
    "readers/scenario.py",
)


class _Spoken(msgspec.Struct, frozen=True):
    """A `Spoken` with its pattern as text."""

    numbers: dict[str, str]
    repeat: dict[str, int]
    signs: dict[str, str]
    longest: int
    addresses: tuple[tuple[str, dict[str, str]], ...]
    asks: tuple[tuple[str, str], ...]
    firsts: frozenset[str]
    then: frozenset[str]
    backwards: str


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
    spoken: _Spoken
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


@collecting.held()
def load_engine(roots: Sequence[Path] | None = None, *, cache_folder: Path | None = None) -> Engine:
    """
    The stock pack, or the packs in these folders as one, compiled for scoring.

    Raises PackError, as `load_pack` does.
    """
    folders = (stock_root(),) if roots is None else tuple(Path(root) for root in roots)
    store = cache_folder or cache.default_folder()
    if store is None:
        return _built(roots, None)
    key = key_of(read_files(folders))
    engine = stored_engine(store, key)
    if engine is None:
        engine = _built(roots, cache_folder)
        keep(engine, store, key)
    return engine


def keep(engine: Engine, store: Path, key: str) -> None:
    """Store an engine under the name of the files that it was built from."""
    cache.write(store, key, msgspec.msgpack.encode(_to_store(engine)))


def key_of(files: Sequence[PackFile]) -> str:
    """The name under which the engine of these very files is kept."""
    return cache.make_key(
        "engine", cache.code_hash(_READERS), pack_hash(files), *(str(file.root) for file in files)
    )


def stored_engine(store: Path, key: str) -> Engine | None:
    """The engine that is kept under a name; None where there is none."""
    stored = cache.decoded(cache.read(store, key), _Stored)
    return None if stored is None else _restored(stored)


def _built(roots: Sequence[Path] | None, cache_folder: Path | None) -> Engine:
    # what reads packs is not imported by a start that finds one compiled
    from aigov_eval.detect.validators import VALIDATORS
    from aigov_eval.pack.load import load_pack

    return build_engine(load_pack(roots, cache_folder=cache_folder, validators=VALIDATORS))


def _to_store(engine: Engine) -> _Stored:
    pack, index = engine.pack, engine.detection
    spoken = index.spoken
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
        _Spoken(
            dict(spoken.numbers),
            dict(spoken.repeat),
            dict(spoken.signs),
            spoken.longest,
            spoken.addresses,
            spoken.asks,
            spoken.firsts,
            spoken.then,
            spoken.backwards,
        ),
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
    )


def _without_controls(category: Category) -> Category:
    return replace(category, rules=tuple(replace(rule, leaks=(), clean=()) for rule in category.rules))


def _stored_gate(gate: Gate) -> _Gate:
    return _Gate(gate.alphabets, gate.figures, gate.anchored, gate.broad)


def _restored_gate(stored: _Gate) -> Gate:
    return Gate(stored.alphabets, stored.figures, stored.anchored, stored.broad)


def _restored(stored: _Stored) -> Engine:
    spoken = stored.spoken
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
    )
    index = Index(
        stored_words.from_store(stored.words),
        _restored_gate(stored.gate),
        stored.steps,
        stored.abbreviations,
        Spoken(
            spoken.numbers,
            spoken.repeat,
            spoken.signs,
            spoken.longest,
            spoken.addresses,
            spoken.asks,
            spoken.firsts,
            spoken.then,
            spoken.backwards,
        ),
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
        People(stored_words.from_store(stored.names), stored.common_words),
        stored_words.from_store(stored.phrases),
        stored_words.from_store(stored.far_cues),
        stored.common,
    )
