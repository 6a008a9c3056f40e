"""An endpoint with the machine of a small desk, and what asks it: the official SDKs, and plain requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import Endpoint, serve

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
pytest.importorskip("uvicorn")

MACHINE = parse_machine(
    """\
machine: desk
start: listening
states:
  listening:
    transitions:
      - when: {fact_matches: "^Priority set to (?P<priority>.+)[.]$", user_matches: "thanks"}
        reply: "Noted: {priority}."
        to: listening
      - when: {user: hello}
        reply: Hello! What is wrong with the thing that you use?
        to: greeted
      - when: {user_matches: "my (?P<thing>\\\\w+) fails"}
        reply: "I am sorry that your {thing} fails."
        calls:
          - propose: {slot: title, value: "{0}", quote: "{0}"}
          - search_tickets: {query: "{thing}", limit: 5}
        to: searching
      - when: {user: only calls}
        calls:
          - search_tickets: {query: calls}
        to: searching
      - when: {user: nothing}
        silent: true
        to: greeted
      - when: {user: no way}
        reply: I will not do that.
        finish: refusal
        to: listening
      - when: {user: too long}
        reply: This goes on and
        finish: length
        to: listening
  greeted:
    transitions:
      - when: {user: hello}
        reply: Hello again.
        to: greeted
      - when: {user: bye}
        reply: Bye.
        to: listening
  searching:
    transitions:
      - when: {result_is_error: true}
        reply: That did not work.
        to: listening
      - when: {result_of: search_tickets, result_matches: "^(\\\\d+) tickets?$"}
        reply: "I found {1}."
        to: listening
""",
    path="desk.yaml",
)
CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
VERSION = {"anthropic-version": "2023-06-01"}
FAILS = "my login fails"
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    for name in ("propose", "search_tickets")
]
FLAT_TOOLS = [{"type": "function", "strict": False, **tool["function"]} for tool in TOOLS]  # type: ignore[dict-item]
CLAUDE_TOOLS = [{"name": name, "input_schema": {"type": "object"}} for name in ("propose", "search_tickets")]


def run(test: Callable[[Endpoint], Awaitable[Any]], **options: Any) -> Any:
    """Run a test's coroutine against an endpoint."""

    async def main() -> Any:
        async with serve(MACHINE, **options) as endpoint:
            return await test(endpoint)

    return asyncio.run(main())


@asynccontextmanager
async def chat_client(endpoint: Endpoint) -> AsyncIterator[Any]:
    async with openai.AsyncOpenAI(base_url=endpoint.openai_url, api_key="none", max_retries=0) as client:
        yield client


@asynccontextmanager
async def claude_client(endpoint: Endpoint) -> AsyncIterator[Any]:
    async with anthropic.AsyncAnthropic(base_url=endpoint.anthropic_url, api_key="none", max_retries=0) as client:
        yield client


def post(
    endpoint: Endpoint, path: str, body: Any, headers: Mapping[str, str] | None = None
) -> Awaitable[httpx.Response]:
    """One request with no SDK in between."""

    async def posting() -> httpx.Response:
        async with httpx.AsyncClient(trust_env=False, verify=False) as client:
            return await client.post(endpoint.address + path, json=body, headers=headers)

    return posting()


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), **fields}


def said(*messages: dict[str, Any], headers: Mapping[str, str] | None = None) -> str:
    """The text of a chat reply."""
    found = run(lambda endpoint: post(endpoint, CHAT, body(*messages), headers)).json()
    return str(found["choices"][0]["message"]["content"])
