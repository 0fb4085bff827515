"""
The bytes of a JSON value that everybody writes alike, so that anyone can make a digest anew.

Comes in: a JSON value. Goes out: bytes.
"""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

_EXACT = 2**53 - 1


def canonical(value: Any) -> bytes:
    """
    The RFC 8785 bytes of a value.

    What RFC 8785 does not cover is written as it stands: whole numbers beyond 2**53 - 1 with all their
    figures, halves of surrogate pairs in three bytes.
    """
    if isinstance(value, str):
        # the same bytes as rfc8785 gives, at a tenth of the time
        return encode_basestring(value).encode("utf-8", "surrogatepass")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return str(value).encode()
    import rfc8785

    return rfc8785.dumps(value)
