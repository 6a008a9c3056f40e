"""Model requests and listed tools as they travel."""

from __future__ import annotations

from marg_runtime.conversation import (
    AssistantMessage,
    FactsMessage,
    Message,
    ModelCall,
    ModelRequest,
    ResultMessage,
    UserMessage,
)
from marg_runtime.gateway.protocol import CallIdForm, MessageForm, RequestForm, ToolForm
from marg_runtime.tools.tool import ToolSpec


def request_form(request: ModelRequest) -> RequestForm:
    """The form of a request."""
    return RequestForm(
        system=request.system,
        messages=tuple(_message_form(message) for message in request.messages),
        tools=tuple(tool_form(spec) for spec in request.tools),
    )


def request_of(form: RequestForm) -> ModelRequest:
    """The request of a form; it has the digest of the request that the form was made of."""
    return ModelRequest(
        system=form.system,
        messages=tuple(_message_of(message) for message in form.messages),
        tools=tuple(tool_of(tool) for tool in form.tools),
    )


def tool_form(spec: ToolSpec) -> ToolForm:
    """The form of a listed tool."""
    return ToolForm(
        server=spec.server,
        identity=spec.identity,
        name=spec.name,
        description=spec.description,
        input_schema=spec.input_schema,
    )


def tool_of(form: ToolForm) -> ToolSpec:
    """The listed tool of a form."""
    return ToolSpec(
        server=form.server,
        identity=form.identity,
        name=form.name,
        description=form.description,
        input_schema=form.input_schema,
    )


def _message_form(message: Message) -> MessageForm:
    match message:
        case UserMessage():
            return MessageForm(role="user", text=message.text)
        case FactsMessage():
            return MessageForm(role="facts", facts=message.facts)
        case AssistantMessage():
            calls = tuple(CallIdForm(id=one.id, name=one.name, arguments=one.arguments) for one in message.calls)
            return MessageForm(role="assistant", text=message.text, calls=calls)
        case ResultMessage():
            return MessageForm(
                role="result", call=message.call, name=message.name, text=message.text, is_error=message.is_error
            )


def _message_of(form: MessageForm) -> Message:
    match form.role:
        case "user":
            return UserMessage(text=form.text)
        case "facts":
            return FactsMessage(facts=form.facts)
        case "assistant":
            calls = tuple(ModelCall(id=one.id, name=one.name, arguments=one.arguments) for one in form.calls)
            return AssistantMessage(text=form.text, calls=calls)
        case "result":
            return ResultMessage(call=form.call, name=form.name, text=form.text, is_error=form.is_error)
