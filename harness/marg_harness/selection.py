"""Choosing scenarios: by tag, by name, and those that were red last time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from marg_harness.paths import shown_path
from marg_reports import RunRecord
from marg_runtime.errors import UsageError
from marg_runtime.scrub import own_secrets, scrub
from marg_scenarios import Scenario


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What to choose by; what is left empty chooses everything.

    tags: a scenario has one of them. names: a part of its title, whatever the case. reds_of: only those with a red, or
    that were not played to their end, in this run.
    """

    tags: Collection[str] = ()
    names: Collection[str] = ()
    reds_of: RunRecord | None = None

    def chosen(self, scenarios: Sequence[Scenario]) -> tuple[Scenario, ...]:
        """The scenarios that fit, in their order; raises UsageError where none does, or a tag is nobody's."""
        known = sorted({tag for scenario in scenarios for tag in scenario.tags})
        unknown = sorted(set(self.tags) - set(known))
        if unknown:
            raise UsageError(f"no scenario has the tag {unknown[0]!r}; there are {', '.join(known) or 'none'}")
        if self.reds_of is not None and not self.reds_of.reds():
            raise UsageError("the last run's record has no red that could be replayed; leave out --last-failed")
        found = tuple(scenario for scenario in scenarios if self._fits(scenario))
        if not found:
            raise UsageError(f"none of {len(scenarios)} scenarios is chosen by {self._said()}")
        return found

    def _fits(self, scenario: Scenario) -> bool:
        title = scenario.title.casefold()
        if self.tags and not set(self.tags) & set(scenario.tags):
            return False
        if self.names and not any(name.casefold() in title for name in self.names):
            return False
        # A record has the title without secrets.
        titles = {scenario.title, scrub(scenario.title, secrets=own_secrets())}
        return self.reds_of is None or any((shown_path(scenario.path), one) in self._red_titles for one in titles)

    @property
    def _red_titles(self) -> frozenset[tuple[str, str]]:
        run = self.reds_of
        reds = run.reds() if run is not None else ()
        return frozenset((red.scenario.path, red.scenario.title) for red in reds)

    def _said(self) -> str:
        parts = [f"the tag {tag!r}" for tag in self.tags] + [f"the name {name!r}" for name in self.names]
        return " and ".join([*parts, "a red in the last run"] if self.reds_of is not None else parts) or "nothing"
