"""A draft as it travels."""

from __future__ import annotations

from marg_runtime.draft import Draft
from marg_runtime.gateway.protocol import DraftForm, DraftValue


def draft_form(draft: Draft) -> DraftForm:
    """The form of a draft; the spans of its values stay with the ledger."""
    values = {
        slot: DraftValue(value=settled.value, label=settled.label, provenance=settled.provenance)
        for slot, settled in draft.values.items()
    }
    return DraftForm(id=draft.id, values=values)
