"""A session's ledger as a scenario: its acts are the user's, its checks are what was seen of each turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marg_harness.update.rerecording import rerecorded
from marg_runtime.acts import Act, Reload, Say, Search, Submit, Tap
from marg_runtime.answer import Answer, project
from marg_runtime.block import Block
from marg_runtime.errors import UsageError
from marg_runtime.events.model import ModelFailed, ModelReplied
from marg_runtime.events.turn import ActQueued, TurnAbandoned
from marg_runtime.events.write import WriteClaimed, WriteDone
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry
from marg_runtime.state import State
from marg_scenarios import Observation
from marg_scenarios.checks.check import Check
from marg_scenarios.checks.facts import FactsCheck
from marg_scenarios.checks.gate import GateCheck, WriteCheck
from marg_scenarios.checks.model import CutCheck
from marg_scenarios.checks.reading import ReadingCheck
from marg_scenarios.checks.tools import ToolsCalledCheck
from marg_scenarios.turn_ids import made_id

# What is looked at of every turn, and how it is written where there is something to write.
LOOKED_AT: tuple[tuple[Check, Any], ...] = (
    (ReadingCheck(line=0, expected="content"), ""),
    (FactsCheck(line=0, expected=()), []),
    (ToolsCalledCheck(line=0, expected=()), [{"": {}}]),
    (CutCheck(line=0, expected=()), []),
    (GateCheck(line=0, expected=()), "none"),
)


@dataclass(kw_only=True)
class _Seen:
    """What the client of the session had been shown so far, by the turns of the scenario."""

    answers: dict[str, Answer] = field(default_factory=dict)
    last: Block | None = None

    def took(self, turn: str, answer: Answer) -> None:
        self.answers[turn] = answer
        self.last = answer.block or self.last

    def block(self, question: str, revision: int) -> tuple[Block, str | None] | None:
        """The block that an act answers, and the turn that showed it where it is not the last one shown."""
        if self.last is not None and (self.last.question, self.last.revision) == (question, revision):
            return self.last, None
        for turn, answer in reversed(self.answers.items()):
            block = answer.block
            if block is not None and (block.question, block.revision) == (question, revision):
                return block, turn
        return None

    def seen(self, revision: int | None) -> str | None:
        """How a scenario says what the client had displayed; None where that is the last answer."""
        if revision is None:
            return "absent" if self.answers else None
        turns = [turn for turn, answer in self.answers.items() if answer.revision == revision]
        if turns and turns[-1] == next(reversed(self.answers)):
            return None
        return turns[-1] if turns else str(revision)


def recorded_scenario(
    entries: Sequence[Entry], *, name: str, domain: str, machine: str | None = None, scripted: bool = False
) -> dict[str, Any]:
    """The tree of a scenario's file out of a session's ledger.

    machine: the file of the machine, from the scenario's folder. scripted: the model's replies are those of the
    ledger, so that no machine is asked. Raises UsageError for a ledger with no turn, or with one that was cut off.
    """
    seen, turns, state = _Seen(), [], State()
    queued = {entry.revision: entry.event.act for entry in entries if isinstance(entry.event, ActQueued)}
    for own in _turns(entries):
        before = fold([one for one in entries if state.revision < one.revision < own[0].revision], state=state)
        state = fold([one for one in entries if before.revision < one.revision <= own[-1].revision], state=before)
        act = queued[_act_of(own[0]) or 0]  # what begins a turn names its act
        answer = project(own, state=state)
        node = _act_node(act, seen)
        shown = seen.seen(act.seen)
        node |= {} if shown is None else {"seen": shown}
        node |= _script(own) if scripted else {}
        turn = _unique(made_id(node), seen.answers)
        expect = _expected(_observed(own, act, answer, before, state))
        turns.append({"id": turn, **node, "expect": expect})
        seen.took(turn, answer)
    if not turns:
        raise UsageError("the ledger has no turn; record a session that somebody has spoken in")
    writes = any(isinstance(entry.event, WriteClaimed) for entry in entries)
    head = {"scenario": name, "domain": domain, **({} if machine is None else {"machine": machine})}
    in_order = state.opened is not None and state.opened.in_order
    told = {"in_order": in_order, "rehearse": writes}
    return {**head, **{key: True for key, is_so in told.items() if is_so}, "turns": turns}


def _act_of(entry: Entry) -> int | None:
    """The revision at which the act was queued that a turn begins with; None for an entry that begins none."""
    act = getattr(entry.event, "act", None)
    return act if isinstance(act, int) else None


def _turns(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The entries of each turn, in order."""
    found: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.turn > 0 and not isinstance(entry.event, ActQueued):
            found.setdefault(entry.turn, []).append(entry)
    for turn, own in found.items():
        if any(isinstance(entry.event, TurnAbandoned) for entry in own):
            raise UsageError(f"turn {turn} of the session was cut off when its process died; no replay repeats that")
        if _act_of(own[0]) is not None:
            yield own


def _act_node(act: Act, seen: _Seen) -> dict[str, Any]:
    match act:
        case Say(text=text):
            return {"say": text}
        case Reload():
            return {"reload": True}
        case Search():
            of = seen.block(act.question, act.revision)
            query = {} if act.query is None else {"query": act.query}
            return {"search": {**query, "page": act.page, **_of(of)}}
        case Tap():
            return _tap_node(act, seen)
        case Submit():
            return _submit_node(act, seen)


def _tap_node(act: Tap, seen: _Seen) -> dict[str, Any]:
    found = seen.block(act.question, act.revision)
    labels = {option.id: option.label for option in found[0].options} if found else {}
    if found is None or act.option not in labels:
        return {"forge": {"question": act.question, "revision": act.revision, "option": act.option}}
    of = _of(found)
    return {"tap": {"option": labels[act.option], **of} if of else labels[act.option]}


def _submit_node(act: Submit, seen: _Seen) -> dict[str, Any]:
    found = seen.block(act.question, act.revision)
    if found is None:
        return {"forge": {"question": act.question, "revision": act.revision, "values": dict(act.values)}}
    block = found[0]
    fields = {one.slot: {option.id: option.label for option in one.options} for one in block.fields}
    labels = {option.id: option.label for option in block.options}
    values = {slot: fields.get(slot, {}).get(text, text) for slot, text in act.values.items()}
    sent: dict[str, Any] = {"values": values} if values else {"choose": [labels[one] for one in act.options]}
    return {"submit": {**sent, **_of(found)}}


def _of(found: tuple[Block, str | None] | None) -> dict[str, str]:
    return {"of": found[1]} if found is not None and found[1] is not None else {}


def _script(own: Sequence[Entry]) -> dict[str, Any]:
    """The model's replies of the turn, as they stand in the ledger."""
    replies: list[dict[str, Any]] = []
    for entry in own:
        match entry.event:
            case ModelReplied(raw=raw, calls=calls):
                made = {"calls": [{call.name: dict(call.arguments)} for call in calls]} if calls else {}
                replies.append({**({"text": raw} if raw else {}), **made} or {"silent": True})
            case ModelFailed(raw=raw):
                replies.append({**({"text": raw} if raw else {}), "broken": "error"})
            case _:
                pass
    return {"model": replies} if replies else {}


def _observed(own: Sequence[Entry], act: Act, answer: Answer, before: State, after: State) -> Observation:
    return Observation(
        act=act,
        shown_before=None,
        answer=answer,
        entries=tuple(own),
        draft=after.draft,
        draft_before=before.draft,
        question=after.question.step if after.question else None,
        requests=(),
        told_before=0,
        rule="",
        writes=0,
        rehearsed=sum(isinstance(entry.event, WriteClaimed) for entry in own),
    )


def _expected(observation: Observation) -> dict[str, Any]:
    """What was seen of a turn, as its checks."""
    seen = {check.kind: rerecorded(check.kind, written, check.look(observation)) for check, written in LOOKED_AT}
    expect = {kind: node for kind, node in seen.items() if node not in (None, [], "none")}
    if any(isinstance(entry.event, WriteDone) for entry in observation.entries):
        expect.pop("facts", None)  # they name what the backend made; its double makes another
    texts = observation.texts("model")
    expect |= {"block": _block(observation.answer.block)} | _draft(observation) | _write(observation)
    return {**expect, **({"text": {"contains": texts}} if texts else {})}


def _block(block: Block | None) -> Any:
    if block is None:
        return "none"
    options = [option.label for option in block.options]
    return {"step": block.step, "options": options} if options else block.step


def _draft(observation: Observation) -> dict[str, Any]:
    """The slots that the turn changed."""
    before, after = observation.draft_before.values, observation.draft.values
    changed = {
        slot: after[slot].value if slot in after else None
        for slot in sorted({*before, *after})
        if before.get(slot) != after.get(slot)
    }
    return {"draft": changed} if changed else {}


def _write(observation: Observation) -> dict[str, Any]:
    check = WriteCheck(line=0, attempted=0, performed=0, ended="done", arguments={})
    got: Mapping[str, Any] = check.look(observation)  # type: ignore[assignment]  # a write is looked at as a mapping
    node = {key: got[key] for key in ("attempted", "rehearsed", "ended") if got.get(key)}
    return {"write": node} if node else {}


def _unique(name: str, taken: Mapping[str, Any]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}-{number}", number + 1
    return found
