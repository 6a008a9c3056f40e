"""The verdict on a client: what it did wrong with the faults that it met, read from the journal alone.

A verdict knows what went over the wire and when; what the client told its user it cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from marg_mock_model.endpoint.apis import APIS
from marg_mock_model.endpoint.conversations import Conversations
from marg_mock_model.endpoint.journal import Exchange
from marg_mock_model.errors import BadRequest
from marg_mock_model.machine import Machine
from marg_runtime.conversation import AssistantMessage, Message
from marg_runtime.scrub import own_secrets, scrub_json

FindingKind = Literal["retry_after_ignored", "no_back_off", "retry_storm", "truncated_accepted"]

MOST_ATTEMPTS = 5
"""How often one request may be tried in vain; the official SDKs stop at 3 by themselves."""

LEAST_BACK_OFF = 0.1
"""Seconds to wait at least before a failed request is tried again where the server does not say how long."""

CLOCK_TOLERANCE = 0.02
"""Seconds that a client may come early after a retry-after: its clock and the endpoint's begin at other moments."""

BROKEN = frozenset({"cut", "truncated"})
FAILED = frozenset({"cut", "truncated", "dropped", "stalled"})


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that the client did wrong, with the numbers of the exchanges that show it."""

    kind: FindingKind
    exchanges: tuple[int, ...]
    text: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The findings, in the order of the journal; `judged` counts the occasions for each kind of them.

    No finding on no occasion says nothing about the client.
    """

    requests: int
    faults: int
    findings: tuple[Finding, ...]
    judged: Mapping[FindingKind, int]

    @property
    def passed(self) -> bool:
        """Whether nothing was found, on one occasion at least."""
        return not self.findings and any(self.judged.values())

    def record(self) -> dict[str, Any]:
        """The verdict as JSON, without secrets."""
        clean: Any = scrub_json(asdict(self), secrets=own_secrets())
        return {**clean, "judged": dict(self.judged), "passed": self.passed}


def judge(exchanges: Sequence[Exchange], *, machine: Machine) -> Verdict:
    """The verdict on whoever made these exchanges; where several clients did, on all of them together."""
    asked = [exchange for exchange in exchanges if exchange.api is not None]
    retries = list(_retries(asked))
    occasions = {
        "retry_after_ignored": [pair for pair in retries if pair[0].retry_after is not None],
        "no_back_off": [pair for pair in retries if pair[0].retry_after is None],
    }
    findings = [
        *(_ignored(*pair) for pair in occasions["retry_after_ignored"] if _came_early(*pair)),
        *(_hurried(*pair) for pair in occasions["no_back_off"] if _waited(*pair) < LEAST_BACK_OFF),
        *_storms(asked),
        *_accepted(asked, machine),
    ]
    counts = {
        "retry_after_ignored": len(occasions["retry_after_ignored"]),
        "no_back_off": len(occasions["no_back_off"]),
        "retry_storm": sum(_failed(exchange) for exchange in asked),
        "truncated_accepted": sum(_is_broken_stream(exchange) for exchange in asked),
    }
    return Verdict(
        requests=len(asked),
        faults=sum(exchange.fault is not None for exchange in asked),
        findings=tuple(sorted(findings, key=lambda finding: (finding.exchanges, finding.kind))),
        judged={kind: counts[kind] for kind in get_args(FindingKind)},
    )


def _failed(exchange: Exchange) -> bool:
    return exchange.outcome in FAILED or exchange.status in (408, 429) or exchange.status >= 500


def _same(one: Exchange, other: Exchange) -> bool:
    """Whether two exchanges ask for the same reply."""
    return (one.path, one.conversation, one.body) == (other.path, other.conversation, other.body)


def _retries(asked: Sequence[Exchange]) -> Iterator[tuple[Exchange, Exchange]]:
    """Each failed exchange with the next that asks for the same."""
    for number, exchange in enumerate(asked):
        if _failed(exchange):
            again = next((later for later in asked[number + 1 :] if _same(exchange, later)), None)
            if again is not None:
                yield exchange, again


def _waited(failed: Exchange, again: Exchange) -> float:
    # An exchange that stalled ends when its client leaves, which may be after that client has come again.
    return max(0.0, again.at - (failed.at if failed.ended is None else failed.ended))


def _came_early(failed: Exchange, again: Exchange) -> bool:
    return _waited(failed, again) < (failed.retry_after or 0) - CLOCK_TOLERANCE


def _ignored(failed: Exchange, again: Exchange) -> Finding:
    waited = f"{_waited(failed, again):.2f} s"
    text = f"exchange {failed.number} said retry-after {failed.retry_after}, and the client came again after {waited}"
    return Finding(kind="retry_after_ignored", exchanges=(failed.number, again.number), text=text)


def _hurried(failed: Exchange, again: Exchange) -> Finding:
    waited = f"{_waited(failed, again):.2f} s"
    text = (
        f"exchange {failed.number} failed ({failed.fault or failed.status}), and the client came again after {waited}"
    )
    return Finding(kind="no_back_off", exchanges=(failed.number, again.number), text=text)


def _storms(asked: Sequence[Exchange]) -> Iterator[Finding]:
    """Requests that were tried too often in vain."""
    seen: list[Exchange] = []
    for exchange in asked:
        if not _failed(exchange) or any(_same(exchange, one) for one in seen):
            continue
        seen.append(exchange)
        tries = [one for one in asked if _same(exchange, one) and _failed(one)]
        if len(tries) > MOST_ATTEMPTS:
            text = f"one request was tried {len(tries)} times in vain, where {MOST_ATTEMPTS} are enough"
            yield Finding(kind="retry_storm", exchanges=tuple(one.number for one in tries), text=text)


def _is_broken_stream(exchange: Exchange) -> bool:
    return exchange.stream and exchange.outcome in BROKEN


def _accepted(asked: Sequence[Exchange], machine: Machine) -> Iterator[Finding]:
    """Broken replies that stand in a later history as if they had been whole."""
    for number, broken in enumerate(asked):
        if not _is_broken_stream(broken):
            continue
        before = _messages(broken, machine)
        for later in asked[number + 1 :]:
            messages = _messages(later, machine)
            if _got_whole(later, broken) and (_same(broken, later) or (messages == before and messages)):
                break
            if _names(later, broken) or _goes_on(messages, before, broken):
                text = f"exchange {later.number} goes on from {broken.went!r}, as if that had been the whole reply"
                yield Finding(kind="truncated_accepted", exchanges=(broken.number, later.number), text=text)
                break


def _got_whole(later: Exchange, broken: Exchange) -> bool:
    """Whether a request of the same conversation was answered; asked again in one piece it is another request."""
    return later.status == 200 and not _failed(later) and later.conversation == broken.conversation


def _names(later: Exchange, broken: Exchange) -> bool:
    """Whether a request goes on from the broken reply's id."""
    body = later.parsed()
    return isinstance(body, dict) and broken.reply is not None and body.get("previous_response_id") == broken.reply


def _goes_on(messages: tuple[Message, ...], before: tuple[Message, ...], broken: Exchange) -> bool:
    if not before or len(messages) <= len(before) or messages[: len(before)] != before:
        return False
    answer = messages[len(before)]
    return isinstance(answer, AssistantMessage) and (answer.text == broken.went or bool(answer.calls))


def _messages(exchange: Exchange, machine: Machine) -> tuple[Message, ...]:
    """The history that a request brings along; none where it was no request at all."""
    body = exchange.parsed()
    if not isinstance(body, dict):
        return ()
    try:
        asked = APIS[exchange.path].read(body, headers=exchange.headers, stored=Conversations(machine))
    except BadRequest:
        return ()
    return asked.request.messages
