"""
What is said of a second opinion: before asking what it would take, afterwards what it took and what has no opinion.

Comes in: what is to be asked, what it costs, what is missing. Goes out: lines for people.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from aigov_eval.cli.say import say
from aigov_eval.opinion.asking import Spent
from aigov_eval.opinion.config import Config
from aigov_eval.opinion.cost import estimate, over_budget, total
from aigov_eval.opinion.folder import place_of
from aigov_eval.opinion.second import Plan, Settings
from aigov_eval.opinion.wanted import Wanted
from aigov_eval.text.printable import in_line

_MOST = 10  # missing opinions that are named one by one


def say_estimate(
    plans: Sequence[Plan], conversations: int, wanted: Sequence[Wanted], config: Config, votes: int
) -> None:
    """What asking would take, on standard output."""
    cost = total(estimate(one.messages, config) for one in wanted)
    asked = [(number, question) for number, plan in enumerate(plans) for question in plan.all()]
    turns = {(number, question.request.turn_index) for number, question in asked}
    kinds = Counter(question.why for _, question in asked)
    why = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items())) or "none"
    seconds = cost.seconds / config.concurrency
    say(
        f"questions       {len(asked)} over {len(turns)} turns of {conversations} conversations ({why}), {votes} times each"
    )
    say(f"from the store  {len(asked) * votes - len(wanted)}")
    say(f"calls to make   {len(wanted)}")
    say(f"tokens          about {cost.sent} sent and {cost.received} received")
    say(f"time            about {seconds:.0f} s, {config.concurrency} at a time")
    if cost.money is None:
        say("money           unknown: the config has no prices" if wanted else "money           nothing")
    else:
        say(f"money           about {cost.money:.4f} {cost.currency}")
    say(f"goes to         {_goes_to(config)}, {'masked' if config.mask else 'not masked'}")
    over = over_budget(cost, seconds, config.budget)
    if over:
        bounds = ", ".join(f"{name} {most:g}" for name, most in over.items())
        say(f"budget          ends before that: {bounds}")


def _goes_to(config: Config) -> str:
    target = config.target
    return in_line(str(target.get("base_url") or target.get("url") or target.get("function")))


def say_spent(
    questions: int,
    wanted: Sequence[Wanted],
    spent: Spent,
    missing: Sequence[tuple[str, dict[str, Any]]],
    votes: int,
    settings: Settings,
) -> None:
    """What asking took, on standard error, and by name what has no opinion."""
    stored = questions * votes - len(wanted)
    say(
        f"second opinion: {questions} questions, {stored} answers from the store, {spent.asked} asked now"
        f" ({spent.cost.told()}), {len(missing)} without an opinion",
        file=sys.stderr,
    )
    if spent.stopped:
        say(
            f"note: {in_line(spent.stopped)}; {len(wanted) - spent.asked} of {len(wanted)} questions were not asked",
            file=sys.stderr,
        )
    level = "error" if settings.decide != "rules" else "warning"
    for name, one in missing[:_MOST]:
        text = f"{name}, {place_of(one)}: {one['status']}: {one['problem']}"
        say(f"{level}: no opinion on {in_line(text)}", file=sys.stderr)
    if len(missing) > _MOST:
        say(f"{level}: no opinion on {len(missing) - _MOST} more", file=sys.stderr)
    if missing and settings.decide != "rules":
        say(
            "  help: run it again: what was answered is kept, what failed is asked again (--again for the rest too);"
            " --decide rules does without.",
            file=sys.stderr,
        )
