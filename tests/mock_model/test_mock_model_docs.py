"""The page of the mock model names everything that there is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from marg_mock_model.endpoint.fault import FaultKind
from marg_mock_model.endpoint.fault_form import FaultForm
from marg_mock_model.endpoint.verdict import FindingKind
from marg_mock_model.machine_form import MachineForm, TransitionForm
from marg_mock_model.slip import SlipKind

PAGE = (Path(__file__).parents[2] / "docs" / "mock_model.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*get_args(FaultKind), *get_args(FindingKind), *get_args(SlipKind)])
def test_every_fault_finding_and_slip_has_a_row(name: str) -> None:
    assert f"| `{name}` |" in PAGE


@pytest.mark.parametrize(
    "name", sorted({*FaultForm.model_fields, *MachineForm.model_fields, *TransitionForm.model_fields} - {"fault"})
)
def test_every_key_is_named(name: str) -> None:
    assert f"`{name}`" in PAGE
