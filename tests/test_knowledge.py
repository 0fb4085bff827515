"""Knowledge stands in files: the code names no language, field or context of the pack."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from aigov_eval.model import Pack
from aigov_eval.pack.load import load_pack
from tests.test_layers import PACKAGE

# words that are a field or a context of the pack and something else in the code: what else
ALLOWED = {
    "person_name": "the key of a scenario",
    "address": "how a connection fails, and a spoken address",
    "phone": "a find by numbering plans, and a reserved range",
    "iban": "a reserved range",
    "refusal": "the part of a message, and the excuse that a new category's control shows",
    "echo": "a computed condition, and the excuse that a new category's control shows",
    "no_record": "the excuse that a new category's control shows",
    "hypothetical": "the excuse that a new category's control shows",
    "other_person": "a holder, and a computed condition",
    "organisation": "a holder",
    "denied": "a stance",
    "supposed": "a stance",
    "general": "a stance",
    "topic": "a class of the grammar, and a computed condition",
    "question": "a computed condition, and what a second opinion is asked",
    "label": "a computed condition, and a stand-in",
    "own_data": "a computed condition",
    "blank_field": "a computed condition",
    "masked": "how a second opinion is asked",
}
# the one place where a language is named, and why
LANGUAGES = {
    (
        "pack/additions.py",
        "en",
    ): "the language of the controls that stand in the files of detectors and contexts",
    ("detect/backends.py", "en"): "what Presidio takes a recognizer for that names none",
}


def words_in(path: Path) -> Iterator[str]:
    """The texts in a module's code that are one whole word; documentation is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def named(pack: Pack) -> set[tuple[str, str]]:
    """Where the code names what the pack knows, and what."""
    known = {*pack.languages, *pack.fields, *pack.contexts}
    return {
        (path.relative_to(PACKAGE).as_posix(), word)
        for path in sorted(PACKAGE.rglob("*.py"))
        for word in words_in(path)
        if word in known
    }


def test_the_code_names_no_language_field_or_context() -> None:
    """A language, field or context is added, renamed or dropped by files alone."""
    found = named(load_pack(None))

    assert {
        (path, word) for path, word in found if (path, word) not in LANGUAGES and word not in ALLOWED
    } == set()
    assert set(LANGUAGES) <= found, "an exception that is no longer needed"
    assert set(ALLOWED) <= {word for _, word in found}, "an exception that is no longer needed"
