"""
One conversation with a target, from the first turn or from where its journal ends.

Comes in: a job, a target, an open journal. Goes out: a `Conversation`: the transcript's entries, what
was received for each answer, and the failure that ended it, if any. An answer is in the journal before
the next turn is sent.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from aigov_eval import clock
from aigov_eval.errors import EvidenceError
from aigov_eval.model import Scenario
from aigov_eval.runner.journal import Journal
from aigov_eval.runner.pace import Limits, Pace, ask_until_answered
from aigov_eval.runner.plan import Job
from aigov_eval.runner.target import Ask, Message, Reply, Target, Unanswered


class Conversation(Struct, frozen=True):
    """
    What was said. `entries` are `{turn_index, role, content}` over user and assistant; `answers` are the
    journal's records of the assistant's entries, in order; `failure` is its record of what ended it.
    """

    entries: tuple[dict[str, Any], ...]
    answers: tuple[dict[str, Any], ...]
    failure: dict[str, Any] | None
    failures_before: tuple[dict[str, Any], ...]
    started_at: str
    finished_at: str
    session_id: str
    resumed: int


async def converse(
    job: Job,
    target: Target,
    journal: Journal,
    *,
    session_id: str,
    limits: Limits,
    pace: Pace,
    answered: Callable[[], None],
) -> Conversation:
    """
    Ask every user turn that the journal does not answer yet; `answered` is called after each answer.

    Raises InputError where the journal cannot be written, EvidenceError where it is of another scenario.
    """
    scenario = job.chosen.scenario
    start = _started(journal, job, session_id)
    entries = _entries(journal.records, scenario, journal)
    failure = None
    for content in _user_turns(scenario)[len(entries) // 2 :]:
        index = len(entries)
        user = {"turn_index": index, "role": "user", "content": content}
        ask = Ask(_messages(scenario, [*entries, user]), index + 1, start["session_id"], scenario)
        began = time.monotonic()
        try:
            reply, attempts = await ask_until_answered(target, ask, limits, pace)
        except Unanswered as unanswered:
            failure = _withheld(target, journal, _failure_record(unanswered, index + 1))
            journal.append(failure)
            break
        record = _answer_record(reply, index + 1, content, clock.seconds_since(began))
        if attempts:
            record["attempts"] = [asdict(attempt) for attempt in attempts]
        record = _withheld(target, journal, record)
        # nothing awaits between the answer and the disk: a cancelled run cannot lose it
        journal.append(record)
        entries = _entries(journal.records, scenario, journal)
        answered()
        # a target in this process answers at once; let the other conversations have their turn
        await asyncio.sleep(0)
    if failure is None:
        journal.append({"event": "end", "at": clock.now()})
    return conversation_of(journal, job)


def _withheld(target: Target, journal: Journal, record: dict[str, Any]) -> dict[str, Any]:
    """The record of an answer without what it tells of our secrets; one that it completes goes out of those before it as well."""
    before = [one for one in journal.records if one["event"] == "answer"]
    *earlier, left = target.withheld([*before, record])
    if earlier != before:
        journal.replace_answers(earlier)
    return left


def conversation_of(journal: Journal, job: Job) -> Conversation:
    """The conversation that a journal holds, as far as it went."""
    records = journal.records
    entries = _entries(records, job.chosen.scenario, journal)
    failures = [record for record in records if record["event"] == "failure"]
    last = records[-1]
    return Conversation(
        entries=tuple(entries),
        answers=tuple(record for record in records if record["event"] == "answer"),
        failure=last if last["event"] == "failure" else None,
        failures_before=tuple(failure for failure in failures if failure is not last),
        started_at=records[0]["at"],
        finished_at=last["at"],
        session_id=records[0]["session_id"],
        resumed=sum(record["event"] == "resume" for record in records),
    )


def is_ended(journal: Journal) -> bool:
    """Whether all turns were answered and only the final files may be missing."""
    return bool(journal.records) and journal.records[-1]["event"] == "end"


def _started(journal: Journal, job: Job, session_id: str) -> dict[str, Any]:
    """The journal's first record; a fresh journal gets one, another one is marked as resumed."""
    if journal.records:
        first = journal.records[0]
        if first.get("event") != "start" or first.get("scenario_sha256") != job.chosen.sha256:
            raise EvidenceError(
                "is the journal of another scenario",
                where=str(journal.path),
                help="move the run's folder away; --resume then asks this scenario anew.",
            )
        journal.append({"event": "resume", "at": clock.now()})
        return first
    journal.append(
        {
            "event": "start",
            "at": clock.now(),
            "run_id": job.run_id,
            "scenario_sha256": job.chosen.sha256,
            "session_id": session_id,
        }
    )
    return journal.records[0]


def _user_turns(scenario: Scenario) -> list[str]:
    return [turn.content for turn in scenario.turns if turn.role == "user"]


def _messages(scenario: Scenario, entries: list[dict[str, Any]]) -> tuple[Message, ...]:
    """What is sent: the auditor's seed and the scenario's system turns first, then the history."""
    system = [scenario.auditor_seed] if scenario.auditor_seed else []
    system += [turn.content for turn in scenario.turns if turn.role == "system"]
    history: list[Message] = [{"role": "system", "content": text} for text in system]
    # a tool call without its result is refused by most endpoints, and no tool was run: it stays in the transcript alone
    history += [{"role": entry["role"], "content": entry["content"] or "(tool call)"} for entry in entries]
    return tuple(history)


def _entries(records: list[dict[str, Any]], scenario: Scenario, journal: Journal) -> list[dict[str, Any]]:
    """The transcript's entries that the journal holds; raises EvidenceError where they are not the scenario's."""
    entries: list[dict[str, Any]] = []
    users = _user_turns(scenario)
    for record in records:
        if record.get("event") != "answer":
            continue
        index = len(entries)
        if record.get("turn_index") != index + 1 or users[index // 2 : index // 2 + 1] != [
            record.get("user")
        ]:
            raise EvidenceError(
                f"the answer {index // 2 + 1} does not belong to this scenario",
                where=str(journal.path),
                help="move the run's folder away; --resume then asks this scenario anew.",
            )
        entries += [{"turn_index": index, "role": "user", "content": record["user"]}, _entry(record)]
    return entries


def _entry(record: dict[str, Any]) -> dict[str, Any]:
    entry = {"turn_index": record["turn_index"], "role": "assistant", "content": record["content"]}
    if record.get("tool_calls"):
        entry["tool_calls"] = record["tool_calls"]
    return entry


def _answer_record(reply: Reply, index: int, user: str, seconds: float) -> dict[str, Any]:
    record: dict[str, Any] = {
        "event": "answer",
        "at": clock.now(),
        "turn_index": index,
        "user": user,
        "content": reply.content,
        "seconds": seconds,
        "raw": reply.raw,
        "audit": reply.audit,
    }
    optional = {
        "citations": reply.citations,
        "usage": reply.usage,
        "model": reply.model,
        "finish": reply.finish,
        "tool_calls": list(reply.tool_calls),
        "unread": list(reply.unread),
    }
    return {**record, **{key: value for key, value in optional.items() if value}}


def _failure_record(unanswered: Unanswered, index: int) -> dict[str, Any]:
    return {
        "event": "failure",
        "at": clock.now(),
        "turn_index": index,
        "kind": unanswered.kind,
        "message": unanswered.text,
        "help": unanswered.help,
        "raw": unanswered.raw,
        "attempts": [asdict(attempt) for attempt in unanswered.attempts],
    }
