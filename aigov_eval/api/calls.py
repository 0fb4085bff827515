"""
The calls of the Python API: score, score_each, explain, load_pack.

Comes in: a conversation in any known form, and what is asked of it. Goes out: a `Verdict`. Errors are
`AigovError`s with `code`, `where` and `help`. Nothing here keeps state: an engine is frozen, and the stock pack's is
loaded once a process; any number of threads may use one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from msgspec.structs import replace

from aigov_eval.api.asking import known_languages, strength_of
from aigov_eval.api.sources import Conversation, transcripts_in
from aigov_eval.api.verdict import Verdict
from aigov_eval.batch.asked import known_fields, with_options
from aigov_eval.batch.doubtful import UNCOVERED, UNREAD, doubtful
from aigov_eval.errors import InputError, PackError
from aigov_eval.model import Scenario, Score, Transcript
from aigov_eval.readers.answered import HELP, NO_ANSWER, answered

if TYPE_CHECKING:
    from aigov_eval.scoring import Engine

AnyPath = str | os.PathLike[str]
# the codes of this module's own faults; others have the code of their class (errors.py)
MANY, EMPTY, NOTHING, DOUBTFUL = "AE101", "AE102", "AE103", "AE104"

_DOUBT_HELP = {
    UNREAD: "nothing found in the rest is no pass; give what was left out as text, or accept it by allow_unread=True.",
    UNCOVERED: "nothing found is no pass there; add the language to a pack, or accept it by allow_uncovered=True.",
}


class Options(TypedDict, total=False):
    """The options of `score`, which has them in words."""

    subject: str
    aliases: Sequence[str]
    identifiers: Mapping[str, str] | None
    facts: Mapping[str, str | Sequence[str]] | None
    categories: Sequence[str] | str
    scenario: Scenario | Mapping[str, object] | AnyPath | None
    pack: Engine | AnyPath | None
    languages: Sequence[str] | str
    min_strength: str
    allow_empty: bool
    allow_unread: bool
    allow_uncovered: bool
    strict: bool


def load_pack(*folders: AnyPath, only: bool = False) -> Engine:
    """
    The stock pack with the packs in these folders added (`only`: these alone), compiled for scoring.

    The engine is frozen: load it once, give it to any number of calls and threads as `pack=`. Its `pack` has
    `name`, `version`, `sha256`, `categories`, `fields` and `languages`. Raises PackError for files that are not a
    valid pack, InputError for a folder that is not there.
    """
    if not folders:
        if only:
            raise InputError("only=True needs a folder", help="name the folder of your pack.")
        return _stock()
    from aigov_eval.pack.files import stock_root
    from aigov_eval.scoring import load_engine

    paths = tuple(Path(folder) for folder in folders)
    for path in paths:
        if not path.is_dir():
            raise PackError(
                "no such folder", where=str(path), help="give a folder that holds rules/ and detectors/."
            )
    return load_engine(paths if only else (stock_root(), *paths))


@lru_cache(maxsize=1)
def _stock() -> Engine:
    """The stock pack's engine, frozen, loaded when it is first needed."""
    from aigov_eval.scoring import load_engine

    return load_engine()


def score(
    conversation: Conversation,
    *,
    subject: str = "",
    aliases: Sequence[str] = (),
    identifiers: Mapping[str, str] | None = None,
    facts: Mapping[str, str | Sequence[str]] | None = None,
    categories: Sequence[str] | str = (),
    scenario: Scenario | Mapping[str, object] | AnyPath | None = None,
    pack: Engine | AnyPath | None = None,
    languages: Sequence[str] | str = (),
    min_strength: str = "weak",
    allow_empty: bool = False,
    allow_unread: bool = False,
    allow_uncovered: bool = False,
    strict: bool = False,
) -> Verdict:
    """
    The verdict over one conversation: did the assistant tell personal data to someone who should not have it?

    `conversation` is a list of messages (`{"role", "content"}`, or an SDK's message objects), an object of any
    known format, the path of a file, or a `Transcript`. `subject` is the protected person, `aliases` her other names,
    `identifiers` texts that mean her (name of the identifier to text), `facts` what is known or seeded (field to
    value or values: `{"email": "a@b.com"}`). `categories` defaults to the scenario's own, else all of the pack.
    `scenario` is a scenario file, its keys as a mapping, or a `Scenario`; the other options go over it, and it over
    what stands beside the turns. `pack` is what `load_pack` gives, or the folder of a pack to add to the stock
    one. `languages` limits word lists, `min_strength` is `weak`, `likely` or `certain`.

    Raises InputError (`code` AE101 several conversations, AE102 no answer of the assistant, which `allow_empty`
    accepts, AE103 no conversation, AE104 nothing was found but part was not read or is in a language that the rules do
    not cover, which `allow_unread` and `allow_uncovered` accept, and which `strict` refuses beside findings too, AE100
    all else that cannot be read or is not known), PackError, DetectorError. Each has `code`, `where` and `help`.
    """
    options: Options = {
        "subject": subject,
        "aliases": aliases,
        "identifiers": identifiers,
        "facts": facts,
        "categories": categories,
        "scenario": scenario,
        "pack": pack,
        "languages": languages,
        "min_strength": min_strength,
        "allow_empty": allow_empty,
        "allow_unread": allow_unread,
        "allow_uncovered": allow_uncovered,
        "strict": strict,
    }
    return next(_judged_each(conversation, options, most=1))


def score_each(conversations: Conversation, **options: Unpack[Options]) -> Iterator[Verdict]:
    """
    A verdict for each conversation of a file, folder, log or object, in order; a log is read as it is judged.

    Options and errors are those of `score`, but that several conversations are none. An error ends the iteration
    at the conversation it is about.
    """
    unknown = options.keys() - Options.__annotations__.keys()
    if unknown:
        raise TypeError(f"score_each() has no option {', '.join(map(repr, sorted(unknown)))}")
    return _judged_each(conversations, options)


def explain(conversation: Conversation | Verdict, **options: Unpack[Options]) -> str:
    """
    Why, as text: for each mention its detector, whom it is about, what excused it, and the rule that decided.

    Takes what `score` takes, or a verdict of `score` (its options are then the verdict's own).
    Raises what `score` raises.
    """
    from aigov_eval.reports.terminal import explain_lines
    from aigov_eval.text.printable import printable

    verdict = conversation if isinstance(conversation, Verdict) else score(conversation, **options)
    return printable("\n".join(explain_lines(verdict.transcript, verdict.scores)))


def _asked(options: Options) -> Scenario:
    """The options that say who is protected, checked as the keys of a scenario are."""
    from aigov_eval.readers.scenario import beside_turns

    aliases, facts = options.get("aliases") or (), options.get("facts") or {}
    return beside_turns(
        {
            "person_name": options.get("subject") or "",
            "aliases": aliases if isinstance(aliases, str) else list(aliases),
            "identifiers": dict(options.get("identifiers") or {}),
            "facts": {key: one if isinstance(one, str) else list(one) for key, one in facts.items()},
        }
    )


def _given(scenario: Scenario | Mapping[str, object] | AnyPath | None) -> Scenario | None:
    if scenario is None or isinstance(scenario, Scenario):
        return scenario
    from aigov_eval.readers.scenario import read_scenario, scenario_of

    return scenario_of(scenario) if isinstance(scenario, Mapping) else read_scenario(os.fspath(scenario))


def _judged_each(conversations: Conversation, options: Options, *, most: int = 0) -> Iterator[Verdict]:
    from aigov_eval.baseline.aside import Aside
    from aigov_eval.scoring import score_transcript

    pack = options.get("pack")
    if pack is None or isinstance(pack, str | os.PathLike):
        engine = load_pack() if pack is None else load_pack(pack)
    else:
        engine = pack
    asked, given = _asked(options), _given(options.get("scenario"))
    limits = known_languages(_several(options.get("languages", ())), engine.pack)
    strength = strength_of(options.get("min_strength", "weak"))
    wanted = _several(options.get("categories", ()))
    transcripts = transcripts_in(conversations)
    if most:
        transcripts = iter(_at_most(transcripts, most))
    count, fingerprints = 0, Aside()
    for transcript in transcripts:
        count += 1
        ready = _ready(transcript, given, asked)
        ready = replace(ready, scenario=known_fields(ready.scenario, engine.pack))
        if not options.get("allow_empty") and not answered(ready):
            raise InputError(NO_ANSWER, where=ready.source or ready.id, code=EMPTY, help=HELP)
        scores = score_transcript(ready, engine, wanted or None, limits, strength=strength)
        scores = fingerprints.judged(ready, scores)
        yield Verdict(ready, scores, _doubts(ready, scores, engine, options))
    if not count:
        raise InputError(
            "no conversation was read", code=NOTHING, help="give a conversation in which something was said."
        )


def _doubts(
    transcript: Transcript, scores: Sequence[Score], engine: Engine, options: Options
) -> tuple[str, ...]:
    """What is doubtful about a verdict; raises InputError where nothing was found in what was not read, or not understood."""
    taken = {UNREAD: options.get("allow_unread"), UNCOVERED: options.get("allow_uncovered")}
    found = any(not one.passed for one in scores)
    doubts = []
    for what, detail in doubtful(transcript, engine.languages):
        text = f"{what}: {detail}"
        if options.get("strict") or not (found or taken[what]):
            raise InputError(
                text, where=transcript.source or transcript.id, code=DOUBTFUL, help=_DOUBT_HELP[what]
            )
        doubts.append(text)
    return tuple(doubts)


def _ready(transcript: Transcript, given: Scenario | None, asked: Scenario) -> Transcript:
    """The transcript with the scenario over its own keys, and what was asked over both."""
    ready = with_options(transcript, given, asked.person_name, asked.aliases)
    scenario = replace(
        ready.scenario,
        identifiers=asked.identifiers or ready.scenario.identifiers,
        facts=asked.facts or ready.scenario.facts,
    )
    return replace(ready, scenario=scenario)


def _at_most(transcripts: Iterator[Transcript], most: int) -> list[Transcript]:
    found: list[Transcript] = []
    for transcript in transcripts:
        if len(found) == most:
            raise InputError(
                "holds several conversations",
                where=transcript.source.partition(":")[0] if transcript.source else "",
                code=MANY,
                help="score_each judges them one after the other.",
            )
        found.append(transcript)
    return found


def _several(names: Sequence[str] | str) -> list[str]:
    """One name or several; a text is one name, not its letters."""
    return [names] if isinstance(names, str) and names else list(names)
