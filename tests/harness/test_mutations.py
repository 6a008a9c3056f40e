"""Breaking the runtime on purpose turns shipped scenarios red: one test a mutation, with the reds that it must bring.

Whoever weakens a rule must not be able to keep the suite green. Every test replays only the scenarios that notice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from marg_harness.replay import replay
from marg_reports import RunRecord
from marg_runtime import fold, gate
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.decide import acts, answers, calls, flow, model_turn, proposals, questions, replies, settling, writes
from marg_runtime.decide import carry as carrying
from marg_runtime.decide.carry import Carried
from marg_runtime.decide.quotes import Attested, attest
from marg_runtime.decide.settling import settle
from marg_runtime.draft import Draft, Span
from marg_runtime.events.write import GateDecided, LayerDecision, LayerName
from marg_runtime.reading import read
from marg_runtime.sentences import Sentences
from marg_runtime.state import State
from marg_scenarios import Scenario, find_kit, find_scenarios, load_scenarios

FOLDER = find_kit("support_intake").scenarios
NAMES = tuple(path.name.partition(".")[0] for path in find_scenarios(FOLDER))


@cache
def scenarios(name: str) -> tuple[Scenario, ...]:
    """The scenario of a file, or one for each of its rows."""
    return load_scenarios(FOLDER / f"{name}.scenario.yaml")


def reds(*names: str) -> set[str]:
    """The reds of these shipped scenarios, each as `scenario turn check`."""
    run = replay([one for name in names for one in scenarios(name)])
    return {
        f"{Path(red.scenario.path).name.partition('.')[0]} {red.turn_record.id} {red.check.id}" for red in run.reds()
    }


def performed(*names: str) -> int:
    """How many writes the backends counted over these scenarios."""
    return sum(found.writes or 0 for found in replay([one for name in names for one in scenarios(name)]).scenarios)


def test_without_a_mutation_all_is_green(shipped_run: RunRecord) -> None:
    names = {Path(scenario.path).name.partition(".")[0] for scenario in shipped_run.scenarios}
    assert set(NAMES) <= names
    assert shipped_run.reds() == ()


# The reader


def read_by(patch: pytest.MonkeyPatch, reader: str) -> None:
    """Have every reply read by another reader."""

    def other(text: str, question: Any, **options: Any) -> Any:
        return read(text, question, **{**options, "reader": reader})

    patch.setattr(replies, "read", other)


def test_a_reader_of_the_first_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    read_by(monkeypatch, "leading_word")
    found = reds("yes_but_change", "keep_private", "create_it_later", "claims", "typed_choices")
    assert {
        "yes_but_change yes-but reading",
        "yes_but_change yes-but gate",
        "yes_but_change yes-but write",
        "keep_private at-the-confirmation reading",
        "keep_private at-the-confirmation gate",
        "keep_private at-the-confirmation write",
        "create_it_later later reading",
        "claims hedged-yes write",
        "typed_choices an-option-and-a-day reading",
    } <= found


def test_a_reader_that_hears_no_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    read_by(monkeypatch, "click_only")
    assert {"plain_yes go-ahead reading", "declined plain-no facts"} <= reds("plain_yes", "declined")


def test_a_no_that_is_taken_for_a_yes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "_CONFIRM_MEANINGS", {"plain_yes": "go_ahead", "plain_no": "go_ahead"})
    assert {"declined plain-no gate", "declined plain-no facts"} <= reds("declined")


def test_S5_any_words_taken_for_a_value_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "_text_meaning", lambda *_, **__: "value")
    found = reds("runtime_asks", "plain_yes")
    assert "runtime_asks a-question-is-no-title draft" in found
    assert "plain_yes nothing-attached facts" in found


# The gate


@pytest.mark.parametrize("layer", ["skill", "schema", "guard"])
def test_G6_a_layer_that_is_not_decided_is_noticed(monkeypatch: pytest.MonkeyPatch, layer: LayerName) -> None:
    def without(**parts: Any) -> GateDecided:
        return GateDecided(**{**parts, "layers": tuple(found for found in parts["layers"] if found.layer != layer)})

    monkeypatch.setattr(gate, "GateDecided", without)
    found = reds("early_create", "tool_changed")
    assert {"early_create report gate", "tool_changed yes-to-the-old-tool gate"} <= found


def decided(patch: pytest.MonkeyPatch, layer: LayerName, *, allowed: bool) -> None:
    """Have a layer decide the same, whatever it is shown."""
    decision = LayerDecision(layer=layer, allowed=allowed, reason="always")
    patch.setattr(gate, f"{layer}_layer", lambda **_: decision)


def test_G6_a_schema_that_allows_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    decided(monkeypatch, "schema", allowed=True)
    assert {"early_create report gate", "plain_yes go-ahead gate", "plain_yes go-ahead line"} <= reds(
        "early_create", "plain_yes"
    )


def test_G6_a_guard_that_allows_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    decided(monkeypatch, "guard", allowed=True)
    assert {
        "early_create report gate",
        "early_create report write",
        "early_create content-at-the-summary write",
        "tool_changed yes-to-the-old-tool write",
        "unlisted_tools report write",
    } <= reds("early_create", "tool_changed", "unlisted_tools")


@pytest.mark.parametrize("layer", ["skill", "guard"])
def test_G6_a_layer_that_refuses_everything_is_noticed(monkeypatch: pytest.MonkeyPatch, layer: LayerName) -> None:
    decided(monkeypatch, layer, allowed=False)
    assert {"plain_yes go-ahead gate", "yes_but_change yes-now gate"} <= reds("plain_yes", "yes_but_change")


def test_G6_a_request_without_the_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def ruleless(**parts: Any) -> ModelRequest:
        return ModelRequest(**{**parts, "system": "Be kind."})

    monkeypatch.setattr(model_turn, "ModelRequest", ruleless)
    assert {"plain_yes report received", "plain_yes go-ahead gate"} <= reds("plain_yes")


def test_G6_a_request_without_the_rule_is_noticed_where_the_skill_layer_looks_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ruleless(**parts: Any) -> ModelRequest:
        return ModelRequest(**{**parts, "system": "Be kind."})

    monkeypatch.setattr(model_turn, "ModelRequest", ruleless)
    decided(monkeypatch, "skill", allowed=True)
    assert reds("plain_yes") == {"plain_yes report received"}


def test_G8_a_flag_that_is_not_looked_at_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = gate.schema_layer

    def flagged(*, arguments: Mapping[str, Json], write_flag: str | None) -> LayerDecision:
        return schema(arguments=arguments, write_flag="true")

    monkeypatch.setattr(gate, "schema_layer", flagged)
    assert {"plain_yes go-ahead gate", "plain_yes go-ahead events"} <= reds("plain_yes")


def test_G6_a_refused_write_that_is_dispatched_is_noticed_and_the_backend_counts_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def obeyed(**parts: Any) -> GateDecided:
        return GateDecided(**{**parts, "allowed": True})

    monkeypatch.setattr(gate, "GateDecided", obeyed)
    assert {"plain_yes go-ahead events", "tool_changed yes-to-the-old-tool write"} <= reds("plain_yes", "tool_changed")
    assert performed("tool_changed") == 1


def test_G5_a_fingerprint_that_is_always_the_same_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (gate, questions):
        monkeypatch.setattr(module, "fingerprint", lambda **_: "the same")
    assert {"tool_changed yes-to-the-old-tool gate", "tool_changed yes-to-the-old-tool write"} <= reds("tool_changed")


def test_G7_a_write_that_is_called_as_if_it_read_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = calls._attempt

    def sent(book: Any, call: Any, spec: Any) -> None:
        if spec is None:
            attempt(book, call, spec)
        else:
            calls._read(book, call, spec)

    monkeypatch.setattr(calls, "_attempt", sent)
    assert {"early_create report gate", "early_create report tools_not_called"} <= reds("early_create")


def test_G6_a_confirmation_of_the_models_own_that_is_not_dropped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "RESERVED_SLOTS", frozenset())
    assert {"early_create report overridden", "early_create content-at-the-summary overridden"} <= reds("early_create")


def test_G1_arguments_that_are_not_the_drafts_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Draft, "arguments", lambda draft: {slot: value.label for slot, value in draft.values.items()})
    assert "plain_yes go-ahead write" in reds("plain_yes")


# Binding: what was seen, spent, shown


def test_G3_a_reply_that_is_bound_whatever_was_seen_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "typed_unbound", lambda state, **_: None if state.question else "none")
    assert {
        "early_yes crossed-on-the-wire reading",
        "early_yes crossed-on-the-wire gate",
        "early_yes a-client-that-does-not-say reading",
        "early_yes a-client-that-does-not-say gate",
    } <= reds("early_yes")


def test_G3_what_was_seen_is_looked_at_by_the_guard_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # With the binding alone broken the guard refuses; with both broken a write is attempted.
    monkeypatch.setattr(acts, "typed_unbound", lambda state, **_: None if state.question else "none")
    assert "early_yes crossed-on-the-wire write" not in reds("early_yes")
    monkeypatch.setattr(gate, "_shown_refusal", lambda *_: None)
    assert "early_yes crossed-on-the-wire write" in reds("early_yes")


def test_G3_a_channel_that_is_taken_for_an_ordered_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "displayed", lambda seen, *, queued, surroundings: queued if seen is None else seen)
    assert reds("early_yes") == {
        f"early_yes a-client-that-does-not-say {check}" for check in ("reading", "gate", "write")
    }


def test_G3_a_stale_tap_that_is_taken_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "tap_refusal", lambda state, **_: None if state.question else "stale")
    assert {
        "stale_taps the-same-tap-again draft",
        "stale_taps another-tap-on-the-old-card events",
        "yes_but_change the-old-card gate",
        "yes_but_change the-old-card write",
    } <= reds("stale_taps", "yes_but_change")


def test_G3_a_go_ahead_that_is_not_spent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fold._HANDLERS, GateDecided, lambda state, event: state)
    assert {
        "spent_once second-tap-of-the-double-click gate",
        "spent_once second-tap-of-the-double-click write",
    } <= reds("spent_once")


def test_G4_a_summary_that_does_not_show_all_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "rows", lambda book: ())
    assert {"plain_yes nothing-attached block", "plain_yes go-ahead gate"} <= reds("plain_yes")


def test_G5_a_summary_that_a_change_does_not_void_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fold, "_void_summary", lambda state: state)
    assert {
        "yes_but_change yes-but block",
        "yes_but_change yes-but events",
        "yes_but_change the-old-card gate",
        "reopened yes-now write",
        "declined a-yes-to-nothing gate",
    } <= reds("yes_but_change", "reopened", "declined")


# Steps, values, facts


def test_S2_a_value_of_the_models_that_stands_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "carry", lambda arguments, **_: Carried(arguments=arguments, overrides=()))
    assert {"model_overrides question tools_called", "model_overrides question overridden"} <= reds("model_overrides")


def test_S2_a_proposal_for_the_runtimes_own_slot_that_is_taken_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(book: Any, slot: str, value: str, step: Any) -> proposals.Answered:
        return proposals.Answered(text="Taken.", taken=True)

    monkeypatch.setattr(proposals, "not_proposable", taken)
    assert "model_overrides question events" in reds("model_overrides")


def test_S2_words_that_nobody_said_and_that_are_taken_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "attest", lambda **_: Attested(span=Span(said=0, start=0, end=1)))
    assert {"unsaid_words report draft", "unsaid_words report events"} <= reds("unsaid_words")


def test_S2_words_older_than_the_settled_value_that_are_taken_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "attest", lambda **parts: attest(**{**parts, "since": 0}))
    assert {"unsaid_words older-words draft", "unsaid_words older-words events"} <= reds("unsaid_words")


def test_S1_dependants_that_are_not_asked_again_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "reopen_dependants", lambda book, step: None)
    assert {"reopened other-details block", "reopened other-details draft"} <= reds("reopened")


def test_S1_a_step_that_settles_through_the_model_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(book: Any, step: Any, value: Any) -> None:
        settle(book, step, value)
        model_turn.call_model(book)

    monkeypatch.setattr(answers, "settle", told)
    assert reds("typed_choices", "plain_yes") >= {"plain_yes urgency undeclared"}


def test_C5_facts_that_are_not_told_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    outgoing = State.outgoing
    monkeypatch.setattr(State, "outgoing", lambda state: outgoing(replace(state, telling=())))
    assert reds("keep_private", "declined") == {
        "keep_private at-the-confirmation received",
        "declined a-yes-to-nothing received",
    }


def test_C5_facts_that_are_told_again_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = next(kind for kind in fold._HANDLERS if kind.__name__ == "FactTold")
    told = fold._HANDLERS[kind]
    monkeypatch.setitem(fold._HANDLERS, kind, lambda state, event: replace(told(state, event), facts=state.facts))
    assert "keep_private at-the-confirmation received" in reds("keep_private")


def test_C4_a_limit_of_model_calls_that_moves_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_turn, "MOST_MODEL_CALLS", model_turn.MOST_MODEL_CALLS + 1)
    assert reds("endless_model") == {"endless_model report model_calls"}


# What is shown


def test_S4_a_question_of_the_models_that_is_not_cut_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = model_turn._cutter
    monkeypatch.setattr(model_turn, "_cutter", lambda book: replace(made(book), owned=()))
    assert reds("model_asks") == {"model_asks report cut", "model_asks report text"}


def test_S4_a_statement_that_is_cut_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sentences, "asks", lambda self, sentence: True)
    assert {"model_asks report cut", "model_asks report text"} <= reds("model_asks")


def test_a_reload_that_redraws_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "show_again", lambda book: None)
    assert {"reload at-the-chips redraws", "reload at-the-summary redraws"} <= reds("reload")


def test_a_redraw_that_is_another_question_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def anew(book: Any) -> None:
        book.emit(replace(book.state.question.drawn, redraw=False))

    monkeypatch.setattr(questions, "redraw", anew)
    assert {"reload at-the-chips redraws", "reload the-card-still-works gate"} <= reds("reload")


def test_a_refusal_that_nobody_is_told_of_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writes, "_gate_refused", lambda book, decision: None)
    assert {"plain_yes go-ahead line", "plain_yes go-ahead events"} <= reds("plain_yes")
