"""
A shell line as its commands.

Comes in: what an agent gave to a shell. Goes out: the simple commands in it, without what only
leads up to them (`sudo`, `env`, assignments). Quoted text and here-documents are no commands. This
is a reading for checks, not a shell: it may see one command too many, never run one.
"""

from __future__ import annotations

import re

_HERE = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,40})\1")
# a line within a line within a line: nobody means more than this
_DEPTH = 8
# quoted texts and single letters are passed over; what remains separates commands
_PIECE = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|(?P<cut>&&|\|\||[;|&\n(){}`]|\$\()", re.DOTALL)
_LEAD = re.compile(
    r"^(?:(?:sudo|time|nohup|exec|command|env|then|do|else|xargs)(?:\s+-\S+)*\s+|[A-Za-z_]\w*=\S*\s+)+"
)
_SHELL = re.compile(r"^(?:\S*/)?(?:ba|z|da|k)?sh\s+-\w*c\s+(?P<line>.+)$", re.DOTALL)


def commands_of(line: str, depth: int = _DEPTH) -> list[str]:
    """The simple commands of a shell line, in order; a line given to `sh -c` is read as well, so deep."""
    text = _without_documents(line)
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
        inner = _SHELL.match(command) if depth else None
        if inner:
            commands += commands_of(_unquoted(inner["line"].strip()), depth - 1)
        elif command:
            commands.append(command)
    return commands


def _without_documents(text: str) -> str:
    """The text without its here-documents; what has no end is none, so that nothing is passed over by mistake."""
    if "<<" not in text:
        return text
    lines = text.split("\n")
    last = {line.strip(): at for at, line in enumerate(lines)}
    kept: list[str] = []
    end = ""
    for at, line in enumerate(lines):
        if end:
            end = "" if line.strip() == end else end
            continue
        kept.append(line)
        opened = _HERE.search(line)
        if opened and last.get(opened[2], -1) > at:
            end = opened[2]
    return "\n".join(kept)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
