"""
What one message holds: texts, tool calls and tool results of every dialect, and mock audits.

Comes in: the content of a message. Goes out: turns appended to `Entries`; a part of no known kind does not keep the
rest from being read, and is noted as unread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from aigov_eval.errors import InputError
from aigov_eval.model import Channel, Role, Turn
from aigov_eval.readers import decode
from aigov_eval.readers.values import clean, kind, name_of, wrong

# parts that carry no words to anybody; any other part of an assistant without text is noted as unread
SILENT = frozenset(
    {
        *(
            "image",
            "image_url",
            "input_image",
            "output_image",
            "input_file",
            "file",
            "input_audio",
            "media",
            "video",
        ),
        *(
            "thinking",
            "redacted_thinking",
            "reasoning",
            "reasoning_content",
            "reasoning_text",
            "summary_text",
            "text_reasoning",
            "textreasoningcontent",
        ),
        *("cache_control", "item_reference", "container_upload", "compaction"),
    }
)
# of these, what the reader of an answer sees or hears all the same
_SHOWN = frozenset("image image_url input_image output_image input_file file input_audio media video".split())
_CALLS = frozenset(
    "tool_call tool-call function_call functionCall FunctionCallContent ToolCallContent".split()
)
_RESULTS = frozenset(
    "tool_call_response tool-result function_call_output function_result FunctionResultContent".split()
)
# parts without a type that are told by their key (Gemini)
_CALL_KEYS = ("functionCall", "function_call", "executableCode", "executable_code")
_RESULT_KEYS = ("functionResponse", "function_response", "codeExecutionResult", "code_execution_result")
_AUDIT = re.compile(r"^[ \t]*<<MOCK_AUDIT>>[ \t]*(\{.*\})[ \t]*\r?$", re.MULTILINE)


class Entries(Struct):
    """Turns in order, what their mock-audit lines said (turn_index -> leaked fields), and what was not read."""

    turns: list[Turn] = field(default_factory=list)
    audits: dict[int, tuple[str, ...]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def add(
        self,
        index: int,
        role: Role,
        text: str,
        pointer: str,
        *,
        channel: Channel = "message",
        name: str = "",
    ) -> None:
        """Append a turn; an assistant's mock-audit lines are taken out of its text and kept."""
        if role == "assistant" and channel == "message" and "<<MOCK_AUDIT>>" in text:
            text, leaked = cut_audits(text)
            if leaked is not None:
                self.audits[index] = tuple(dict.fromkeys((*self.audits.get(index, ()), *leaked)))
        self.turns.append(Turn(index, role, text, channel, name, pointer))


def read_content(
    entries: Entries, index: int, role: Role, value: object, pointer: str, *, name: str = ""
) -> None:
    """Append the turns of a content value: neighbouring texts as one turn, calls and results apart."""
    tool = name if role == "tool" else ""
    if value is None:
        return
    if isinstance(value, str):
        entries.add(index, role, clean(value), pointer, name=tool)
        return
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        entries.add(index, role, clean(value["text"]), f"{pointer}/text", name=tool)
        return
    if isinstance(value, dict):
        if any(isinstance(value.get(key), list) for key in ("parts", "content")):
            # the list of parts in a wrapping of its own
            key = "parts" if isinstance(value.get("parts"), list) else "content"
            read_content(entries, index, role, value[key], f"{pointer}/{key}", name=name)
        else:
            # an object was said as it stands: a tool's answer, a structured output
            entries.add(index, role, decode.json_text(value), pointer, name=tool)
        return
    if not isinstance(value, list):
        raise wrong(value, "a text or a list of parts", pointer)
    texts: list[str] = []
    first = len(entries.turns)
    place = ""
    for position, part in enumerate(value):
        here = f"{pointer}/{position}"
        words: str | None
        if isinstance(part, str):
            words, words_at = part, here
        elif isinstance(part, dict):
            if _is_call(part):
                add_call(entries, index, part, here)
                continue
            if _is_result(part):
                _add_result(entries, index, part, here)
                continue
            words, words_at = _words(part, here)
            if words is None:
                if role == "assistant" or _has_words(part):
                    entries.unread.append(_unread_part(part, here))
                continue
        else:
            entries.unread.append(f"the part at {here}: {kind(part)} where a text or an object belongs")
            continue
        if words:
            if not texts:
                first, place = len(entries.turns), words_at
            texts.append(clean(words))
    if texts:
        # the whole text of an entry is one turn, where its first part stood
        later = entries.turns[first:]
        del entries.turns[first:]
        entries.add(index, role, "\n\n".join(texts), place, name=tool)
        entries.turns.extend(later)


def add_call(entries: Entries, index: int, call: object, pointer: str) -> None:
    """Append a tool call of any dialect; its content is the arguments as JSON text."""
    if not isinstance(call, dict):
        raise wrong(call, "a tool call", pointer)
    inner: Mapping[str, Any] = call
    for key in ("function", "custom", *_CALL_KEYS):
        if isinstance(call.get(key), dict):
            inner = call[key]
            break
    arguments: object = None
    for key in ("arguments", "args", "input", "parameters", "code", "action"):
        if inner.get(key) is not None:
            arguments = inner[key]
            break
    entries.add(
        index,
        "assistant",
        arguments_text(arguments),
        pointer,
        channel="tool_call",
        name=name_of(inner, "function"),
    )


def arguments_text(value: object) -> str:
    """Tool arguments as JSON text with letters as they are; a text that is not JSON stays as it is."""
    if value is None:
        return "{}"
    if isinstance(value, str):
        if "\\u" not in value:
            return clean(value)
        try:
            value = decode.json_value(value.encode("utf-8", "replace"))
        except InputError:
            return clean(value)  # type: ignore[arg-type]  # still the text
    return decode.json_text(value)


def result_text(value: object) -> str:
    """A tool's answer as text: texts stay, parts are joined, other values become JSON text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) and "type" in item for item in value):
        joined = parts_text(value, "")
        if joined:
            return joined
    return decode.json_text(value)


def parts_text(value: object, pointer: str) -> str:
    """The words of a content value: a text, or the texts of its parts with a blank line between them."""
    entries = Entries()
    read_content(entries, 0, "tool", value, pointer)
    return "\n\n".join(turn.content for turn in entries.turns)


def cut_audits(text: str) -> tuple[str, tuple[str, ...] | None]:
    """
    A text without its `<<MOCK_AUDIT>> {json}` lines, and the fields they name (None: there was none).

    A line that does not hold such an object stays: what cannot be read as evidence is scored as text.
    """
    leaked: list[str] | None = None
    kept: list[str] = []
    last = 0
    for match in _AUDIT.finditer(text):
        try:
            audit = msgspec.json.decode(match[1].encode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            continue
        fields = audit.get("leaked_fields") if isinstance(audit, dict) else None
        if not isinstance(fields, list) or not all(isinstance(item, str) for item in fields):
            continue
        leaked = [*(leaked or []), *fields]
        kept.append(text[last : match.start()])
        last = match.end()
    if leaked is None:
        return text, None
    kept.append(text[last:])
    return "".join(kept).strip("\r\n"), tuple(leaked)


def _is_call(part: Mapping[str, Any]) -> bool:
    type_ = part.get("type")
    if isinstance(type_, str):
        if type_ == "function":
            return isinstance(part.get("function"), dict) or "arguments" in part
        return type_ in _CALLS or type_.endswith("tool_use")
    return any(isinstance(part.get(key), dict) for key in _CALL_KEYS)


def _is_result(part: Mapping[str, Any]) -> bool:
    type_ = part.get("type")
    if isinstance(type_, str):
        return type_ in _RESULTS or type_.endswith("tool_result")
    return any(isinstance(part.get(key), dict) for key in _RESULT_KEYS)


def _add_result(entries: Entries, index: int, part: Mapping[str, Any], pointer: str) -> None:
    """Append a tool's answer: it is the tool's word, whoever's message it stands in."""
    inner: Mapping[str, Any] = part
    for key in _RESULT_KEYS:
        if isinstance(part.get(key), dict):
            inner, pointer = part[key], f"{pointer}/{key}"
    for key in ("content", "response", "result", "output"):
        if key in inner:
            text = result_text(inner[key])
            entries.add(index, "tool", text, f"{pointer}/{key}", name=name_of(inner))
            return
    entries.add(index, "tool", "", pointer, name=name_of(inner))


def _words(part: Mapping[str, Any], pointer: str) -> tuple[str | None, str]:
    """The words of one part and where they stand; "" for a part that says nothing, None for one that is not understood."""
    type_ = part.get("type")
    if isinstance(type_, str) and type_.lower() in SILENT:
        return (None if _is_shown(type_) else ""), pointer
    if part.get("thought") is True:
        return "", pointer
    for key in ("text", "content", "refusal", "transcript"):
        value = part.get(key)
        if isinstance(value, str):
            return value, f"{pointer}/{key}"
    source = part.get("source")
    if isinstance(source, dict) and isinstance(source.get("data"), str) and source.get("type") == "text":
        return source["data"], f"{pointer}/source/data"
    # a part without a type and without words is a mark of its service
    return ("" if type_ is None and not _has_words(part) else None), pointer


def _is_shown(type_: object) -> bool:
    return isinstance(type_, str) and type_.lower() in _SHOWN


def _has_words(part: Mapping[str, Any]) -> bool:
    """Whether a part that is not understood holds several words in a row."""
    return not _is_shown(part.get("type")) and any(
        isinstance(value, str) and len(value[:400].split()) > 2 for value in part.values()
    )


def _unread_part(part: Mapping[str, Any], pointer: str) -> str:
    type_ = part.get("type")
    if _is_shown(type_):
        return f"the {clean(str(type_))} at {pointer}"
    return f"the part at {pointer}" + (
        f", of the unknown type {clean(str(type_))!r}" if type_ is not None else ""
    )
