"""Every error that Marg raises on purpose.

MargError
├── UsageError            bad input: what, the value, where, the next step (the command line exits 2)
│   ├── LocatedError      the same with a file and a line
│   ├── ReadingError      an unknown reader, question kind or vocabulary
│   └── NotADevBackend    a probe, which makes records, of a backend that is not marked as one for development
├── LedgerError           a ledger that cannot be opened or appended to
│   ├── UnknownEvent      an event, or a version of one, that this release does not know
│   ├── RevisionConflict  somebody else appended first
│   └── LeaseLost         the lease expired while a turn was under way
├── StoreError            the store's side broke: locked, full, not writable, not there, of a later release
├── ModelError            the model's side broke: a stream cut, a refused connection
├── ToolError             the tool server's side broke: no answer, a dead process
├── SliceFailed           one of the processes of an exploration did not come to its end
└── TargetRefused         a target of the protocol in docs/targets.md did not do what it was asked
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker takes this name for true; every import of Marg passes here, so it stays light
if TYPE_CHECKING:
    from marg_runtime.gateway.refusal import RefusalKind
    from marg_runtime.wire import WireKind


class MargError(Exception):
    """The root of all errors that Marg raises on purpose."""


class UsageError(MargError):
    """Bad input. The message says what is wrong, names the value and says what to do next."""


class LocatedError(UsageError):
    """Bad input in a file. The message begins with `file:line`."""

    def __init__(self, message: str, *, path: str, line: int) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line


class ReadingError(UsageError):
    """An unknown reader, question kind or vocabulary, or a vocabulary that does not hold together."""


class NotADevBackend(UsageError):
    """A probe was asked for on a backend that is not marked, on both sides, as one for development."""


class LedgerError(MargError):
    """A ledger that cannot be opened or appended to."""


class UnknownEvent(LedgerError):
    """An event kind or version that this release does not know; the ledger is not opened."""


class RevisionConflict(LedgerError):
    """Somebody else appended at this revision first; fold the new entries and decide again."""


class LeaseLost(LedgerError):
    """The lease expired while a turn was under way: another worker may decide now. The next act takes the turn over."""


class StoreError(MargError):
    """The store's side broke: locked, full, not writable, not there, or of a later release. Nothing is half-written."""


class ModelError(MargError):
    """The model's side broke: a stream cut, a refused connection, a reply with no end. `kind` says how, where the wire
    was at fault; None where a double or an unfitting reply was."""

    def __init__(self, message: str, *, kind: WireKind | None = None) -> None:
        super().__init__(message)
        self.kind = kind


class ToolError(MargError):
    """The tool server's side broke: no answer, a dead process, a protocol error.

    `kind` says how, where the wire was at fault, else it is None. `sent` is False only where it is certain that the
    request never left, so that nothing can have been done.
    """

    def __init__(self, message: str, *, kind: WireKind | None = None, sent: bool = True) -> None:
        super().__init__(message)
        self.kind = kind
        self.sent = sent


class SliceFailed(MargError):
    """One of the processes of an exploration did not come to its end; the message holds what it raised."""


class TargetRefused(MargError):
    """A target of the protocol in docs/targets.md did not do what it was asked. `kind` says why; `path` and `line` say
    where a mock machine has no answer."""

    def __init__(self, message: str, *, kind: RefusalKind, path: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.path = path
        self.line = line
