"""
What added packs add to the first one, as far as the files tell by themselves.

Comes in: the files of all packs. Goes out: whether the first pack stays as it was compiled, so that only what was added has to be;
and the classes of words that are named outside its word lists.
"""

from __future__ import annotations

from collections.abc import Sequence

from aigov_eval.pack.entry_items import CLASS
from aigov_eval.pack.files import PackFile
from aigov_eval.pack.lists import file_kind
from aigov_eval.pack.sources import kind_of

# kinds of files that change nothing of the words of a language, nor of what is weighed
_ADDING = frozenset({"pack", "rules", "opinion", "fields", "detector", "context", "controls", "scenario"})
_LISTS = "detectors/lists/"


def only_adds(files: Sequence[PackFile]) -> bool:
    """Whether the word lists, cues, classes and grammar of the first pack stay as they are, and all other packs bring is beside them."""
    return all(
        file.root == 0
        or (kind := kind_of(file.path)) is None
        or (kind == "words" and file.path.startswith(_LISTS))
        or (kind in _ADDING and (kind != "pack" or b"replaces" not in file.data))
        for file in files
    )


def named_classes(files: Sequence[PackFile]) -> set[str]:
    """The names of classes in all files but the lists and the classes of the first pack."""
    return {
        name
        for file in files
        if file.root > 0 or file_kind(file.path) not in ("lists", "classes")
        for name in CLASS.findall(file.data.decode("utf-8", "replace"))
    }
