"""What every command is made with: plain help, our own error messages, and completion from `aigov-eval completion`."""

from __future__ import annotations

from typing import Any

import typer


def new_app(**options: Any) -> typer.Typer:
    """An empty command; `options` are those of `typer.Typer`."""
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, **options)
