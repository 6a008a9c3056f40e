"""The errors of the reports.

UsageError (marg_runtime)
└── RecordError   a record, a report or a label that cannot be written or read
"""

from __future__ import annotations

from marg_runtime.errors import UsageError


class RecordError(UsageError):
    """A record, a report or a label that cannot be written or read: bad input, like any other file."""
