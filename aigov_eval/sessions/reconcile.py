"""
Checks, judge and leak verdicts side by side.

Comes in: the JSON of `aigov-eval checks`, `judge` and `score` over the same sessions. Goes out:
what each says of each session, how far each two agree (share, and Cohen's kappa, which discounts
agreement by chance), and the sessions on which they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from aigov_eval.agreement import Agreement, agreement_of, rounded
from aigov_eval.errors import InputError
from aigov_eval.sessions.files import JSONL, read_lines, read_value
from aigov_eval.sessions.judged import is_judgements

Source = Literal["checks", "judge", "leaks"]


class Verdict(Struct, frozen=True):
    """What one rater says of one session; `passed` is None where it does not apply or did not answer."""

    source: Source
    rater: str
    passed: bool | None
    reason: str = ""


# session id -> what the raters say of it
Verdicts = dict[str, list[Verdict]]


def read_checks(paths: Sequence[Path]) -> Verdicts:
    """
    What `aigov-eval checks --format json` wrote: sessions with their checks, each pass, fail or not_applicable.

    Raises InputError for another shape.
    """
    found: Verdicts = {}
    for path in paths:
        value = read_value(path)
        sessions = value.get("sessions") if isinstance(value, dict) else None
        for at, session in enumerate(_listed(sessions, path, "/sessions", _CHECKS)):
            where = f"/sessions/{at}"
            identity = _text(session, ("session_id",), path, where, _CHECKS)
            for number, check in enumerate(_listed(session.get("checks"), path, f"{where}/checks", _CHECKS)):
                name = _text(check, ("check", "check_id", "id"), path, f"{where}/checks/{number}", _CHECKS)
                result = check.get("result", check.get("status", check.get("passed")))
                if result not in _RESULTS:
                    raise _wrong(path, f"{where}/checks/{number}", _CHECKS)
                found.setdefault(identity, []).append(
                    Verdict("checks", name, _RESULTS[result], _reasons(check))
                )
    return found


def read_judgements(paths: Sequence[Path], threshold: float) -> Verdicts:
    """What `aigov-eval judge` wrote; a score of at least `threshold` passes. Raises InputError for another shape."""
    found: Verdicts = {}
    for path in paths:
        value = read_value(path)
        if not is_judgements(value):
            raise _wrong(path, "", _JUDGE)
        for session in value["sessions"]:
            verdicts = found.setdefault(str(session["session_id"]), [])
            for label, result in session["results"].items():
                score = result.get("score")
                passed = None if score is None else score >= threshold
                said = " ".join(
                    str(result.get(key, "")) for key in ("explanation", "error", "reason")
                ).strip()
                reason = said if score is None else f"{score:.2f} {said}".strip()
                verdicts.append(Verdict("judge", label, passed, reason))
    return found


def read_scores(paths: Sequence[Path]) -> Verdicts:
    """
    What `aigov-eval score --format json` wrote: a list of scores, or one line `{"id", "scores"}` a session.

    Raises InputError for another shape and for a score that does not say whose it is.
    """
    found: Verdicts = {}
    for path in paths:
        if path.suffix.lower() in JSONL:
            items = [value for _, value in read_lines(path)]
        else:
            value = read_value(path)
            items = value if isinstance(value, list) else [value]
        for at, item in enumerate(items):
            if not isinstance(item, dict):
                raise _wrong(path, f"/{at}", _SCORES)
            scores = item.get("scores", [item])
            for score in _listed(scores, path, f"/{at}/scores", _SCORES):
                names = ("session_id", "transcript_id", "id")
                identity = _text(item if "scores" in item else score, names, path, f"/{at}", _SCORES)
                name = _text(score, ("category",), path, f"/{at}", _SCORES)
                if not isinstance(score.get("pass"), bool):
                    raise _wrong(path, f"/{at}", _SCORES)
                found.setdefault(identity, []).append(Verdict("leaks", name, score["pass"], _finding(score)))
    return found


def side_by_side(sources: Mapping[Source, Verdicts], *, each: bool = False) -> dict[str, Any]:
    """
    The comparison as JSON values: `sessions`, `agreement`, `disagreements`.

    A source with several raters is one rater by default, which passes where all of them that apply
    do; the judge's metrics stay apart. With `each`, every check and category is a rater too.
    Raises InputError where fewer than two sources are given or no session is in two of them.
    """
    if len(sources) < 2:
        raise InputError("two sources are needed", help="give two of --checks, --judge and --scores.")
    order = list(dict.fromkeys(identity for verdicts in sources.values() for identity in verdicts))
    shared = [identity for identity in order if sum(identity in one for one in sources.values()) > 1]
    if not shared:
        raise InputError(
            "no session is in two of the files",
            help="they must be made from the same sessions; their ids are " + ", ".join(order[:3]) + ".",
        )
    table = {
        identity: [one for verdicts in sources.values() for one in _raters(verdicts.get(identity, []), each)]
        for identity in order
    }
    raters = list(dict.fromkeys((one.source, one.rater) for verdicts in table.values() for one in verdicts))
    by_rater = {
        identity: {(one.source, one.rater): one for one in verdicts} for identity, verdicts in table.items()
    }
    agreements: list[Agreement] = []
    disagreements: list[tuple[str, Verdict, Verdict]] = []
    for first, second in combinations(raters, 2):
        if first[0] == second[0]:
            continue
        both = [
            (identity, by_rater[identity].get(first), by_rater[identity].get(second)) for identity in shared
        ]
        judged = [
            (identity, a, b)
            for identity, a, b in both
            if a and b and a.passed is not None and b.passed is not None
        ]
        pairs = [(bool(a.passed), bool(b.passed)) for _, a, b in judged]
        agreements.append(agreement_of(_name(*first), _name(*second), pairs))
        disagreements += [(identity, a, b) for identity, a, b in judged if a.passed != b.passed]
    place = {identity: at for at, identity in enumerate(order)}
    disagreements.sort(key=lambda one: place[one[0]])
    return {
        "sessions": [
            {"session_id": identity, "verdicts": [_said(one) for one in verdicts]}
            for identity, verdicts in table.items()
        ],
        "agreement": [_as_json(one) for one in agreements],
        "disagreements": [
            {"session_id": identity, "a": _said(a), "b": _said(b)} for identity, a, b in disagreements
        ],
    }


def _raters(verdicts: Iterable[Verdict], each: bool) -> list[Verdict]:
    """The verdicts that count as raters: all checks as one, all categories as one, each metric by itself."""
    listed = list(verdicts)
    out: list[Verdict] = []
    for source in ("checks", "leaks"):
        own = [one for one in listed if one.source == source]
        applying = [one for one in own if one.passed is not None]
        failing = [one for one in applying if not one.passed]
        if own:
            reason = "; ".join(f"{one.rater}: {one.reason}" if one.reason else one.rater for one in failing)
            out.append(Verdict(own[0].source, "all", not failing if applying else None, reason))
        out += own if each else []
    return out + [one for one in listed if one.source == "judge"]


def _as_json(one: Agreement) -> dict[str, Any]:
    return {
        "a": one.a,
        "b": one.b,
        "sessions": one.sessions,
        "both_pass": one.both_pass,
        "both_fail": one.both_fail,
        "only_a_passes": one.only_a_passes,
        "only_b_passes": one.only_b_passes,
        "agreement": rounded(one.share),
        "kappa": rounded(one.kappa),
    }


def _said(one: Verdict) -> dict[str, Any]:
    verdict = "not_applicable" if one.passed is None else "pass" if one.passed else "fail"
    return {"rater": _name(one.source, one.rater), "verdict": verdict, "reason": one.reason}


def _name(source: str, rater: str) -> str:
    return source if rater == "all" else f"{source}:{rater}"


_RESULTS: dict[object, bool | None] = {
    "pass": True,
    True: True,
    "fail": False,
    False: False,
    "not_applicable": None,
}
_CHECKS = "the JSON of `aigov-eval checks --format json`"
_JUDGE = "the results of `aigov-eval judge`"
_SCORES = "the JSON of `aigov-eval score --format json`"


def _listed(value: object, path: Path, pointer: str, wanted: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise _wrong(path, pointer, wanted)
    return value


def _text(value: Mapping[str, Any], keys: Sequence[str], path: Path, pointer: str, wanted: str) -> str:
    for key in keys:
        if isinstance(value.get(key), str) and value[key]:
            return str(value[key])
    raise _wrong(path, f"{pointer}/{keys[0]}", wanted)


def _wrong(path: Path, pointer: str, wanted: str) -> InputError:
    where = f"{path}#{pointer}" if pointer else str(path)
    return InputError(f"is not {wanted}", where=where, help=f"give {wanted} here.")


def _reasons(check: Mapping[str, Any]) -> str:
    said = check.get("reasons", check.get("message", check.get("reason", "")))
    listed = said if isinstance(said, list) else [said]
    texts = [one.get("text", one.get("reason", "")) if isinstance(one, dict) else one for one in listed]
    return "; ".join(str(one) for one in texts if one)


def _finding(score: Mapping[str, Any]) -> str:
    findings = score.get("findings")
    shown = [
        f"turn {one.get('turn_index')}: {', '.join(map(str, one.get('detected_fields', [])))}"
        for one in findings or []
        if isinstance(one, dict)
    ]
    return "; ".join(shown)
