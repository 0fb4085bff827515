"""
Values from the environment or a `.env` file, and the list of secrets that may appear nowhere.

Comes in: `${NAME}` in a header or an address, the name of a key's variable. Goes out: the value,
which is remembered as a secret so that it can be taken out of everything we store or print.
The environment wins over the file, and the file never changes the environment.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from aigov_eval.errors import InputError
from aigov_eval.runner.secrets import spans_of, without
from aigov_eval.text.pieces import HALF, Piece, pieces_of, without_pieces

_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# the pieces of a stream, put together
_DOUBLED = re.compile(r"(\[secret [A-Za-z_][A-Za-z0-9_]*+\])\1+")
_LABEL = re.compile(r"\[secret [A-Za-z_][A-Za-z0-9_]*+\]")
# keys of an answer's record that hold words of ours, or of the scenario
_OURS = frozenset("event at turn_index user seconds".split())
# shorter values are no secrets, and taking "1" out of every reply would ruin it
_LEAST_SECRET = 6


class Environment(Struct):
    """Variables by name; `file` is the `.env` that was read, or None; `used` the secrets handed out, by name."""

    file: Path | None = None
    from_file: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """The value of a variable, or an empty text."""
        return os.environ.get(name) or self.from_file.get(name, "")

    def secret(self, name: str) -> str:
        """The value of a variable that must never be stored; an empty text where it is not set."""
        value = self.get(name)
        if any(ord(letter) < 32 or ord(letter) > 126 for letter in value):
            raise InputError(
                f"the value of {name} holds a line break or a letter that no header can carry",
                help=f"set {name} again, without spaces or quotes around it.",
            )
        if len(value) >= _LEAST_SECRET:
            self.used[name] = value
        return value

    def filled(self, text: str, where: str) -> str:
        """The text with every `${NAME}` replaced; raises InputError for a variable that is not set."""

        def value(match: re.Match[str]) -> str:
            found = self.secret(match[1])
            if not found:
                raise InputError(
                    f"the variable {match[1]} is not set",
                    where=where,
                    help=f"export {match[1]}=..., or write it into a .env file in this folder.",
                )
            return found

        return _PLACE.sub(value, text)

    def scrubbed(self, text: str) -> str:
        """The text with every secret that was handed out replaced by `[secret NAME]`, in whatever spelling or pieces it stands there."""
        text = self._unspelled(text)
        for name, value in self.used.items():
            text = without_pieces(text, _pieces(name, value, [text]), f"[secret {name}]")
        return text

    def _unspelled(self, text: str) -> str:
        """The text without the secrets that stand there whole."""
        for name, value in sorted(self.used.items(), key=lambda item: -len(item[1])):
            text = without(text, value, f"[secret {name}]")
        return _DOUBLED.sub(r"\1", text)

    def scrubbed_value(self, value: Any) -> Any:
        """A JSON value with every secret taken out of its texts and keys, also one told in pieces over several of them."""
        if not self.used:
            return _mapped(value, lambda text: text)
        return self._without_pieces(_mapped(value, self._unspelled))

    def withheld(self, answers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """
        The records of a conversation's answers, in order, without a secret that they tell together.

        Where a piece stood in the words of an answer, what was received as text is not kept: there it may be cut finer.
        """
        before = [dict(answer) for answer in answers]
        if not self.used:
            return before
        said = [str(answer.get("content") or "") for answer in before]
        joined = self._told_one_by_one(said)
        for answer, old, new in zip(before, said, joined, strict=True):
            if old != new:
                answer.update(_mapped({**answer}, _instead(old, new)))
        after = self._without_pieces(before, _OURS)
        for answer, old in zip(after, said, strict=True):
            if answer.get("content") != old and isinstance(answer.get("raw"), str):
                answer["raw"] = "[secret withheld: the answers tell it in pieces]"
        return [dict(answer) for answer in after]

    def _without_pieces(self, value: Any, ours: frozenset[str] = frozenset()) -> Any:
        for name, secret in sorted(self.used.items(), key=lambda item: -len(item[1])):
            texts: list[str] = []
            _mapped(value, _gathered(texts), ours)
            pieces = _pieces(name, secret, texts)
            if not pieces:
                continue
            by_text: dict[int, list[Piece]] = {}
            for piece in pieces:
                by_text.setdefault(piece.text, []).append(piece)
            instead = f"[secret {name}]"
            left = [without_pieces(text, by_text.get(at, ()), instead) for at, text in enumerate(texts)]
            value = _mapped(value, _next_of(left), ours)
        return value

    def _told_one_by_one(self, said: Sequence[str]) -> list[str]:
        """The words of answers that together are a secret in one of its spellings, each without its part of it."""
        whole = "\n".join(said)
        cuts: list[tuple[int, int, str]] = []
        for name, secret in self.used.items():
            cuts += [(*span, f"[secret {name}]") for span in spans_of(whole, secret)]
        left, start = [], 0
        for text in said:
            end = start + len(text)
            kept, at = [], start
            for first, last, instead in sorted(cuts):
                if first < end and last > at and max(first, at) < min(last, end):
                    kept += [whole[at : max(first, at)], instead]
                    at = min(last, end)
            left.append("".join([*kept, whole[at:end]]))
            start = end + 1
        return left


def _instead(old: str, new: str) -> Callable[[str], str]:
    """Another text for one."""
    return lambda text: new if text == old else text


def _gathered(texts: list[str]) -> Callable[[str], str]:
    """Keeps every text that it is given."""

    def keep(text: str) -> str:
        texts.append(text)
        return text

    return keep


def _next_of(texts: Sequence[str]) -> Callable[[str], str]:
    """Other texts for those that come, in their order."""
    left = iter(texts)
    return lambda _: next(left)


def _pieces(name: str, secret: str, texts: Sequence[str]) -> list[Piece]:
    """The pieces of a secret; where some of it was withheld already, less than half gives the rest away."""
    known = any(f"[secret {name}]" in text for text in texts)
    # our own labels are no piece of a secret
    blank = [_LABEL.sub(lambda match: " " * len(match.group()), text) for text in texts]
    return pieces_of(secret, blank, share=0.3 if known else HALF)


def _mapped(value: Any, change: Callable[[str], str], ours: frozenset[str] = frozenset()) -> Any:
    """A JSON value with its texts and keys changed, in order; what stands under keys of `ours` stays."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {
            key if key in ours else change(str(key)): item if key in ours else _mapped(item, change, ours)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mapped(item, change, ours) for item in value]
    return value


def has_place(text: str) -> bool:
    """Whether a text takes a value from the environment."""
    return _PLACE.search(text) is not None


def read_environment(path: Path | None = None) -> Environment:
    """
    The environment with the `.env` file named, or the one in the working folder where there is one.

    Raises InputError for a named file that cannot be read. Values are taken as written: no `$OTHER` in them.
    """
    chosen = path or Path(".env")
    if path is None and not chosen.is_file():
        return Environment()
    from dotenv import dotenv_values

    try:
        # editors on Windows write a byte-order mark, which would become part of the first name
        text = chosen.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(
            f"cannot be read: {reason}", where=str(chosen), help="give a file of NAME=value lines."
        ) from None
    values = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return Environment(chosen, {name: value for name, value in values.items() if value})
