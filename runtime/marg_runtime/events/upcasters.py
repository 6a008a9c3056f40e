"""Upcasters: what an event of an earlier version is in the next one (rule C6).

A release opens every ledger that an earlier one wrote: each line is lifted, version by version, to the form that the
event has now. To change an event: raise its `version` by one and add here what its last version becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
Upcaster: TypeAlias = Callable[[Body], Body]


def adding(**defaults: Any) -> Upcaster:
    """An upcaster for a version that has fields more, each of which had this value before there was a choice."""
    return lambda body: {**defaults, **body}


def unchanged(body: Body) -> Body:
    """The upcaster for a version in which a field takes more words than before: what was said stays as it is."""
    return body


def _several_slots(body: Body) -> Body:
    rest = {name: value for name, value in body.items() if name != "slot"}
    return {**rest, "slots": [body["slot"]]}


def _submit_with_options(body: Body) -> Body:
    # Of the acts, only a submit has values.
    act = body["act"]
    return {**body, "act": {"options": [], **act}} if "values" in act else body


def _value_with_spans(body: Body) -> Body:
    return {**body, "value": {"spans": [], **body["value"]}}


UPCASTERS: Mapping[tuple[str, int], Upcaster] = {
    ("ActQueued", 1): _submit_with_options,
    ("AnswerDelivered", 1): adding(received=True),
    ("AttestationRefused", 1): adding(value=None),
    ("FormSubmitted", 1): adding(options=[]),
    ("ModelFailed", 1): adding(kind=None),
    ("QuestionDrawn", 1): adding(fields=[], selection=None, page=None),
    ("ReplyRead", 1): adding(choices=[]),
    ("SessionOpened", 1): adding(steps=[], in_order=False),
    ("StepReopened", 1): _several_slots,
    ("ToolCalled", 1): unchanged,
    ("ValueSettled", 1): _value_with_spans,
    ("WriteRefused", 1): unchanged,
    ("WriteUnknown", 1): adding(fact=""),
}
"""By the event's name and the version that is read; gives the body in the next version."""


def upcast(body: Body, *, kind: str, written: int, now: int) -> Body | None:
    """The body of an event in the version `now`, from the version in which it was written; None where no way leads
    there."""
    for version in range(written, now):
        upcaster = UPCASTERS.get((kind, version))
        if upcaster is None:
            return None
        body = upcaster(body)
    return body if 1 <= written <= now else None
