"""The ledger: the append-only list of a session's events, and its form in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from marg_runtime.canonical import Json
from marg_runtime.errors import LedgerError, UnknownEvent
from marg_runtime.events.event import EVENTS, Event
from marg_runtime.events.upcasters import upcast
from marg_runtime.scrub import scrub_cut


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An event in its place: its revision (from 1, no gaps), the turn it stands in (from 1; 0 before the first), and
    the time of the act that caused it, in milliseconds since 1970 UTC."""

    revision: int
    turn: int
    at: int
    event: Event

    @cached_property
    def record(self) -> Mapping[str, Json]:
        """The entry as JSON has it, with its event's kind and version. Nobody may change it: all share the one."""
        kind = type(self.event)
        body = _adapter(kind.__name__).dump_python(self.event, mode="json")
        place = {"revision": self.revision, "turn": self.turn, "at": self.at, "kind": kind.__name__}
        return {**place, "version": kind.version, "event": body}


@cache
def _adapter(name: str) -> TypeAdapter[Event]:
    return TypeAdapter(EVENTS[name])


# `json.dumps` would make a new one for each entry.
_text = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def encode(entry: Entry) -> str:
    """One line of JSON: the same entry gives the same line, byte for byte."""
    return _text(entry.record)


def decode(line: str) -> Entry:
    """The entry of a line; an event of an earlier version is lifted to the one that it has now (rule C6).

    Raises UnknownEvent for an event or a version that this release does not know, LedgerError for a damaged line.
    """
    record = _record(line)
    kind = EVENTS.get(str(record.get("kind")))
    if kind is None or not _known_version(kind, record.get("version")):
        raise UnknownEvent(
            f"revision {record.get('revision')!r} holds {record.get('kind')!r} version {record.get('version')!r}, "
            "which this release does not know; open the session with the release that wrote it"
        )
    try:
        body = _lifted(kind, record)
        event = _adapter(kind.__name__).validate_json(json.dumps(body), strict=True)
        place = _Place.model_validate(record)
    except (KeyError, TypeError, ValidationError) as error:
        raise LedgerError(f"revision {record.get('revision')!r} is damaged: {error}") from error
    if set(body) != {field.name for field in fields(kind)}:
        raise LedgerError(f"revision {place.revision!r} is damaged: {kind.__name__} has the keys {sorted(body)!r}")
    return Entry(revision=place.revision, turn=place.turn, at=place.at, event=event)


def _known_version(kind: type[Event], version: object) -> bool:
    # `True` is 1 to Python and no version to anybody.
    if not isinstance(version, int) or isinstance(version, bool):
        return False
    return 1 <= version <= kind.version


def _lifted(kind: type[Event], record: dict[str, Any]) -> dict[str, Any]:
    """The event's body in the present version. Raises TypeError for a body that is no object."""
    body, written = record["event"], record["version"]
    if not isinstance(body, dict):
        raise TypeError(f"the event is {body!r}, not an object")
    lifted = upcast(body, kind=kind.__name__, written=written, now=kind.version)
    assert lifted is not None, f"{kind.__name__} has no upcaster from version {written}"
    return lifted


class _Place(BaseModel):
    """The numbers of a ledger line."""

    model_config = ConfigDict(strict=True)

    revision: int = Field(ge=1)
    turn: int = Field(ge=0)
    at: int


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise LedgerError(f"a ledger line is no JSON: {scrub_cut(line, 80)!r} ({error})") from error
    if not isinstance(record, dict):
        raise LedgerError(f"a ledger line is no object: {scrub_cut(line, 80)!r}")
    return cast("dict[str, Any]", record)
