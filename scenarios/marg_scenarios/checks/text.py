"""What the texts of an answer say: the model's words, and the runtime's own lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Owner, Verdict, lacking
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class TextCheck(Check):
    """The model's words as the user saw them: they contain, lack, or match."""

    kind: ClassVar[str] = "text"
    owner: ClassVar[Owner] = "model"
    by: ClassVar[str] = "model"
    contains: tuple[str, ...]
    lacks: tuple[str, ...]
    matches: str | None

    def evaluate(self, observation: Observation) -> Verdict:
        """Look at the texts one by one, as they were shown."""
        texts = observation.texts(self.by)
        unmatched = self.matches is not None and not any(re.search(self.matches, text) for text in texts)
        present = [part for part in self.lacks if not lacking([part], texts)]
        passed = not lacking(self.contains, texts) and not present and not unmatched
        expected: dict[str, Json] = {"contains": self.contains, "lacks": self.lacks, "matches": self.matches}
        return Verdict(passed=passed, expected={k: v for k, v in expected.items() if v}, got=texts)


@dataclass(frozen=True, kw_only=True)
class LineCheck(TextCheck):
    """The runtime's own lines of the turn."""

    kind: ClassVar[str] = "line"
    owner: ClassVar[Owner] = "runtime"
    by: ClassVar[str] = "runtime"
