"""Layer 2: what is sent to the service, what is not, and that nothing paid for is lost."""

from __future__ import annotations

import importlib.util
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.cli.main import run
from aigov_eval.errors import InputError
from aigov_eval.sessions import judged, opencode, vertex_judge
from aigov_eval.sessions.files import write_values
from aigov_eval.sessions.record import record
from aigov_eval.sessions.vertex_rows import row
from tests.sessions.builders import STEP, called, info, model, plain, said, user

with_sdk = pytest.mark.skipif(
    importlib.util.find_spec("agentplatform") is None,
    reason="the Vertex SDK is not installed: pip install 'aigov-eval[vertex]'",
)
# the SDK and what it loads warn at import of things that are not ours
quiet = pytest.mark.filterwarnings("ignore")


def records() -> list[dict[str, Any]]:
    """A session with tools, one without, and one that ends with the user after a call."""
    talk = (info("ses_b"), [user(101, said("42")), model(102, STEP, said("43"))])
    cut = (info("ses_c"), [user(201, said("a")), model(202, STEP, called("x")), user(203, said("b"))])
    return [record(opencode.session(*one)) for one in (plain("ses_a"), talk, cut)]


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        ("TOOL_USE_QUALITY", ["TOOL_USE_QUALITY@v1"]),
        ("tool_use_quality@v2, safety", ["TOOL_USE_QUALITY@v2", "SAFETY@v1"]),
        ("SAFETY,SAFETY", ["SAFETY@v1"]),
        ("SAFETY@v1,SAFETY@v3", ["SAFETY@v1", "SAFETY@v3"]),
    ],
)
def test_metrics(names: str, labels: list[str]) -> None:
    """Every metric has a version, so that the judge does not change under its user."""
    assert [metric.label for metric in vertex_judge.metrics(names)] == labels


@pytest.mark.parametrize("names", ["", " , ", "TOOL_QUALITY", "GROUNDING", "SAFETY@2", "SAFETY@v"])
def test_unknown_metrics(names: str) -> None:
    """A metric that sessions cannot be judged by is refused before anything is sent."""
    with pytest.raises(InputError) as caught:
        vertex_judge.metrics(names)
    assert caught.value.where == "--metrics" and caught.value.help


@pytest.mark.parametrize(
    ("metric", "reasons"),
    [
        ("TOOL_USE_QUALITY", ["", "no tool was used", ""]),
        ("MULTI_TURN_TOOL_USE_QUALITY", ["", "no tool was used", ""]),
        ("MULTI_TURN_GENERAL_QUALITY", ["", "", "the session ends without an answer"]),
        ("MULTI_TURN_TASK_SUCCESS", ["", "", ""]),
        ("SAFETY", ["", "", "the session ends without an answer"]),
    ],
)
def test_what_does_not_apply(metric: str, reasons: list[str]) -> None:
    """No tool use: not sent to a tool-use metric. No answer: not sent to a metric of answers."""
    (wanted,) = vertex_judge.metrics(metric)
    assert [vertex_judge.not_applicable(one, wanted) for one in records()] == reasons


def test_without_the_sdk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the extra, one line says what to install."""

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(vertex_judge, "version", missing)
    path = tmp_path / "r.jsonl"
    write_values(path, records())
    assert run(["judge", "vertex", str(path), "--project", "p"]) == 2
    assert "pip install 'aigov-eval[vertex]'" in capsys.readouterr().err


class Service:
    """A loopback stand-in for `:evaluateInstances`: keeps what it was sent, answers or refuses."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.refuse: Callable[[dict[str, Any]], bool] = lambda _: False
        service = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                service.asked.append(
                    {"path": self.path, "authorization": self.headers["authorization"], **body}
                )
                answer: dict[str, Any] = {"metricResults": [{"score": 0.5, "explanation": "so so"}]}
                status = 200
                if service.refuse(body):
                    answer, status = {"error": {"code": 400, "message": "too odd"}}, 400
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def specs(self) -> list[str]:
        """The metrics that were asked for, sorted."""
        return sorted(one["metrics"][0]["predefined_metric_spec"]["metric_spec_name"] for one in self.asked)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The stand-in, running, with a token that needs no Google account."""
    monkeypatch.setenv(vertex_judge.TOKEN, "t0ken")
    stand_in = Service()
    thread = threading.Thread(target=stand_in.server.serve_forever, daemon=True)
    thread.start()
    yield stand_in
    stand_in.server.shutdown()
    stand_in.server.server_close()
    thread.join()


@with_sdk
@quiet
def test_judging(
    tmp_path: Path, service: Service, judgements_schema: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The SDK asks once a record and metric, with tool data; results stand beside the records and are kept."""
    path = tmp_path / "records.jsonl"
    write_values(path, records())
    args = ["judge", "vertex", str(path), "--project", "p", "--location", "l", "--endpoint", service.url]
    assert run(args) == 0
    assert service.specs() == ["multi_turn_general_quality_v1"] * 2 + ["tool_use_quality_v1"] * 2
    assert {one["path"] for one in service.asked} == {"/v1beta1/projects/p/locations/l/:evaluateInstances"}
    assert {one["authorization"] for one in service.asked} == {"Bearer t0ken"}
    (whole,) = [
        one["instance"]
        for one in service.asked
        if "What does main.py" in str(one)
        and "tool_use" in one["metrics"][0]["predefined_metric_spec"]["metric_spec_name"]
    ]
    turns = whole["agent_eval_data"]["turns"]
    names = [
        part["function_call"]["name"]
        for turn in turns
        for event in turn["events"]
        for part in event["content"]["parts"]
        if "function_call" in part
    ]
    assert names == ["read", "edit", "bash"]
    found = json.loads((tmp_path / "records.vertex.json").read_text("utf-8"))
    judgements_schema.validate(found)
    assert [one["session_id"] for one in found["sessions"]] == ["ses_a", "ses_b", "ses_c"]
    second = found["sessions"][1]["results"]
    assert second["TOOL_USE_QUALITY@v1"] == {"status": "not_applicable", "reason": "no tool was used"}
    assert second["MULTI_TURN_GENERAL_QUALITY@v1"]["score"] == 0.5
    assert found["summary"]["TOOL_USE_QUALITY@v1"] == {
        "judged": 2,
        "error": 0,
        "not_applicable": 1,
        "not_judged": 0,
        "mean_score": 0.5,
    }
    out, err = capsys.readouterr()
    assert "TOOL_USE_QUALITY@v1" in out and "Traceback" not in err
    # a second run asks nothing again, a third only for what is new, and neither drops what was there
    service.asked.clear()
    assert run(args) == 0
    assert service.asked == []
    assert run([*args, "--metrics", "SAFETY"]) == 0
    assert service.specs() == ["safety_v1"] * 2
    again = json.loads((tmp_path / "records.vertex.json").read_text("utf-8"))
    assert set(again["sessions"][0]["results"]) == {
        "MULTI_TURN_GENERAL_QUALITY@v1",
        "SAFETY@v1",
        "TOOL_USE_QUALITY@v1",
    }


@with_sdk
@quiet
def test_errors_are_kept(
    tmp_path: Path, service: Service, judgements_schema: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """One refused case is that case's result: the others are judged, the exit code is 2, and it is asked again."""
    path = tmp_path / "records.json"
    write_values(path, records())
    service.refuse = lambda body: "What does main.py" in str(body)
    args = [
        "judge",
        "vertex",
        str(path),
        "--project",
        "p",
        "--endpoint",
        service.url,
        "--metrics",
        "MULTI_TURN_TASK_SUCCESS",
    ]
    assert run(args) == 2
    err = capsys.readouterr().err
    assert "error: ses_a MULTI_TURN_TASK_SUCCESS@v1" in err and "too odd" in err and "Traceback" not in err
    found = json.loads((tmp_path / "records.vertex.json").read_text("utf-8"))
    judgements_schema.validate(found)
    statuses = [one["results"]["MULTI_TURN_TASK_SUCCESS@v1"]["status"] for one in found["sessions"]]
    assert statuses == ["error", "judged", "judged"]
    service.refuse = lambda _: False
    service.asked.clear()
    assert run(args) == 0
    assert len(service.asked) == 1


@with_sdk
@quiet
def test_a_version_that_the_sdk_does_not_know(
    tmp_path: Path, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown version is one line; nothing is sent and nothing written."""
    path = tmp_path / "records.json"
    write_values(path, records())
    args = [
        "judge",
        "vertex",
        str(path),
        "--project",
        "p",
        "--endpoint",
        service.url,
        "--metrics",
        "SAFETY@v77",
    ]
    assert run(args) == 2
    assert "does not know safety_v77" in capsys.readouterr().err
    assert service.asked == []
    assert not (tmp_path / "records.vertex.json").exists()


@with_sdk
@quiet
@pytest.mark.parametrize("rows", ["both", "last-turn", "agent-data"])
def test_the_sdk_reads_every_row(tmp_path: Path, rows: Any) -> None:
    """The SDK's own loader, schema detection and converter keep all tool calls, prompts that are digits included."""
    import_module = importlib.import_module
    import_module("agentplatform._genai.evals")
    converters = import_module("agentplatform._genai._evals_data_converters")
    utils = import_module("agentplatform._genai._evals_utils")
    made = [(one, found) for one in records() if (found := row(one, rows)) is not None]
    path = tmp_path / "rows.jsonl"
    for group in (made, *([pair] for pair in made)):
        write_values(path, [found for _, found in group])
        loader = utils.EvalDatasetLoader.__new__(utils.EvalDatasetLoader)
        loaded = loader.load(str(path))
        schema = converters.auto_detect_dataset_schema(loaded)
        assert str(schema.value).lower() == "flatten"
        cases = converters.get_dataset_converter(schema).convert(loaded).eval_cases
        assert [case.session_id for case in cases] == [one["session_id"] for one, _ in group]
        for (one, _), case in zip(group, cases, strict=True):
            last = len(one["request"]["contents"]) + 1
            names = [event["function_call"]["name"] for event in one["intermediate_events"]]
            if rows != "agent-data":
                expected = [
                    event["function_call"]["name"]
                    for event in one["intermediate_events"]
                    if event["turn"] == last
                ]
                assert _names(case.intermediate_events or []) == expected
                assert case.prompt.parts[0].text == one["prompt"]
                assert len(case.conversation_history or []) == len(one["conversation_history"])
                said_last = [part.text for found in case.responses or [] for part in found.response.parts]
                assert said_last == [c["content"]["parts"][0]["text"] for c in one["response"]["candidates"]]
            if rows != "last-turn":
                events = [event for turn in case.agent_data.turns for event in turn.events]
                assert _names(events) == names


def _names(events: list[Any]) -> list[str]:
    return [part.function_call.name for event in events for part in event.content.parts if part.function_call]


@with_sdk
@quiet
def test_a_record_as_it_stands_loses_its_tools() -> None:
    """Why the export exists: the SDK reads a record, and drops its tool calls without a word."""
    importlib.import_module("agentplatform._genai.evals")
    converters = importlib.import_module("agentplatform._genai._evals_data_converters")
    schema = converters.auto_detect_dataset_schema(records()[:1])
    (case,) = converters.get_dataset_converter(schema).convert(records()[:1]).eval_cases
    assert str(schema.value).lower() == "gemini"
    assert case.prompt.parts[0].text == "Make it print bye."
    assert case.reference is None or case.reference.response is None
    assert not case.intermediate_events


def test_results_of_a_changed_record_are_not_reused(tmp_path: Path) -> None:
    """A judgement belongs to the record's bytes; sessions that are not in this run are kept untouched."""
    (metric,) = vertex_judge.metrics("SAFETY")
    verdict = {"status": "judged", "score": 1.0, "explanation": "", "rubric_verdicts": []}
    held = records()
    path = tmp_path / "r.vertex.json"
    results = {one["session_id"]: {metric.label: verdict} for one in held}
    write_values(path, [judged.document({"name": "vertex"}, [metric], held, results)])
    assert judged.earlier(path, held).done([metric]) == {(one["session_id"], metric.label) for one in held}
    changed = [held[0] | {"title": "other"}, held[1]]
    before = judged.earlier(path, changed)
    assert before.done([metric]) == {("ses_b", "SAFETY@v1")}
    assert [one["session_id"] for one in before.others] == ["ses_c"]


@pytest.mark.parametrize("content", ["[]", '{"judge": {}}', "{"])
def test_another_file_is_not_overwritten(tmp_path: Path, content: str) -> None:
    """A file in the place of the results that is none of ours ends the run."""
    path = tmp_path / "r.vertex.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError):
        judged.earlier(path, records())


def test_what_was_not_reached_is_told(judgements_schema: Any) -> None:
    """A document of an interrupted run says of each result that is missing."""
    metrics = vertex_judge.metrics("SAFETY,TEXT_QUALITY")
    found = judged.document({"name": "vertex"}, metrics, records(), {})
    judgements_schema.validate(found)
    assert found["summary"]["SAFETY@v1"]["not_judged"] == 3
    assert found["summary"]["SAFETY@v1"]["mean_score"] is None
