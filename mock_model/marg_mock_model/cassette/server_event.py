"""Server-sent events as the standard lets them be written: with any end of a line, a space behind the colon or none."""

from __future__ import annotations

import re

_EVENT = re.compile(r".*?(?:\r\n\r\n|\n\n|\r\r)|.+\Z", re.DOTALL)
_DATA = re.compile(r"(?:\A|(?<=[\r\n]))data: ?([^\r\n]*)")


def events_of(body: str) -> tuple[str, ...]:
    """The events of a stream, each with its end; joined they are the body."""
    return tuple(_EVENT.findall(body))


def data_of(event: str) -> str | None:
    """The data of an event, several lines of it joined by line feeds; None where it has none."""
    lines = _DATA.findall(event)
    return "\n".join(lines) if lines else None


def with_data(event: str, data: str) -> str:
    """An event that has data, with other data in one line; all else stays as it is."""
    found = list(_DATA.finditer(event))
    return event[: found[0].start(1)] + data + event[found[-1].end(1) :]
