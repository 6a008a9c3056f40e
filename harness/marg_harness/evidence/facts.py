"""What a red says of itself, without another run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, get_args

from marg_reports import Red
from marg_reports.triage import RedFacts
from marg_reports.triage.observed import red_signature
from marg_reports.triage.words import WireState
from marg_runtime.wire import WireKind

FLAKES: Mapping[str, str] = {
    "skips_question": "skipped_question",
    "attests_unsaid": "unsaid_item",
    "wrong_tool": "wrong_tool",
    "bad_arguments": "bad_arguments",
    "asks_the_question": "asked_settled",
    "stops_early": "early_stop",
    "empty": "early_stop",
    "refuses": "refusal",
}
"""What a slip of the mock model's is called among the flakes; of a real model it is told by the check alone."""


NOT_THE_WIRE = (None, "request")
"""How an exchange can end badly though the wire did its part: the reply was of no use, or the request was refused."""


def red_facts(red: Red, *, settings: Mapping[str, Any], expected: Collection[str] = ()) -> RedFacts:
    """The facts of a red. settings: of its run. expected: ids of checks for which the change says `expect-change`."""
    turns = red.scenario.turns[: red.turn + 1]
    slips = [slip for turn in turns for slip in turn.slips]
    events = [event for turn in turns for event in turn.wire if isinstance(event, Mapping)]
    broken = [event for event in events if event.get("phase") == "broken" and event.get("kind") not in NOT_THE_WIRE]
    noisy = [event for event in events if event.get("phase") == "noise"]
    wire: WireState = "broken" if broken else "recovered" if noisy else "clean"
    return RedFacts(
        id=red.id,
        owner=red.check.owner,
        signature=red_signature(red),
        replies="recorded" if slips or settings.get("model") else "mock",
        wire=wire,
        wire_kind=_kind(broken),
        raised=red.check.raised,
        flake=FLAKES.get(slips[-1], "wording") if slips else "wording",
        expected_change=red.id in expected,
    )


def _kind(broken: list[Mapping[str, Any]]) -> WireKind | None:
    kind = broken[-1].get("kind") if broken else None
    return kind if kind in get_args(WireKind) else None
