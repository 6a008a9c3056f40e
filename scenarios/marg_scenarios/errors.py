"""The errors of the scenarios.

MargError
└── UsageError
    └── KitError   a domain that cannot be found or does not hold together
"""

from __future__ import annotations

from marg_runtime.errors import UsageError


class KitError(UsageError):
    """A domain that cannot be found, or that is not a kit."""
