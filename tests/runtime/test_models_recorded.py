"""A recorded reply is played again piece by piece, to the request that had it and to no other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelCall, ModelRequest, UserMessage
from marg_runtime.errors import ModelError, UsageError
from marg_runtime.model import CallDelta, Delta, Finish, Model, TextDelta
from marg_runtime.models import RecordedModel, RecordedReply, RecordingModel, read_reply, reply_json

END = Finish(reason="stop")
CALL = CallDelta(call=ModelCall(id="c1", name="search", arguments={"q": [1, None, "ä"]}))


def asked(text: str) -> ModelRequest:
    return ModelRequest(system="s", messages=(UserMessage(text=text),), tools=())


class Playing:
    """A model that plays the replies it is given; an error among the pieces is raised there."""

    def __init__(self, *replies: Sequence[Delta | ModelError]) -> None:
        self._replies = list(replies)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        for delta in self._replies.pop(0):
            if isinstance(delta, ModelError):
                raise delta
            yield delta


def hear(model: Model, text: str = "hello") -> list[Delta | str]:
    """A reply's pieces; an error is told last."""

    async def listen() -> list[Delta | str]:
        heard: list[Delta | str] = []
        try:
            async for delta in model.stream(asked(text)):
                heard.append(delta)
        except ModelError as error:
            heard.append(f"{error.kind}: {error}")
        return heard

    return asyncio.run(listen())


def recorded(*replies: Sequence[Delta | ModelError], texts: Sequence[str] = ()) -> list[RecordedReply]:
    """The record of what a model said to these texts, in order."""
    recording = RecordingModel(Playing(*replies))
    for number in range(len(replies)):
        hear(recording, texts[number] if texts else "hello")
    return recording.replies


pieces = st.lists(st.one_of(st.builds(TextDelta, text=st.text()), st.just(CALL)), max_size=5)
errors = st.builds(ModelError, st.text(), kind=st.sampled_from(["reset", "truncated", None]))


@given(pieces, st.one_of(st.none(), errors))
def test_what_was_streamed_is_streamed_again_piece_by_piece(said: list[Delta], error: ModelError | None) -> None:
    reply: list[Delta | ModelError] = [*said, error] if error else [*said, END]
    assert hear(RecordedModel(recorded(reply))) == hear(Playing(reply))


@given(pieces, st.one_of(st.none(), errors))
def test_a_record_reads_back_from_its_json(said: list[Delta], error: ModelError | None) -> None:
    (kept,) = recorded([*said, error] if error else [*said, END])
    assert read_reply(json.loads(json.dumps(reply_json(kept)))) == kept


def test_recording_changes_nothing_that_is_heard() -> None:
    reply: list[Delta] = [TextDelta(text="a"), CALL, END]
    assert hear(RecordingModel(Playing(reply))) == reply


def test_a_reply_that_nobody_heard_to_its_end_is_not_kept() -> None:
    recording = RecordingModel(Playing([TextDelta(text="a"), END]))

    async def hang_up() -> None:
        stream = recording.stream(asked("hello"))
        await anext(stream)
        await stream.aclose()

    asyncio.run(hang_up())
    assert recording.replies == []


def test_a_reply_is_given_to_the_request_that_had_it_whatever_the_order() -> None:
    replies = recorded([TextDelta(text="A"), END], [TextDelta(text="B"), END], texts=["a", "b"])
    model = RecordedModel(replies)
    assert [hear(model, text)[0] for text in ("b", "a")] == [TextDelta(text="B"), TextDelta(text="A")]


def test_a_request_that_was_made_twice_has_its_replies_in_order() -> None:
    model = RecordedModel(recorded([TextDelta(text="1"), END], [TextDelta(text="2"), END]))
    assert [hear(model)[0], hear(model)[0]] == [TextDelta(text="1"), TextDelta(text="2")]


def test_a_request_that_nothing_was_recorded_for_is_refused() -> None:
    model = RecordedModel(recorded([END]))
    with pytest.raises(UsageError, match="no reply is recorded for request 1"):
        hear(model, "something else")


def test_a_reply_is_given_once() -> None:
    model = RecordedModel(recorded([END]))
    hear(model)
    with pytest.raises(UsageError, match="no reply is recorded for request 2"):
        hear(model)


def test_by_order_any_request_has_the_next_reply_and_those_that_differ_are_kept() -> None:
    replies = recorded([TextDelta(text="A"), END], [TextDelta(text="B"), END], texts=["a", "b"])
    model = RecordedModel(replies, keyed="order")
    assert [hear(model, text)[0] for text in ("a", "other")] == [TextDelta(text="A"), TextDelta(text="B")]
    assert model.strayed == [1]


def test_by_order_a_request_beyond_the_last_reply_is_refused() -> None:
    with pytest.raises(UsageError, match="0 replies are recorded, and this is request 1"):
        hear(RecordedModel([], keyed="order"))


def test_a_broken_reply_is_refused_where_the_wire_is_to_be_clean() -> None:
    model = RecordedModel(recorded([TextDelta(text="a"), ModelError("gone", kind="reset")]), clean=True)
    with pytest.raises(UsageError, match="broke \\(reset\\)"):
        hear(model)


def test_replies_that_were_not_asked_for_are_known() -> None:
    replies = recorded([END], [END], texts=["a", "b"])
    model = RecordedModel(replies)
    hear(model, "a")
    assert model.unused == (replies[1],)


def test_every_request_is_kept_the_refused_too() -> None:
    model = RecordedModel([])
    with pytest.raises(UsageError):
        hear(model)
    assert model.received == [asked("hello")]


@pytest.mark.parametrize(("whole", "reply"), [(True, [END]), (False, []), (False, [END, ModelError("gone")])])
def test_a_reply_is_whole_with_its_finish_and_nothing_broken(whole: bool, reply: list[Delta | ModelError]) -> None:
    assert recorded(reply)[0].whole is whole


@pytest.mark.parametrize("record", [None, {}, {"request": "x", "deltas": [{"words": "a"}]}])
def test_what_is_no_record_of_a_reply_is_refused(record: Json) -> None:
    with pytest.raises(UsageError, match="this is no recorded reply"):
        read_reply(record)
