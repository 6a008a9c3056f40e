"""The intent of a check: what it still accepts in its declared forms, and what it still refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from marg_reports import Red
from marg_reports.forms import DeclaredForm, Form, canonical, declared_form, identity, mutants
from marg_reports.triage import IntentCell
from marg_runtime.canonical import Json, canonical_json
from marg_runtime.errors import MargError
from marg_runtime.scrub import REMOVED
from marg_scenarios import Check, Scenario, load_scenarios

DECLARES = "canonical"
_FIXTURES = re.compile(r"[^\s\[\],'\"]+\.fixtures\.ya?ml")


class Checks:
    """The checks of the head's scenarios, each file read once however many reds it has."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._loaded: dict[str, tuple[Scenario, ...]] = {}

    def check_of(self, red: Red) -> Check | None:
        """The check that failed, where its file may declare a form for it; None where it cannot be found.

        A file in which nothing is said of forms, nor in the fixtures that it takes in, is not loaded: nothing else is
        asked of a check here.
        """
        path = red.scenario.path
        if path not in self._loaded:
            self._loaded[path] = self._scenarios(path)
        scenario = next((one for one in self._loaded[path] if one.title == red.scenario.title), None)
        return _in(scenario, red) if scenario else None

    def _scenarios(self, path: str) -> tuple[Scenario, ...]:
        try:
            return load_scenarios(self._root / path) if _declares(self._root / path) else ()
        except (MargError, OSError, UnicodeDecodeError):
            return ()


def _declares(file: Path, *, within: frozenset[Path] = frozenset()) -> bool:
    text = file.read_text(encoding="utf-8")
    return DECLARES in text or any(
        _declares(file.parent / name, within=within | {file})
        for name in _FIXTURES.findall(text)
        if file.parent / name not in within
    )


def _in(scenario: Scenario, red: Red) -> Check | None:
    turn = next((one for one in scenario.played if one.id == red.turn_record.id), None)
    return next((check for check in turn.checks if check.id == red.check.id), None) if turn else None


def form_of_check(check: Check | None) -> Form:
    """All the forms that a check declares, as one."""
    return declared_form(check.canonical) if check is not None and check.canonical else identity


def is_judgeable(red: Red, check: Check | None) -> bool:
    """Whether the check can be asked again about what it saw: not in a form, where a secret was removed of that."""
    return check is None or not check.canonical or REMOVED not in canonical_json(red.check.got)


def intent_cell(
    red: Red,
    check: Check | None,
    *,
    passing: Callable[[], Sequence[Json]],
    failing: Callable[[], Sequence[Json]] = tuple,
) -> IntentCell:
    """The cell. passing: gives observations of other runs with which the check passed; it is asked only where a form is
    declared. Their mutants show what the check is for. failing: those of other runs of the head in which the check
    failed, where they waver: what excuses the red must excuse each of them.

    A mutant counts where the check refuses it in no form at all, for what a check never looked at it need not refuse;
    and where it differs in the declared form too: a key that is said not to be meant may change. Of those that count,
    every one must be refused in the declared form as well.
    """
    if check is None or not check.canonical:
        return IntentCell(declared=())
    whole = form_of_check(check)
    rejected = meant = 0
    for got in (seen := passing()):
        for mutant in mutants(got, passing=[other for other in seen if other is not got]):
            if check.judge(mutant.value).passed or canonical(mutant.value, whole) == canonical(got, whole):
                continue
            meant += 1
            rejected += not check.judge(mutant.value, form=whole).passed
    return IntentCell(
        declared=tuple(form.name for form in check.canonical),
        satisfied_by=_satisfied_by(check, [red.check.got, *failing()], whole),
        rejected=rejected,
        mutants=meant,
    )


def _satisfied_by(check: Check, seen: Sequence[Json], whole: Form) -> str | None:
    """The first form in which all that was seen satisfies the check, or the first where only together they do."""

    def satisfied(form: Form) -> bool:
        return all(check.judge(got, form=form).passed for got in seen)

    alone: list[DeclaredForm] = [one for one in check.canonical if satisfied(declared_form([one]))]
    if alone:
        return alone[0].name
    return check.canonical[0].name if satisfied(whole) else None
