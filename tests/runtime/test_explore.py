"""The exploration of a small desk: nothing is found where nothing is wrong, and every planted hole is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime import gate
from marg_runtime.decide import acts, answers, binding, calls, proposals, questions, settling, takeover
from marg_runtime.decide import writes as decide_writes
from marg_runtime.decide.quotes import Attested, attest
from marg_runtime.domain import Problem
from marg_runtime.draft import Span
from marg_runtime.errors import UsageError
from marg_runtime.events import step as step_events
from marg_runtime.events import turn as turn_events
from marg_runtime.events.model import EffectAbandoned
from marg_runtime.explore import Exploration, Words, explorer
from marg_runtime.explore.breadth import Breadth
from marg_runtime.fold import _HANDLERS
from marg_runtime.reading import read

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk

Explorer = Callable[..., Exploration]
Plant = Callable[[pytest.MonkeyPatch], None]
STEPS = ("title", "place", "urgency")


def rules(found: Exploration) -> list[str]:
    return [one.violation.rule for one in found.found]


# What holds


def test_G1_to_G10_nothing_is_found_within_two_acts_of_any_question(exploring: Explorer) -> None:
    found = exploring(depth=2)
    assert rules(found) == []
    assert found.writes > 0
    decisions = found.decisions
    assert min(decisions.go_ahead_allowed, decisions.go_ahead_refused, decisions.model_call_refused) > 0
    assert decisions.model_call_allowed == 0


def test_G7_the_model_is_let_through_to_tools_that_read(exploring: Explorer) -> None:
    found = exploring(breadth="usual")
    assert rules(found) == []
    assert found.decisions.reads > 0


def test_the_write_is_offered_with_every_request(exploring: Explorer) -> None:
    found = exploring()
    assert found.offered == found.model_requests > 0


def test_G6_the_guard_alone_holds_against_a_model_that_confirms_at_every_chance(exploring: Explorer) -> None:
    found = exploring(layers_off=["skill", "schema"], eager=True)
    assert rules(found) == []
    assert found.writes > 0


def test_G6_without_the_guard_and_with_the_flag_off_nothing_is_written(exploring: Explorer) -> None:
    found = exploring(layers_off=["guard"], flag=False)
    assert found.writes == 0
    assert found.decisions.model_call_refused > 0


def test_G6_without_the_guard_and_with_the_flag_on_violations_are_found(exploring: Explorer) -> None:
    found = exploring(layers_off=["guard"])
    assert "the gate lets no model write" in rules(found)
    assert "no write without a plain go-ahead for a summary delivered in an earlier turn" in rules(found)
    assert found.decisions.model_call_allowed > 0


def test_the_layers_are_back_when_the_exploration_is_over(exploring: Explorer) -> None:
    before = gate.guard_layer
    exploring(layers_off=["guard"])
    assert gate.guard_layer is before


def test_a_state_is_counted_once(exploring: Explorer) -> None:
    first = exploring()
    assert first == exploring()
    assert first.at_rest < first.states < first.transitions


def test_a_violation_comes_with_the_acts_that_lead_to_it(exploring: Explorer) -> None:
    found = exploring(layers_off=["guard"], until_found=True)
    (first,) = found.found
    assert first.acts == 1
    assert first.moves[-1].who == "model"


def test_an_error_of_a_domain_is_found_like_a_broken_rule(exploring: Explorer, desk: Desk) -> None:
    def raises(values: Any) -> Any:
        if values.get("title") == "login fails":
            raise KeyError("id")
        return ()

    found = exploring(domain=replace(desk.domain, validate=raises))
    assert rules(found) == ["nothing raises"]
    assert found.found[0].moves[-1].who == "model"


def test_words_that_are_read_as_no_yes_are_refused(exploring: Explorer) -> None:
    with pytest.raises(UsageError, match="'perhaps' is read as content, not plain_yes"):
        exploring(words=Words(yes="perhaps"))


def test_a_depth_of_none_is_refused(exploring: Explorer) -> None:
    with pytest.raises(UsageError, match="at least 1 act deep, got 0"):
        exploring(depth=0)


def test_a_domain_whose_summary_is_out_of_reach_is_refused(exploring: Explorer, desk: Desk) -> None:
    never = replace(desk.domain, validate=lambda values: (Problem(slot="title", text="no"),))
    with pytest.raises(UsageError, match="no summary within"):
        exploring(domain=never)


# What is found


def hole(name: str, *, breadth: Breadth = "narrow", steps: tuple[str, ...] = STEPS) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        HOLES[name] = Hole(plant=plant, breadth=breadth, steps=steps)
        return plant

    return register


@dataclass(frozen=True, kw_only=True)
class Hole:
    """A fault, and the part of the alphabet that it shows in."""

    plant: Plant
    breadth: Breadth
    steps: tuple[str, ...]


HOLES: dict[str, Hole] = {}


@hole("a tap answers whatever is open")
def _any_tap(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(acts, "tap_refusal", lambda state, **_: None if state.question else "stale")


@hole("a tap under another revision counts", breadth="usual")
def _any_revision(patch: pytest.MonkeyPatch) -> None:
    plain = binding.tap_refusal

    def careless(state: Any, *, question: str, revision: int, queued: int) -> Any:
        current = state.question.revision if state.question else revision
        return plain(state, question=question, revision=current, queued=queued)

    patch.setattr(acts, "tap_refusal", careless)


@hole("a typed answer need not have seen the question")
def _unseen(patch: pytest.MonkeyPatch) -> None:
    plain = binding.typed_unbound
    patch.setattr(acts, "typed_unbound", lambda state, *, seen, queued: plain(state, seen=queued, queued=queued))


@hole("a question counts before it is delivered")
def _undelivered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(binding, "_delivered_before", lambda question, queued, *, turn: True)


@hole("a value leaves the summary standing")
def _summary_stands(patch: pytest.MonkeyPatch) -> None:
    plain = _HANDLERS[step_events.ValueSettled]

    def careless(state: Any, event: Any) -> Any:
        after = plain(state, event)
        return replace(after, summary=state.summary, question=state.question) if state.summary else after

    patch.setitem(_HANDLERS, step_events.ValueSettled, careless)


@hole("the fingerprint forgets the tool")
def _no_tool(patch: pytest.MonkeyPatch) -> None:
    for module in (gate, questions):
        if hasattr(module, "fingerprint"):
            patch.setattr(module, "fingerprint", lambda *, draft, arguments, tool: f"{draft}{arguments}")


@hole("the gate does not ask what was displayed")
def _not_displayed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "_displayed_refusal", lambda asked_at, delivered_at, go_ahead: None)


@hole("the gate does not ask who gave the go-ahead")
def _anybody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "_who_refusal", lambda surroundings, tool, go_ahead: None)


@hole("the gate lets a majority decide")
def _majority(patch: pytest.MonkeyPatch) -> None:
    plain = gate.decide_gate

    def careless(**given: Any) -> Any:
        decision = plain(**given)
        return replace(decision, allowed=sum(layer.allowed for layer in decision.layers) >= 1)

    patch.setattr(calls, "decide_gate", careless)


@hole("every tool is taken for one that reads")
def _all_read(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        calls, "_attempt", lambda book, call, spec: calls._read(book, call, spec or book.surroundings.tools[0])
    )


@hole("a quote need not have been said")
def _any_quote(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(proposals, "attest", lambda **_: Attested(span=Span(said=0, start=0, end=1)))


@hole("older words replace a newer answer", breadth="thorough")
def _older_words(patch: pytest.MonkeyPatch) -> None:
    plain = attest
    patch.setattr(proposals, "attest", lambda **given: plain(**{**given, "since": 0}))


@hole("a change leaves what depends on it", breadth="usual", steps=("place", "urgency"))
def _no_dependants(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settling, "reopen_dependants", lambda book, step: None)


@hole("content drops the card")
def _dropped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(questions, "redraw", lambda book, **_: None)


@hole("a lost write is forgotten")
def _forgotten(patch: pytest.MonkeyPatch) -> None:
    def careless(book: Any) -> None:
        for pending in book.state.pending:
            if pending.kind == "write":
                book.state = replace(book.state, write=None)
            book.emit(EffectAbandoned(kind="tool", key=pending.key))
        book.emit(turn_events.TurnAbandoned())

    patch.setattr(takeover, "take_over", careless)


@hole("a yes is whatever begins with one")
def _leading_word(patch: pytest.MonkeyPatch) -> None:
    def careless(text: str, question: Any, *, reader: str = "", language: str = "en") -> Any:
        return read(text, question, reader="leading_word")

    patch.setattr(explorer, "_read_once", careless)


@hole("options are counted from the wrong end")
def _wrong_option(patch: pytest.MonkeyPatch) -> None:
    plain = answers.option_of

    def careless(book: Any, identity: str) -> Any:
        options: Any = book.state.question.drawn.options if book.state.question else ()
        return options[-1] if plain(book, identity) else None

    patch.setattr(answers, "option_of", careless)


@hole("what is dispatched is not what was claimed")
def _other_arguments(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decide_writes, "_dispatched", lambda arguments, *, spec, key: {**arguments, "title": "another"})


@hole("a summary hides a value")
def _hidden(patch: pytest.MonkeyPatch) -> None:
    plain: Any = questions.rows
    patch.setattr(questions, "rows", lambda book: plain(book)[1:])


@pytest.mark.parametrize("name", sorted(HOLES))
def test_a_planted_hole_is_found(name: str, exploring: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = HOLES[name]
    planted.plant(monkeypatch)
    found = exploring(depth=2, breadth=planted.breadth, steps=planted.steps, until_found=True)
    assert rules(found) != []
