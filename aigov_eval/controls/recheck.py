"""
Checks again after a change: only the controls that it can touch.

Comes in: the last check (`Known`) and the files as they are now. Goes out: the outcomes of the controls that were run,
and the check as it is known now; None where everything has to be run: anything but the entries of word lists and cue
files changed, or a list on which more hangs than the places where its words stand.
A control is left out only where no changed entry can stand in any of its texts (`letters.touching`); one that failed is
always run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from aigov_eval.controls.check import run
from aigov_eval.controls.inventory import Control, templates_of
from aigov_eval.controls.known import Known, digest, place, raw_of
from aigov_eval.controls.letters import letters_of, touching
from aigov_eval.controls.outcome import Outcome
from aigov_eval.detect.overlay import with_list
from aigov_eval.detect.words import WordIndex
from aigov_eval.documents.issues import Issue
from aigov_eval.model import Lexicon, Term
from aigov_eval.pack import cache
from aigov_eval.pack.classes import read_classes
from aigov_eval.pack.files import PackFile
from aigov_eval.pack.sources import kind_of, read_sources
from aigov_eval.pack.vocabulary import read_cues, read_inflections, read_lexicons
from aigov_eval.scoring import Engine
from aigov_eval.scoring.compiled.store import keep, key_of, stored_engine

# the list by which a language is told: it counts in every text of the language
_EVERYWHERE = frozenset({"common"})
# the groups of the phrases under which a word list or a cue file is known
_GROUPS = {"lexicon": ("person", "mark", "verb"), "cue": ("cue",)}

# "lexicon" or "cue", and the name and language of the list
_List = tuple[str, str, str]


class Checked(Struct, frozen=True):
    """A check: the outcomes of the controls that were run, by number, and all that is known now."""

    ran: Mapping[int, Outcome]
    known: Known

    def outcomes(self) -> Iterator[Outcome]:
        """The outcome of every control, in order; what was not run holds."""
        for number in range(len(self.known.ids)):
            yield self.ran.get(number) or Outcome(self.known.control(number))


def remember(
    engine: Engine,
    part: WordIndex | None,
    files: Sequence[PackFile],
    outcomes: Sequence[Outcome],
    missing: Sequence[Issue],
) -> Known | None:
    """All that a whole check found, and its engine in the cache (as `built` told it); None where the user has switched the cache off."""
    store = cache.default_folder()
    if store is None:
        return None
    keep(engine, store, files, part)
    index = engine.detection
    return Known(
        key_of(files),
        {place(file): digest(file.data) for file in files},
        {place(file): _state(file) for file in files},
        dict(engine.pack.contexts),
        [one.control.id for one in outcomes],
        [letters_of(one.control, index) for one in outcomes],
        [raw_of(one.control) for one in outcomes],
        [number for number, one in enumerate(outcomes) if not one.holds],
        list(missing),
    )


def recheck(
    known: Known,
    files: Sequence[PackFile],
    *,
    wanted: Callable[[Control], bool] = lambda _: True,
    step: Callable[[], None] = lambda: None,
) -> Checked | None:
    """
    Run what the change since the last check can touch; None where that is everything.

    `wanted` says which controls belong to the check; `step` is called after each control.
    """
    now = {place(file): _state(file) for file in files}
    changed = [file for file in files if known.files.get(place(file)) != now[place(file)]]
    if now.keys() != known.files.keys() or any(kind_of(file.path) != "words" for file in changed):
        return None
    paths = {file.path for file in changed}
    if sum(file.path in paths for file in files) > len(paths) or any(
        one.path in paths for one in known.missing
    ):
        return None
    before = _lists([replace(file, data=known.files[place(file)]) for file in changed], files)
    after = _lists(changed, files)
    if before is None or after is None or not _are_alike(before, after):
        return None
    engine = _engine(known, files)
    if engine is None:
        return None
    rows = _rows(known, engine, after, wanted)
    if rows is None:
        return None
    can = touching(_changes(before, after), engine.pack.writing.spelled_out)
    kept = frozenset(known.failing)
    ran: dict[int, Outcome] = {}
    for number, row in enumerate(rows):
        if row.old is None or row.old in kept or can(row.letters):
            ran[number] = run(row.control or known.control(row.old or 0), engine)
            step()
    return Checked(
        ran,
        msgspec.structs.replace(
            known,
            files=now,
            ids=[row.id for row in rows],
            letters=[row.letters for row in rows],
            raw=[row.raw for row in rows],
            failing=[number for number, outcome in ran.items() if not outcome.holds],
        ),
    )


class _Row(Struct, frozen=True):
    """A control of the pack as it is now; `old` is its number in the last check, None where it was not there."""

    id: str
    letters: str
    raw: msgspec.Raw
    old: int | None
    control: Control | None = None


def _rows(
    known: Known, engine: Engine, lists: Mapping[_List, Lexicon], wanted: Callable[[Control], bool]
) -> list[_Row] | None:
    """All controls as they are now: those written out over the entries of a changed cue file are written anew."""
    rows = [
        _Row(*one) for one in zip(known.ids, known.letters, known.raw, range(len(known.ids)), strict=True)
    ]
    for (kind, name, language), lexicon in lists.items():
        if kind != "cue":
            continue
        context = known.contexts[name]
        own = [at for at, row in enumerate(rows) if _is_written_out(row.id, name, language)]
        others = [at for at, row in enumerate(rows) if row.id.startswith(f"contexts/{name}/")]
        if not others:
            return None
        by_example = {
            _what(control): rows[at]
            for at in own
            for control in [msgspec.msgpack.decode(rows[at].raw, type=Control)]
        }
        new: list[_Row] = []
        for control in filter(wanted, templates_of(replace(engine.pack, cues={name: (lexicon,)}), context)):
            before = by_example.get(_what(control))
            letters = before.letters if before is not None else letters_of(control, engine.detection)
            new.append(
                _Row(
                    control.id, letters, raw_of(control), before.old if before is not None else None, control
                )
            )
        start = own[0] if own else others[-1] + 1
        gone = frozenset(own)
        rows = [
            *(row for at, row in enumerate(rows[:start]) if at not in gone),
            *new,
            *(row for at, row in enumerate(rows[start:], start) if at not in gone),
        ]
    return rows


def _is_written_out(id: str, context: str, language: str) -> bool:
    """Whether that is the id of a control written out over the entries of a cue file."""
    parts = id.split("/", 4)
    return parts[:2] == ["contexts", context] and parts[2].startswith("each_") and parts[3] == language


def _what(control: Control) -> tuple[object, ...]:
    """What a control asks, wherever it stands."""
    example = control.example
    return control.kind, control.clause, example.turns, example.marks, example.subject


def _state(file: PackFile) -> bytes:
    """What is kept of a file: a word list whole, of the others what tells whether they changed."""
    return file.data if kind_of(file.path) == "words" else digest(file.data).encode()


def _lists(words: Sequence[PackFile], files: Sequence[PackFile]) -> dict[_List, Lexicon] | None:
    """The lists in some word files of a pack; None where a file has a fault, which compiling the pack tells better."""
    sources = read_sources(
        [*words, *(file for file in files if kind_of(file.path) in ("paradigms", "class"))]
    )
    _, inflections = read_classes(sources, read_inflections(sources))
    found = {"lexicon": read_lexicons(sources, inflections), "cue": read_cues(sources, inflections)}
    if sources.issues:
        return None
    return {
        (kind, name, one.language): one
        for kind, lists in found.items()
        for name, group in lists.items()
        for one in group
    }


def _are_alike(before: Mapping[_List, Lexicon], after: Mapping[_List, Lexicon]) -> bool:
    """Whether only entries differ: the same lists with the same sections, none of them empty or read in every text."""
    return before.keys() == after.keys() and all(
        one.terms and name[1] not in _EVERYWHERE and _sections(before[name]) == _sections(one)
        for name, one in after.items()
    )


def _sections(lexicon: Lexicon) -> set[tuple[str, bool]]:
    return {(term.section, False) for term in lexicon.terms} | {
        (term.section, True) for term in lexicon.exclusions
    }


def _changes(before: Mapping[_List, Lexicon], after: Mapping[_List, Lexicon]) -> Iterator[Term]:
    """The entries that stand in one state of the lists alone."""
    for name, one in after.items():
        then, now = _entries(before[name]), _entries(one)
        yield from (term for what, term in (*then.items(), *now.items()) if (what in then) != (what in now))


def _entries(lexicon: Lexicon) -> dict[tuple[object, ...], Term]:
    """The entries of a list by all that is theirs but the line they stand in."""
    return {
        (term.words, term.line, term.section, term.exact, term.fold, friend): term
        for friend, terms in ((False, lexicon.terms), (True, lexicon.exclusions))
        for term in terms
    }


def _engine(known: Known, files: Sequence[PackFile]) -> Engine | None:
    """The engine of the last whole check, with every list as it is now; None where it cannot be had that way."""
    store = cache.default_folder()
    engine = None if store is None else stored_engine(store, known.engine)
    words = [file for file in files if known.built[place(file)] != digest(file.data)]
    lists = _lists(words, files)
    if engine is None or lists is None:
        return None
    for (kind, name, _), lexicon in lists.items():
        engine = _with_list(engine, kind, name, lexicon)
        if engine is None:
            return None
    return engine


def _with_list(engine: Engine, kind: str, name: str, lexicon: Lexicon) -> Engine | None:
    """The engine with another state of a list wherever it is looked for; None where that cannot be done, or it is nowhere."""
    grouped = [f"{group}:{name}" for group in _GROUPS[kind]]
    wide = [
        (engine.detection.words, [name] if kind == "lexicon" else []),
        (engine.people.names, [name] if kind == "lexicon" else []),
        (engine.phrases, grouped),
        (engine.far_cues, grouped),
    ]
    indexes: list[WordIndex] = []
    changed = False
    for index, names in wide:
        now: WordIndex | None = index
        for one in names:
            if now is not None and now.number(one) >= 0:
                now, changed = with_list(now, one, lexicon), True
        if now is None:
            return None
        indexes.append(now)
    words, persons, phrases, far = indexes
    return (
        replace(
            engine,
            detection=replace(engine.detection, words=words),
            people=replace(engine.people, names=persons),
            phrases=phrases,
            far_cues=far,
        )
        if changed
        else None
    )
