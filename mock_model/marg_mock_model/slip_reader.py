"""Slips as they are read from a file, with what each kind cannot do without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from marg_mock_model.document import Document
from marg_mock_model.script_reader import check_text, check_value, read_calls
from marg_mock_model.slip import Slip, SlipKind
from marg_mock_model.when_reader import read_when

if TYPE_CHECKING:
    from marg_mock_model.machine_form import SlipForm

NEEDS: Mapping[SlipKind, str] = {
    "asks_the_question": "text",
    "attests_unsaid": "calls",
    "creates_early": "calls",
    "overrides_value": "arguments",
    "wrong_tool": "tool",
}
"""What a slip of a kind cannot do without: no word list knows the questions and tools of a domain."""

TAKES: Mapping[SlipKind, tuple[str, ...]] = {
    "asks_the_question": ("text",),
    "skips_question": ("text",),
    "attests_unsaid": ("calls", "finish"),
    "creates_early": ("calls", "finish"),
    "overrides_value": ("arguments", "tool"),
    "claims_success": ("text",),
    "wrong_tool": ("tool",),
    "bad_arguments": ("arguments", "tool"),
    "refuses": ("text", "finish"),
    "empty": ("finish",),
    "stops_early": ("finish",),
}


def read_slip(document: Document, form: SlipForm, *, number: int) -> Slip:
    """The slip of this number, from 1; raises LocatedError where a key is missing, or would do nothing."""
    place = ("slips", number - 1)
    needed = NEEDS.get(form.slip)
    if needed is not None and not getattr(form, needed):
        raise document.error(f"the slip {form.slip!r} needs {needed!r}; add it.", *place)
    for key in ("text", "tool", "arguments", "calls", "finish"):
        if getattr(form, key) and key not in TAKES[form.slip]:
            takes = ", ".join(repr(known) for known in TAKES[form.slip])
            raise document.error(f"the slip {form.slip!r} does nothing with {key!r}; it takes {takes}.", *place, key)
    when = read_when(document, form.when, (*place, "when"))
    groups = when.group_names()
    check_text(document, form.text, groups, (*place, "text"))
    check_value(document, form.arguments or {}, groups, (*place, "arguments"))
    return Slip(
        kind=form.slip,
        number=number,
        rate=form.rate,
        states=form.states or (),
        when=when,
        text=form.text,
        tool=form.tool,
        arguments=form.arguments or {},
        calls=read_calls(document, form.calls, groups, (*place, "calls")),
        finish=form.finish,
        path=document.path,
        line=document.line(*place),
    )
