"""The conformance of targets: one that is sound passes, and for every requirement a broken one fails it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from marg_harness.conformance import REQUIREMENTS, Finding, check_target
from marg_harness.named_target import opener
from marg_harness.python_agent import opener_of

BLOCK = {"kind": "chips", "step": "size", "question": "q", "revision": 1, "label": "Size", "lead": "Which?"}


class Sound:
    """A target that does all that the protocol requires."""

    def __init__(self) -> None:
        self.turns: dict[str, int] = {}
        self.writes: dict[str, int] = {}

    def describe(self) -> dict[str, Any]:
        return {"protocol": 1, "name": "sound", "reports": ["block", "writes", "draft"], "able": ["restart"]}

    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        name = opening.get("id") or f"talk-{len(self.turns) + 1}"
        self.turns[name] = self.writes[name] = 0
        return {"id": name}

    def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        if conversation not in self.turns:
            return {"error": {"kind": "unknown", "message": f"no conversation {conversation!r}"}}
        (act,) = sent["acts"]
        self.turns[conversation] += act["kind"] == "say"
        return {"reports": [self.report(conversation)]}

    def report(self, conversation: str) -> dict[str, Any]:
        turn = self.turns[conversation]
        values = {"size": {"value": 1, "label": "1"}} if turn else {}
        shown = {"revision": turn, "texts": [{"text": "Hello"}], "block": BLOCK}
        return {**shown, "writes": self.writes[conversation], "draft": {"values": values}}

    def restart(self, conversation: str) -> dict[str, Any]:
        return {"writes": self.writes[conversation]}

    def close(self, conversation: str) -> dict[str, Any]:
        del self.turns[conversation]
        return {}


class NoProtocol(Sound):
    def describe(self) -> dict[str, Any]:
        return {"protocol": 2, "name": "of a later release"}


class NoDoor(Sound):
    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        raise RuntimeError("the database is down")


class OneForAll(Sound):
    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        return super().open({"id": opening.get("id", "the-one")})


class NameOfItsOwn(Sound):
    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        return super().open({})


class Mute(Sound):
    def report(self, conversation: str) -> dict[str, Any]:
        return {"block": None, "writes": 0, "draft": {}}


class Promises(Sound):
    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "reports": ["block", "writes", "draft", "gate"]}


class SaysLess(Sound):
    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "reports": ["block", "draft"]}


class AnotherBlock(Sound):
    def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        answer = super().act(conversation, sent)
        if sent["acts"][0]["kind"] == "reload" and "reports" in answer:
            answer["reports"][0]["block"] = {**BLOCK, "question": "another"}
        return answer


class FallsBack(Sound):
    def report(self, conversation: str) -> dict[str, Any]:
        self.fallen = getattr(self, "fallen", 10) - 1
        return {**super().report(conversation), "revision": self.fallen}


class CountsDown(Sound):
    def report(self, conversation: str) -> dict[str, Any]:
        self.left = getattr(self, "left", 10) - 1
        return {**super().report(conversation), "writes": self.left}


class MixesUp(Sound):
    def report(self, conversation: str) -> dict[str, Any]:
        return super().report(next(iter(self.turns)))


class Forgets(Sound):
    def restart(self, conversation: str) -> dict[str, Any]:
        self.turns[conversation] = 0
        return {}


class AnswersAnybody(Sound):
    def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        self.turns.setdefault(conversation, 0)
        self.writes.setdefault(conversation, 0)
        return super().act(conversation, sent)


class NeverCloses(Sound):
    def close(self, conversation: str) -> dict[str, Any]:
        raise RuntimeError("it cannot be closed")


BROKEN: Mapping[str, Callable[[], Sound]] = {
    "describes itself": NoProtocol,
    "opens a conversation": NoDoor,
    "gives each conversation an id of its own": OneForAll,
    "takes the id that it is given": NameOfItsOwn,
    "answers a message": Mute,
    "reports what it says that it reports": Promises,
    "says what it reports": SaysLess,
    "shows what is open on a reload": AnotherBlock,
    "goes on after a turn": FallsBack,
    "counts its writes upwards": CountsDown,
    "keeps conversations apart": MixesUp,
    "goes on after a restart": Forgets,
    "refuses a conversation that is not open": AnswersAnybody,
    "closes a conversation": NeverCloses,
}


def found(made: Callable[[], Any], **options: Any) -> dict[str, Finding]:
    return {one.requirement: one for one in check_target(opener_of(made, **options))}


def test_a_sound_target_passes_every_requirement() -> None:
    assert {name: one.verdict for name, one in found(Sound).items()} == dict.fromkeys(REQUIREMENTS, "pass")


def test_there_is_a_broken_target_for_every_requirement() -> None:
    assert list(BROKEN) == list(REQUIREMENTS)


@pytest.mark.parametrize("requirement", BROKEN)
def test_a_target_that_breaks_a_requirement_fails_it_with_a_reason(requirement: str) -> None:
    finding = found(BROKEN[requirement])[requirement]
    assert (finding.verdict, bool(finding.because)) == ("fail", True)


def test_what_a_target_does_not_claim_to_be_able_to_is_not_asked() -> None:
    class Plain(Sound):
        def describe(self) -> dict[str, Any]:
            return {**super().describe(), "able": []}

    assert found(Plain)["goes on after a restart"].verdict == "not asked"


def test_what_a_target_does_not_report_passes_no_requirement_about_it() -> None:
    class Bare(Sound):
        def describe(self) -> dict[str, Any]:
            return {**super().describe(), "reports": []}

        def report(self, conversation: str) -> dict[str, Any]:
            return {"revision": self.turns[conversation], "texts": [{"text": "Hello"}]}

    asked = ("shows what is open on a reload", "counts its writes upwards", "keeps conversations apart")
    verdicts = found(Bare)
    assert {verdicts[one].verdict for one in asked} == {"not asked"}


def test_a_target_that_cannot_be_reached_passes_nothing() -> None:
    verdicts = {one.verdict for one in check_target(opener("http://127.0.0.1:9", seconds=5))}
    assert verdicts == {"fail", "not asked"}


def test_a_target_that_never_answers_is_given_up_on() -> None:
    class Hangs(Sound):
        async def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:  # type: ignore[override]
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    assert "no answer within 0.05 s" in found(Hangs, seconds=0.05)["answers a message"].because


def test_a_field_that_the_protocol_does_not_know_is_named() -> None:
    class Chatty(Sound):
        def report(self, conversation: str) -> dict[str, Any]:
            return {**super().report(conversation), "draught": {}}

    assert "reports.0.draught" in found(Chatty)["answers a message"].because
