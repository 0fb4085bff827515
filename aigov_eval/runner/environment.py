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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.runner.secrets import without

_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# shorter values are no secrets, and taking "1" out of every reply would ruin it
_LEAST_SECRET = 6


@dataclass(slots=True)
class Environment:
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
        """The text with every secret that was handed out replaced by `[secret NAME]`, in whatever spelling it stands there."""
        for name, value in sorted(self.used.items(), key=lambda item: -len(item[1])):
            text = without(text, value, f"[secret {name}]")
        return text

    def scrubbed_value(self, value: Any) -> Any:
        """A JSON value with every secret taken out of its texts and keys."""
        if isinstance(value, str):
            return self.scrubbed(value)
        if isinstance(value, Mapping):
            return {self.scrubbed(str(key)): self.scrubbed_value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.scrubbed_value(item) for item in value]
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
