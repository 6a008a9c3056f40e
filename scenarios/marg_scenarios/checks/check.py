"""A check, and its verdict."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_reports.forms import DeclaredForm, Form, identity
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
    it must hold whatever the model says, `model` where it depends on the model's words. line: in the scenario's file,
    or in `file` where the turn came from a fixture's. canonical: the forms in which what it looks at may differ without
    meaning anything else; they do not change its verdict.
    """

    kind: ClassVar[str]
    owner: ClassVar[Owner] = "runtime"
    line: int
    file: str | None = None
    canonical: tuple[DeclaredForm, ...] = ()

    @property
    def id(self) -> str:
        """A turn has at most one check of a kind, so the kind names it."""
        return self.kind

    @abstractmethod
    def look(self, observation: Observation) -> Json:
        """What it sees of a turn: all that it needs to judge."""

    @abstractmethod
    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Judge what was seen. `form` is applied to both sides before they are compared; to patterns it is not."""

    def evaluate(self, observation: Observation) -> Verdict:
        """Look at a turn and judge."""
        return self.judge(self.look(observation))


def same(one: Json, other: Json, *, form: Form = identity) -> bool:
    """Whether both are the same JSON in a form: 5 and "5" differ."""
    return canonical_json(form(one)) == canonical_json(form(other))


def equal(expected: Json, got: Json, *, form: Form = identity) -> Verdict:
    """Passed where both are the same."""
    return Verdict(passed=same(expected, got, form=form), expected=expected, got=got)


def lacking(parts: Sequence[str], texts: Sequence[str], *, form: Form = identity) -> list[str]:
    """The parts that none of the texts contains."""
    formed = [str(form(text)) for text in texts]
    return [part for part in parts if not any(str(form(part)) in text for text in formed)]


def as_list(value: Json) -> list[Json]:
    """A JSON list; empty for anything else."""
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []


def as_texts(value: Json) -> list[str]:
    """A JSON list of texts; empty for anything else."""
    return [str(text) for text in as_list(value)]


def as_mapping(value: Json) -> Mapping[str, Json]:
    """A JSON mapping; empty for anything else."""
    return value if isinstance(value, Mapping) else {}
