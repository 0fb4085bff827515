"""
A shell line as its commands.

Comes in: what an agent gave to a shell. Goes out: the simple commands in it, without what only
leads up to them (`sudo`, `env`, assignments). Quoted text and here-documents are no commands. This
is a reading for checks, not a shell: it may see one command too many, never run one.
"""

from __future__ import annotations

import re

_HERE = re.compile(r"<<-?\s*(['\"]?)(\w{1,40})\1[^\n]*\n.*?(?:^\s*\2\s*$|\Z)", re.DOTALL | re.MULTILINE)
# quoted texts and single letters are passed over; what remains separates commands
_PIECE = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|(?P<cut>&&|\|\||[;|&\n(){}`]|\$\()", re.DOTALL)
_LEAD = re.compile(
    r"^(?:(?:sudo|time|nohup|exec|command|env|then|do|else|xargs)(?:\s+-\S+)*\s+|[A-Za-z_]\w*=\S*\s+)+"
)
_SHELL = re.compile(r"^(?:\S*/)?(?:ba|z|da|k)?sh\s+-\w*c\s+(?P<line>.+)$", re.DOTALL)


def commands_of(line: str) -> list[str]:
    """The simple commands of a shell line, in order; a line given to `sh -c` is read as well."""
    text = _HERE.sub("\n", line)
    pieces: list[str] = []
    start = 0
    for found in _PIECE.finditer(text):
        if found["cut"]:
            pieces.append(text[start : found.start()])
            start = found.end()
    pieces.append(text[start:])
    commands: list[str] = []
    for piece in pieces:
        command = _LEAD.sub("", piece.strip())
        inner = _SHELL.match(command)
        if inner:
            commands += commands_of(_unquoted(inner["line"].strip()))
        elif command:
            commands.append(command)
    return commands


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
