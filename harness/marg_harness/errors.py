"""The errors of the harness.

MargError
├── NetworkForbidden   something tried to reach a network while a scenario was replayed
├── ScenarioFailed     a scenario had reds (pytest shows their text)
├── NotShown           a scenario taps or submits what was not shown
├── WorkerDied         the runtime's process dies here, as a scenario has it
├── NotRecorded        the replies on record have none for a request
├── NotBegun           a conversation over a wire did not begin
├── NotMeasured        a scenario asks for what its target is not able to do
├── TargetError        a target cannot be reached, or does not speak the protocol
├── RequirementFailed  a target does not do what the protocol requires
├── RequirementUnasked a requirement could not be asked of a target, or is none of its
└── UsageError
    └── UnusableFiles  several files of scenarios cannot be used
"""

from __future__ import annotations

from collections.abc import Sequence

from marg_runtime.errors import MargError, UsageError
from marg_runtime.wire import WireEvent


class NetworkForbidden(MargError):
    """Something tried to connect, bind or look up a name while a scenario was replayed."""


class ScenarioFailed(MargError):
    """A scenario had reds; the message is their text."""


class NotShown(MargError):
    """A scenario taps an option or submits a block that was not shown; `wanted` and `shown` say which."""

    def __init__(self, *, wanted: str, shown: str) -> None:
        super().__init__(f"wanted {wanted}, shown {shown}")
        self.wanted = wanted
        self.shown = shown


class WorkerDied(MargError):
    """The runtime's process dies here: what runs the session goes no further, and the session is opened anew."""


class NotRecorded(MargError):
    """The replies on record have none for a request, or none that came to its end."""


class NotBegun(MargError):
    """A conversation over a wire did not begin: its cause is what broke, `wire` what had happened there by then."""

    def __init__(self, cause: Exception, *, wire: Sequence[WireEvent]) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.wire = tuple(wire)


class NotMeasured(MargError):
    """A scenario asks for what its target is not able to do: none of its checks says anything."""


class TargetError(MargError):
    """A target cannot be reached or asked, or its answer is not in the form of the protocol."""


class RequirementFailed(MargError):
    """A target does not do what the protocol requires; the message says what it did."""


class RequirementUnasked(MargError):
    """A requirement could not be asked of a target, or is none of its; the message says why."""


class UnusableFiles(UsageError):
    """Several files of scenarios cannot be used; `lines` are how many, and what is wrong with each."""

    def __init__(self, errors: Sequence[UsageError], *, of: int) -> None:
        self.lines = (f"{len(errors)} of {of} files cannot be used:", *map(str, errors))
        super().__init__("\n".join(self.lines))
