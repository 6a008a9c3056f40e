"""The folds over a stream's events: what fits, what does not, and that nothing a server sends is a crash."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtime.dialects import APIS, ApiName, Said, chunk, events_of

from marg_runtime.conversation import ModelCall
from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, TextDelta
from marg_runtime.models.chat_reply import ChatReply
from marg_runtime.models.messages_reply import MessagesReply
from marg_runtime.models.reply import Reply
from marg_runtime.models.responses_reply import ResponsesReply

every_api = pytest.mark.parametrize("api", APIS)
SEARCH = ModelCall(id="c-1", name="search", arguments={"q": "a"})
WITH_CALL = Said(calls=(SEARCH,), reason="tool_calls")


REPLIES: dict[ApiName, Callable[[Mapping[str, str]], Reply]] = {
    "chat": ChatReply,
    "responses": ResponsesReply,
    "messages": MessagesReply,
}


def reply_of(api: ApiName) -> Reply:
    return REPLIES[api]({})


def fold(api: ApiName, events: Sequence[Mapping[str, Any]]) -> list[Delta]:
    """All deltas of a stream; raises ModelError."""
    reply = reply_of(api)
    return [*(delta for event in events for delta in reply.feed(event)), *reply.end()]


def kind_of(api: ApiName, events: Sequence[Mapping[str, Any]]) -> str | None:
    """The kind of the error that a stream is."""
    with pytest.raises(ModelError) as raised:
        fold(api, events)
    return raised.value.kind


def text_of(deltas: Sequence[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


# All three


@every_api
def test_a_whole_reply_has_its_text_its_calls_and_its_end(api: ApiName) -> None:
    deltas = fold(api, events_of(api, WITH_CALL))
    assert (text_of(deltas), deltas[-2:]) == ("Hello.", [CallDelta(call=SEARCH), Finish(reason="tool_calls")])


@every_api
def test_a_reply_cut_anywhere_before_its_marker_is_truncated(api: ApiName) -> None:
    events = events_of(api, WITH_CALL)
    kinds = [kind_of(api, events[:cut]) for cut in range(len(events) - 1)]
    assert set(kinds) == {"truncated"}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.floats()
    | st.sampled_from(["", "text", "stop", "tool_use", "0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "index", "text"]), inner),
    max_leaves=5,
)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[ApiName, list[Mapping[str, Any]]]:
    """A whole reply with some values in it changed, taken out, or put in, and some events lost, doubled or moved."""
    api = draw(st.sampled_from(APIS))
    events: list[Any] = [dict(event) for event in events_of(api, WITH_CALL)]
    for _ in range(draw(st.integers(1, 3))):
        place: Any = draw(st.sampled_from(events))
        while True:
            key = draw(st.sampled_from(sorted(place)) if isinstance(place, dict) else st.integers(0, len(place) - 1))
            if not isinstance(place[key], dict | list) or not place[key] or draw(st.booleans()):
                break
            place[key] = dict(place[key]) if isinstance(place[key], dict) else list(place[key])
            place = place[key]
        place[key] = draw(json_values)
    events = [event for event in events for _ in range(draw(st.sampled_from([1, 1, 1, 1, 0, 2])))]
    return api, events


@given(damaged())
def test_whatever_a_server_sends_is_a_reply_or_a_model_error(sent: tuple[ApiName, list[Mapping[str, Any]]]) -> None:
    api, events = sent
    reply = reply_of(api)
    try:
        deltas = [*(delta for event in events for delta in reply.feed(event)), *reply.end()]
    except ModelError:
        return
    assert [delta for delta in deltas if isinstance(delta, Finish)] == deltas[-1:]
    assert all(isinstance(delta.text, str) and delta.text for delta in deltas if isinstance(delta, TextDelta))


@every_api
@pytest.mark.parametrize("arguments", ["[1]", '"text"', "{'q': 1}", "{} and more", "[" * 100_000 + "]" * 100_000])
def test_arguments_that_a_model_got_wrong_are_no_fault_of_the_wire(arguments: str, api: ApiName) -> None:
    assert kind_of(api, with_arguments(api, arguments)) is None


@every_api
@pytest.mark.parametrize("arguments", ["{", '{"q": "a', '{"q": [1, {"a": "}]', '{"q": "\\"'])
def test_arguments_that_end_in_the_middle_are_truncated(arguments: str, api: ApiName) -> None:
    assert kind_of(api, with_arguments(api, arguments)) == "truncated"


@every_api
@pytest.mark.parametrize("arguments", ["", " ", "{}"])
def test_no_arguments_are_none(arguments: str, api: ApiName) -> None:
    deltas = fold(api, with_arguments(api, arguments))
    assert deltas[-2] == CallDelta(call=ModelCall(id="c-1", name="search", arguments={}))


def with_arguments(api: ApiName, arguments: str) -> list[dict[str, Any]]:
    """A reply whose one call has these arguments, in one piece."""
    if api == "chat":
        function = {"name": "search", "arguments": arguments}
        call = {"index": 0, "id": "c-1", "type": "function", "function": function}
        return [chunk({"tool_calls": [call]}), chunk({}, "tool_calls")]
    events = events_of(api, WITH_CALL)
    if api == "messages":
        pieces = [event for event in events if event.get("delta", {}).get("type") == "input_json_delta"]
        events.remove(pieces[1])
        pieces[0]["delta"] = {"type": "input_json_delta", "partial_json": arguments}
        return events
    kept = [event for event in events if not event["type"].startswith("response.function_call_arguments")]
    for event in kept:
        if event["type"] == "response.output_item.done":
            event["item"] = {**event["item"], "arguments": arguments}
    return kept


# Chat Completions


def called(*pieces: Mapping[str, Any]) -> list[Delta]:
    return fold("chat", [*(chunk({"tool_calls": [piece]}) for piece in pieces), chunk({}, "tool_calls")])


def piece(
    arguments: str, *, index: int | None = None, id: str | None = None, name: str | None = None
) -> dict[str, Any]:
    """A piece of a call with the keys that are not None."""
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {**({} if index is None else {"index": index}), **({"id": id} if id else {}), "function": function}


FIND = ModelCall(id="c-2", name="find", arguments={})


@pytest.mark.parametrize(
    "pieces",
    [
        [
            piece("", index=0, id="c-1", name="search"),
            piece("{}", index=1, id="c-2", name="find"),
            piece('{"q"', index=0),
        ],
        [piece('{"q"', index=0, id="c-1", name="search"), piece("{}", index=1, id="c-2", name="find")],
    ],
    ids=["mixed", "in_order"],
)
def test_pieces_of_calls_are_joined_by_their_index(pieces: list[dict[str, Any]]) -> None:
    deltas = called(*pieces, piece(': "a"}', index=0))
    assert deltas[:2] == [CallDelta(call=SEARCH), CallDelta(call=FIND)]


@pytest.mark.parametrize("index", [None, 0])
def test_calls_that_a_server_does_not_number_are_told_apart_by_their_ids(index: int | None) -> None:
    deltas = called(
        piece('{"q": ', index=index, id="c-1", name="search"),
        piece('"a"}', index=index, id="c-1"),
        piece("{}", index=index, id="c-2", name="find"),
    )
    assert deltas[:2] == [CallDelta(call=SEARCH), CallDelta(call=FIND)]


def test_calls_with_neither_number_nor_id_are_told_apart_by_their_names() -> None:
    deltas = called(piece("{}", name="search"), piece("{}", name="find"))
    assert [delta.call.name for delta in deltas if isinstance(delta, CallDelta)] == ["search", "find"]


def test_a_call_whose_name_changes_does_not_fit() -> None:
    assert (
        kind_of("chat", [chunk({"tool_calls": [piece("", index=0, name=name)]}) for name in ("a", "b")]) == "protocol"
    )


def test_a_call_without_a_name_does_not_fit() -> None:
    assert kind_of("chat", [chunk({"tool_calls": [piece("{}", index=0, id="c-1")]}), chunk({}, "stop")]) == "protocol"


def test_calls_behind_which_a_server_says_stop_are_calls() -> None:
    deltas = fold("chat", [chunk({"tool_calls": [piece("{}", index=0, id="c-2", name="find")]}), chunk({}, "stop")])
    assert deltas == [CallDelta(call=FIND), Finish(reason="tool_calls")]


@pytest.mark.parametrize(
    "events",
    [
        [{"choices": None}],
        [{}],
        [{"choices": [None]}],
        [{"choices": [{"index": 1, "delta": {"content": "b"}}]}],
        [chunk({"content": ["a"]})],
        [chunk({"function_call": {"name": "old"}})],
        [chunk({"content": "a"}), chunk({}, "stop"), chunk({"content": "b"})],
        [chunk({"content": "a"}, "abort")],
        [chunk({"content": "a"}, "tool_calls")],
    ],
    ids=["null", "none", "null_choice", "second", "list", "old_call", "behind_the_end", "unknown_end", "no_calls"],
)
def test_a_chunk_of_another_form_does_not_fit(events: list[dict[str, Any]]) -> None:
    assert kind_of("chat", events) == "protocol"


def test_a_server_that_ran_out_of_resources_says_so_where_others_give_the_end() -> None:
    assert kind_of("chat", [chunk({"content": "a"}, "insufficient_system_resource")]) == "overload"


def test_a_refusal_has_its_words_and_is_one() -> None:
    assert fold("chat", [chunk({"refusal": "No."}), chunk({}, "stop")]) == [
        TextDelta(text="No."),
        Finish(reason="refusal"),
    ]


def test_a_chunk_without_choices_is_the_count_of_tokens() -> None:
    reply = ChatReply({})
    assert reply.feed({"choices": [], "usage": {"prompt_tokens": 4, "completion_tokens": 2}}) == ()
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (4, 2)


# Messages


def message_events() -> list[dict[str, Any]]:
    return events_of("messages", Said(pieces=("Hi.",)))


def test_a_block_that_begins_twice_does_not_fit() -> None:
    events = message_events()
    assert kind_of("messages", [*events[:2], events[1], *events[2:]]) == "protocol"


def test_a_message_that_begins_twice_does_not_fit() -> None:
    events = message_events()
    assert kind_of("messages", [events[0], *events]) == "protocol"


def test_a_block_before_the_message_does_not_fit() -> None:
    assert kind_of("messages", message_events()[1:]) == "protocol"


def test_a_piece_of_a_block_that_is_closed_does_not_fit() -> None:
    events = message_events()
    assert kind_of("messages", [*events[:4], events[2], *events[4:]]) == "protocol"


def test_a_block_of_an_unknown_type_does_not_fit() -> None:
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "hologram"}}
    assert kind_of("messages", [message_events()[0], block]) == "protocol"


def test_what_a_model_thinks_is_shown_to_nobody() -> None:
    thought = [
        {"type": "content_block_start", "index": 9, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 9, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 9, "delta": {"type": "signature_delta", "signature": "s"}},
        {"type": "content_block_stop", "index": 9},
    ]
    events = message_events()
    assert fold("messages", [events[0], *thought, *events[1:]]) == fold("messages", events)


def test_an_event_of_an_unknown_kind_is_passed_over() -> None:
    events = message_events()
    assert fold("messages", [events[0], {"type": "weather"}, *events[1:]]) == fold("messages", events)


def test_an_input_that_is_given_whole_where_its_block_begins_is_the_arguments() -> None:
    events = [event for event in events_of("messages", WITH_CALL) if event.get("index") != 1]
    block = {"type": "tool_use", "id": "c-1", "name": "search", "input": {"q": "a"}}
    given_whole = [
        {"type": "content_block_start", "index": 1, "content_block": block},
        {"type": "content_block_stop", "index": 1},
    ]
    assert fold("messages", [*events[:-2], *given_whole, *events[-2:]])[-2] == CallDelta(call=SEARCH)


@pytest.mark.parametrize("reason", ["pause_turn", None, "surprise"])
def test_an_end_for_no_known_reason_does_not_fit(reason: str | None) -> None:
    events = message_events()
    events[-2] = {"type": "message_delta", "delta": {"stop_reason": reason}}
    assert kind_of("messages", events) == "protocol"


def test_a_block_that_is_never_closed_does_not_fit() -> None:
    events = message_events()
    assert kind_of("messages", [event for event in events if event["type"] != "content_block_stop"]) == "protocol"


# Responses


def response_events() -> list[dict[str, Any]]:
    return events_of("responses", WITH_CALL)


@pytest.mark.parametrize("place", [2, 3, 6, 7])
def test_a_piece_that_comes_twice_does_not_fit(place: int) -> None:
    events = response_events()
    assert kind_of("responses", [*events[: place + 1], *events[place:]]) == "protocol"


@pytest.mark.parametrize("place", [2, 3, 6])
def test_a_piece_that_is_lost_does_not_fit(place: int) -> None:
    events = response_events()
    assert kind_of("responses", [*events[:place], *events[place + 1 :]]) == "protocol"


def test_pieces_out_of_order_do_not_fit_even_without_numbers() -> None:
    events = [{**event, "sequence_number": 0} for event in response_events()]
    events[2], events[3] = events[3], events[2]
    assert kind_of("responses", events) == "protocol"


def test_a_server_that_numbers_nothing_is_read_all_the_same() -> None:
    events = [{**event, "sequence_number": -1} for event in response_events()]
    assert fold("responses", events) == fold("responses", response_events())


def test_a_text_that_comes_whole_and_in_no_pieces_is_shown() -> None:
    events = [event for event in response_events() if event["type"] != "response.output_text.delta"]
    assert text_of(fold("responses", events)) == "Hello."


def test_calls_that_never_came_are_missed_at_the_end() -> None:
    events = [event for event in response_events() if event.get("output_index") != 1]
    assert kind_of("responses", events) == "protocol"


def test_a_text_that_never_came_is_missed_at_the_end() -> None:
    events = [event for event in response_events() if not event["type"].startswith("response.output_text")]
    assert kind_of("responses", events) == "protocol"


def test_an_item_that_was_not_asked_for_does_not_fit() -> None:
    item = {"type": "response.output_item.added", "output_index": 0, "item": {"type": "web_search_call", "id": "w"}}
    assert kind_of("responses", [item]) == "protocol"


@pytest.mark.parametrize(
    ("why", "kind"),
    [
        ("server_error", "overload"),
        ("rate_limit_exceeded", "rate_limit"),
        ("invalid_prompt", "request"),
        ("brand_new", "overload"),
        (None, "overload"),
    ],
)
def test_a_response_that_failed_says_why(why: str | None, kind: str) -> None:
    failed = {"type": "response.failed", "response": {"error": {"code": why, "message": "m"}}}
    assert kind_of("responses", [failed]) == kind


def test_a_response_that_is_incomplete_for_no_known_reason_does_not_fit() -> None:
    incomplete = {"type": "response.incomplete", "response": {"incomplete_details": {"reason": "boredom"}}}
    assert kind_of("responses", [incomplete]) == "protocol"


def test_a_refusal_of_a_response_has_its_words_and_is_one() -> None:
    at = {"item_id": "i", "output_index": 0, "content_index": 0}
    events: list[dict[str, Any]] = [
        {"type": "response.refusal.delta", **at, "delta": "No."},
        {"type": "response.refusal.done", **at, "refusal": "No."},
        {"type": "response.completed", "response": {"output": []}},
    ]
    assert fold("responses", events) == [TextDelta(text="No."), Finish(reason="refusal")]
