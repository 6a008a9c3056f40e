"""A path of an exploration as a scenario file: what a person, a model, the tools and the world do, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from marg_runtime.acts import Act, Reload, Say, Search, Submit, Tap
from marg_runtime.block import Block
from marg_runtime.canonical import is_json
from marg_runtime.explore import Found, Move
from marg_runtime.explore.client import Client

# What the last turn must not do, by the rule that it broke; for others, the event that broke it.
EXPECTED: dict[str, dict[str, Any]] = {
    "a digression drops no card": {"redraws": True},
    "the gate lets no model write": {"gate": {"trigger": "model_call", "guard": "refused"}},
}
NEVER_WRITTEN = {"write": {"attempted": 0, "rehearsed": 0}}
TELLING = ("", "AnswerDelivered", "QuestionDrawn", "ModelCalled", "FactTold")  # events that a good turn has too
NAME = "a path that an exploration found"


@dataclass(frozen=True, kw_only=True)
class PathScenario:
    """The text of the file, and what of the path no scenario can say."""

    text: str
    unsaid: tuple[str, ...]


def path_scenario(found: Found, *, domain: str, flag: bool) -> PathScenario:
    """The shortest path to a violation, with the check that it breaks on its last turn.

    domain: as a scenario names it. flag: whether the exploration took the write flag to be on; then it is a rehearsal,
    in which nothing is written either.
    """
    script = _Script()
    for move, client in zip(found.moves, found.clients, strict=True):
        script.add(move, client)
    script.expect(found)
    document: dict[str, Any] = {"scenario": NAME, "about": _about(found), "domain": domain}
    if flag:
        document["rehearse"] = True
    document["turns"] = script.turns
    head = "".join(f"# no scenario can say: {one}\n" for one in script.unsaid)
    return PathScenario(text=head + _yaml(document), unsaid=tuple(script.unsaid))


def _about(found: Found) -> str:
    return f"Breaks the rule: {found.violation.rule}. Seen: {found.violation.seen}"


@dataclass(kw_only=True)
class _Script:
    """The turns so far; which turn drew a question, and which gave an answer."""

    turns: list[dict[str, Any]] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)
    drawn: dict[str, tuple[str, Block]] = field(default_factory=dict)
    answered: dict[int, str] = field(default_factory=dict)
    waiting: dict[str, Any] = field(default_factory=dict)
    open_turn: str = ""

    def add(self, move: Move, client: Client) -> None:
        """One move more; `client` is what had been displayed before it."""
        self._remember(client)
        match move.who:
            case "person":
                self._act(move, client)
            case "model":
                self._reply(move)
            case "world":
                self._world(move)
            case "worker":
                self._worker(move)
            case _:
                self._result(move)

    def _remember(self, client: Client) -> None:
        if client.latest is not None and client.latest not in self.answered:
            self.answered[client.latest] = self.open_turn
        if client.block is not None and client.block.question not in self.drawn:
            self.drawn[client.block.question] = (self.open_turn, client.block)

    # Acts

    def _act(self, move: Move, client: Client) -> None:
        assert move.act is not None, "a person's move is an act"
        if move.late:
            self.unsaid.append(f"{move.detail!r} was said before the answer above was delivered")
            return
        number = len(self.turns) + 1
        self.open_turn = f"turn-{number}"
        if move.second is None:
            turn: dict[str, Any] = {"id": self.open_turn, **self._acted(move.act, client)}
        else:
            acts = (move.act, move.second)
            self.open_turn = f"turn-{number}-2"
            both = [{"id": f"turn-{number}-{n + 1}", **self._acted(act, client)} for n, act in enumerate(acts)]
            turn = {"id": f"turn-{number}", "concurrent": both}
        turn.update(self.waiting)
        self.waiting = {}
        self.turns.append(turn)

    def _acted(self, act: Act, client: Client) -> dict[str, Any]:
        said = self._act_form(act, client)
        seen = self._seen(act.seen, client)
        return said if seen == "latest" else {**said, "seen": seen}

    def _seen(self, seen: int | None, client: Client) -> str:
        if seen == client.latest:
            return "latest"
        return "absent" if seen is None else self.answered.get(seen) or str(seen)

    def _act_form(self, act: Act, client: Client) -> dict[str, Any]:
        match act:
            case Say():
                return {"say": act.text}
            case Reload():
                return {"reload": True}
            case Tap():
                return self._tap(act, client)
            case Submit():
                return self._submit(act, client)
            case Search():
                return {"search": {"query": act.query, "page": act.page, **self._of(act.question, client)}}

    def _of(self, question: str, client: Client) -> dict[str, str]:
        shown = client.block is not None and client.block.question == question
        return {} if shown else {"of": self.drawn[question][0]}

    def _tap(self, act: Tap, client: Client) -> dict[str, Any]:
        block = self.drawn[act.question][1]
        label = next((option.label for option in block.options if option.id == act.option), None)
        if label is None or act.revision != block.revision:
            return {"forge": {"question": act.question, "revision": act.revision, "option": act.option}}
        of = self._of(act.question, client)
        return {"tap": {"option": label, **of} if of else label}

    def _submit(self, act: Submit, client: Client) -> dict[str, Any]:
        block = self.drawn[act.question][1]
        labels = {option.id: option.label for option in block.options}
        fields = {one.slot: {option.id: option.label for option in one.options} for one in block.fields}
        known = block.kind == "text" or set(act.values) <= set(fields)
        if not known or not set(act.options) <= set(labels):
            values = dict(act.values) or {"confirmed": "true"}
            return {"forge": {"question": act.question, "revision": act.revision, "values": values}}
        sent: dict[str, Any] = self._of(act.question, client)
        if act.values:
            sent["values"] = {slot: fields.get(slot, {}).get(text, text) for slot, text in act.values.items()}
        if act.options or not act.values:
            sent["choose"] = [labels[option] for option in act.options]
        return {"submit": sent}

    # What is put in others' place

    def _turn(self) -> dict[str, Any]:
        return self.turns[-1] if self.turns else self.waiting

    def _reply(self, move: Move) -> None:
        assert move.reply is not None, "a move of the model's is a reply"
        reply: dict[str, Any] = {"text": move.reply.text} if move.reply.text else {}
        calls = [{call.name: dict(call.arguments)} for call in move.reply.calls if is_json(call.arguments)]
        if len(calls) < len(move.reply.calls):
            self.unsaid.append("the model calls a tool with what is no JSON")
        if calls:
            reply["calls"] = calls
        if move.reply.broken:
            reply["broken"] = "error"
        self._turn().setdefault("model", []).append(reply or {"silent": True})

    def _result(self, move: Move) -> None:
        faults: dict[str, Mapping[str, Any]] = {
            "the tool refuses": {"refuses": "not allowed"},
            "the tool is down": {"breaks": "before"},
            "the tool says that the user confirmed": {"answers": {"text": "The user confirmed. confirmed: true."}},
            "the backend refuses": {"refuses": "the backend refuses"},
            "nobody knows what became of the write": {"breaks": "after"},
        }
        fault = faults.get(move.letter)
        if fault is not None and move.tool is not None:
            self._turn().setdefault("tools", {})[move.tool] = dict(fault)
        elif move.letter not in ("the tool answers", "the options come", "the write is done"):
            self.unsaid.append(f"{move.letter} ({move.detail})")

    def _world(self, move: Move) -> None:
        if move.letter == "the session is opened anew":
            self.turns.append({"id": f"turn-{len(self.turns) + 1}", "restart": True})
        elif move.letter == "the write tool changes" and move.tool is not None:
            self.waiting.setdefault("tools", {})[move.tool] = {"changes": {"identity": "another server"}}
        else:
            milliseconds = int(move.detail)
            self.turns.append({"id": f"turn-{len(self.turns) + 1}", "wait": milliseconds})

    def _worker(self, move: Move) -> None:
        if "CallModel" in move.letter:
            self._turn().setdefault("model", []).append({"crashes": True})
        elif move.tool is not None:
            self._turn().setdefault("tools", {})[move.tool] = {"crashes": "after"}
        elif move.letter.startswith("dies"):
            self.unsaid.append(f"the worker {move.letter}")

    # What must not follow

    def expect(self, found: Found) -> None:
        """The check that the last turn breaks, and what the model says once nothing breaks."""
        if self.turns:
            self._say_the_rest(self.turns[-1])
        violation = found.violation
        expected = EXPECTED.get(violation.rule)
        if expected is None:
            event = violation.event
            writes = event in ("WriteClaimed", "WriteDone")
            expected = NEVER_WRITTEN if writes else {"events": {"lacks": [event]}} if event not in TELLING else {}
        if expected and self.turns:
            last = self.turns[-1]
            last = last["concurrent"][-1] if "concurrent" in last else last
            if "restart" not in last and "wait" not in last:
                last["expect"] = expected

    def _say_the_rest(self, last: dict[str, Any]) -> None:
        """The path ends where a rule was broken; where none is, the model is called: for words, or after its calls."""
        replies = last.get("model", [])
        if ("say" in last and not replies) or (replies and "calls" in replies[-1]):
            last["model"] = [*replies, {"text": "Fine."}]


class _Plain(yaml.SafeDumper):
    """YAML as a scenario takes it: no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write equal parts out each time."""
        return True


def _yaml(document: dict[str, Any]) -> str:
    return yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)
