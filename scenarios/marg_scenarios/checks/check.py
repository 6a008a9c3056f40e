"""A check, and its verdict."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_runtime.canonical import Json, canonical_json
from marg_scenarios.observation import Observation

Owner = Literal["runtime", "model"]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a check passed, what it expected and what it got, as JSON."""

    passed: bool
    expected: Json
    got: Json


@dataclass(frozen=True, kw_only=True)
class Check(ABC):
    """One assertion on a turn.

    id: unique in its turn, and the same when turns are inserted. kind: the key in the scenario. owner: `runtime` where
    it must hold whatever the model says, `model` where it depends on the model's words. line: in the scenario's file.
    """

    kind: ClassVar[str]
    owner: ClassVar[Owner] = "runtime"
    line: int

    @property
    def id(self) -> str:
        """A turn has at most one check of a kind, so the kind names it."""
        return self.kind

    @abstractmethod
    def evaluate(self, observation: Observation) -> Verdict:
        """Look at a turn."""


def equal(expected: Json, got: Json) -> Verdict:
    """Passed where both are the same JSON: 5 and "5" differ."""
    return Verdict(passed=canonical_json(expected) == canonical_json(got), expected=expected, got=got)


def holds_subset(expected: Json, got: Json) -> bool:
    """Whether every key that is expected is there with its value; lists are compared whole."""
    if isinstance(expected, Mapping):
        return isinstance(got, Mapping) and all(
            key in got and holds_subset(value, got[key]) for key, value in expected.items()
        )
    return canonical_json(expected) == canonical_json(got)


def lacking(parts: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The parts that none of the texts contains."""
    return [part for part in parts if not any(part in text for text in texts)]
