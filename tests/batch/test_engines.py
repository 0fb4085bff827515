"""The real engines give what the command gives: the same bytes, whatever brings the rows."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.batch.options import Options
from aigov_eval.batch.run import run_batch
from tests.batch.talks import talk

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

OPTIONS = Options(keep=("model",), transcripts="found")
COUNT = 60


def _table() -> Any:
    """Conversations as a table, two of them broken; their messages as JSON text."""
    rows = [{**talk(number), "messages": json.dumps(talk(number)["messages"])} for number in range(COUNT)]
    rows[7]["messages"] = "[{"
    rows[9]["messages"] = "[]"
    return pa.Table.from_pylist(rows)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The conversations as Parquet, two row groups."""
    path = tmp_path_factory.mktemp("engines") / "talks.parquet"
    pq.write_table(_table(), path, row_group_size=COUNT // 2)
    return path


@pytest.fixture(scope="module")
def expected(source: Path) -> bytes:
    """The verdicts of the command."""
    run_batch([str(source)], source.parent / "out", Options(transcripts="found"), by=("model",), jobs=2)
    return _sorted_bytes(pq.read_table(source.parent / "out" / "part-000000.parquet").drop(["source"]))


def _sorted_bytes(table: Any) -> bytes:
    """A table as bytes of Arrow in the order of id and category: engines promise no order."""
    from aigov_eval.batch.arrow import schema

    ordered = table.cast(schema(("model",))).sort_by([("id", "ascending"), ("category", "ascending")])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, ordered.schema) as writer:
        writer.write_batch(pa.RecordBatch.from_pylist(ordered.to_pylist(), schema=ordered.schema))
    found: bytes = sink.getvalue().to_pybytes()
    return found


def test_duckdb(source: Path, expected: bytes, tmp_path: Path) -> None:
    """A query of DuckDB is scored as it is read, and what comes out is queried and written by DuckDB."""
    duckdb = pytest.importorskip("duckdb")
    from aigov_eval.batch.engines import duckdb_scores

    reading, writing = duckdb.connect(), duckdb.connect()
    relation = reading.sql(f"select * from '{source}'")
    duckdb_scores(relation, writing, OPTIONS).to_parquet(str(tmp_path / "out.parquet"))
    counted = writing.sql(f"select count(*) from '{tmp_path}/out.parquet' where not pass").fetchall()

    assert _sorted_bytes(pq.read_table(tmp_path / "out.parquet")) == expected
    assert counted == [(39,)]


def test_polars(source: Path, expected: bytes) -> None:
    """A frame of Polars in, a frame of Polars out, structs and lists as its own."""
    polars = pytest.importorskip("polars")
    from aigov_eval.batch.engines import polars_scores

    found = polars_scores(polars.read_parquet(source), OPTIONS)

    assert _sorted_bytes(found.to_arrow()) == expected
    assert found.filter(polars.col("pass").is_null()).height == 2


@pytest.mark.filterwarnings("ignore::Warning")
def test_ray(source: Path, expected: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Dataset of Ray goes through `map_batches` on its own workers, without an actor that could starve the reading."""
    pytest.importorskip("ray.data")
    import ray

    from aigov_eval.batch.engines import ray_scores

    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        _node_ip_address="127.0.0.1",
    )
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        found = ray_scores(ray.data.read_parquet(str(source)), OPTIONS, batch_size=20)
        table = pa.concat_tables([ray.get(ref) for ref in found.to_arrow_refs()])
    finally:
        ray.shutdown()

    assert _sorted_bytes(table) == expected


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime (17 or later)")
@pytest.mark.filterwarnings("ignore::Warning")
def test_spark(source: Path, expected: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A DataFrame of Spark goes through `mapInArrow` on its Python workers."""
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    from aigov_eval.batch.engines import spark_scores

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")]))
    builder = SparkSession.builder.master("local[2]").appName("aigov").config("spark.ui.enabled", "false")
    session = (
        builder.config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    try:
        frame = session.read.parquet(str(source)).repartition(2)
        spark_scores(frame, OPTIONS).write.parquet(str(tmp_path / "out"))
    finally:
        session.stop()

    assert _sorted_bytes(pq.read_table(tmp_path / "out")) == expected
