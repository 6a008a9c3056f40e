"""From a scripted act to the act that a client would send: it can only tap and submit what it was shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from marg_harness.errors import NotShown
from marg_runtime.acts import Act, Reload, Say, Submit, Tap
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_scenarios import SayTurn, SubmitTurn, TapTurn, Turn


@dataclass(kw_only=True)
class Client:
    """A client of a conversation: it remembers the answers, and what was shown, by turn."""

    answers: dict[str, Answer] = field(default_factory=dict)
    last_block: Block | None = None

    def took(self, turn: Turn, answer: Answer) -> None:
        """Remember the answer of a turn."""
        self.answers[turn.id] = answer
        self.last_block = answer.block or self.last_block

    def act(self, turn: Turn, *, now: int) -> Act:
        """The act of a turn. Raises NotShown where it answers what was never shown."""
        seen = self._seen(turn.seen)
        match turn.act:
            case SayTurn(text=text):
                return Say(text=text, at=now, seen=seen)
            case TapTurn():
                block = self._block(turn.act.of, wanted=f"the option {turn.act.option!r}")
                option = self._option(turn.act, block)
                return Tap(question=block.question, revision=block.revision, option=option, at=now, seen=seen)
            case SubmitTurn():
                block = self._block(turn.act.of, wanted="a block to submit")
                return Submit(
                    question=block.question, revision=block.revision, values=turn.act.values, at=now, seen=seen
                )
            case _:
                return Reload(at=now, seen=seen)

    def _seen(self, seen: str) -> int | None:
        revisions = [answer.revision for answer in self.answers.values()]
        if seen == "latest":
            return revisions[-1] if revisions else None
        if seen == "previous":
            return revisions[-2] if len(revisions) > 1 else None
        return None if seen == "absent" else self.answers[seen].revision

    def _block(self, of: str | None, *, wanted: str) -> Block:
        block = self.last_block if of is None else self.answers[of].block
        if block is None:
            shown = "nothing" if of is None else f"no block in the turn {of!r}"
            raise NotShown(wanted=wanted, shown=shown)
        return block

    def _option(self, act: TapTurn, block: Block) -> str:
        for option in block.options:
            if option.label == act.option:
                return option.id
        labels = ", ".join(repr(option.label) for option in block.options) or "nothing to tap"
        raise NotShown(wanted=f"the option {act.option!r}", shown=f"{labels} in the block of {block.step!r}")
