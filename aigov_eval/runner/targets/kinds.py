"""
The kinds of targets: one line each, and all that the rest of the program has to know of them.

Comes in: nothing. Goes out: `KINDS` by name. A new target is a module beside this one and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Kind(Struct, frozen=True):
    """
    One kind: `made_by` is `module:function` in this folder, which takes `(config, timeout, environment, connections)`.

    `configured` targets are described by a config file; of its keys `--target-option` sets those of `settable`. `ours` are
    the stand-ins, which answer the same each time.
    """

    made_by: str
    configured: bool = False
    settable: tuple[str, ...] = ()
    ours: bool = False


KINDS: Mapping[str, Kind] = {
    "scripted": Kind("scripted:from_config", ours=True),
    "mock": Kind("mock:from_config", ours=True),
    "http": Kind("http:http_target", configured=True, settable=("url", "system_role")),
    "openai": Kind("openai:openai_target", configured=True, settable=("base_url", "model", "system_role")),
    "anthropic": Kind("anthropic:anthropic_target", configured=True, settable=("base_url", "model")),
    "python": Kind("function:from_config"),
}
CONFIGURED = tuple(name for name, kind in KINDS.items() if kind.configured)
# what can be asked as somebody else's assistant, and may answer otherwise the next time
ASKED = tuple(name for name, kind in KINDS.items() if not kind.ours)
