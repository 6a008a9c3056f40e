"""The gateway: sessions over HTTP as JSON and server-sent events, and writes as the flag of this process says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from marg_mock_model import MockModel, load_machine
from marg_runtime.errors import StoreError
from marg_runtime.events.write import GateDecided
from marg_runtime.gateway import SessionAgent
from marg_runtime.gateway.app import LARGEST_BODY, gateway
from marg_runtime.gateway.schema import protocol_schema
from marg_runtime.gateway.serving import LOCAL_NAMES, serve
from marg_runtime.store import MemoryStore
from marg_runtime.tools.mcp import McpTools
from marg_scenarios.support_intake.kit import KIT, DeskBackend

REPORT = "My login fails since this morning. I get error 500 on every try."
SAY = {"kind": "say", "text": REPORT, "seen": 0}
TAPS = ("High", "Bug", "Private", "Skip")

Asking = Callable[[httpx.AsyncClient], Awaitable[Any]]


def asked(ask: Asking, *, store: MemoryStore | None = None, host: str = "127.0.0.1", **options: Any) -> Any:
    """What somebody gets who asks a gateway in this process, with no socket between."""
    backend = DeskBackend()

    async def run() -> Any:
        async with McpTools(backend.sources) as tools:
            agent = SessionAgent(
                domain=KIT.domain,
                model=lambda: MockModel(load_machine(KIT.machine)),
                tools=tools,
                store=store or MemoryStore(),
                clock=lambda: 1_000,
                writes=backend.writes,
                **options,
            )
            transport = httpx.ASGITransport(app=gateway(agent, hosts=LOCAL_NAMES))
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
                return await ask(client)

    try:
        return asyncio.run(run())
    finally:
        backend.close()


async def opened(client: httpx.AsyncClient, **more: Any) -> str:
    answer = await client.post("/conversations", json={"domain": "support_intake", **more})
    return f"/conversations/{answer.json()['id']}/acts"


async def acted(client: httpx.AsyncClient, place: str, act: dict[str, Any]) -> dict[str, Any]:
    (report,) = (await client.post(place, json={"acts": [act]})).json()["reports"]
    return dict(report)


async def at_the_summary(client: httpx.AsyncClient) -> tuple[str, dict[str, Any]]:
    """A conversation whose summary is open, and the report that shows it."""
    place = await opened(client)
    report = await acted(client, place, SAY)
    for label in TAPS:
        report = await acted(client, place, tap(report, label))
    return place, report


def tap(report: dict[str, Any], label: str) -> dict[str, Any]:
    block = report["block"]
    option = next(option["id"] for option in block["options"] if option["label"] == label)
    ids = {"question": block["question"], "revision": block["revision"], "option": option}
    return {"kind": "tap", **ids, "seen": report["revision"]}


def test_an_act_is_answered_with_the_texts_and_the_block_and_nothing_else() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        return await acted(client, await opened(client), SAY)

    report = asked(ask)
    assert (sorted(report), report["block"]["step"]) == (["block", "revision", "texts", "turn"], "priority")


def test_in_development_mode_the_ledgers_part_of_the_turn_is_reported() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        return await acted(client, await opened(client), SAY)

    report = asked(ask, dev=True)
    kinds = [entry["kind"] for entry in report["ledger"]]
    assert (kinds[0], kinds[-1], report["question"]) == ("ActQueued", "AnswerDelivered", "priority")


@pytest.mark.parametrize(("flag", "written"), [(None, 0), ("false", 0), ("1", 0), ("true", 1)])
def test_G8_a_write_over_http_needs_the_flag_of_this_process(
    flag: str | None, written: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MARG_ALLOW_WRITES", raising=False)
    if flag is not None:
        monkeypatch.setenv("MARG_ALLOW_WRITES", flag)

    async def ask(client: httpx.AsyncClient) -> Any:
        place, summary = await at_the_summary(client)
        return await acted(client, place, tap(summary, "Create"))

    assert asked(ask, dev=True)["writes"] == written


def test_a_client_cannot_set_the_time_but_in_development_mode() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        place = await opened(client)
        return [entry["at"] for entry in (await acted(client, place, {**SAY, "at": 2_077}))["ledger"]][-1]

    assert asked(ask, dev=True) == 2_077
    store = MemoryStore()

    async def plain(client: httpx.AsyncClient) -> None:
        await acted(client, await opened(client, id="s"), {**SAY, "at": 2_077})

    asked(plain, store=store)
    assert {entry.at for entry in asyncio.run(store.read("s"))} == {1_000}


def test_a_conversation_goes_on_in_another_process_from_the_store() -> None:
    store = MemoryStore()

    async def first(client: httpx.AsyncClient) -> Any:
        return await acted(client, await opened(client, id="s"), SAY)

    async def second(client: httpx.AsyncClient) -> Any:
        return await acted(client, "/conversations/s/acts", {"kind": "reload"})

    assert asked(first, store=store)["block"] == asked(second, store=store)["block"]


def go_aheads(**opening: Any) -> int:
    """How many go-aheads came of a yes that does not say what its client had displayed, once a conversation with an
    open summary went on in another process."""
    store = MemoryStore()

    async def first(client: httpx.AsyncClient) -> Any:
        place = await opened(client, id="s", **opening)
        report = await acted(client, place, SAY)
        for label in TAPS:
            report = await acted(client, place, tap(report, label))
        return report["block"]["kind"]

    async def second(client: httpx.AsyncClient) -> Any:
        return await client.post("/conversations/s/acts", json={"acts": [{"kind": "say", "text": "yes"}]})

    assert asked(first, store=store) == "summary"
    asked(second, store=store)
    return sum(isinstance(entry.event, GateDecided) for entry in asyncio.run(store.read("s")))


def test_G3_a_channel_in_order_stays_so_where_the_conversation_goes_on_in_another_process() -> None:
    assert go_aheads(in_order=True) == 1


def test_G3_a_channel_that_was_not_declared_in_order_does_not_become_so() -> None:
    assert go_aheads() == 0


def test_the_models_text_comes_piece_by_piece_and_the_report_after_it() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        place = await opened(client)
        answer = await client.post(place, json={"acts": [SAY]}, headers={"accept": "text/event-stream"})
        return [event.split("\n") for event in answer.text.strip().split("\n\n")]

    events = [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in asked(ask)]
    *pieces, (last, reports) = events
    said = "".join(piece["text"] for name, piece in pieces if name == "text")
    shown = [text["text"] for text in reports["reports"][0]["texts"]]
    assert (last, {name for name, _ in pieces}, said) == ("reports", {"text"}, "".join(shown))


def test_what_breaks_in_a_stream_is_its_last_event() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        answer = await client.post(
            "/conversations/nobody/acts", json={"acts": [SAY]}, headers={"accept": "text/event-stream"}
        )
        return answer.text

    assert asked(ask).startswith('event: error\ndata: {"error": {"kind": "unknown"')


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/conversations", {"domain": "inn"}, 404, "no domain 'inn'"),
        ("POST", "/conversations", {"domain": "support_intake", "rehearse": True}, 501, "not rehearsed"),
        ("POST", "/conversations", {"dommain": "support_intake"}, 400, "domain"),
        ("POST", "/conversations/no/acts", {"acts": [SAY]}, 404, "no conversation 'no'"),
        ("POST", "/conversations/no/acts", {"acts": []}, 400, "acts"),
        ("POST", "/conversations/no/acts", {"acts": [SAY, SAY]}, 501, "one at a time"),
        ("POST", "/conversations/no/acts", {"acts": [SAY], "script": {}}, 501, "nothing is scripted"),
        ("POST", "/conversations/no/acts", {"acts": [{"kind": "shout"}]}, 400, "acts.0"),
        ("POST", "/conversations/no/restart", {}, 501, "development"),
        ("DELETE", "/conversations/no", {}, 404, "no conversation"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    method: str, path: str, body: dict[str, Any], status: int, said: str
) -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        answer = await client.request(method, path, json=body)
        return answer.status_code, said in answer.json()["error"]["message"]

    assert asked(ask) == (status, True)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_a_body_that_a_page_of_somebody_elses_could_send_is_refused(kind: str) -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        body = json.dumps({"domain": "support_intake"})
        return (await client.post("/conversations", content=body, headers={"content-type": kind})).status_code

    assert asked(ask) == 400


def test_a_body_that_is_too_large_is_refused() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        return (await client.post("/conversations", json={"domain": "x" * LARGEST_BODY})).status_code

    assert asked(ask) == 400


def test_on_loopback_a_name_that_somebody_else_points_here_is_turned_away() -> None:
    async def ask(client: httpx.AsyncClient) -> Any:
        return (await client.get("/target")).status_code

    assert (asked(ask, host="rebound.example"), asked(ask, host="localhost")) == (400, 200)


def told_of(error: Exception) -> str:
    """What a client is told of an agent that raises an error."""

    class Broken(SessionAgent):
        async def describe(self) -> Any:
            raise error

    async def run() -> str:
        agent = Broken.__new__(Broken)
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        transport = httpx.ASGITransport(app=gateway(agent))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return (await client.get("/target")).text

    return asyncio.run(run())


def test_an_error_that_is_not_margs_own_does_not_show_its_text() -> None:
    text = told_of(RuntimeError("the password is 1234"))
    assert ("RuntimeError" in text, "1234" in text) == (True, False)


def test_an_error_of_margs_own_shows_its_text_without_secrets() -> None:
    text = told_of(StoreError("the store 'postgresql://bob:open5sesame@db.example/x' failed"))
    assert ("the store" in text, "open5sesame" in text) == (True, False)


def test_it_listens_on_a_port_that_is_free() -> None:
    async def run() -> int:
        agent = SessionAgent.__new__(SessionAgent)
        async with serve(agent) as address, httpx.AsyncClient(trust_env=False) as client:
            return (await client.get(f"{address}/nothing")).status_code

    assert asyncio.run(run()) == 404


def test_the_schema_names_every_form() -> None:
    forms = {"Description", "Opening", "Opened", "Sent", "Report", "Reports", "Closed", "RefusalForm"}
    assert forms <= set(protocol_schema()["$defs"])
