"""A secret of ours that a target gives back leaves in no spelling."""

from __future__ import annotations

import base64
import codecs
import html
import json
import random
import time
from collections.abc import Callable
from urllib.parse import quote

import pytest

from aigov_eval.runner.environment import Environment
from aigov_eval.runner.secrets import without

KEY = "sk-proj-4fH9+zQ/7mWx2LbT"


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda key: key,
    "in capitals": str.upper,
    "base64": _base64,
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "base64 in a text": lambda key: _base64(f"The key is {key}, keep it."),
    "base64, moved by one": lambda key: _base64(f"x{key}y"),
    "base64, moved by two": lambda key: _base64(f"xx{key}yy"),
    "base64 twice": lambda key: _base64(_base64(f"key={key}")),
    "base64 over lines": lambda key: "\n".join(_base64(key)[at : at + 8] for at in range(0, 40, 8)),
    "base64 backwards": lambda key: _base64(key)[::-1],
    "hex": lambda key: key.encode().hex(),
    "hex in capitals": lambda key: key.encode().hex().upper(),
    "hex in pairs": lambda key: key.encode().hex(" "),
    "hex with colons": lambda key: key.encode().hex(":"),
    "hex as bytes": lambda key: ", ".join(f"0x{byte:02x}" for byte in key.encode()),
    "hex escapes": lambda key: "".join(f"\\x{byte:02x}" for byte in key.encode()),
    "backwards": lambda key: key[::-1],
    "spaced": " ".join,
    "with dots": ".".join,
    "in halves": lambda key: f"{key[:12]} {key[12:]}",
    "over lines": lambda key: f"{key[:12]}\n{key[12:]}",
    "with signs of no width": "\u200b".join,
    "percent-encoded": lambda key: quote(key, safe=""),
    "all percent-encoded": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "JSON escapes": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "HTML escapes": html.escape,
    "entities": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "rot13": lambda key: codecs.encode(key, "rot13"),
}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_a_secret_leaves_in_no_spelling(kind: str) -> None:
    """Whatever stands there can no longer be read back: no run of its letters or of their code is left."""
    told = SPELLINGS[kind](KEY)
    left = without(f"Here it is: {told} - use it well.", KEY, "[secret KEY]")

    assert "[secret KEY]" in left
    assert left.startswith("Here it is: ")
    assert left.endswith(" - use it well.") or "a text" in kind
    assert not any(told[at : at + 9] in left for at in range(len(told) - 8)) or kind == "base64 in a text"


def test_it_is_so_in_every_text_of_an_answer() -> None:
    """Keys and values of an answer of any shape."""
    environment = Environment(used={"KEY": KEY})
    answer = {"a": [{_base64(KEY): KEY.encode().hex()}], "b": KEY[::-1]}
    shown = json.dumps(environment.scrubbed_value(answer))

    assert shown.count("[secret KEY]") == 3


def test_random_secrets_in_random_places(effort: int) -> None:
    """Of any secret, in base64 or hex of any longer text, nothing can be decoded again."""
    chance = random.Random(15)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/."
    for _ in range(30 * effort):
        key = "".join(chance.choices(letters, k=chance.randint(10, 60)))
        around = "".join(chance.choices(letters, k=chance.randint(0, 30)))
        for told in (_base64(around + key + around), (around + key + around).encode().hex()):
            left = without(told, key, "[secret]")
            assert "[secret]" in left
            assert told not in left


@pytest.mark.parametrize(
    "text", ["The weather is nice.", "sk-proj is how they begin", _base64("Good morning to you all")]
)
def test_other_texts_stay(text: str) -> None:
    """Nothing else is taken for a secret."""
    assert without(text, KEY, "[secret KEY]") == text


def test_a_long_answer_takes_no_time() -> None:
    """A quarter of a megabyte of letters that are those of the secret is searched in little time."""
    for text in ("sk-proj-4fH9" * 20_000, "c2stcHJvai00Zk" * 18_000, "s " * 125_000):
        start = time.process_time()
        without(text, KEY, "[secret KEY]")
        assert time.process_time() - start < 3
