"""Structured output: the text of a reply where the client asks for JSON, valid against its schema.

A reply that is such JSON already goes out as it is; `data` of the machine's own that is not is an error. Otherwise
the value is made from the schema, the same one every time, with the reply's words in every text that it leaves free.
"""

from __future__ import annotations

import json

from marg_mock_model.answer import Answer
from marg_mock_model.endpoint.json_text import json_text
from marg_mock_model.endpoint.wire import StructuredFormat
from marg_mock_model.errors import BadRequest, UndeclaredSituation
from marg_mock_model.schema import problem_of, sample_of


def structured_text(answer: Answer, wanted: StructuredFormat) -> str:
    """The JSON text of a reply.

    Raises UndeclaredSituation for `data` of the machine's own that is not valid, and for a schema that no value was
    found for.
    """
    if not _is_to_be_json(answer):
        return answer.text
    schema = {"type": "object"} if wanted.schema is None else wanted.schema
    problem = None
    try:
        problem = problem_of(json.loads(answer.text), schema)
    except ValueError:
        problem = "the reply is no JSON"
    if problem is None:
        return answer.text
    if answer.data is not None:
        raise _unfit(answer, f"its 'data' is not what the client asks for: {problem}")
    if wanted.schema is None:
        return json_text({"text": answer.text})
    try:
        return json_text(sample_of(wanted.schema, text=answer.text))
    except BadRequest as error:
        raise _unfit(answer, str(error)) from None


def _is_to_be_json(answer: Answer) -> bool:
    """Whether a reply is to be JSON: a refusal, nothing at all, and `data` that a slip spoiled go out as they are."""
    is_spoiled = answer.slip is not None and answer.transition.data is not None
    return bool(answer.text) and answer.finish != "refusal" and not is_spoiled


def _unfit(answer: Answer, problem: str) -> UndeclaredSituation:
    transition = answer.transition
    return UndeclaredSituation(
        f"the transition has no structured output to give: {problem}.",
        path=transition.path,
        line=transition.line,
        state=transition.state,
        situation=f"a client that asks for structured output ({problem})",
    )
