"""
`aigov-eval judge vertex`: have the Vertex evaluation service judge records (Layer 2).

Comes in: files of records. Goes out: a summary on stdout, every judgement in a file beside the
records. Exit code 0, or 2 where a judgement is missing; what was judged is kept in any case.
"""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from aigov_eval.cli.app import new_app
from aigov_eval.cli.columns import columns
from aigov_eval.cli.ending import exit_code
from aigov_eval.cli.say import console, say

app = new_app(help="Have the Vertex evaluation service judge records (Layer 2).", no_args_is_help=True)
_SAVE_EVERY = 2.0


@app.callback()
def _root() -> None:
    """Have a judge look at records (Layer 2)."""


@app.command("vertex", epilog="Example: aigov-eval judge vertex records.jsonl --project my-project")
def vertex(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records of `aigov-eval ingest`.")],
    *,
    project: Annotated[str, typer.Option("--project", metavar="P", help="Google Cloud project.")],
    location: Annotated[str, typer.Option("--location", metavar="L", help="Region.")] = "us-central1",
    metrics: Annotated[
        str,
        typer.Option("--metrics", metavar="NAMES", help="Comma-separated; NAME@v2 asks for another version."),
    ] = "MULTI_TURN_GENERAL_QUALITY,TOOL_USE_QUALITY",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Results; by default FILE.vertex.json beside the records."
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=32, help="Calls at a time.")] = 4,
    again: Annotated[
        bool, typer.Option("--again", help="Ask again for what an earlier run has judged.")
    ] = False,
    endpoint: Annotated[
        str, typer.Option("--endpoint", metavar="URL", help="Another address of the service.")
    ] = "",
) -> int:
    """
    Judge records with the service's metrics; needs the extra aigov-eval[vertex] and credentials.

    The records, with all they hold, are sent to Google Cloud. A record without tool use is not sent to
    a tool-use metric. Each answer costs a call: results of an earlier run are kept, errors asked again.
    """
    from aigov_eval.sessions import judged, vertex_judge
    from aigov_eval.sessions.disk import check_writable, whole_file
    from aigov_eval.sessions.files import document, read_records

    wanted = vertex_judge.metrics(metrics)
    records = read_records(files)
    target = out or judged.beside(files[0])
    judge = {"name": "vertex", "sdk": vertex_judge.sdk(), "project": project, "location": location}
    check_writable(target)
    before = judged.earlier(target, records)
    results = before.results
    kept = set() if again else before.done(wanted)
    if kept:
        say(f"note: {len(kept)} judgements of an earlier run kept (--again asks anew)", file=sys.stderr)
    _quieten()
    client = vertex_judge.client(project, location, endpoint=endpoint)

    def save() -> None:
        with whole_file(target) as file:
            file.write(document([judged.document(judge, wanted, records, results, before.others)]))

    total = len(records) * len(wanted) - len(kept)
    saved = time.monotonic()
    try:
        with _progress(total) as advance:
            for one in vertex_judge.judge(records, wanted, client=client, workers=workers, done=kept):
                results.setdefault(one.session_id, {})[one.metric.label] = one.result
                advance()
                if one.result["status"] == "error":
                    say(f"error: {one.session_id} {one.metric.label}: {one.result['error']}", file=sys.stderr)
                if time.monotonic() - saved > _SAVE_EVERY:
                    save()
                    saved = time.monotonic()
    except BaseException:
        # what was judged was paid for: it stays, whatever ended the run
        if any(result["status"] == "judged" for held in results.values() for result in held.values()):
            save()
        raise
    save()
    summary = judged.summary(judged.document(judge, wanted, records, results)["sessions"])
    say(_table(summary))
    say(f"results written to {target}", file=sys.stderr)
    return exit_code(valid=not any(row["error"] or row["not_judged"] for row in summary.values()))


def _quieten() -> None:
    """The SDK logs every error with its traceback, and warns of its own deprecations; we report both ourselves."""
    for name in ("agentplatform", "agentplatform_genai", "google_genai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", FutureWarning)
    warnings.simplefilter("ignore", DeprecationWarning)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr, off where that is no terminal; gives the function that advances it."""
    from rich.progress import Progress

    bar = Progress(console=console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    task = bar.add_task("judgements", total=total)
    with bar:
        yield lambda: bar.advance(task)


def _table(summary: dict[str, dict[str, Any]]) -> str:
    rows = [["metric", "judged", "mean", "errors", "not applicable", "not judged"]]
    for name, row in summary.items():
        mean = "-" if row["mean_score"] is None else f"{row['mean_score']:.3f}"
        counts = [str(row[key]) for key in ("error", "not_applicable", "not_judged")]
        rows.append([name, str(row["judged"]), mean, *counts])
    return columns(rows, right=range(1, 6))
