"""The errors of the corpora package.

UsageError (marg_runtime)
├── CorpusMissing         a path that is not there, is no file, or a folder without corpora
├── GroupError            a group that rows cannot be split by
├── LabellingError        two labellings that cannot be compared
├── PeerMissing           a third-party reader whose package is not installed
└── LocatedError
    └── CorpusError       a line that is not a record, or a file that cannot be read on; names file and line
"""

from __future__ import annotations

from marg_runtime.errors import LocatedError, UsageError


class CorpusMissing(UsageError):
    """A path that is not there, is no file, or is a folder without corpora."""


class CorpusError(LocatedError):
    """A line that is not a record, or a file that breaks off. The message begins with `file:line`."""


class GroupError(UsageError):
    """A group that rows cannot be split by."""


class LabellingError(UsageError):
    """Two labellings that are not of the same replies."""


class PeerMissing(UsageError):
    """A third-party reader whose package is not installed."""
