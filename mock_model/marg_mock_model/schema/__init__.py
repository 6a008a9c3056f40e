"""JSON Schema as the model APIs take it: whether a schema is one, whether a value is valid, and a value that is."""

from marg_mock_model.schema.check import problem_of
from marg_mock_model.schema.keywords import schema_problem
from marg_mock_model.schema.sample import sample_of

__all__ = ["problem_of", "sample_of", "schema_problem"]
