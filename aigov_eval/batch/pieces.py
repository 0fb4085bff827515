"""
Inputs cut into pieces, the same on every reading.

Comes in: inputs. Goes out: numbered `Piece`s of some thousand rows or some megabytes, which a process can be handed
and whose verdicts are written as one part. Nothing is decoded here but what must be to find where a row ends, so
that one process can feed many; no more than a piece is held, whatever the size of a file.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from msgspec import Struct, field

from aigov_eval.batch.inputs import Input
from aigov_eval.batch.packed import ENDINGS, unpacked
from aigov_eval.batch.rows import column_of, columns_read
from aigov_eval.errors import InputError
from aigov_eval.readers import decode, jsonl

if TYPE_CHECKING:
    import pyarrow as pa

PIECE_BYTES = 8 << 20
LONGEST = 64 << 20  # bytes of a line
LARGEST = 256 << 20  # bytes of a file that is one JSON value
_HEAD = 1 << 18


class Lines(Struct, frozen=True):
    """Lines of a file, `first` being the number of the first of them."""

    source: str
    first: int
    lines: tuple[bytes, ...]


class Records(Struct, frozen=True):
    """Rows of a table as an Arrow stream, `first` being the number of the first of them."""

    source: str
    first: int
    stream: bytes
    column: str


class Whole(Struct, frozen=True):
    """A file or run folder that is read as a whole."""

    source: str
    size: int


class Broken(Struct, frozen=True):
    """What of a file could not be read: a row with this error stands for it."""

    source: str
    text: str
    help: str


Segment = Lines | Records | Whole | Broken


class Piece(Struct):
    """What is scored together; `read` are the bytes of the inputs that it and those before it took."""

    number: int
    segments: list[Segment] = field(default_factory=list)
    rows: int = 0
    size: int = 0
    read: int = 0

    def digest(self) -> str:
        """What tells this piece from another: a hash of its rows and where they stand."""
        made = hashlib.blake2b(digest_size=16)
        for one in self.segments:
            made.update(f"{type(one).__name__}\0{one.source}\0".encode("utf-8", "surrogateescape"))
            if isinstance(one, Lines):
                made.update(f"{one.first}\0{len(one.lines)}\0".encode())
                for line in one.lines:
                    made.update(line)
            elif isinstance(one, Records):
                made.update(f"{one.first}\0{one.column}\0".encode())
                made.update(one.stream)
            elif isinstance(one, Whole):
                made.update(str(one.size).encode())
            else:
                made.update(one.text.encode())
        return made.hexdigest()


def pieces(
    inputs: Sequence[Input], *, rows: int, column: str = "", keep: Sequence[str] = ()
) -> Iterator[Piece]:
    """
    The pieces of some inputs, of at most `rows` rows (a file that is one JSON value counts as one).

    Raises InputError for a table without a column of conversations; what else cannot be read is a `Broken`.
    """
    piece, before = Piece(0), 0
    for one in inputs:
        for segment, size, at in _segments(one, rows, column, keep):
            many = len(segment.lines) if isinstance(segment, Lines) else 1
            if isinstance(segment, Records):
                many = size[1]
            if piece.segments and (piece.rows + many > rows or piece.size + size[0] > PIECE_BYTES):
                yield piece
                piece = Piece(piece.number + 1)
            piece.segments.append(segment)
            piece.rows += many
            piece.size += size[0]
            piece.read = before + min(at, one.size)
        before += one.size
        piece.read = before
    if piece.segments:
        yield piece


# a segment, its bytes in memory and its rows, and how far into the input it goes
_Cut = Iterator[tuple[Segment, tuple[int, int], int]]


def _segments(one: Input, rows: int, column: str, keep: Sequence[str]) -> _Cut:
    if one.run:
        yield Whole(one.path, one.size), (0, 1), one.size
        return
    try:
        with Path(one.path).open("rb") as raw:
            magic = raw.read(8)
        if magic[:4] == b"PAR1":
            yield from _parquet(one, rows, column, keep)
        elif magic[:6] == b"ARROW1" or magic[:4] == b"\xff\xff\xff\xff":
            yield from _arrow(one, rows, column, keep, stream=magic[:6] != b"ARROW1")
        elif magic[:4] == b"PK\x03\x04":
            yield Whole(one.path, one.size), (0, 1), one.size
        else:
            yield from _text(one, rows)
    except InputError:
        raise
    except (OSError, EOFError, ValueError) as error:  # pyarrow's errors are ValueErrors and OSErrors
        yield _broken(one.path, error), (0, 1), one.size


def _broken(source: str, error: Exception) -> Broken:
    first = str(error).strip().split("\n")[0][:300]
    return Broken(
        source, f"cannot be read: {first}", "the file is damaged or cut short; what stands before is scored."
    )


def _text(one: Input, rows: int) -> _Cut:
    with Path(one.path).open("rb", buffering=_HEAD) as raw:
        stream = unpacked(raw, _HEAD)
        head = stream.peek(_HEAD)[:_HEAD]
        packed = stream is not raw
        name = one.path.lower()
        for ending in ENDINGS:
            name = name.removesuffix(ending)
        if not jsonl.is_jsonl(head, name):
            if one.size > LARGEST:
                text = (
                    f"one JSON value of {one.size >> 20} MB is more than is read at once ({LARGEST >> 20} MB)"
                )
                yield Broken(one.path, text, "write one conversation a line (JSONL)."), (0, 1), one.size
            elif packed:
                data = stream.read(LARGEST + 1)
                yield Lines(one.path, 1, (data,)), (len(data), 1), one.size
            else:
                yield Whole(one.path, one.size), (0, 1), one.size
            return
        encoding, skip = decode.encoding_of(head[:4])
        if encoding == "utf-8":
            stream.read(skip)
            yield from _lines(one, stream, raw, rows)
            return
        wrapped = io.TextIOWrapper(stream, encoding, errors="replace", newline="\n")
        try:
            yield from _lines(one, _Encoded(wrapped), raw, rows)
        finally:
            wrapped.detach()  # it is not the wrapper's to close


def _lines(one: Input, stream: Any, raw: IO[bytes], rows: int) -> _Cut:
    held: list[bytes] = []
    size, first, number = 0, 1, 0
    try:
        while line := stream.readline(LONGEST):
            number += 1
            if len(line) == LONGEST and not line.endswith(b"\n"):
                while (rest := stream.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
                line = b""
                if held:
                    yield Lines(one.path, first, tuple(held)), (size, len(held)), raw.tell()
                    held, size = [], 0
                first = number + 1
                text = f"the line is longer than {LONGEST >> 20} MB"
                yield Broken(f"{one.path}:{number}", text, "cut the conversation."), (0, 1), raw.tell()
                continue
            held.append(line if line.strip() else b"")
            size += len(line)
            # a quarter of a piece, so that pieces fill up across the borders of files
            if len(held) * 4 >= rows or size * 4 >= PIECE_BYTES:
                yield Lines(one.path, first, tuple(held)), (size, len(held)), raw.tell()
                held, size, first = [], 0, number + 1
    except (OSError, EOFError, ValueError) as error:
        if held:
            yield Lines(one.path, first, tuple(held)), (size, len(held)), one.size
        yield _broken(f"{one.path}:{number + 1}", error), (0, 1), one.size
        return
    if held:
        yield Lines(one.path, first, tuple(held)), (size, len(held)), one.size


class _Encoded:
    """Lines of a text in another encoding, as UTF-8."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text

    def readline(self, most: int) -> bytes:
        return self._text.readline(most).removeprefix("\ufeff").encode("utf-8", "replace")


def _parquet(one: Input, rows: int, column: str, keep: Sequence[str]) -> _Cut:
    import pyarrow.parquet as pq

    with pq.ParquetFile(one.path, pre_buffer=False) as file:
        names = file.schema_arrow.names
        found = _column(names, column, one)
        total = max(1, file.metadata.num_rows)
        batches = file.iter_batches(_step(rows), columns=columns_read(names, found, keep), use_threads=False)
        yield from _records(one, batches, found, total, rows)


def _arrow(one: Input, rows: int, column: str, keep: Sequence[str], *, stream: bool) -> _Cut:
    import pyarrow as pa

    with pa.memory_map(one.path) as file:
        reader = pa.ipc.open_stream(file) if stream else pa.ipc.open_file(file)
        names = reader.schema.names
        found = _column(names, column, one)
        wanted = columns_read(names, found, keep)
        batches = reader if stream else (reader.get_batch(at) for at in range(reader.num_record_batches))
        yield from _records(one, (batch.select(wanted) for batch in batches), found, 0, rows)


def _column(names: Sequence[str], column: str, one: Input) -> str:
    try:
        return column_of(names, column)
    except InputError as error:
        raise InputError(error.text, where=one.path, help=error.help) from None


def _step(rows: int) -> int:
    return max(1, min(rows // 4, 1024))


def _records(one: Input, batches: Iterator[pa.RecordBatch], column: str, total: int, rows: int) -> _Cut:
    import pyarrow as pa

    at, step = 0, _step(rows)
    for batch in batches:
        start = 0
        while start < batch.num_rows:
            # long conversations go in smaller slices, so that a piece stays a piece
            many = min(step, batch.num_rows - start)
            cut = batch.slice(start, many)
            while many > 1 and cut.nbytes * 4 > PIECE_BYTES:
                many = max(1, many // 2)
                cut = batch.slice(start, many)
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, cut.schema) as writer:
                writer.write_batch(cut)
            stream = sink.getvalue().to_pybytes()
            read = (
                one.size * (at + many) // total
                if total
                else min(one.size, one.size * (start + many) // max(1, batch.num_rows))
            )
            yield Records(one.path, at + 1, stream, column), (len(stream), many), read
            at += many
            start += many
