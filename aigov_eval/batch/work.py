"""
One piece scored and written: what a process of a batch does.

Comes in: a piece, the options, where to write. Goes out: the files of its part, then the marker that says that they
are whole. A process that is killed leaves no marker, and the piece is done again with the same bytes.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct

from aigov_eval.batch import counts
from aigov_eval.batch.arrow import batch_of, of_row, records
from aigov_eval.batch.inputs import partitions
from aigov_eval.batch.local import engine_for
from aigov_eval.batch.options import Options
from aigov_eval.batch.pieces import Broken, Lines, Piece, Records, Segment
from aigov_eval.batch.rows import kept_of
from aigov_eval.batch.verdicts import failed, verdicts
from aigov_eval.errors import AigovError, InputError
from aigov_eval.processes import end_with_parent
from aigov_eval.readers import read_file

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = {"parquet": "parquet", "arrow": "arrow", "jsonl": "jsonl"}
NULL = "__HIVE_DEFAULT_PARTITION__"  # the folder of rows without a value, as Spark, DuckDB, Polars and Arrow read it
_FOLDERS = 1000  # values of the columns of --partition-by in one part
STATE = "_batch"


class Layout(Struct, frozen=True):
    """Where parts go: the folder, their format, the columns that become folders, the columns that are counted."""

    out: Path
    format: str = "parquet"
    by: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()

    def marker(self, number: int) -> Path:
        """The file that says that a part is whole."""
        return self.out / STATE / "parts" / f"part-{number:06}.json"


def begin() -> None:
    """Make this process a worker: it ends with its parent, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def do_piece(piece: Piece, digest: str, options: Options, layout: Layout) -> dict[str, Any]:
    """
    Score a piece and write its part; the counts of it, as they stand in its marker.

    Raises InputError where the part cannot be written, and whatever loading the pack raises.
    """
    from aigov_eval import files

    engine_for(options.packs)  # a pack that cannot be loaded ends the batch, not each row
    rows = list(rows_of(piece, options))
    made = counts.of_rows(rows, layout.counted)
    written = []
    try:
        for folder, own in _divided(rows, layout.by):
            name = f"{folder}part-{piece.number:06}.{FORMATS[layout.format]}"
            _write(layout.out / name, own, options, layout)
            written.append(name)
    except OSError as error:
        raise files.unwritable(layout.out, error) from None
    marker = {"part": piece.number, "digest": digest, "rows": len(rows), "files": written, **made}
    files.write_json(layout.marker(piece.number), marker)
    return marker


def rows_of(piece: Piece, options: Options) -> Iterator[dict[str, Any]]:
    """The verdicts of a piece, in the order of its rows."""
    for segment in piece.segments:
        yield from _of_segment(segment, options)


def _of_segment(segment: Segment, options: Options) -> Iterator[dict[str, Any]]:
    hive = partitions(segment.source)
    if isinstance(segment, Broken):
        around = {**hive, "source": segment.source}
        error = InputError(segment.text, help=segment.help)
        yield failed(error, segment.source, kept_of(options.keep, around))
    elif isinstance(segment, Lines):
        for number, line in enumerate(segment.lines, segment.first):
            if line:
                place = f"{segment.source}:{number}"
                yield from of_row({"json": line}, "json", options, place, {**hive, "source": place})
    elif isinstance(segment, Records):
        import pyarrow as pa

        number = segment.first
        for batch in pa.ipc.open_stream(segment.stream):
            for row in records(batch):
                place = f"{segment.source}:{number}"
                yield from of_row(row, segment.column, options, place, {**hive, "source": place})
                number += 1
    else:
        yield from _of_file(segment.source, hive, options)


def _of_file(path: str, hive: Mapping[str, str], options: Options) -> Iterator[dict[str, Any]]:
    """The verdicts of a file or run folder of any format that `readers` knows."""
    from aigov_eval.readers import decode

    here = Path(path)
    around = {**hive, "source": path}
    try:
        data = here.read_bytes() if here.is_file() else b""
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
            try:
                decode.json_value(data)
            except InputError:
                pass  # lines of JSON under another name, or an error that `read_file` tells with its place
            else:
                yield from of_row({"json": data}, "json", options, path, around)
                return
        engine = engine_for(options.packs)
        for transcript in read_file(here):
            place = {**around, "source": transcript.source or path}
            name = transcript.source or path
            yield from verdicts(transcript, engine, options, name, kept_of(options.keep, place))
    except (AigovError, OSError) as error:
        yield failed(
            error if isinstance(error, AigovError) else InputError(str(error)),
            path,
            kept_of(options.keep, around),
        )


def _divided(
    rows: Sequence[Mapping[str, Any]], by: Sequence[str]
) -> Iterable[tuple[str, list[Mapping[str, Any]]]]:
    """The rows of each folder, the folder's path ending in a slash; "" where nothing divides them."""
    if not by:
        return [("", list(rows))]
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        folder = "".join(f"{name}={_folder(row[name])}/" for name in by)
        if folder not in found and len(found) == _FOLDERS:
            raise InputError(
                f"--partition-by {','.join(by)} would make more than {_FOLDERS} folders",
                help="divide by a column with few values.",
            )
        found.setdefault(folder, []).append(row)
    return sorted(found.items())


def _folder(value: str | None) -> str:
    return NULL if value in (None, "") else quote(str(value)[:200], safe=" ")


def _write(path: Path, rows: Sequence[Mapping[str, Any]], options: Options, layout: Layout) -> None:
    """A part's file, whole or not there."""
    from aigov_eval.files import sync_folder

    path.parent.mkdir(parents=True, exist_ok=True)
    batch = batch_of(rows, options.keep)
    if layout.by:
        batch = batch.select([name for name in batch.schema.names if name not in layout.by])
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with beside.open("wb") as file:
        _encode(batch, file, layout.format)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def _encode(batch: pa.RecordBatch, file: Any, format: str) -> None:
    import pyarrow as pa

    if format == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_batches([batch]), file, compression="zstd")
    elif format == "arrow":
        with pa.ipc.new_file(
            file, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")
        ) as writer:
            writer.write_batch(batch)
    else:
        from aigov_eval.readers.decode import json_text

        for row in batch.to_pylist():
            file.write(json_text(row).encode() + b"\n")
