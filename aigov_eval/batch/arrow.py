"""
Batches of Arrow in, batches of verdicts out: the one function behind every engine.

Comes in: a reader of record batches, one row a transcript. Goes out: a reader of record batches in the shape of
`schema()`, in the order of the rows. The pack is loaded once a process; a bad row becomes a row with an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aigov_eval.batch.local import engine_for
from aigov_eval.batch.options import Options
from aigov_eval.batch.rows import column_of, id_in, kept_of, transcripts_in, value_of
from aigov_eval.batch.verdicts import failed, verdicts
from aigov_eval.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

# rows in memory at once; a larger batch is taken in slices
_AT_ONCE = 1024


def score_batches(reader: pa.RecordBatchReader, options: Options | None = None) -> pa.RecordBatchReader:
    """
    Score every row of a reader, as the result is read.

    A row's conversation is a list of messages (structs with `role` and `content`) or JSON text of any known
    format. Out come one row for each transcript and category, in order, in the shape of `schema(options.keep)`.
    Raises InputError where no column holds conversations; what is wrong with one row is a row with `error`.
    """
    import pyarrow as pa

    options = options or Options()
    column = column_of(reader.schema.names, options.column)
    made = (table for batch in reader for table in score_batch(batch, options, column))
    return pa.RecordBatchReader.from_batches(schema(options.keep), made)


def score_batch(batch: pa.RecordBatch, options: Options, column: str = "") -> Iterator[pa.RecordBatch]:
    """The verdicts of one batch, in slices. Raises as `score_batches`."""
    column = column or column_of(batch.schema.names, options.column)
    for start in range(0, batch.num_rows, _AT_ONCE):
        slice = batch.slice(start, _AT_ONCE)
        rows: list[dict[str, Any]] = []
        for row in records(slice):
            rows += of_row(row, column, options)
        yield batch_of(rows, options.keep)


def of_row(
    row: Mapping[str, Any],
    column: str,
    options: Options,
    name: str = "",
    around: Mapping[str, str] | None = None,
) -> Iterator[dict[str, Any]]:
    """The verdicts of one row as dicts; an error is one of them. `around` is what its place tells (source, partitions)."""
    value: object = None
    try:
        value = value_of(row, column)
        found = transcripts_in(value)
    except (InputError, ValueError, TypeError) as error:
        yield failed(error, id_in(row, value) or name, kept_of(options.keep, around, row, value))
        return
    own = id_in(row, value)
    kept = kept_of(options.keep, around, row, value)
    engine = engine_for(options.packs)
    for number, transcript in enumerate(found):
        # the second of a row is no other's twin: it is counted
        given = own or name
        yield from verdicts(
            transcript, engine, options, f"{given}#{number}" if number and given else given, kept
        )


def batch_of(rows: Sequence[Mapping[str, Any]], keep: Sequence[str] = ()) -> pa.RecordBatch:
    """Rows as one batch in the shape of `schema(keep)`."""
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(list(rows), schema=schema(keep))


def records(batch: pa.RecordBatch) -> Iterable[dict[str, Any]]:
    """The rows as dicts; one that holds bytes which are no text does not take the others with it."""
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:
        for at in range(batch.num_rows):
            row: dict[str, Any] = {}
            for name, values in zip(batch.schema.names, batch.columns, strict=True):
                try:
                    row[name] = values[at].as_py()
                except UnicodeDecodeError:
                    row[name] = None
            yield row


def schema(keep: Sequence[str] = ()) -> pa.Schema:
    """
    The shape of the result: one row a transcript and category.

    `pass` is null where there is no verdict; then `error` says why. `transcript` (JSON of the turns) and `score`
    (the score object with its trace) are filled as `Options.transcripts` asks.
    """
    import pyarrow as pa

    text, number = pa.string(), pa.int32()
    mention = pa.struct(
        [
            *((name, text) for name in ("field", "subtype", "text")),
            ("start", number),
            ("end", number),
            *((name, text) for name in ("detector", "view", "explicit")),
            ("synthetic", pa.bool_()),
            *((name, text) for name in ("evidence", "evidence_text", "origin", "channel", "rule")),
            *((name, text) for name in ("holder", "stance")),
            ("points", number),
            ("strength", text),
        ]
    )
    finding = pa.struct(
        [
            ("turn_index", number),
            ("fields", pa.list_(text)),
            *((name, text) for name in ("excerpt", "severity", "strength")),
            ("rules", pa.list_(text)),
            ("legal", pa.list_(text)),
            ("channel", text),
            ("source", text),
            ("mentions", pa.list_(mention)),
        ]
    )
    error = pa.struct([(name, text) for name in ("kind", "text", "where", "help")])
    return pa.schema(
        [
            ("id", text),
            ("category", text),
            ("pass", pa.bool_()),
            ("severity", text),
            ("strength", text),
            ("fields", pa.list_(text)),
            ("findings", pa.list_(finding)),
            ("pack", text),
            ("error", error),
            ("doubts", pa.list_(text)),
            ("transcript", text),
            ("score", text),
            *((name, text) for name in keep),
        ]
    )
