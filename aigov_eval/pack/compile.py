"""
Files to a `Pack`: builds every part, checks every reference, and reports all faults at once.

Comes in: the files of one or more packs. Goes out: the compiled, frozen `Pack`; or an
`InvalidPack` that lists every fault with its place and how to mend it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set

from aigov_eval.documents.issues import InvalidPack, Issue
from aigov_eval.errors import InputError
from aigov_eval.model import FieldInfo, Location, Pack, ScenarioControl
from aigov_eval.pack.added import named_classes, only_adds
from aigov_eval.pack.additions import Additions, read_additions
from aigov_eval.pack.alone import faults_alone
from aigov_eval.pack.classes import read_classes
from aigov_eval.pack.contexts import build_contexts
from aigov_eval.pack.detectors import build_detectors
from aigov_eval.pack.files import PackFile, pack_hash
from aigov_eval.pack.grammar import read_grammar, read_weighing
from aigov_eval.pack.lexicon import languages_of
from aigov_eval.pack.opinions import build_questions
from aigov_eval.pack.references import check_references
from aigov_eval.pack.rules import build_categories
from aigov_eval.pack.sources import Sources, read_sources
from aigov_eval.pack.vocabulary import read_cues, read_frames, read_inflections, read_lexicons
from aigov_eval.pack.writing import read_writing
from aigov_eval.readers.scenario import parse_scenario

UNNAMED = ("unnamed", "0")


def compile_pack(files: Sequence[PackFile], validators: Collection[str] = ()) -> Pack:
    """
    Build the pack. Raises InvalidPack with every fault found; with those that stand in files of added packs alone, where
    there are any. `validators` are the names of those that are known, where they are to be checked.
    """
    if alone := faults_alone(files, validators):
        raise InvalidPack(alone)
    return _built(files, read_sources(files))


def compile_added(
    files: Sequence[PackFile], validators: Collection[str] = ()
) -> tuple[Pack, Set[str]] | None:
    """
    Build the pack where the first one was compiled before, without the words of its lists; and the names of these.

    None where the others change more of the first one than stands beside its words. Raises InvalidPack, as `compile_pack` does.
    """
    if not only_adds(files):
        return None
    if alone := faults_alone(files, validators):
        raise InvalidPack(alone)
    sources = read_sources(files, known=True)
    known = {words.name for words in sources.known}
    if sum(words.name in known for words in sources.lexicons) > len(sources.known):
        return None
    return _built(files, sources, named_classes(files)), known


def _built(files: Sequence[PackFile], sources: Sources, wanted: Set[str] | None = None) -> Pack:
    """The pack; where some classes alone are `wanted`, the known lists are read without their words."""
    classes, inflections = read_classes(sources, read_inflections(sources), wanted)
    for words in sources.known:
        words.lines.clear()
    lexicons = read_lexicons(sources, inflections)
    cues = read_cues(sources, inflections)
    frames = read_frames(sources, inflections)
    additions: Additions = read_additions(sources)
    fields = _fields(sources)
    writing = read_writing(sources)
    name, version = _name(sources)
    pack = Pack(
        name=name,
        version=version,
        sha256=pack_hash(files),
        categories=build_categories(sources, additions),
        detectors=build_detectors(sources, additions, classes, writing.spelled_out),
        contexts=build_contexts(sources, additions, classes, writing.spelled_out),
        lexicons=lexicons,
        frames=frames,
        fields=fields,
        languages=tuple(sorted(languages_of(lexicons) | languages_of(cues) | set(frames))),
        cues=cues,
        scenarios=_scenarios(sources),
        recognizers=dict(sorted(sources.recognizers.items())),
        grammar=read_grammar(sources, inflections),
        weighing=read_weighing(sources),
        questions=build_questions(sources),
        writing=writing,
        classes=classes,
    )
    sources.issues += check_references(pack, sources, additions)
    if sources.issues:
        raise InvalidPack(sources.issues)
    return pack


def _name(sources: Sources) -> tuple[str, str]:
    documents = sources.documents["pack"]
    if not documents:
        return UNNAMED
    return (
        "+".join(document.data["name"] for document in documents),
        "+".join(str(document.data.get("version", "0")) for document in documents),
    )


def _fields(sources: Sources) -> Mapping[str, FieldInfo]:
    fields: dict[str, FieldInfo] = {}
    for document in sources.documents["fields"]:
        for id, data in document.data["fields"].items():
            if id in fields:
                where = document.at_key("fields", id)
                text = f'the field "{id}" is there already'
                sources.issues.append(
                    Issue(where.path, where.line, where.column, "AG104", text, "delete one of the two")
                )
                continue
            fields[id] = FieldInfo(
                id,
                data["title"],
                tuple(data.get("law", ())),
                data.get("special", False),
                tuple(data.get("aliases", ())),
                {system: tuple(names) for system, names in data.get("names", {}).items()},
                data.get("issued", False),
            )
    return fields


def _scenarios(sources: Sources) -> tuple[ScenarioControl, ...]:
    controls: list[ScenarioControl] = []
    first: dict[str, str] = {}
    for file in sorted(sources.scenarios, key=lambda one: one.path):
        try:
            scenario = parse_scenario(file.data, file.path)
        except InputError as error:
            sources.issues.append(_issue_of(error, file.path))
            continue
        id = scenario.scenario_id
        if id and id in first:
            text = f'the scenario_id "{id}" is taken by {first[id]}'
            sources.issues.append(Issue(file.path, 1, 1, "AG104", text, "give this one another id"))
        first.setdefault(id, file.path)
        controls.append(ScenarioControl(scenario, Location(file.path)))
    return tuple(controls)


def _issue_of(error: InputError, path: str) -> Issue:
    """A scenario reader's error as an issue; its place is `path:line:column`, or the path alone."""
    place = error.where.removeprefix(path).strip(":").split(":")
    line, column = (int(place[0]), int(place[1])) if len(place) == 2 else (1, 1)
    return Issue(path, line, column, error.own_code or "AG101", error.text, error.help)
