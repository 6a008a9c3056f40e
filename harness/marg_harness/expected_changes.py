"""What a change says that it means: `expect-change: CHECK`, as an option or in the messages of its commits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from marg_harness.evidence.git import git
from marg_runtime.errors import UsageError

_LINE: Final = re.compile(r"^expect-change:[ \t]*(?P<check>\S.*?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
MOST_NAMED = 5


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The reds that a change means, by id, and what it says of others, in words."""

    ids: tuple[str, ...]
    notes: tuple[str, ...] = ()


def said_in_commits(repository: Path, *, base: str | None) -> tuple[str, ...]:
    """What the messages of the commits from the base to HEAD say; without a base, those of HEAD alone."""
    commits = ["-1", "HEAD"] if base is None else [f"{base}..HEAD"]
    messages = git(repository, "log", "--format=%B%x00", *commits)
    return tuple(dict.fromkeys(match["check"] for match in _LINE.finditer(messages)))


def expected_of(options: Sequence[str], commits: Sequence[str], *, reds: Iterable[str]) -> Expected:
    """The reds that are meant: each named by its id, or by a part of it that is no other red's.

    Raises UsageError for an option that names no red, or several: a typo would change nothing, in silence. What a
    commit says may be of a check that is green by now, so it is noted and not refused.
    """
    known = sorted(reds)
    ids = [_one(said, known) for said in options]
    notes = []
    for said in commits:
        try:
            ids.append(_one(said, known))
        except UsageError as error:
            notes.append(f"in a commit: {error}")
    return Expected(ids=tuple(dict.fromkeys(ids)), notes=tuple(notes))


def _one(said: str, reds: Sequence[str]) -> str:
    found = [red for red in reds if red == said] or [red for red in reds if said in red]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"expect-change {said!r} is in {len(found)} reds: {_named(found)}; write more of one")
    raise UsageError(f"expect-change {said!r} is no red of the run; there are {_named(reds) or 'none'}")


def _named(reds: Sequence[str]) -> str:
    more = f" and {len(reds) - MOST_NAMED} more" if len(reds) > MOST_NAMED else ""
    return "; ".join(reds[:MOST_NAMED]) + more
