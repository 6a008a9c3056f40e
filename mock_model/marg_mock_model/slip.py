"""Slips: what a model does wrong, told to the mock as a part of its script, each at a rate that a seed draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from marg_mock_model.chance import chance
from marg_mock_model.script import Call, Script, ScriptCall, filled_calls
from marg_mock_model.situation import Situation
from marg_mock_model.template import fill, fill_value
from marg_mock_model.when import When
from marg_runtime.canonical import Json
from marg_runtime.model import FinishReason

SlipKind = Literal[
    "asks_the_question",
    "skips_question",
    "attests_unsaid",
    "creates_early",
    "overrides_value",
    "claims_success",
    "wrong_tool",
    "bad_arguments",
    "refuses",
    "empty",
    "stops_early",
]

SLIP_KINDS: tuple[SlipKind, ...] = get_args(SlipKind)
CLAIM = "It has been created."
REFUSAL = "I cannot help with that."

_SENTENCE = re.compile(r".+?(?:[.!?。！？؟]+(?=\s|$)|[。！？]|$)\s*", re.DOTALL)
_ASKS = ("?", "？", "؟")


@dataclass(frozen=True, kw_only=True)
class Slip:
    """One slip: where it may happen, how often, and what it says or calls.

    `states` is empty where it may happen in any; `rate` is a share of the replies that it fits. `number` counts from 1
    in the order of the file, and is drawn with.
    """

    kind: SlipKind
    number: int
    rate: float
    states: tuple[str, ...]
    when: When
    text: str
    tool: str | None
    arguments: Mapping[str, Json]
    calls: tuple[Call, ...]
    finish: FinishReason | None
    path: str
    line: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Draw:
    """What slips are drawn with: the same seed, scenario, turn and call slip alike on every run."""

    seed: int = 0
    scenario: str = ""
    rates: Mapping[SlipKind, float] | None = None

    def hits(self, slip: Slip, situation: Situation) -> bool:
        """Whether a slip happens; a rate of `rates` stands instead of the file's."""
        rate = (self.rates or {}).get(slip.kind, slip.rate)
        return chance(self.seed, self.scenario, situation.turn, situation.call, slip.kind, slip.number) < rate


@dataclass(frozen=True, kw_only=True)
class Slipped:
    """A script as a slip left it."""

    slip: Slip
    script: Script


def slipped(script: Script, *, state: str, situation: Situation, slips: tuple[Slip, ...], draw: Draw) -> Slipped | None:
    """The first slip that fits the state and the situation, is drawn and changes anything; None where there is none."""
    for slip in slips:
        if slip.states and state not in slip.states:
            continue
        groups = slip.when.groups(situation)
        if groups is None or not draw.hits(slip, situation):
            continue
        changed = _PLAYS[slip.kind](script, slip, groups)
        if changed is not None and changed != script:
            return Slipped(slip=slip, script=changed)
    return None


def _said(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script:
    """Say something more."""
    words = fill(slip.text, groups) or CLAIM
    return replace(script, text=f"{script.text} {words}" if script.text else words)


def _skipped(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script | None:
    """Leave every question out."""
    kept = [s for s in _SENTENCE.findall(script.text) if not s.rstrip().endswith(_ASKS)]
    return replace(script, text="".join(kept).rstrip() or fill(slip.text, groups))


def _called(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script:
    """Call something more."""
    calls = (*script.calls, *filled_calls(slip.calls, groups))
    return replace(script, calls=calls, finish=slip.finish or "tool_calls")


def _renamed(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script | None:
    """Call another tool, with the same arguments."""
    tool = str(slip.tool)
    return _with_calls(script, lambda call: replace(call, tool=tool))


def _overridden(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script | None:
    """Give some arguments other values, in the calls of a tool or in all."""
    given = {key: fill_value(value, groups) for key, value in slip.arguments.items()}
    return _with_calls(script, lambda call: replace(call, arguments={**call.arguments, **given}), tool=slip.tool)


def _broken(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script | None:
    """Give nothing but the slip's own arguments, by default none."""
    given = {key: fill_value(value, groups) for key, value in slip.arguments.items()}
    return _with_calls(script, lambda call: replace(call, arguments=given), tool=slip.tool)


def _refused(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script:
    return Script(text=fill(slip.text, groups) or REFUSAL, calls=(), finish=slip.finish or "refusal")


def _emptied(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script:
    return Script(text="", calls=(), finish=slip.finish or "stop")


def _stopped(script: Script, slip: Slip, groups: Mapping[str, str]) -> Script:
    """Say the first half of the words, and call nothing."""
    words = re.findall(r"\s*\S+", script.text)
    return Script(text="".join(words[: len(words) // 2]), calls=(), finish=slip.finish or "stop")


def _with_calls(
    script: Script, change: Callable[[ScriptCall], ScriptCall], *, tool: str | None = None
) -> Script | None:
    calls = tuple(change(call) if tool in (None, call.tool) else call for call in script.calls)
    return replace(script, calls=calls) if calls != script.calls else None


_Play = Callable[[Script, Slip, Mapping[str, str]], Script | None]
_PLAYS: Mapping[SlipKind, _Play] = {
    "asks_the_question": _said,
    "skips_question": _skipped,
    "attests_unsaid": _called,
    "creates_early": _called,
    "overrides_value": _overridden,
    "claims_success": _said,
    "wrong_tool": _renamed,
    "bad_arguments": _broken,
    "refuses": _refused,
    "empty": _emptied,
    "stops_early": _stopped,
}
