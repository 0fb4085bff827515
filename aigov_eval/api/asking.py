"""
Options by their names: languages, strength, severity.

Comes in: names as typed. Goes out: values of the model; a wrong one raises InputError that lists the known.
"""

from __future__ import annotations

from collections.abc import Sequence

from aigov_eval.errors import InputError
from aigov_eval.model import SEVERITIES, STRENGTHS, Pack, Severity, Strength


def known_languages(languages: Sequence[str], pack: Pack) -> tuple[str, ...]:
    """The languages as given, all of them known to the pack."""
    for language in languages:
        if language not in pack.languages:
            raise InputError(f'unknown language "{language}"', help="known: " + ", ".join(pack.languages))
    return tuple(languages)


def strength_of(name: str) -> Strength:
    """A strength by its name. Raises InputError for an unknown one."""
    for one in STRENGTHS:
        if one == name:
            return one
    raise InputError(f'unknown strength "{name}"', help="known: " + ", ".join(reversed(STRENGTHS)))


def severity_of(name: str) -> Severity:
    """A severity by its name in any case. Raises InputError for an unknown one."""
    for one in SEVERITIES:
        if one == name.upper():
            return one
    raise InputError(f'unknown severity "{name}"', help="known: " + ", ".join(SEVERITIES))
