"""The three APIs by the paths at which their clients call them."""

from __future__ import annotations

from collections.abc import Mapping

from marg_mock_model.endpoint.anthropic_messages import AnthropicMessages
from marg_mock_model.endpoint.openai_chat import OpenAIChat
from marg_mock_model.endpoint.openai_responses import OpenAIResponses
from marg_mock_model.endpoint.wire import WireApi

CHAT, RESPONSES, MESSAGES = OpenAIChat(), OpenAIResponses(), AnthropicMessages()

APIS: Mapping[str, WireApi] = {
    "/v1/chat/completions": CHAT,
    "/chat/completions": CHAT,
    "/v1/responses": RESPONSES,
    "/responses": RESPONSES,
    "/v1/messages": MESSAGES,
}
