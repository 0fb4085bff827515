"""
The engines people have, each through the one function over Arrow.

Comes in: a table of an engine, one row a transcript, and options. Goes out: a table of the same engine, one row a
transcript and category, in the shape of `aigov_eval.batch.arrow.schema`. Every worker process loads the pack once. The
functions are thin: what they need beyond an engine's own API is said in their docstrings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from aigov_eval.batch.arrow import schema, score_batch, score_batches
from aigov_eval.batch.options import Options
from aigov_eval.batch.rows import column_of, columns_read

if TYPE_CHECKING:
    import duckdb
    import polars as pl
    import pyarrow as pa
    import pyspark.sql
    import ray.data


def spark_scores(frame: pyspark.sql.DataFrame, options: Options | None = None) -> pyspark.sql.DataFrame:
    """
    A Spark DataFrame of conversations as one of verdicts, by `mapInArrow`: lazy, and on every executor.

    Only the columns that scoring reads are shipped. Each Python worker loads the pack once; it is kept where
    `spark.python.worker.reuse` is true (the default). Raises InputError where no column holds conversations.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    asked = options or Options()
    column = column_of(frame.columns, asked.column)

    def scored(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from score_batch(batch, asked, column)

    # a name with a dot is a path to Spark, unless it is quoted
    wanted = [f"`{name}`" for name in columns_read(frame.columns, column, asked.keep)]
    return frame.select(*wanted).mapInArrow(scored, from_arrow_schema(schema(asked.keep)))


def ray_scores(
    data: ray.data.Dataset, options: Options | None = None, **ray_options: Any
) -> ray.data.Dataset:
    """
    A Ray Dataset of conversations as one of verdicts, by `map_batches` over Arrow.

    `ray_options` go to `map_batches` (`batch_size`, `num_cpus`, ...). Tasks, not actors, are asked for: actors that
    hold every core leave none to read with, and the pipeline stands still; a worker process keeps its pack all the same.
    """
    asked = options or Options()

    def scored(table: pa.Table) -> pa.Table:
        import pyarrow

        column = column_of(table.schema.names, asked.column)
        made = [one for batch in table.to_batches() for one in score_batch(batch, asked, column)]
        return pyarrow.Table.from_batches(made, schema(asked.keep))

    return data.map_batches(scored, **{"batch_format": "pyarrow", "batch_size": 1024, **ray_options})


def duckdb_scores(
    relation: duckdb.DuckDBPyRelation, connection: duckdb.DuckDBPyConnection, options: Options | None = None
) -> duckdb.DuckDBPyRelation:
    """
    A DuckDB relation of conversations as one of verdicts, streamed through this process.

    The result can be read once, as the reader behind it; write it (`.to_parquet`) or `.create` a table to keep it.
    `connection` takes the result and should not be the one that `relation` reads from: one connection does one thing at a time.
    """
    return connection.from_arrow(score_batches(relation.to_arrow_reader(1024), options))


def polars_scores(frame: pl.DataFrame, options: Options | None = None) -> pl.DataFrame:
    """A Polars DataFrame of conversations as one of verdicts, slice by slice; collect a LazyFrame in batches first."""
    import polars
    import pyarrow

    asked = options or Options()
    column = column_of(frame.columns, asked.column)
    wanted = frame.select(columns_read(frame.columns, column, asked.keep))
    made = [
        one
        for part in wanted.iter_slices(1024)
        for batch in part.to_arrow().to_batches()
        for one in score_batch(batch, asked, column)
    ]
    found = polars.from_arrow(pyarrow.Table.from_batches(made, schema(asked.keep)))
    assert isinstance(found, polars.DataFrame)
    return found
