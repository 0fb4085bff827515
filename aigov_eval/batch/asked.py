"""
What a transcript is scored with: its own scenario keys, with what the user asked for over them.

Comes in: a transcript as read, a scenario file, options, the pack. Goes out: the transcript, its fields by their known names.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from aigov_eval.errors import InputError
from aigov_eval.model import Pack, Scenario, Transcript


def with_options(
    transcript: Transcript, given: Scenario | None, subject: str, aliases: Sequence[str]
) -> Transcript:
    """The transcript with the scenario of --scenario over its own keys, and --subject and --alias over both."""
    scenario = transcript.scenario
    if given is not None:
        scenario = replace(
            given,
            category=given.category or scenario.category,
            person_name=given.person_name or scenario.person_name,
            aliases=given.aliases or scenario.aliases,
            identifiers=given.identifiers or scenario.identifiers,
            facts=given.facts or scenario.facts,
        )
    if subject:
        scenario = replace(scenario, person_name=subject)
    if aliases:
        scenario = replace(scenario, aliases=(*scenario.aliases, *aliases))
    return replace(transcript, scenario=scenario)


def known_fields(scenario: Scenario, pack: Pack) -> Scenario:
    """The scenario with its field names normalised; an unknown one raises InputError that lists the known."""
    if not scenario.facts and not scenario.expected_special_category_fields:
        return scenario  # most logs name no field: nothing to look up
    known = {alias: name for name, info in pack.fields.items() for alias in (name, *info.aliases)}

    def normal(name: str) -> str:
        if name not in known:
            raise InputError(f'unknown field "{name}"', help="known: " + ", ".join(sorted(pack.fields)))
        return known[name]

    judged = {
        field for category in pack.categories.values() for rule in category.rules for field in rule.detects
    }
    facts: dict[str, tuple[str, ...]] = {}
    for name, values in scenario.facts.items():
        if normal(name) not in judged:
            raise InputError(
                f'facts under "{name}" can never be a finding: no rule judges that field',
                help="give names as `person_name` and `aliases`; facts under " + ", ".join(sorted(judged)),
            )
        facts[normal(name)] = (*facts.get(normal(name), ()), *values)
    expected = tuple(normal(name) for name in scenario.expected_special_category_fields)
    return replace(scenario, facts=facts, expected_special_category_fields=expected)
