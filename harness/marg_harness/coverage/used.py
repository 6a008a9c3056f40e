"""What a run used, read from its record: the ledger's events, and the machine's places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from marg_reports import TurnRecord
from marg_runtime.steps.confirm import CONFIRM_KEY, CREATE, DECLINE
from marg_runtime.steps.option import option_id

_MEANINGS = {"SummaryDeclined": DECLINE, "ReviewOpened": "review", "StepSkipped": "skip"}


def used_steps(turn: TurnRecord) -> Iterator[str]:
    """The steps whose questions were drawn."""
    yield from (str(event["step"]) for event in _events(turn, "QuestionDrawn"))


def used_blocks(turn: TurnRecord) -> Iterator[str]:
    """The kinds of block that were drawn."""
    yield from (str(event["kind"]) for event in _events(turn, "QuestionDrawn"))
    yield from ("receipt" for _ in _events(turn, "ReceiptShown"))


@dataclass(frozen=True, kw_only=True)
class DrawnOption:
    """An option of a drawn question: the step that asks, and the label."""

    step: str
    label: str


@dataclass(frozen=True, kw_only=True)
class OpenOption:
    """An option of the open block. means: `skip`, or what the confirmation's own options stand for."""

    option: DrawnOption
    means: str = ""


Options: TypeAlias = Mapping[str, OpenOption]
"""The options of an open block by their ids."""


def drawn_options(turn: TurnRecord) -> Iterator[DrawnOption]:
    """Every option that was drawn."""
    for event in _events(turn, "QuestionDrawn"):
        for option in event.get("options", ()):
            yield DrawnOption(step=str(event["step"]), label=str(option["label"]))


def used_gate(turn: TurnRecord) -> Iterator[str]:
    """What each layer decided."""
    for event in _events(turn, "GateDecided"):
        for layer in event["layers"]:
            yield f"{layer['layer']} {'allowed' if layer['allowed'] else 'refused'}"


def used_tools(turn: TurnRecord) -> Iterator[str]:
    """The tools that were called, and the write that was attempted."""
    for kind in ("ToolCalled", "WriteClaimed", "GateDecided"):
        for event in _events(turn, kind):
            tool = event.get("tool")
            if isinstance(tool, Mapping):
                yield f"{tool['server']}/{tool['name']}"


def answered_options(turn: TurnRecord, open_options: Options) -> Iterator[DrawnOption]:
    """The options that were chosen of the block that the turn found: by their ids, or by what settled or was done."""
    for kind in ("UserTapped", "FormSubmitted"):
        for event in _events(turn, kind):
            chosen = (event.get("option"), *event.get("options", ()))
            yield from (open_options[one].option for one in chosen if one in open_options)
    if any(True for _ in _events(turn, "UserSaid")):
        yield from _typed(turn, open_options)


def _typed(turn: TurnRecord, open_options: Options) -> Iterator[DrawnOption]:
    """A typed answer chooses the option whose label settled, or that means what was done."""
    done = {means for kind, means in _MEANINGS.items() if any(True for _ in _events(turn, kind))}
    if any(event.get("trigger") == "go_ahead" for event in _events(turn, "GateDecided")):
        done.add(CREATE)
    settled = {(str(event["step"]), str(event["value"]["label"])) for event in _events(turn, "ValueSettled")}
    for found in open_options.values():
        option = found.option
        if found.means in done or (option.step, option.label) in settled:
            yield option


def options_after(turn: TurnRecord, before: Options) -> Options:
    """The options of the block that the turn left: those of the last question drawn."""
    drawn = list(_events(turn, "QuestionDrawn"))
    if not drawn:
        return before
    step = str(drawn[-1]["step"])
    return {
        option_id(number): OpenOption(option=DrawnOption(step=step, label=str(one["label"])), means=_means(step, one))
        for number, one in enumerate(drawn[-1].get("options", ()))
    }


def _means(step: str, option: Mapping[str, Any]) -> str:
    if option.get("skip"):
        return "skip"
    return str(option.get("value")) if step == CONFIRM_KEY else ""


def _events(turn: TurnRecord, kind: str) -> Iterator[Mapping[str, Any]]:
    for entry in turn.events:
        if isinstance(entry, Mapping) and entry.get("kind") == kind:
            event = entry["event"]
            assert isinstance(event, Mapping), "an event of a record is an object"
            yield event
