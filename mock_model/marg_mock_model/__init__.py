"""The mock model: a scripted machine that plays the model's part, and the located reader of YAML files."""

from marg_mock_model.document import Document, parse_document, read_document
from marg_mock_model.form import Form
from marg_mock_model.free_value import FreeValue, Plain

__all__ = ["Document", "Form", "FreeValue", "Plain", "parse_document", "read_document"]
