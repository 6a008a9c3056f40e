"""Fields of a request's body, each read with an error that an API's client would understand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeGuard, TypeVar

from marg_mock_model.endpoint.wire import StructuredFormat
from marg_mock_model.errors import BadRequest
from marg_mock_model.hint import show
from marg_mock_model.schema import schema_problem
from marg_runtime.conversation import FactsMessage, UserMessage
from marg_runtime.model_facts import FACTS_HEAD, facts_of
from marg_runtime.tools.tool import ToolSpec

FieldT = TypeVar("FieldT")

TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
"""The types of content parts that are text, in all three APIs."""

_WORDS = {str: "a string", list: "an array", dict: "an object", bool: "a boolean", int: "an integer"}


def required(body: Mapping[str, Any], name: str, kind: type[FieldT], *, at: str = "") -> FieldT:
    """A field that must be there."""
    value = body.get(name)
    if value is None:
        raise BadRequest(f"Missing required parameter: '{at}{name}'.", param=f"{at}{name}", code="missing")
    return value if _fits(value, kind) else _refuse(value, kind, f"{at}{name}")


def optional(body: Mapping[str, Any], name: str, kind: type[FieldT], default: FieldT, *, at: str = "") -> FieldT:
    """A field that may be absent or null."""
    value = body.get(name)
    if value is None:
        return default
    return value if _fits(value, kind) else _refuse(value, kind, f"{at}{name}")


def objects(values: list[Any], at: str) -> list[Mapping[str, Any]]:
    """The entries of an array, all of which must be objects."""
    for number, value in enumerate(values):
        if not isinstance(value, dict):
            _refuse(value, dict, f"{at}[{number}]")
    return values


def text_of(content: Any, *, at: str) -> str:
    """The text of a content field: a string, or the text parts of an array joined by line breaks."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    parts = objects(_of_kind(content, list, at), at)
    return "\n".join(text_part(part, at=f"{at}[{number}]") for number, part in enumerate(parts))


def text_part(part: Mapping[str, Any], *, at: str) -> str:
    """The text of one content part; raises BadRequest for a part that is no text, for the machine reads texts alone."""
    kind = part.get("type")
    if kind == "refusal":
        return required(part, "refusal", str, at=f"{at}.")
    if not isinstance(kind, str) or kind not in TEXT_PARTS:
        raise BadRequest(f"The mock model reads text alone, not a part of type {kind!r}.", param=f"{at}.type")
    return required(part, "text", str, at=f"{at}.")


def heard(content: Any, *, at: str) -> Iterator[UserMessage | FactsMessage]:
    """What a user's content holds, in order: each text part is words or facts of its own."""
    texts = [content] if isinstance(content, str) or content is None else None
    if texts is None:
        parts = objects(_of_kind(content, list, at), at)
        texts = [text_part(part, at=f"{at}[{number}]") for number, part in enumerate(parts)]
    for text in texts:
        yield heard_text(text or "")


def heard_text(text: str) -> UserMessage | FactsMessage:
    """A text of the person's side: facts of the runtime's where it says so, else words."""
    # The mark is looked for first: what follows is read as JSON.
    told = facts_of(text) if text.startswith(FACTS_HEAD) else None
    return UserMessage(text=text) if told is None else FactsMessage(facts=told)


def told(text: str) -> FactsMessage:
    """The facts of a late system message: the runtime's own form, or a line each."""
    facts = facts_of(text)
    return FactsMessage(facts=tuple(line for line in text.splitlines() if line.strip()) if facts is None else facts)


def arguments_of(text: str) -> dict[str, Any]:
    """The arguments of a call in the history: those that are no JSON object were never anybody's, and are none."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def tool(name: str, description: str, schema: Mapping[str, Any]) -> ToolSpec:
    """A tool as the model is shown it; the wire does not say which server it is on."""
    return ToolSpec(server="", identity="", name=name, description=description, input_schema=schema)


def format_of(named: Mapping[str, Any], *, at: str) -> StructuredFormat:
    """The structured output that a client asks for by a schema."""
    schema = required(named, "schema", dict, at=at)
    problem = schema_problem(schema)
    if problem is not None:
        raise BadRequest(
            f"Invalid schema for '{at}schema': {problem}.", param=f"{at}schema", code="invalid_json_schema"
        )
    return StructuredFormat(schema=schema)


def _of_kind(value: Any, kind: type[FieldT], at: str) -> FieldT:
    return value if _fits(value, kind) else _refuse(value, kind, at)


def _fits(value: Any, kind: type[FieldT]) -> TypeGuard[FieldT]:
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _refuse(value: Any, kind: type[Any], at: str) -> NoReturn:
    expected = _WORDS.get(kind, kind.__name__)
    raise BadRequest(f"Invalid type for '{at}': expected {expected}, but got {show(value)}.", param=at)
