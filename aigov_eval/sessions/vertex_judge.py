"""
Layer 2: the Vertex evaluation service as a judge of records, called through its SDK.

Comes in: records, metric names and a client. Goes out: one judgement a record and metric: judged
with a score, an error that is kept, or not applicable with its reason. Needs the extra
`aigov-eval[vertex]`; nothing of it is imported before a client is asked for.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from importlib.metadata import version
from typing import Any

from msgspec import Struct

from aigov_eval.documents.issues import did_you_mean
from aigov_eval.errors import InputError
from aigov_eval.sessions.vertex_rows import response, row

TOKEN = "AIGOV_VERTEX_TOKEN"
# The service's metrics that need neither a reference answer nor a context, with the version that
# the SDK pins for them: without one, the service would change the judge under us.
# https://cloud.google.com/vertex-ai/generative-ai/docs/models/rubric-metric-details
_VERSIONS = {
    "GENERAL_QUALITY": "v1",
    "TEXT_QUALITY": "v1",
    "INSTRUCTION_FOLLOWING": "v1",
    "SAFETY": "v1",
    "FINAL_RESPONSE_QUALITY": "v1",
    "FINAL_RESPONSE_REFERENCE_FREE": "v1",
    "HALLUCINATION": "v1",
    "TOOL_USE_QUALITY": "v1",
    "MULTI_TURN_GENERAL_QUALITY": "v1",
    "MULTI_TURN_TEXT_QUALITY": "v1",
    "MULTI_TURN_TOOL_USE_QUALITY": "v1",
    "MULTI_TURN_TRAJECTORY_QUALITY": "v1",
    "MULTI_TURN_TASK_SUCCESS": "v1",
}
_ON_TOOLS = frozenset({"TOOL_USE_QUALITY", "MULTI_TURN_TOOL_USE_QUALITY"})
# these judge the course of the session and do not need a final answer
_ON_COURSE = _ON_TOOLS | {"MULTI_TURN_TRAJECTORY_QUALITY", "MULTI_TURN_TASK_SUCCESS"}
_METRIC = re.compile(r"([A-Za-z_]+)(?:@(v\d+))?", re.ASCII)
_QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # the SDK's import would otherwise fetch a price list
    "TQDM_DISABLE": "1",  # our progress, not the SDK's
}


class Metric(Struct, frozen=True):
    """A metric of the service in one version, as people write it: TOOL_USE_QUALITY@v1."""

    name: str
    version: str

    @property
    def label(self) -> str:
        """How results name the metric."""
        return f"{self.name}@{self.version}"

    @property
    def spec(self) -> str:
        """How the service names it."""
        return f"{self.name.lower()}_{self.version}"


class Judgement(Struct, frozen=True):
    """What became of one record under one metric; `result` is its JSON form, with `status` first."""

    session_id: str
    metric: Metric
    result: dict[str, Any]


def metrics(names: str) -> tuple[Metric, ...]:
    """The metrics of a comma-separated list, each NAME or NAME@v2. Raises InputError for one that is not known."""
    found: dict[str, Metric] = {}
    for part in filter(None, (part.strip() for part in names.split(","))):
        matched = _METRIC.fullmatch(part)
        name = matched[1].upper() if matched else part
        if matched is None or name not in _VERSIONS:
            raise InputError(
                f"no metric {part!r} for sessions", where="--metrics", help=did_you_mean(name, _VERSIONS)
            )
        metric = Metric(name, matched[2] or _VERSIONS[name])
        found[metric.label] = metric
    if not found:
        raise InputError("no metric is named", where="--metrics", help="known: " + ", ".join(_VERSIONS))
    return tuple(found.values())


def not_applicable(record: dict[str, Any], metric: Metric) -> str:
    """Why a record cannot be judged by a metric; nothing where it can."""
    if not record["request"]["contents"]:
        return "the user said nothing"
    if metric.name in _ON_TOOLS and not record["intermediate_events"]:
        return "no tool was used"
    if metric.name not in _ON_COURSE and response(record) is None:
        return "the session ends without an answer"
    return ""


def digest(record: dict[str, Any]) -> str:
    """A record's SHA-256, by which a result is known to belong to it."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def sdk() -> str:
    """The name and version of the installed SDK. Raises InputError where it is not installed."""
    try:
        importlib.import_module("pandas")
        return f"google-cloud-aiplatform {version('google-cloud-aiplatform')}"
    except ImportError:
        raise InputError(
            "the Vertex SDK is not installed", help="pip install 'aigov-eval[vertex]' (several hundred MB)."
        ) from None


def client(project: str, location: str, *, endpoint: str = "") -> Any:
    """
    The SDK's client.

    Credentials are the token in the environment variable AIGOV_VERTEX_TOKEN, or Google's
    application default credentials. Raises InputError where the SDK or credentials are missing.
    """
    sdk()
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    token = os.environ.get(TOKEN, "")
    if token:
        credentials = importlib.import_module("google.oauth2.credentials").Credentials(token=token)
    else:
        auth = importlib.import_module("google.auth")
        try:
            credentials, _ = auth.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])
        except auth.exceptions.GoogleAuthError as error:
            raise InputError(
                f"no Google credentials: {str(error).partition('.')[0]}",
                help=f"run `gcloud auth application-default login`, or set {TOKEN}=$(gcloud auth print-access-token).",
            ) from None
    options = {"base_url": endpoint} if endpoint else None
    platform = importlib.import_module("agentplatform")
    return platform.Client(project=project, location=location, credentials=credentials, http_options=options)


def judge(
    records: Sequence[dict[str, Any]],
    wanted: Sequence[Metric],
    *,
    client: Any,
    workers: int = 4,
    done: Iterable[tuple[str, str]] = (),
) -> Iterator[Judgement]:
    """
    The judgements of all records under all metrics, as they come in.

    `done` are (session id, label) pairs that are not asked again. Errors of the service are
    results; InputError is raised where the installed SDK does not know a metric.
    """
    known = set(done)
    pairs = [
        (one, metric)
        for one in records
        for metric in wanted
        if (one["session_id"], metric.label) not in known
    ]
    asked: list[tuple[dict[str, Any], Metric]] = []
    for one, metric in pairs:
        if reason := not_applicable(one, metric):
            yield Judgement(one["session_id"], metric, {"status": "not_applicable", "reason": reason})
        else:
            asked.append((one, metric))
    with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
        waiting: dict[Future[dict[str, Any]], tuple[str, Metric]] = {
            pool.submit(_ask, client, one, metric): (one["session_id"], metric) for one, metric in asked
        }
        try:
            for future in as_completed(waiting):
                identity, metric = waiting[future]
                yield Judgement(identity, metric, future.result())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _ask(client: Any, record: dict[str, Any], metric: Metric) -> dict[str, Any]:
    """One call of the service, through the SDK."""
    pandas = importlib.import_module("pandas")
    types = importlib.import_module("agentplatform").types
    kind = "both" if metric.name in _ON_TOOLS or metric.name.startswith("MULTI_TURN") else "last-turn"
    try:
        answer = client.evals.evaluate(
            dataset=pandas.DataFrame([row(record, kind)]),  # type: ignore[arg-type]
            metrics=[types.Metric(name=metric.spec)],
        )
        found = answer.eval_case_results[0].response_candidate_results[0].metric_results[metric.spec]
    except ValueError as error:
        if "metric" in str(error).lower():
            raise InputError(
                f"the installed SDK does not know {metric.spec}",
                where="--metrics",
                help=f"leave the version out for {_VERSIONS[metric.name]}, or update: pip install -U 'aigov-eval[vertex]'.",
            ) from None
        return {"status": "error", "error": str(error)}
    except Exception as error:  # noqa: BLE001  # whatever a service call can raise is this case's result
        return {"status": "error", "error": f"{type(error).__name__}: {error}"}
    if found.error_message or found.score is None:
        return {"status": "error", "error": found.error_message or "the service gave no score"}
    verdicts = [verdict.model_dump(mode="json", exclude_none=True) for verdict in found.rubric_verdicts or []]
    return {
        "status": "judged",
        "score": float(found.score),
        "explanation": found.explanation or "",
        "rubric_verdicts": verdicts,
    }
