"""How much of a model's words was cut in a session, counted from its ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from marg_runtime.claims import Claim
from marg_runtime.events.model import ClaimCut, ModelFailed, ModelReplied, QuestionCut
from marg_runtime.ledger import Entry


@dataclass(frozen=True, kw_only=True)
class CutCounts:
    """Replies of the model's; its questions that were cut, by owning step; its claims that were cut, by what
    they claimed. Whether a cut was right is not in the ledger: `python -m benchmarks.cutter` measures that."""

    replies: int
    questions: Mapping[str, int]
    claims: Mapping[Claim, int]


def count_cuts(entries: Iterable[Entry]) -> CutCounts:
    """The counts over some entries of a ledger, keys in order."""
    replies, questions, claims = 0, Counter[str](), Counter[Claim]()
    for entry in entries:
        match entry.event:
            case ModelReplied() | ModelFailed():
                replies += 1
            case QuestionCut(step=step):
                questions[step] += 1
            case ClaimCut(claim=claim):
                claims[claim] += 1
            case _:
                pass
    return CutCounts(replies=replies, questions=dict(sorted(questions.items())), claims=dict(sorted(claims.items())))
