"""
What is wrong with the files of added packs by themselves, before they are read together with the stock pack.

Comes in: the files of all packs. Goes out: the faults of those that were added which no other file has a part in:
what is no strict YAML, has another shape than its schema, holds a pattern that cannot run, or stands in two packs. They are told at once:
compiling the stock pack takes seconds, and a file that is made to crash a reader is worth none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aigov_eval.documents.issues import Issue, did_you_mean
from aigov_eval.pack.additions import Additions
from aigov_eval.pack.detectors import build_detectors
from aigov_eval.pack.files import PackFile
from aigov_eval.pack.sources import doubled, read_sources

_ALONE = ("AG100", "AG101", "AG102", "AG103", "AG116", "AG117", "AG301", "AG302")


def faults_alone(files: Sequence[PackFile], validators: Collection[str] = ()) -> list[Issue]:
    """The faults of added files by themselves, none where there is one pack only; `validators` are those that are known."""
    added = [file for file in files if file.root > 0]
    if not added:
        return []
    sources = read_sources(added)
    detectors = build_detectors(sources, Additions())
    found = [issue for issue in sources.issues if issue.code in _ALONE] + doubled(files)
    for find in (find for detector in detectors.values() for find in detector.finds):
        if validators and find.validator and find.validator not in validators:
            where, text = find.where, f'unknown validator "{find.validator}"'
            help = did_you_mean(find.validator, validators)
            found.append(Issue(where.path, where.line, where.column, "AG129", text, help))
    return found
