"""
The digest tree of a JSON value: one root over everything, and any word can be withheld without changing it.

Comes in: a JSON value and its salts. Goes out: SHA-256 digests in hex, of the root and of the nodes down
to the second level (one for each turn). How a digest is made, so that anyone can make it anew:

    scalar, and empty text, list, object   H([salt, value])
    text                                   H(["text", digest of each word ...])
    list                                   H(["array", digest of each item ...])
    object                                 H(["object", H(["member", key, digest of its value]) ... sorted])

H is SHA-256 over the RFC 8785 bytes. The words of a text are its runs of letters, of spaces and of other characters
(`words_of`); more than 4 are put together by fours, H(["words", ...]), until 4 are left. A node has the
salt that `salts` gives for its JSON Pointer, otherwise the first 32 hex digits of H([salt of its parent, its
key or index as text]); words go on from their text, `/transcript/3/content/0/7`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from json.encoder import encode_basestring
from typing import Any

from msgspec import Struct, field

from aigov_eval.evidence.canonical import canonical

FORMAT = "aigov-eval/tree@1"
_FAN = 4
# by number and not by kind of character: every version of Unicode must cut alike
_LETTERS = r"0-9A-Za-z\x80-\x9f\u00a1-\u1fff\u2070-\u2fff\u3040-\U0010ffff"
_WORD = rf"[{_LETTERS}]+|[ \t\r\n]+|[^{_LETTERS} \t\r\n]+"


class Malformed(ValueError):
    """A tree whose record does not fit its value; `pointer` says where."""

    def __init__(self, pointer: str, text: str) -> None:
        super().__init__(text)
        self.pointer = pointer
        self.text = text


class Gap(Struct, frozen=True):
    """Words withheld from a text: the placeholder's span in what is left, and the digest of each word."""

    start: int
    end: int
    digests: tuple[str, ...]


class Record(Struct, frozen=True):
    """
    What a tree needs beside its value. `salts`: JSON Pointer -> salt. Withheld things by pointer: `nodes`
    (a whole value), `members` (an object's key with its value), `gaps` (words of a text).
    """

    salts: Mapping[str, str]
    nodes: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, str] = field(default_factory=dict)
    gaps: Mapping[str, Sequence[Gap]] = field(default_factory=dict)


class _Walk(Struct):
    record: Record
    seen: dict[str, str]


def digests_of(value: Any, record: Record) -> dict[str, str]:
    """The digest of every node down to the second level, by JSON Pointer; the root's is at "". Raises Malformed."""
    walk = _Walk(record, {})
    _node(walk, value, "", None, 0)
    return walk.seen


def words_of(text: str) -> list[str]:
    """The words of a text, whole: joined they are the text again."""
    return re.findall(_WORD, text)  # compiled when it is needed: so many letters take their time


def step(pointer: str, key: str | int) -> str:
    """The pointer of a member or item below a pointer (RFC 6901)."""
    return (
        f"{pointer}/{key}"
        if isinstance(key, int)
        else f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
    )


def child_salt(salt: str, key: str | int) -> str:
    """The salt of a member, item or word that has none of its own."""
    return hashlib.sha256(
        f'["{salt}",{encode_basestring(str(key))}]'.encode("utf-8", "surrogatepass")
    ).hexdigest()[:32]


def _leaf(salt: str | None, value: Any, pointer: str) -> str:
    if salt is None:
        raise Malformed(pointer, "has no salt")
    return hashlib.sha256(b'["' + salt.encode() + b'",' + canonical(value) + b"]").hexdigest()


def _branch(kind: str, digests: Sequence[str]) -> str:
    return hashlib.sha256(('["' + '","'.join((kind, *digests)) + '"]').encode()).hexdigest()


def _member(key: str, digest: str) -> str:
    return hashlib.sha256(b'["member",' + canonical(key) + b',"' + digest.encode() + b'"]').hexdigest()


def _node(walk: _Walk, value: Any, pointer: str, given: str | None, depth: int) -> str:
    record = walk.record
    digest = record.nodes.get(pointer)
    if digest is None:
        salt = record.salts.get(pointer, given)
        if value in ("", [], {}):
            digest = _leaf(salt, value, pointer)
        elif isinstance(value, str):
            digest = _text(walk, value, pointer, salt)
        elif isinstance(value, list):
            items = (
                _node(walk, item, step(pointer, at), _below(salt, at), depth + 1)
                for at, item in enumerate(value)
            )
            digest = _branch("array", list(items))
        elif isinstance(value, dict):
            digest = _branch("object", sorted(_members(walk, value, pointer, salt, depth)))
        else:
            digest = _leaf(salt, value, pointer)
    if depth <= 2:
        walk.seen[pointer] = digest
    return digest


def _members(walk: _Walk, value: dict[str, Any], pointer: str, salt: str | None, depth: int) -> Iterator[str]:
    for key, item in value.items():
        place = step(pointer, key)
        withheld = walk.record.members.get(place)
        yield withheld or _member(key, _node(walk, item, place, _below(salt, key), depth + 1))


def _below(salt: str | None, key: str | int) -> str | None:
    return None if salt is None else child_salt(salt, key)


def _text(walk: _Walk, text: str, pointer: str, salt: str | None) -> str:
    words: list[str | _Digest] = []
    at = 0
    for gap in walk.record.gaps.get(pointer, ()):
        if not at <= gap.start <= gap.end <= len(text):
            raise Malformed(pointer, "does not fit what was withheld from it")
        words += words_of(text[at : gap.start])
        words += [_Digest(digest) for digest in gap.digests]
        at = gap.end
    words += words_of(text[at:])
    return _branch("text", _grouped(walk, grouped(words), pointer, salt))


class _Digest(str):
    """The digest of a word that is withheld, in the place of the word."""

    __slots__ = ()


def grouped(words: Sequence[Any]) -> Sequence[Any]:
    """Words by fours, and so on until four are left."""
    while len(words) > _FAN:
        words = [words[at : at + _FAN] for at in range(0, len(words), _FAN)]
    return words


def _grouped(walk: _Walk, items: Sequence[Any], pointer: str, salt: str | None) -> list[str]:
    out = []
    for at, item in enumerate(items):
        if isinstance(item, _Digest):
            out.append(str(item))
            continue
        place = f"{pointer}/{at}"
        own = walk.record.salts.get(place)
        own = own if own is not None else _below(salt, at)
        if isinstance(item, str):
            out.append(_leaf(own, item, place))
        else:
            out.append(_branch("words", _grouped(walk, item, place, own)))
    return out


# ------------------------------------------------------------------ withholding


class Hidden(Struct):
    """What is to be withheld of a value: whole nodes, members by key, and words of texts by number, by pointer."""

    nodes: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    words: dict[str, set[int]] = field(default_factory=dict)

    def above(self) -> Set[str]:
        """Every pointer that has something withheld at or below it."""
        found: set[str] = set()
        for pointer in (*self.nodes, *self.members, *self.words):
            at = pointer
            while at not in found:
                found.add(at)
                at = at.rpartition("/")[0]
        return found


class Kept(Struct):
    """What takes the place of a tree's salts where parts are withheld: salts of what is left, digests of the rest."""

    salts: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    words: dict[str, dict[int, str]] = field(default_factory=dict)


def withhold(value: Any, record: Record, hidden: Hidden) -> Kept:
    """The salts that may be shown and the digests of what is withheld, of a tree that withholds nothing yet."""
    kept = Kept()
    above = hidden.above()
    bare = _Walk(record, {})

    def walk(item: Any, pointer: str, given: str | None) -> None:
        salt = record.salts.get(pointer, given)
        if pointer not in above:
            if salt is not None:
                kept.salts[pointer] = salt
            # and those below it that do not follow from it
            kept.salts.update(
                {one: own for one, own in record.salts.items() if one.startswith(pointer + "/")}
            )
        elif pointer in hidden.nodes:
            kept.nodes[pointer] = _node(bare, item, pointer, salt, 9)
        elif pointer in hidden.words:
            kept.words[pointer] = {}
            words(grouped(list(enumerate(words_of(item)))), pointer, salt, pointer)
        elif isinstance(item, dict):
            for key, one in item.items():
                place = step(pointer, key)
                if place in hidden.members:
                    kept.members[place] = _member(key, _node(bare, one, place, _below(salt, key), 9))
                else:
                    walk(one, place, _below(salt, key))
        elif isinstance(item, list):
            for at, one in enumerate(item):
                walk(one, step(pointer, at), _below(salt, at))

    def words(items: Sequence[Any], pointer: str, salt: str | None, text: str) -> None:
        for at, item in enumerate(items):
            place = f"{pointer}/{at}"
            own = record.salts.get(place)
            own = own if own is not None else _below(salt, at)
            inside = [item] if isinstance(item, tuple) else list(_flat(item))
            withheld = [number for number, _ in inside if number in hidden.words[text]]
            if not withheld:
                if own is not None:
                    kept.salts[place] = own
            elif isinstance(item, tuple):
                kept.words[text][item[0]] = _leaf(own, item[1], place)
            else:
                words(item, place, own, text)

    walk(value, "", None)
    return kept


def _flat(items: Any) -> Iterator[tuple[int, str]]:
    for item in items:
        if isinstance(item, tuple):
            yield item
        else:
            yield from _flat(item)
