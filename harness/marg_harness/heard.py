"""What is heard of a turn beside its answer: what the model was asked, what it said, what happened on the wire."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from marg_reports import TurnRecord
from marg_runtime.canonical import Json
from marg_runtime.model import TextDelta
from marg_runtime.models.recorded import RecordedReply, reply_json
from marg_runtime.scrub import own_secrets, scrub_json, scrub_pieces
from marg_runtime.wire import WireEvent


@dataclass(frozen=True, kw_only=True)
class Heard:
    """Digests of requests, what of the machine answered, kinds of slips, events of the wire, replies on record."""

    request_digests: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    wire: tuple[WireEvent, ...] = ()
    replies: tuple[RecordedReply, ...] = ()


def with_heard(record: TurnRecord, heard: Heard) -> TurnRecord:
    """The record of a turn with what was heard of it."""
    return replace(
        record,
        request_digests=heard.request_digests,
        taken=heard.taken,
        slips=heard.slips,
        wire=tuple(asdict(event) for event in heard.wire),
        replies=tuple(scrubbed_reply(reply) for reply in heard.replies),
    )


def scrubbed_reply(reply: RecordedReply) -> Json:
    """A reply as JSON without secrets, in whichever text of it they stand, and in however many pieces it came."""
    secrets = own_secrets()
    said = iter(scrub_pieces([delta.text for delta in reply.deltas if isinstance(delta, TextDelta)], secrets=secrets))
    deltas = tuple(replace(delta, text=next(said)) if isinstance(delta, TextDelta) else delta for delta in reply.deltas)
    return scrub_json(reply_json(replace(reply, deltas=deltas)), secrets=secrets)
