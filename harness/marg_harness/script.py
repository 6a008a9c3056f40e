"""From a scripted act to the act that a client would send: it can only tap and submit what it was shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from marg_harness.errors import NotShown
from marg_runtime.acts import Act, Reload, Say, Search, Submit, Tap
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_scenarios import SayTurn, SubmitTurn, TapTurn, Turn
from marg_scenarios.turn import ForgeTurn, SearchTurn


@dataclass(kw_only=True)
class Client:
    """A client of a conversation: it remembers the answers, and what was shown, by turn."""

    answers: dict[str, Answer] = field(default_factory=dict)
    revisions: list[int] = field(default_factory=list)
    last_block: Block | None = None

    def took(self, turn: Turn, answer: Answer) -> None:
        """Remember the answer of a turn."""
        self.answers[turn.id] = answer
        self.revisions.append(answer.revision)
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
            case ForgeTurn():
                return self._forged(turn.act, now=now, seen=seen)
            case SubmitTurn():
                return self._submitted(turn.act, now=now, seen=seen)
            case SearchTurn():
                act, block = turn.act, self._block(turn.act.of, wanted="a block to search in")
                question, revision = block.question, block.revision
                return Search(question=question, revision=revision, query=act.query, page=act.page, at=now, seen=seen)
            case _:
                return Reload(at=now, seen=seen)

    def _submitted(self, act: SubmitTurn, *, now: int, seen: int | None) -> Act:
        """A submit of what the block shows: labels become the ids that a client has for them."""
        block = self._block(act.of, wanted="a block to submit")
        fields = {one.slot: {option.label: option.id for option in one.options} for one in block.fields}
        return Submit(
            question=block.question,
            revision=block.revision,
            values={slot: fields.get(slot, {}).get(text, text) for slot, text in act.values.items()},
            options=tuple(self._option(TapTurn(option=label), block) for label in act.choose),
            at=now,
            seen=seen,
        )

    def _seen(self, seen: str) -> int | None:
        revisions = list(self.revisions)
        if seen == "latest":
            return revisions[-1] if revisions else None
        if seen == "previous":
            return revisions[-2] if len(revisions) > 1 else None
        if seen == "absent":
            return None
        return self.answers[seen].revision if seen in self.answers else int(seen)

    def _forged(self, act: ForgeTurn, *, now: int, seen: int | None) -> Act:
        """What no block offers: only what the scenario leaves out is looked up on the block."""
        block = None
        if act.question is None or act.revision is None:
            block = self._block(act.of, wanted="a block to forge an answer to")
        question = act.question if act.question is not None or block is None else block.question
        revision = act.revision if act.revision is not None or block is None else block.revision
        assert question is not None
        assert revision is not None
        if act.values is not None:
            return Submit(question=question, revision=revision, values=act.values, at=now, seen=seen)
        return Tap(question=question, revision=revision, option=act.option or "", at=now, seen=seen)

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
