"""A ledger of every release is kept, with every kind of event that it had: it opens, and folds to what it folded to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.conversation import FactsMessage, Message
from marg_runtime.events import EVENTS
from marg_runtime.events.form import form_of
from marg_runtime.events.turn import AnswerDelivered
from marg_runtime.events.upcasters import UPCASTERS
from marg_runtime.fold import fold
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.state import State
from marg_runtime.store import MemoryStore

if TYPE_CHECKING:
    from tests.runtime.conftest import MakeDesk

LEDGERS = Path(__file__).parent / "ledgers"
RELEASES = sorted(path.name.removesuffix(".states.jsonl") for path in LEDGERS.glob("*.states.jsonl"))


def lines(name: str) -> list[str]:
    return (LEDGERS / name).read_text(encoding="utf-8").splitlines()


def opened(release: str) -> tuple[Entry, ...]:
    return tuple(decode(line) for line in lines(f"{release}.jsonl"))


def forms(release: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LEDGERS / f"{release}.forms.json").read_text(encoding="utf-8"))
    return found


def told(message: Message) -> list[str]:
    """A message as a person would tell it: whose it was, and its words."""
    words = "\n".join(message.facts) if isinstance(message, FactsMessage) else message.text
    return [type(message).__name__, words]


def facts_of(state: State) -> dict[str, Any]:
    """What a release must find in a ledger, whatever else its state has come to hold."""
    question, write = state.question, state.write
    return {
        "revision": state.revision,
        "turn": state.turn,
        "draft": state.draft.id,
        "drafts": state.drafts,
        "arguments": state.draft.arguments(),
        "provenance": {slot: value.provenance for slot, value in state.draft.values.items()},
        "ended": sorted(state.ended),
        "since": dict(state.since),
        "question": [question.id, question.revision, question.delivered_in] if question else None,
        "questions": state.questions,
        "summary": state.summary.fingerprint if state.summary else None,
        "write": [write.key, write.draft, write.status, write.fingerprint, write.done_at] if write else None,
        "facts": list(state.facts),
        "said": list(state.said),
        "messages": [told(message) for message in state.messages],
        "requests": [state.requests, state.requests_with_rule],
        "pending": len(state.pending),
        "queue": len(state.queue),
        "turn_open": state.turn_open,
    }


def counted(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the long lists as their lengths, as they are kept for all states but the last."""
    return {key: len(value) if key in ("messages", "said") else value for key, value in found.items()}


def test_C6_there_is_a_fixture_ledger() -> None:
    assert "0.1.0" in RELEASES


@pytest.mark.parametrize("release", RELEASES)
def test_C6_the_fixture_ledger_has_every_kind_of_event_that_its_release_had(release: str) -> None:
    assert {json.loads(line)["kind"] for line in lines(f"{release}.jsonl")} == set(forms(release))


@pytest.mark.parametrize("release", RELEASES)
def test_C6_the_fixture_ledger_has_each_event_in_the_version_of_its_release(release: str) -> None:
    written = {record["kind"]: record["version"] for record in map(json.loads, lines(f"{release}.jsonl"))}
    assert written == {kind: one["version"] for kind, one in forms(release).items()}


@pytest.mark.parametrize("release", RELEASES)
def test_C6_a_ledger_of_an_earlier_release_folds_to_the_states_that_it_folded_to(release: str) -> None:
    entries = opened(release)
    ends = [number for number, entry in enumerate(entries) if isinstance(entry.event, AnswerDelivered)]
    states = [counted(facts_of(fold(entries[: end + 1]))) for end in ends] + [facts_of(fold(entries))]
    assert states == [json.loads(line) for line in lines(f"{release}.states.jsonl")]


@pytest.mark.parametrize("release", RELEASES)
def test_C6_an_entry_of_an_earlier_release_is_written_again_in_the_present_form(release: str) -> None:
    entries = opened(release)
    assert tuple(decode(encode(entry)) for entry in entries) == entries


@pytest.mark.parametrize("release", RELEASES)
def test_C6_a_session_goes_on_from_a_ledger_of_an_earlier_release(make_desk: MakeDesk, release: str) -> None:
    entries, store = opened(release), MemoryStore()
    asyncio.run(store.append("s-010", entries))
    desk = make_desk(store=store, session="s-010")
    assert (desk.reload().turn, desk.texts("runtime")[-1]) == (entries[-1].turn + 1, desk.domain.lines.write_unknown)


@pytest.mark.parametrize("release", RELEASES)
def test_C6_an_event_whose_form_has_changed_since_a_release_has_another_version(release: str) -> None:
    released = forms(release)
    changed = {
        name
        for name, kind in EVENTS.items()
        if name in released and kind.version == released[name]["version"] and form_of(kind) != released[name]["form"]
    }
    assert changed == set(), "raise the version of these events and add upcasters in marg_runtime/events/upcasters.py"


@pytest.mark.parametrize("release", RELEASES)
def test_C6_no_event_of_a_release_is_gone(release: str) -> None:
    assert set(forms(release)) - set(EVENTS) == set()


def test_C6_there_is_an_upcaster_from_every_earlier_version() -> None:
    needed = {(name, version) for name, kind in EVENTS.items() for version in range(1, kind.version)}
    assert needed - set(UPCASTERS) == set()
