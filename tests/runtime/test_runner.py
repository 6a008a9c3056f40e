"""Running effects: what breaks on the other side is a result, what breaks on ours is raised."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.cutter import Cutter
from marg_runtime.domain import Domain
from marg_runtime.effects import (
    CallModel,
    CallTool,
    DispatchWrite,
    Effect,
    LoadOptions,
    ModelBroke,
    ModelFinished,
    OptionsLoaded,
    Stimulus,
    ToolFinished,
    WriteBroke,
    WriteFinished,
)
from marg_runtime.errors import ModelError, ToolError, UsageError
from marg_runtime.model import Delta, Finish, FinishReason, TextDelta
from marg_runtime.runner import OnText, Runner
from marg_runtime.steps import Option, OptionsContext, chips_step
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")
LEVELS = ToolName(server="desk", name="levels")
MODEL = CallModel(request=ModelRequest(system="", messages=(), tools=()), cutter=Cutter(owned=(), language="en"))


def run(desk: Desk, effect: Effect, *, on_text: OnText | None = None, domain: Domain | None = None) -> Stimulus:
    runner = Runner(domain=domain or desk.domain, model=desk.model, tools=desk.tools)
    return desk.run(runner.run(effect, on_text=on_text))


def load(desk: Desk, domain: Domain, step: str = "place") -> OptionsLoaded:
    loaded = run(desk, LoadOptions(step=step, draft={"title": "x"}, pinned=desk.state.tools), domain=domain)
    assert isinstance(loaded, OptionsLoaded)
    return loaded


def with_options(domain: Domain, options: Callable[[OptionsContext], object]) -> Domain:
    step = chips_step(key="place", label="Place", slot="place", lead="Where?", options=options)  # type: ignore[arg-type]
    return replace(domain, steps=(step,))


# The model


def test_C4_a_whole_reply_has_words_calls_and_an_end(desk: Desk) -> None:
    call = desk.call("search")
    desk.hear("Hello. ", "Bye.", call, reason="tool_calls")
    assert run(desk, MODEL) == ModelFinished(
        raw="Hello. Bye.", shown="Hello. Bye.", cuts=(), calls=(call,), finish="tool_calls"
    )


def shown_at(desk: Desk, text: str, reason: FinishReason) -> str:
    desk.hear(text, reason=reason)
    finished = run(desk, MODEL)
    assert isinstance(finished, ModelFinished)
    return finished.shown


@pytest.mark.parametrize("half", ["Could you tell me wher", "Great, your ticket has been crea", "It is version 1."])
def test_S4_of_a_reply_that_was_cut_off_at_the_token_limit_the_half_sentence_is_not_shown(
    desk: Desk, half: str
) -> None:
    assert shown_at(desk, f"Thanks. {half}", "length") == "Thanks."


def test_S4_what_was_cut_off_at_the_token_limit_is_kept_in_the_ledger_and_not_handed_on(desk: Desk) -> None:
    heard: list[str] = []

    async def on_text(text: str) -> None:
        heard.append(text)

    desk.hear("Thanks. Could you tell me wher", reason="length")
    finished = run(desk, MODEL, on_text=on_text)
    assert isinstance(finished, ModelFinished)
    assert (finished.raw, heard) == ("Thanks. Could you tell me wher", ["Thanks."])


@pytest.mark.parametrize(
    ("text", "shown"),
    [("I cannot help with that.", "I cannot help with that."), ("Sure. Could you tell me wher", "Sure.")],
)
def test_S4_of_a_refusal_a_half_sentence_is_not_shown(desk: Desk, text: str, shown: str) -> None:
    assert shown_at(desk, text, "refusal") == shown


def test_S4_text_is_handed_on_as_it_is_let_through(desk: Desk) -> None:
    heard: list[str] = []

    async def on_text(text: str) -> None:
        heard.append(text)

    desk.hear("One. Tw", "o. Three")
    run(desk, MODEL, on_text=on_text)
    assert heard == ["One.", " Two.", " Three"]


def test_S4_what_was_handed_on_is_what_was_shown(desk: Desk) -> None:
    heard: list[str] = []

    async def on_text(text: str) -> None:
        heard.append(text)

    desk.break_off("One. Two is", ModelError("gone"))
    broke = run(desk, MODEL, on_text=on_text)
    assert isinstance(broke, ModelBroke)
    assert "".join(heard) == broke.shown == "One."


def test_C4_an_error_after_the_end_is_a_broken_reply(desk: Desk) -> None:
    desk.break_off("One.", Finish(reason="stop"), ModelError("gone"))
    assert isinstance(run(desk, MODEL), ModelBroke)


def test_C3_an_error_of_our_own_is_raised(desk: Desk) -> None:
    class Faulty:
        async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
            yield TextDelta(text="One.")
            raise UsageError("a bug of ours")

    runner = Runner(domain=desk.domain, model=Faulty(), tools=desk.tools)
    with pytest.raises(UsageError, match="a bug of ours"):
        desk.run(runner.run(MODEL, on_text=None))


def test_C3_a_listener_that_hangs_up_ends_the_turn_where_it_stands(desk: Desk) -> None:
    async def on_text(text: str) -> None:
        raise ConnectionResetError

    desk.hear("One. Two.")
    with pytest.raises(ConnectionResetError):
        run(desk, MODEL, on_text=on_text)


def test_C3_a_listener_that_hangs_up_ends_the_stream_of_the_model_too(desk: Desk) -> None:
    ended: list[str] = []

    class Streaming:
        async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
            try:
                yield TextDelta(text="One. Two.")
            finally:
                ended.append("ended")

    async def on_text(text: str) -> None:
        raise ConnectionResetError

    async def hang_up() -> list[str]:
        with pytest.raises(ConnectionResetError):
            await Runner(domain=desk.domain, model=Streaming(), tools=desk.tools).run(MODEL, on_text=on_text)
        return list(ended)

    assert desk.run(hang_up()) == ["ended"]


def test_C4_a_broken_reply_says_how_the_wire_broke(desk: Desk) -> None:
    desk.break_off("One.", ModelError("gone", kind="reset"))
    broke = run(desk, MODEL)
    assert isinstance(broke, ModelBroke)
    assert broke.kind == "reset"


def test_C4_a_reply_without_its_end_is_truncated(desk: Desk) -> None:
    desk.break_off("One.")
    broke = run(desk, MODEL)
    assert isinstance(broke, ModelBroke)
    assert broke.kind == "truncated"


# Tools


def test_C4_a_read_gives_its_outcome(desk: Desk) -> None:
    result = run(desk, CallTool(call="c1", tool=SEARCH, arguments={"query": "x"}))
    assert result == ToolFinished(call="c1", tool=SEARCH, outcome=ToolOutcome(text="none found", data=[]))


def test_G9_a_write_gives_its_receipt(desk: Desk) -> None:
    result = run(desk, DispatchWrite(key="k", tool=CREATE, arguments={"title": "x"}))
    assert result == WriteFinished(key="k", outcome=ToolOutcome(text="created", data={"id": "T-1"}))


def test_G9_a_write_without_an_answer_is_a_broken_one(
    make_desk: MakeDesk, broken_server: Callable[[Mapping[str, Json]], ToolOutcome]
) -> None:
    desk = make_desk(script={CREATE: broken_server})
    result = run(desk, DispatchWrite(key="k", tool=CREATE, arguments={}))
    assert result == WriteBroke(key="k", error="the server is gone")


def test_G9_a_write_is_dispatched_once_though_it_broke(
    make_desk: MakeDesk, broken_server: Callable[[Mapping[str, Json]], ToolOutcome]
) -> None:
    desk = make_desk(script={CREATE: broken_server})
    run(desk, DispatchWrite(key="k", tool=CREATE, arguments={}))
    assert len(desk.writes) == 1


# Options


def test_options_are_handed_on_with_the_calls_that_found_them(desk: Desk) -> None:
    loaded = load(desk, desk.domain, "urgency")
    assert ([option.value for option in loaded.options], [call.tool for call in loaded.calls]) == (
        ["low", "high"],
        [LEVELS],
    )


@pytest.mark.parametrize("name", ["levels", "desk/levels"])
def test_a_step_calls_a_read_tool_by_its_name(desk: Desk, domain_with: Callable[..., Domain], name: str) -> None:
    async def options(context: OptionsContext) -> Sequence[Option]:
        await context.call(name, {})
        return []

    assert [call.tool for call in load(desk, with_options(domain_with(), options)).calls] == [LEVELS]


@pytest.mark.parametrize("name", ["create", "desk/create", "other/levels", "nothing", ""])
def test_G7_a_step_can_call_no_other_tool(desk: Desk, domain_with: Callable[..., Domain], name: str) -> None:
    async def options(context: OptionsContext) -> Sequence[Option]:
        await context.call(name, {})
        return []

    loaded = load(desk, with_options(domain_with(), options))
    assert (desk.scripted.calls, loaded.calls) == ([], ())
    assert loaded.error == (f"{name!r} is not one read tool of the domain 'desk'; it has desk/levels, desk/search")


def test_G7_a_name_that_two_read_tools_share_needs_its_server(desk: Desk, domain_with: Callable[..., Domain]) -> None:
    async def options(context: OptionsContext) -> Sequence[Option]:
        await context.call("levels", {})
        return []

    other = ToolName(server="other", name="levels")
    domain = with_options(domain_with(read_tools=frozenset({LEVELS, other})), options)
    assert (
        load(desk, domain).error
        == "'levels' is not one read tool of the domain 'desk'; it has desk/levels, other/levels"
    )


def test_what_a_step_called_before_it_broke_is_kept(desk: Desk, domain_with: Callable[..., Domain]) -> None:
    async def options(context: OptionsContext) -> Sequence[Option]:
        await context.call("levels", {})
        raise ToolError("no luck")

    loaded = load(desk, with_options(domain_with(), options))
    assert (loaded.error, len(loaded.calls)) == ("no luck", 1)


def test_a_refusal_is_kept_and_is_an_error_of_the_step(make_desk: MakeDesk) -> None:
    desk = make_desk(script={LEVELS: ToolOutcome(text="closed", is_error=True)})
    loaded = load(desk, desk.domain, "urgency")
    assert (loaded.error, [call.outcome.text for call in loaded.calls]) == ("desk/levels refused: closed", ["closed"])


def test_a_step_sees_the_draft(desk: Desk, domain_with: Callable[..., Domain]) -> None:
    async def options(context: OptionsContext) -> Sequence[Option]:
        return [Option(label=str(context.draft["title"]), value=1)]

    assert [option.label for option in load(desk, with_options(domain_with(), options)).options] == ["x"]


@pytest.mark.parametrize("step", ["title", "place", "nothing"])
def test_a_step_with_no_options_to_find_says_so(desk: Desk, step: str) -> None:
    loaded = load(desk, desk.domain, step)
    assert (loaded.options, loaded.error) == ((), "the step has no options to find")


def test_C3_a_cancelled_call_is_cancelled(desk: Desk) -> None:
    async def play() -> None:
        desk.break_off(asyncio.Event())
        task = asyncio.create_task(
            Runner(domain=desk.domain, model=desk.model, tools=desk.tools).run(MODEL, on_text=None)
        )
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        desk.run(play())
