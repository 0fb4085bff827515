"""
LangSmith runs: `run_type` with `inputs` and `outputs`, one by one, in the answer of a query, or as the client sends them.

Comes in: one run, `{"runs": [...]}`, or the body of `POST /runs/batch`: `{"post": [...], "patch": [...]}`, where `post` begins
runs and `patch` ends them (https://docs.langchain.com/langsmith/trace-with-api). Goes out: one Transcript of a run; of
several, those of the model's runs and of the outermost ones that are not the beginning of another. Messages may be
OpenAI's, LangChain's serialised ones, or bare texts under the names that chains give them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from aigov_eval.errors import InputError
from aigov_eval.model import Transcript
from aigov_eval.readers import values
from aigov_eval.readers.conversation import Conversation, id_of, side, subject_in
from aigov_eval.readers.several import readable, without_prefixes
from aigov_eval.readers.shape import Format, Mark, a_list, a_text, an_object

_NAME = "langsmith"
# a run, where it stands, and where its outputs stand
_Run = tuple[dict[str, Any], str, str]


def _read(value: dict[str, Any], pointer: str) -> list[Transcript]:
    return _read_run(value, pointer, pointer)


def _read_run(value: dict[str, Any], pointer: str, ended: str) -> list[Transcript]:
    """One run; `ended` is where its outputs stand, which may be another place than its inputs'."""
    conversation = Conversation()
    inputs = value.get("inputs")
    side(conversation, "user", inputs, f"{pointer}/inputs")
    if value.get("outputs") is not None:
        outputs = value["outputs"]
        if isinstance(outputs, dict) and isinstance(outputs.get("messages"), list):
            # a chain's output repeats its input before what it adds
            listed, before = outputs["messages"], inputs.get("messages") if isinstance(inputs, dict) else None
            repeated = len(before) if isinstance(before, list) and listed[: len(before)] == before else 0
            for index, message in enumerate(listed[repeated:], repeated):
                conversation.append(message, f"{ended}/outputs/messages/{index}")
        else:
            side(conversation, "assistant", outputs, f"{ended}/outputs")
    extra = value.get("extra")
    about = subject_in(inputs, extra.get("metadata") if isinstance(extra, dict) else None)
    return [conversation.transcript(_NAME, None, pointer, id=id_of(value), about=about)]


def _read_batch(value: dict[str, Any], pointer: str) -> list[Transcript]:
    """The runs of a batch, each as it was begun with what ended it."""
    runs: dict[str, _Run] = {}
    for key in ("post", "patch"):
        listed = value.get(key) or []
        if not isinstance(listed, list):
            raise values.wrong(listed, "a list of runs", f"{pointer}/{key}")
        for index, run in enumerate(listed):
            at = f"{pointer}/{key}/{index}"
            if not isinstance(run, dict):
                raise values.wrong(run, "a run", at)
            begun, place, ended = runs.get(str(run.get("id")), ({}, at, at))
            told = {name: item for name, item in run.items() if item not in (None, {})}
            runs[str(run.get("id"))] = ({**begun, **told}, place, at if "outputs" in told else ended)
    return _read_runs(list(runs.values()), pointer)


def _read_query(value: dict[str, Any], pointer: str) -> list[Transcript]:
    places = ((run, f"{pointer}/runs/{index}") for index, run in enumerate(value["runs"]))
    return _read_runs([(run, at, at) for run, at in places if isinstance(run, dict)], pointer)


def _read_runs(runs: list[_Run], pointer: str) -> list[Transcript]:
    """The model's runs and the outermost ones, in the order of their trace; what tools and parts of chains did is inside them."""
    wanted = [
        (run, at, ended)
        for run, at, ended in runs
        if (run.get("inputs") or run.get("outputs")) and (run.get("run_type") == "llm" or not _parent(run))
    ]
    wanted.sort(key=lambda one: str(one[0].get("dotted_order") or ""))
    found = readable(partial(_read_run, *one) for one in wanted)
    if not found:
        raise InputError(
            "no run of a model and no outermost run is among these",
            where=pointer,
            help="give the runs with their inputs and outputs.",
        )
    return without_prefixes(found)


def _parent(run: dict[str, Any]) -> bool:
    return bool(run.get("parent_run_id")) or "." in str(run.get("dotted_order") or "")


def _is_run(found: object) -> bool:
    return (
        isinstance(found, dict)
        and "id" in found
        and any(key in found for key in ("run_type", "trace_id", "dotted_order"))
    )


def _runs(path: str) -> tuple[Mark, ...]:
    return (a_list(path), Mark(f"{path}/0", "a run", _is_run))


FORMATS = (
    Format(_NAME, (a_text("/run_type"), an_object("/inputs")), _read),
    Format(_NAME, _runs("/post"), _read_batch),
    Format(_NAME, _runs("/patch"), _read_batch),
    Format(_NAME, _runs("/runs"), _read_query),
)
