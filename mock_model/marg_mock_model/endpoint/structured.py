"""Structured output: the text of a reply where the client asks for JSON, valid against its schema.

A reply that is such JSON already goes out as it is. Otherwise the value is made from the schema, the same one every
time, with the reply's words in every text that the schema leaves free.
"""

from __future__ import annotations

import json

from marg_mock_model.endpoint.json_text import json_text
from marg_mock_model.endpoint.wire import StructuredFormat
from marg_mock_model.schema import problem_of, sample_of


def structured_text(text: str, wanted: StructuredFormat) -> str:
    """The JSON text of a reply; raises BadRequest for a schema that no value was found for."""
    schema = {"type": "object"} if wanted.schema is None else wanted.schema
    try:
        value = json.loads(text)
    except ValueError:
        return _made(text, wanted)
    return text if problem_of(value, schema) is None else _made(text, wanted)


def _made(text: str, wanted: StructuredFormat) -> str:
    if wanted.schema is None:
        return json_text({"text": text})
    return json_text(sample_of(wanted.schema, text=text))
