"""The mock model: a scripted machine that plays the model's part, and the located reader of YAML files."""

from marg_mock_model.complaint import nearest
from marg_mock_model.coverage import Coverage, coverage_of
from marg_mock_model.document import Document, parse_document, read_document
from marg_mock_model.errors import UndeclaredSituation
from marg_mock_model.file import load_machine, parse_machine
from marg_mock_model.form import Absent, Form
from marg_mock_model.free_value import FreeValue, Plain
from marg_mock_model.machine import Machine, State, Transition, unreachable
from marg_mock_model.machine_form import machine_schema
from marg_mock_model.player import MockModel
from marg_mock_model.slip import Draw, Slip
from marg_mock_model.tree import NodePath

__all__ = [
    "Absent",
    "Coverage",
    "Document",
    "Draw",
    "Form",
    "FreeValue",
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
    "machine_schema",
    "nearest",
    "parse_document",
    "parse_machine",
    "read_document",
    "unreachable",
]
