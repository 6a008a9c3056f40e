"""What the texts of an answer say: the model's words, and the runtime's own lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Owner, Verdict, as_texts, lacking
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class TextCheck(Check):
    """The model's words as the user saw them: they contain, lack, or match; or there are none."""

    kind: ClassVar[str] = "text"
    owner: ClassVar[Owner] = "model"
    by: ClassVar[str] = "model"
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    matches: str | None = None
    none: bool = False

    def look(self, observation: Observation) -> Json:
        """The texts one by one, as they were shown."""
        return list(observation.texts(self.by))

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Look for what should and what should not be there."""
        texts = as_texts(got)
        if self.none:
            return Verdict(passed=not texts, expected=[], got=got)
        unmatched = self.matches is not None and not any(re.search(self.matches, str(form(text))) for text in texts)
        present = [part for part in self.lacks if not lacking([part], texts, form=form)]
        passed = not lacking(self.contains, texts, form=form) and not present and not unmatched
        expected: dict[str, Json] = {"contains": self.contains, "lacks": self.lacks, "matches": self.matches}
        return Verdict(passed=passed, expected={k: v for k, v in expected.items() if v}, got=got)


@dataclass(frozen=True, kw_only=True)
class LineCheck(TextCheck):
    """The runtime's own lines of the turn."""

    kind: ClassVar[str] = "line"
    owner: ClassVar[Owner] = "runtime"
    by: ClassVar[str] = "runtime"
