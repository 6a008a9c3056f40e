"""The errors of the reports.

MargError
└── RecordError   a run record that cannot be written or read
"""

from __future__ import annotations

from marg_runtime.errors import MargError


class RecordError(MargError):
    """A run record that cannot be written or read."""
