"""The example domain: its steps, its confirmation, its rule, its tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError
from marg_runtime.reconcile import Reconcile
from marg_runtime.steps import Option, OptionsContext, chips_step, confirm_step, review_step, text_step
from marg_runtime.tools import ToolName

from .tickets import TITLE_CHARACTERS, Kind

SERVER = "desk"
RULE = "Never call create_ticket before the user has confirmed the summary; the runtime creates the ticket."


def _offered(kind: Kind) -> Callable[[OptionsContext], Awaitable[Sequence[Option]]]:
    """The desk's own values of a kind, asked for when the step is drawn."""

    async def options(context: OptionsContext) -> Sequence[Option]:
        found = await context.call("reference_data", {"kind": kind})
        rows = found.data.get("options") if isinstance(found.data, Mapping) else None
        if not isinstance(rows, Sequence):
            raise ToolError(f"reference_data gave no options for {kind!r}: {found.text[:80]!r}")
        return [_option(row) for row in rows]

    return options


def _option(row: Json) -> Option:
    if not isinstance(row, Mapping) or not isinstance(row.get("label"), str):
        raise ToolError(f"reference_data gave an option without a label: {row!r}")
    return Option(label=str(row["label"]), value=row.get("value"))


def _receipt(data: Json) -> str:
    return f"ticket {data['id']}" if isinstance(data, Mapping) and "id" in data else "the ticket"


SUPPORT_INTAKE = Domain(
    name="support_intake",
    skill=(Path(__file__).parent / "skill.md").read_text(encoding="utf-8"),
    rule=RULE,
    steps=(
        text_step(
            key="title",
            label="Title",
            slot="title",
            lead="What should the ticket be called?",
            say='Title set to "{v}".',
            asks_like=r"\b(title|subject|call (the|this|your) ticket)\b",
            max_length=TITLE_CHARACTERS,
            proposable=True,
        ),
        text_step(
            key="details",
            label="Details",
            slot="details",
            lead="What happened?",
            say="Details noted.",
            asks_like=r"\b(details?|what happened|describe|tell me more)\b",
            max_length=4000,
            proposable=True,
        ),
        chips_step(
            key="priority",
            label="Priority",
            slot="priority",
            lead="How urgent is this?",
            options=_offered("priorities"),
            say="Priority set to {v}.",
            asks_like=r"\b(priority|urgent|urgency|how urgent)\b",
            depends_on=["details"],
        ),
        chips_step(
            key="category",
            label="Category",
            slot="category",
            lead="What is it about?",
            options=_offered("categories"),
            say="Category set to {v}.",
            asks_like=r"\b(category|what (is|kind of issue is) (it|this)( about)?)\b",
        ),
        chips_step(
            key="visibility",
            label="Visibility",
            slot="visibility",
            lead="Who may see this ticket?",
            options=_offered("visibilities"),
            say="Visibility set to {v}.",
            asks_like=r"\b(visib\w+|private or public|public or private|who (may|can|should) see)\b",
        ),
        text_step(
            key="attachment_note",
            label="Attachment note",
            slot="attachment_note",
            lead="Anything attached to mention?",
            say="Attachment note added.",
            asks_like=r"\b(attach\w*|screenshot|file)\b",
            required=False,
        ),
    ),
    confirm=confirm_step(
        label="Your ticket",
        lead="Shall I create this ticket?",
        create_label="Create",
        decline_label="Not yet",
        asks_like=r"\b(create|submit|send|file|go ahead|confirm|look(s)? (right|good|correct))\b",
    ),
    review=review_step(asks_like=r"\b(change|edit|correct) (something|anything)\b"),
    read_tools=frozenset(
        ToolName(server=SERVER, name=name) for name in ("reference_data", "search_tickets", "find_ticket")
    ),
    reconcile=Reconcile(tool=ToolName(server=SERVER, name="find_ticket")),
    write_tool=ToolName(server=SERVER, name="create_ticket"),
    receipt=_receipt,
)
