"""How to score: what rows are split by, what is left out, and which single replies are kept."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from marg_corpora.errors import GroupError
from marg_corpora.judgement import Judgement
from marg_corpora.record import Record
from marg_corpora.split import Split
from marg_corpora.tally import Side

Group = Literal["question_kind", "source", "language", "label"]
GROUPS: tuple[str, ...] = get_args(Group)

CASES_KEPT = 50
"""Replies kept for each reader and side unless more are asked for; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to score.

    A row is a reader and a source, split further by `by` unless that is the source. Records that conflict (the source
    labels the same reply both ways) are left out and counted, unless `with_conflicts`. With a `split` only that side is
    read. The first `kept` replies of each reader on each of the wrong `sides` are kept. `judgements` are a person's,
    by the id of the record. Raises GroupError for another `by`.
    """

    by: Group = "source"
    with_conflicts: bool = False
    split: Split | None = None
    sides: AbstractSet[Side] = frozenset()
    kept: int = CASES_KEPT
    judgements: Mapping[str, Judgement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.by not in GROUPS:
            raise GroupError(f"rows cannot be split by {self.by!r}; choose one of {', '.join(GROUPS)}")

    def group_of(self, record: Record) -> str:
        """Give the value of the group that a record counts in; "" where rows are split by source alone."""
        return "" if self.by == "source" else cast(str, getattr(record, self.by))
