"""Schedules of faults as they are given: a file, or one line on the command line.

The line `rate_limit@1,2:retry_after=0.5; cut%0.1:after=3:api=openai_chat:stream=true` says what the file in
`marg_mock_model.endpoint.fault_form` does.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args

from marg_mock_model.document import Document, parse_document, read_document
from marg_mock_model.endpoint.fault import BY_STATUS, FaultKind, Faults
from marg_mock_model.endpoint.fault_line import faults_text

FORM = "marg_mock_model.endpoint.fault_form"
"""The module of the form; imported with pydantic at the first schedule, for most endpoints have none."""


def load_faults(source: str | Path, *, seed: int = 0) -> Faults:
    """The schedule of a file, or of one line where no file has that name; raises UsageError."""
    path = Path(source)
    if isinstance(source, Path) or path.suffix in (".yaml", ".yml", ".json") or path.is_file():
        return _faults(read_document(path), seed)
    return parse_faults(str(source), seed=seed)


def parse_faults(line: str, *, seed: int = 0) -> Faults:
    """The schedule of one line; raises UsageError."""
    text = faults_text(line, kinds=get_args(FaultKind), names=BY_STATUS)
    return _faults(parse_document(text, path="faults"), seed)


def _faults(document: Document, seed: int) -> Faults:
    faults: Faults = import_module(FORM).faults_of(document, seed=seed)
    return faults
