"""
Compressed files, read as they were.

Comes in: a binary file. Goes out: a stream of its bytes before they were compressed (gzip, bzip2, xz, Zstandard, LZ4).
"""

from __future__ import annotations

import io
from typing import IO, Any

ENDINGS = (".gz", ".bz2", ".xz", ".zst", ".zstd", ".lz4")


def unpacked(raw: IO[bytes], ahead: int) -> Any:
    """
    The bytes of a file as they were before they were compressed, told by its first bytes; the file itself where it was not.

    `ahead` is how many bytes can be peeked at. A stream that breaks off raises EOFError or OSError where it does.
    """
    import pyarrow as pa

    magic = raw.read(6)
    raw.seek(0)
    if magic[:3] == b"\xfd7z":
        import lzma

        return io.BufferedReader(lzma.LZMAFile(raw), ahead)
    if magic[:2] == b"\x1f\x8b":
        import gzip

        return io.BufferedReader(gzip.GzipFile(fileobj=raw), ahead)
    kinds = {b"BZh": "bz2", b"\x28\xb5\x2f": "zstd", b"\x04\x22\x4d": "lz4"}
    kind = kinds.get(magic[:3])
    if kind is None:
        return raw
    if kind == "bz2":
        import bz2

        return io.BufferedReader(bz2.BZ2File(raw), ahead)
    return io.BufferedReader(_Readable(pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), kind)), ahead)


class _Readable(io.RawIOBase):
    """A stream of Arrow as one of Python's."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
