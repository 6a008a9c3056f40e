"""The JSON Schema of everything that a target is sent and answers."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from marg_runtime.gateway.protocol import (
    PROTOCOL,
    Closed,
    Description,
    Form,
    Opened,
    Opening,
    RefusalForm,
    Report,
    Reports,
    Sent,
)

FORMS: tuple[type[Form], ...] = (Description, Opening, Opened, Sent, Report, Reports, Closed, RefusalForm)
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def protocol_schema() -> dict[str, Any]:
    """One schema whose `$defs` hold every form by its name; a message is one of them."""
    refs, whole = models_json_schema([(form, "validation") for form in FORMS])
    any_of = [refs[form, "validation"] for form in FORMS]
    return {"$schema": DIALECT, "title": f"Marg target protocol {PROTOCOL}", "anyOf": any_of, **whole}
