"""The desk of an endpoint: a request's body in, the machine's answer out, and what was seen of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from marg_mock_model.answer import Answer
from marg_mock_model.coverage import Coverage
from marg_mock_model.endpoint.conversations import Conversations
from marg_mock_model.endpoint.fault import Fault
from marg_mock_model.endpoint.journal import Exchange, Journal
from marg_mock_model.endpoint.json_text import json_value
from marg_mock_model.endpoint.refusal import refusal, request_header
from marg_mock_model.endpoint.response import Response, json_response, stream_response
from marg_mock_model.endpoint.structured import structured_text
from marg_mock_model.endpoint.usage import usage_of
from marg_mock_model.endpoint.wire import WireApi, WireError, WireReply, WireRequest
from marg_mock_model.errors import BadRequest, UndeclaredSituation
from marg_mock_model.machine import Machine
from marg_runtime.conversation import AssistantMessage, ModelCall

UNDECLARED_STATUS = 422
"""No client tries a 422 again, and no API gives one of its own: the script is at fault, not the wire."""


@dataclass(kw_only=True)
class Desk:
    """One machine, its conversations, what they used of it, and their journal."""

    machine: Machine
    journal: Journal
    seed: int = 0
    conversations: Conversations = field(init=False)
    coverage: Coverage = field(init=False)

    def __post_init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget conversations, coverage and journal."""
        self.conversations = Conversations(self.machine, seed=self.seed)
        self.coverage = Coverage(machine=self.machine)
        self.journal.clear()

    def reply(self, api: WireApi, exchange: Exchange, *, fault: Fault | None = None) -> Response:
        """The response to an exchange's request, for the fault to break; an empty one has nothing of the machine's.

        A reply that will break is not stored: no client has it whole, so that none may go on from its id.
        """
        exchange.stream = False
        try:
            body = _object(exchange.body)
            asked = api.read(body, headers=exchange.headers, stored=self.conversations)
            exchange.stream = asked.stream
            reply = self._answer(api, exchange, asked, stored=fault is None)
        except BadRequest as error:
            return _refusal(
                api, exchange, WireError(status=400, message=str(error), code=error.code, param=error.param)
            )
        except UndeclaredSituation as error:
            return _refusal(api, exchange, _undeclared(error))
        headers, hollow = [request_header(api, f"req_{reply.id}")], fault is not None and fault.kind == "empty"
        if asked.stream:
            events = api.hollow_events(reply, asked) if hollow else api.events(reply, asked)
            return stream_response(events, headers=headers)
        document = api.hollow_document(reply, asked) if hollow else api.document(reply, asked)
        return json_response(document, headers=headers)

    def _answer(self, api: WireApi, exchange: Exchange, asked: WireRequest, *, stored: bool) -> WireReply:
        turn = self.conversations.answer(asked.request, name=exchange.conversation)
        answer = turn.answer
        self.coverage.answered(answer)
        text = structured_text(answer, asked.format) if asked.format and not answer.calls else answer.text
        transition = answer.transition
        exchange.state, exchange.transition = transition.state, f"{transition.path}:{transition.line}"
        exchange.slips = () if answer.slip is None else (f"{answer.slip.kind}:{answer.slip.line}",)
        exchange.reply, exchange.sent = f"{api.prefix}{turn.id}", text
        reply = WireReply(
            id=turn.id,
            text=text,
            calls=answer.calls,
            finish=answer.finish,
            usage=usage_of(asked.request, answer, text),
            model=asked.model,
        )
        if api.name == "openai_responses" and asked.store and stored:
            self._store(reply, asked, answer)
        return reply

    def _store(self, reply: WireReply, asked: WireRequest, answer: Answer) -> None:
        """Keep the reply as a client will name its calls."""
        calls = tuple(
            ModelCall(id=f"call_{reply.id}{number}", name=call.name, arguments=call.arguments)
            for number, call in enumerate(answer.calls, start=1)
        )
        said = AssistantMessage(text=reply.text, calls=calls)
        self.conversations.store(f"resp_{reply.id}", (*asked.request.messages, said))


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        value = json_value(body)
    except ValueError as error:
        raise BadRequest(f"We could not parse the JSON body of your request: {error}") from None
    if not isinstance(value, dict):
        raise BadRequest("The body of the request must be a JSON object.")
    return value


def _undeclared(error: UndeclaredSituation) -> WireError:
    return WireError(
        status=UNDECLARED_STATUS,
        message=str(error),
        # Beside the others: Anthropic's errors have no code of their own.
        extra={"code": "undeclared_situation", "state": error.state, "input": error.situation},
    )


def _refusal(api: WireApi, exchange: Exchange, error: WireError) -> Response:
    exchange.error = error.message
    return refusal(api, exchange, error)
