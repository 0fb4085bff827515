"""
Whether two spellings are of one value.

Comes in: a field and a value. Goes out: what all spellings of the value have in common.
"""

from __future__ import annotations

from aigov_eval.scoring.persons.reference import Subject, same_name
from aigov_eval.text.views import WORD, fold, plain_view

NAME = "person_name"


def same(field: str, text: str, subject: Subject | None = None) -> tuple[str, str]:
    """What the spellings of one value have in common: letters and figures, without marks and case; parts of the subject's name are that name."""
    words = [fold(word) for word in WORD.findall(plain_view(text).text)]
    if field == NAME and subject is not None and subject.names and words:
        own = {word for name in subject.names for word in name}
        if all(any(same_name(word, one, subject) for one in own) for word in words):
            return field, "".join(subject.names[0])
    return field, "".join(words) or text
