"""A draft of a machine from a cassette: what was recorded becomes states and transitions, for a person to go on with.

A state is a place in a conversation, and never the number of a request: two conversations share the states of their
common beginning and part where they part, and none of them ever leads back to its own start.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marg_mock_model.cassette.recorded_reply import RecordedReply, recorded_reply
from marg_mock_model.cassette.take import Take
from marg_mock_model.endpoint.apis import APIS
from marg_mock_model.endpoint.conversations import Conversations, history_digests
from marg_mock_model.errors import BadRequest
from marg_mock_model.machine import Machine
from marg_mock_model.script import Script
from marg_mock_model.situation import Situation, situation_of
from marg_runtime.conversation import AssistantMessage, Message, ModelCall
from marg_runtime.errors import UsageError

START = "start"
VERSION = (b"anthropic-version", b"2023-06-01")
# A request of a cassette reads its own history; nothing is answered by this machine.
_NOBODY = Machine(name="", start=START, states={}, slips=(), path="", line=1)


@dataclass(kw_only=True)
class _State:
    """A state of the draft; `transitions` by their guards, each with its answer and the state that it leads to."""

    name: str
    transitions: dict[str, tuple[Script, _State]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A drafted machine's file, and the takes that are not in it, each with the reason."""

    text: str
    left_out: Mapping[int, str]


def draft_machine(takes: Sequence[Take], *, name: str) -> Draft:
    """The draft of some takes.

    Raises UsageError where none of them is a reply of an API that is known here.
    """
    start = _State(name=START)
    states = [start]
    after: dict[bytes, _State] = {}
    stored = Conversations(_NOBODY)
    left_out: dict[int, str] = {}
    for take in takes:
        reason = _add(take, start=start, states=states, after=after, stored=stored)
        if reason is not None:
            left_out[take.line] = reason
    if not start.transitions:
        reasons = "; ".join(f"line {line}: {why}" for line, why in left_out.items()) or "the cassette is empty"
        raise UsageError(f"there is nothing to draft a machine from: {reasons}.")
    return Draft(text="\n".join(_lines(name, states)) + "\n", left_out=left_out)


def _add(
    take: Take, *, start: _State, states: list[_State], after: dict[bytes, _State], stored: Conversations
) -> str | None:
    """Put one take into the draft; gives the reason where it is left out."""
    api = APIS.get(take.path)
    if api is None or not isinstance(take.body, Mapping):
        return f"{take.method} {take.path} is no request for a reply"
    reply = recorded_reply(api.name, take)
    if reply is None:
        return f"status {take.status}, or a reply that is not whole"
    try:
        asked = api.read(take.body, headers=(VERSION,), stored=stored)
    except BadRequest as error:
        return str(error)
    messages, script = asked.request.messages, reply.script
    if reply.id:
        stored.store(reply.id, (*messages, _said(reply)))
    digests = history_digests(messages, "")
    known = _known(messages, digests, after)
    state = start if known is None else after[digests[known]]
    guards = _guards(situation_of(asked.request, answered=known or 0))
    if guards in state.transitions:
        if state.transitions[guards][0] != script:
            return f"the same request as before, with another answer; the first one is kept in {state.name!r}"
    else:
        states.append(_State(name=f"after_{len(states)}"))
        state.transitions[guards] = (script, states[-1])
    after[digests[-1]] = state.transitions[guards][1]
    return None


def _said(reply: RecordedReply) -> AssistantMessage:
    """A reply as the message that a client goes on from by its id."""
    calls = zip(reply.ids, reply.script.calls, strict=True)
    return AssistantMessage(
        text=reply.script.text,
        calls=tuple(ModelCall(id=call, name=made.tool, arguments=made.arguments) for call, made in calls),
    )


def _known(messages: tuple[Message, ...], digests: list[bytes], after: Mapping[bytes, _State]) -> int | None:
    """How many messages of a history were answered by an earlier take: the most that are known."""
    for length in range(len(messages) - 1, 0, -1):
        if isinstance(messages[length], AssistantMessage) and digests[length] in after:
            return length
    return None


def _guards(situation: Situation) -> str:
    """The guards that hold of a situation, as they are written."""
    guards: dict[str, Any] = {}
    if situation.users:
        guards["user"] = situation.users[-1]
    if situation.facts:
        guards["facts"] = list(situation.facts)
    if situation.results:
        result = situation.results[-1]
        guards |= {"result_of": result.name, "result_matches": f"^{re.escape(result.text)}$"}
        guards |= {"result_is_error": True} if result.is_error else {}
    return _inline(guards)


def _lines(name: str, states: Sequence[_State]) -> Iterator[str]:
    yield "# Drafted from a cassette: every state is a place in a recorded conversation. Give the states names that say"
    yield "# what they are, widen the guards, and let conversations that mean the same meet."
    yield f"machine: {_inline(name)}"
    yield f"start: {START}"
    yield "states:"
    for state in states:
        yield f"  {state.name}:"
        if not state.transitions:
            yield "    ends: true"
            continue
        yield "    transitions:"
        for guards, (script, target) in state.transitions.items():
            yield f"      - when: {guards}"
            yield from _answer(script)
            yield f"        to: {target.name}"


def _answer(script: Script) -> Iterator[str]:
    if script.text:
        yield f"        reply: {_inline(_escaped(script.text))}"
    if script.calls:
        yield "        calls:"
        for call in script.calls:
            yield f"          - {_inline({call.tool: _escaped(call.arguments)})}"
    if not script.text and not script.calls:
        yield "        silent: true"
    if script.finish != ("tool_calls" if script.calls else "stop"):
        yield f"        finish: {script.finish}"


def _escaped(value: Any) -> Any:
    """A value in whose texts no brace is a template's."""
    if isinstance(value, str):
        return value.replace("{", "{{").replace("}", "}}")
    if isinstance(value, Mapping):
        return {key: _escaped(item) for key, item in value.items()}
    return [_escaped(item) for item in value] if isinstance(value, (list, tuple)) else value


def _inline(value: Any) -> str:
    """A value in one line that YAML and JSON read alike."""
    text = json.dumps(value, ensure_ascii=False)
    # JSON lets these stand as they are; YAML does not take them, or takes them for line breaks.
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", text)
