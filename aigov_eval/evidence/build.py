"""
The evidence pack of one run: everything that was said, judged and recorded, under one root digest.

Comes in: the parts of a run as the runner has them. Goes out: the object of `evidence_pack.json`
(`aigov_eval/schemas/evidence_pack.json`): the contract's keys, what produced them, and `integrity`.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from aigov_eval.evidence import tree
from aigov_eval.evidence.provenance import produced_by
from aigov_eval.model import Pack

FORMAT = "aigov-eval/evidence-pack@1"
# what stands beside the content, and is not under the root
OUTSIDE = frozenset({"integrity", "signature"})
GUESSABLE = (
    "The salts follow from SOURCE_DATE_EPOCH, so that two runs give the same bytes; of a redacted copy,"
    " what was withheld can be guessed."
)


def build_evidence(
    *,
    scenario: dict[str, Any],
    transcript: list[dict[str, Any]],
    scores: list[dict[str, Any]],
    run_meta: dict[str, Any],
    runner_config: dict[str, Any],
    mock_audit: dict[str, Any] | None,
    http_audit: list[dict[str, Any] | None] | None,
    raw_responses: list[Any],
    limitations: list[str],
    pack: Pack,
    opinions: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """
    The evidence pack of these parts. An audit or a second opinion that is None is left out; `http_audit` is aligned to the
    assistant's entries. Salts are random, except where SOURCE_DATE_EPOCH is set (see `GUESSABLE`).
    """
    from aigov_eval import clock

    epoch = clock.frozen()
    content: dict[str, Any] = {
        "format": FORMAT,
        "run_id": run_meta["run_id"],
        "produced_by": produced_by(pack),
        "scenario": scenario,
        "runner_config": runner_config,
        "run_meta": run_meta,
        "transcript": transcript,
        "scores": scores,
    }
    if mock_audit is not None:
        content["mock_audit"] = mock_audit
    if http_audit is not None:
        content["http_audit"] = http_audit
    content["raw_responses"] = raw_responses
    if opinions is not None:
        content["opinions"] = opinions
    content["limitations"] = [*limitations, GUESSABLE] if epoch is not None else limitations

    def salt(pointer: str) -> str:
        if epoch is None:
            return secrets.token_hex(16)
        return hashlib.sha256(f"{epoch}:{run_meta['run_id']}:{pointer}".encode()).hexdigest()[:32]

    pointers = ["", *(f"/transcript/{index}" for index in range(len(transcript)))]
    return {**content, "integrity": integrity_of(content, {pointer: salt(pointer) for pointer in pointers})}


def integrity_of(content: dict[str, Any], salts: dict[str, str]) -> dict[str, Any]:
    """The `integrity` block of a pack's content: salts, digests of parts and turns, the root."""
    digests = tree.digests_of(content, tree.Record(salts))
    root = digests.pop("")
    return {"format": tree.FORMAT, "salts": salts, "digests": dict(sorted(digests.items())), "root": root}
