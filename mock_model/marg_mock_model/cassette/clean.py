"""An exchange without secrets, as it is recorded and matched: bodies, and streams in which a secret came in pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from marg_mock_model.cassette.server_event import data_of, with_data
from marg_mock_model.cassette.take import Take
from marg_mock_model.endpoint.json_text import json_bytes, json_text, json_value
from marg_runtime.scrub import scrub, scrub_json, scrub_pieces, scrub_together

Place: TypeAlias = tuple[str | int, ...]
_NAMES = frozenset({"type", "role", "id", "name", "object", "finish_reason", "stop_reason"})
"""What is no piece of anything: each delta has it whole."""


def clean_take(take: Take, *, secrets: Collection[str]) -> Take:
    """The exchange without secrets: its request's body and its answer."""
    return replace(
        take,
        path=scrub(take.path, secrets=secrets),
        body=scrub_together(take.body, secrets=secrets),
        headers={name: scrub(value, secrets=secrets) for name, value in take.headers.items()},
        chunks=clean_chunks(take.chunks, secrets=secrets),
    )


def clean_body(raw: bytes, *, secrets: Collection[str]) -> Any:
    """A request's body: JSON without secrets, or text."""
    try:
        # By way of the text that is written: half a character cannot be, and would make a body another one.
        return scrub_together(json_value(json_bytes(json_value(raw))), secrets=secrets)
    except ValueError:
        return scrub(raw.decode("utf-8", "replace"), secrets=secrets)


def clean_chunks(chunks: Sequence[str], *, secrets: Collection[str]) -> tuple[str, ...]:
    """The events of a stream, or a body in one piece, without secrets; what has none stays as it is to the byte.

    A secret that came in several deltas stands in none of them whole: those of one text are scrubbed as that text.
    """
    cleaned = [_clean(chunk, secrets) for chunk in chunks]
    events = {number: event for number, chunk in enumerate(cleaned) if (event := _event(chunk)) is not None}
    changed: set[int] = set()
    for pieces in _by_text(events).values():
        texts = [text for _, _, text in pieces]
        for (number, place, text), clean in zip(pieces, scrub_pieces(texts, secrets=secrets), strict=True):
            if clean != text:
                _put(events[number], place, clean)
                changed.add(number)
    return tuple(
        _written(chunk, events[number]) if number in changed else chunk for number, chunk in enumerate(cleaned)
    )


def _clean(chunk: str, secrets: Collection[str]) -> str:
    """An event or a body; JSON by its values, since a text in it may have quotes of its own."""
    event = _event(chunk)
    if event is not None:
        clean = scrub_json(event, secrets=secrets)
        return chunk if clean is event else _written(chunk, clean)
    try:
        body = json_value(chunk)
    except ValueError:
        return scrub(chunk, secrets=secrets)
    clean = scrub_together(body, secrets=secrets)
    return chunk if clean is body else json_text(clean)


def _event(chunk: str) -> Any:
    """The JSON of a server-sent event; None for any other."""
    data = data_of(chunk)
    try:
        found = None if data is None else json_value(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _written(chunk: str, event: Any) -> str:
    return with_data(chunk, json_text(event))


def _by_text(events: Mapping[int, Any]) -> Mapping[object, list[tuple[int, Place, str]]]:
    """The pieces of each text that came in deltas, in order: the event, the place in it, the piece."""
    found: dict[object, list[tuple[int, Place, str]]] = {}
    for number, event in events.items():
        for place, text, which in _pieces(event, (), str(event.get("type", "")).endswith("delta"), ()):
            names = tuple(part for part in place if isinstance(part, str))
            found.setdefault((names, which), []).append((number, place, text))
    return found


def _pieces(value: Any, place: Place, in_delta: bool, which: Place) -> Iterator[tuple[Place, str, Place]]:
    """The texts of a delta with their place, and the numbers beside it that say which text they are pieces of."""
    if isinstance(value, str):
        if in_delta and place and place[-1] not in _NAMES:
            yield place, value, which
    elif isinstance(value, Mapping):
        which += tuple(number for name, number in value.items() if name.endswith("index") and isinstance(number, int))
        for name, part in value.items():
            yield from _pieces(part, (*place, name), in_delta or name == "delta", which)
    elif isinstance(value, Sequence):
        for position, part in enumerate(value):
            yield from _pieces(part, (*place, position), in_delta, which)


def _put(event: Any, place: Place, text: str) -> None:
    *above, last = place
    for part in above:
        event = event[part]
    event[last] = text
