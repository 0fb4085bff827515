"""
A word index with the lists of an added pack, without building it again.

Comes in: the `WordIndex` of a pack that was compiled before, and word lists of names that it does not know. Goes out: the part that is
added, to be kept by itself (`part_of`), and the index with that part (`with_part`): its entries stand after the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from aigov_eval.detect.overlay import Entries, Parts, Splice
from aigov_eval.detect.table import Filing
from aigov_eval.detect.tabled import table_of
from aigov_eval.detect.words import WordIndex, build_index
from aigov_eval.model import Lexicon


def part_of(
    index: WordIndex,
    lexicons: Mapping[str, Sequence[Lexicon]],
    common: frozenset[str],
    spelled: Mapping[str, str],
) -> WordIndex:
    """These lists as a part of the index; their names and entries are numbered after those of the index."""
    own = build_index(lexicons, common, spelled)
    entries = [replace(entry, lexicon=entry.lexicon + len(index.names)) for entry in own.entries]
    return replace(own, entries=entries, tables=(table_of(entries, len(index.entries)),))


def with_part(index: WordIndex, part: WordIndex) -> WordIndex:
    """The index with a part that was made for it."""
    tables = (*index.tables, *part.tables)
    end = len(index.entries)
    splice = Splice(end, end, len(part.entries))
    return WordIndex(
        (*index.names, *part.names),
        Entries(index.entries, part.entries, splice),
        Filing(tables),
        Parts(index.stems, part.stems, splice),
        Parts(index.ends, part.ends, splice),
        tables,
    )
