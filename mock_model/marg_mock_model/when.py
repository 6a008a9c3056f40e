"""When a transition is taken, or a slip may happen: guards, and how far a situation fits them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from marg_mock_model.guard import PATTERN_GUARDS, Focus, Guard, narrow
from marg_mock_model.situation import Situation


@dataclass(frozen=True, kw_only=True, slots=True)
class Matching:
    """How far a situation fits: the guards that hold, those that do not, and the groups that templates may use."""

    held: tuple[Guard, ...]
    failed: tuple[Guard, ...]
    groups: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class When:
    """The guards of a transition; all must hold, and where there are none anything will do."""

    guards: tuple[Guard, ...]
    path: str
    line: int

    def matching(self, situation: Situation) -> Matching:
        """How far the situation fits the guards."""
        held: list[Guard] = []
        failed: list[Guard] = []
        focus = Focus.on(situation)
        for guard in self.guards:
            narrowed = narrow(guard, focus)
            (failed if narrowed is None else held).append(guard)
            focus = narrowed or focus
        return Matching(held=tuple(held), failed=tuple(failed), groups=focus.groups)

    def groups(self, situation: Situation) -> Mapping[str, str] | None:
        """The groups that templates may use where all guards hold, and None where one does not."""
        focus = Focus.on(situation)
        for guard in self.guards:
            narrowed = narrow(guard, focus)
            if narrowed is None:
                return None
            focus = narrowed
        return focus.groups

    def group_names(self) -> tuple[str, ...]:
        """The groups that templates may use: all of a single pattern, the named ones where there are several."""
        patterns = [re.compile(str(guard.value)) for guard in self.guards if guard.name in PATTERN_GUARDS]
        numbered = [str(n) for n in range(1 + patterns[0].groups)] if len(patterns) == 1 else []
        return (*numbered, *(name for pattern in patterns for name in pattern.groupindex))
