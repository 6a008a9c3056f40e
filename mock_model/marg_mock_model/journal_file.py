"""The journal of an endpoint as a file, read again: what its exchanges used of a machine."""

from __future__ import annotations

import json
from pathlib import Path

from marg_mock_model.coverage import Coverage
from marg_runtime.errors import LocatedError, UsageError


def count_journal(coverage: Coverage, path: Path) -> None:
    """Count the transitions and slips of a journal's exchanges.

    Raises UsageError for a file that cannot be read, LocatedError for a line that is no exchange of this machine's.
    """
    try:
        # A file's lines, for a text has more of them: U+2028, which JSON lets stand, ends one in `splitlines`.
        with path.open(encoding="utf-8") as file:
            lines = list(file)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the journal {str(path)!r} cannot be read: {error}; check the path.") from None
    for number, line in enumerate(lines, start=1):
        _count(coverage, line, path=str(path), number=number)


def _count(coverage: Coverage, line: str, *, path: str, number: int) -> None:
    try:
        exchange = json.loads(line)
        at, kinds = exchange["transition"], exchange["slips"]
    except (ValueError, KeyError, TypeError):
        raise LocatedError("this line is no exchange of a journal.", path=path, line=number) from None
    if at is None:
        return
    by_line = {transition.line: transition for transition in coverage.machine.transitions()}
    transition = by_line.get(int(str(at).rpartition(":")[2]))
    if transition is None or transition.state != exchange.get("state"):
        raise LocatedError(
            f"the transition at {at!r} is none of {coverage.machine.path!r}; the machine has changed since.",
            path=path,
            line=number,
        )
    slips = [slip for slip in coverage.machine.slips if f"{slip.kind}:{slip.line}" in kinds]
    coverage.count(transitions=(transition,), slips=slips)
