"""The endpoint as Anthropic's API, spoken to by the official SDK: messages."""

from __future__ import annotations

from typing import Any

import pytest
from tests.mock_model.desk_endpoint import (
    CLAUDE_TOOLS,
    FAILS,
    MESSAGES,
    VERSION,
    anthropic,
    body,
    claude_client,
    post,
    run,
    user,
)

from marg_mock_model.endpoint import Endpoint


def test_a_message_has_text_and_calls_and_goes_on_with_the_results() -> None:
    async def test(endpoint: Endpoint) -> Any:
        async with claude_client(endpoint) as client:
            options: dict[str, Any] = {"model": "m", "max_tokens": 500, "tools": CLAUDE_TOOLS}
            messages: list[Any] = [user(FAILS)]
            first = await client.messages.create(messages=messages, **options)
            results = [
                {"type": "tool_result", "tool_use_id": block.id, "content": "2 tickets"}
                for block in first.content
                if block.type == "tool_use"
            ]
            messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
            return first, await client.messages.create(messages=messages, **options)

    first, second = run(test)
    assert [block.type for block in first.content] == ["text", "tool_use", "tool_use"]
    assert (first.stop_reason, first.content[2].input) == ("tool_use", {"query": "login", "limit": 5})
    assert (second.content[0].text, second.stop_reason) == ("I found 2.", "end_turn")


def test_a_tool_that_refused_is_told_by_its_own_field() -> None:
    async def test(endpoint: Endpoint) -> Any:
        start = {"max_tokens": 9}
        first = (await post(endpoint, MESSAGES, body(user("only calls"), **start), VERSION)).json()
        result = {"type": "tool_result", "tool_use_id": first["content"][0]["id"], "content": "no", "is_error": True}
        messages = (user("only calls"), {"role": "assistant", "content": first["content"]}, user([result]))  # type: ignore[arg-type]
        return (await post(endpoint, MESSAGES, body(*messages, **start), VERSION)).json()

    assert run(test)["content"][0]["text"] == "That did not work."


def test_a_streamed_message_is_put_together_by_the_sdk() -> None:
    async def test(endpoint: Endpoint) -> Any:
        options: dict[str, Any] = {"model": "m", "max_tokens": 500, "tools": CLAUDE_TOOLS, "messages": [user(FAILS)]}
        async with claude_client(endpoint) as client, client.messages.stream(**options) as stream:
            pieces = [piece async for piece in stream.text_stream]
            return pieces, await stream.get_final_message()

    pieces, final = run(test)
    assert (len(pieces) > 3, "".join(pieces)) == (True, "I am sorry that your login fails.")
    assert (final.content[1].input["value"], final.stop_reason) == (FAILS, "tool_use")


@pytest.mark.parametrize("version", ["2023-06-01", "2026-10-21"])
@pytest.mark.parametrize("key", [{"authorization": "Bearer none"}, {"x-api-key": "none"}])
def test_both_versions_and_both_forms_of_the_key_are_taken(version: str, key: dict[str, str]) -> None:
    headers = {"anthropic-version": version, **key}
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user("hello"), max_tokens=9), headers))
    assert reply.json()["content"][0]["text"].startswith("Hello!")


@pytest.mark.parametrize("headers", [{}, {"anthropic-version": "2020-01-01"}])
def test_another_version_is_refused(headers: dict[str, str]) -> None:
    reply = run(lambda endpoint: post(endpoint, MESSAGES, body(user("hello"), max_tokens=9), headers))
    assert (reply.status_code, reply.json()["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize(("version", "status"), [("2023-06-01", 200), ("2026-10-21", 400)])
def test_the_newer_version_takes_no_temperature(version: str, status: int) -> None:
    request = body(user("hello"), max_tokens=9, temperature=0)
    reply = run(lambda endpoint: post(endpoint, MESSAGES, request, {"anthropic-version": version}))
    assert reply.status_code == status


def test_the_tool_runner_of_the_sdk_goes_on_without_the_threads_that_are_not_here() -> None:
    async def search_tickets(query: str, limit: int = 0) -> str:
        """Search."""
        return "2 tickets"

    async def test(endpoint: Endpoint) -> Any:
        async with claude_client(endpoint) as client:
            options: dict[str, Any] = {"model": "m", "max_tokens": 500, "messages": [user("only calls")]}
            tools = [anthropic.beta_async_tool(search_tickets)]
            final = await client.beta.messages.tool_runner(tools=tools, **options).until_done()
            return final.content[0].text, endpoint.journal[0].parsed()["thread"], endpoint.journal[0].status

    assert run(test) == ("I found 2.", {"type": "create"}, 400)
