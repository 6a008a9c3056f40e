"""The mock model: a scripted machine that plays the model's part, and the located reader of YAML files.

Nothing here imports pydantic, which takes longer than all else: the forms of files are in `marg_mock_model.form`.
"""

from marg_mock_model.coverage import Coverage, coverage_of
from marg_mock_model.document import Document, parse_document, read_document
from marg_mock_model.errors import UndeclaredSituation
from marg_mock_model.file import load_machine, parse_machine
from marg_mock_model.hint import nearest
from marg_mock_model.machine import Machine, State, Transition, unreachable
from marg_mock_model.plain import Plain
from marg_mock_model.player import MockModel
from marg_mock_model.slip import Draw, Slip
from marg_mock_model.tree import NodePath

__all__ = [
    "Coverage",
    "Document",
    "Draw",
    "Machine",
    "MockModel",
    "NodePath",
    "Plain",
    "Slip",
    "State",
    "Transition",
    "UndeclaredSituation",
    "coverage_of",
    "load_machine",
    "nearest",
    "parse_document",
    "parse_machine",
    "read_document",
    "unreachable",
]
