"""What a turn can script beyond an act: replies, faults, acts at once, time, restarts, rehearsals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from marg_harness.replay import replay_scenario
from marg_reports import ScenarioRecord, TurnRecord
from marg_runtime.errors import LocatedError
from marg_scenarios import load_scenario
from marg_scenarios.build import Part, concurrent, forge, reload, restart, say, scenario, tap, wait

REPORT = "My login fails since this morning. I get error 500 on every try."
TO_THE_CARD = (
    say(REPORT, id="report"),
    tap("High", id="urgency"),
    tap("Bug", id="topic"),
    tap("Private", id="audience"),
    tap("Skip", id="skip"),
)


def played(*turns: Part, **keys: Any) -> ScenarioRecord:
    return replay_scenario(scenario("a small one", domain="support_intake", turns=turns, **keys))


def reds(record: ScenarioRecord) -> list[tuple[str, str]]:
    return [(turn.id, check.id) for turn in record.turns for check in turn.checks if not check.passed]


def turn(record: ScenarioRecord, name: str) -> TurnRecord:
    return next(found for found in record.turns if found.id == name)


def kinds(record: TurnRecord) -> list[str]:
    return [str(event["kind"]) for event in record.events if isinstance(event, dict)]


def test_scripted_replies_come_before_the_machines() -> None:
    calls = [{"search_tickets": {"query": "x"}}]
    record = played(
        say(
            "Hello",
            model=[{"calls": calls}, {"text": "Looked."}],
            expect={"model_calls": 2, "tools_called": ["search_tickets"]},
        ),
        say("how soon?", expect={"text": {"contains": ["answered in a day"]}}),
    )
    assert reds(record) == []


def test_a_scripted_reply_moves_the_machine_where_it_says() -> None:
    record = played(
        say("Hello", model={"text": "Hi.", "to": "at_the_desk"}), say("why?", expect={"text": {"contains": ["a day"]}})
    )
    assert reds(record) == []


def test_a_reply_that_nobody_asked_for_is_a_red() -> None:
    record = played(reload(model={"text": "hi"}))
    assert [(check.id, check.got) for check in record.checks] == [("unused", ["1 scripted reply of the model's"])]


def test_a_fault_that_nobody_met_is_a_red() -> None:
    record = played(say("Hello", tools={"search_tickets": {"gone": True}, "reference_data": {"breaks": "before"}}))
    assert [check.got for check in record.checks] == [["the fault of the tool 'reference_data'"]]


def test_a_fault_is_mended_with_the_next_turn() -> None:
    record = played(
        say(REPORT, tools={"reference_data": {"hangs": "before"}}, expect={"events": {"has": ["OptionsFailed"]}}),
        say("why?", expect={"block": "priority"}),
    )
    assert reds(record) == []


def test_acts_at_once_are_queued_before_the_first_is_served_and_each_has_its_own_part() -> None:
    record = played(
        say(REPORT),
        concurrent(tap("High", id="one", expect={"block": "category"}), tap("Low", id="two"), id="both"),
    )
    one, two = turn(record, "one"), turn(record, "two")
    assert (kinds(one)[0], kinds(two)[:2]) == ("ActQueued", ["ActQueued", "UserTapped"])
    revisions = [[event["revision"] for event in found.events if isinstance(event, dict)] for found in (one, two)]
    # Both acts stand in the ledger before anything that the first one led to.
    assert revisions[1][0] == revisions[0][0] + 1 < revisions[0][1]
    assert reds(record) == []


def test_model_requests_of_acts_at_once_are_told_apart() -> None:
    record = played(
        concurrent(
            say("Hello", id="one", expect={"model_calls": 1, "received": {"user": "Hello"}}),
            say("Hi", id="two", seen="absent", expect={"model_calls": 1, "received": {"user": "Hi"}}),
        )
    )
    assert reds(record) == []


def test_time_passes_for_the_acts_that_follow() -> None:
    record = played(reload(id="first"), wait(60_000), reload(id="second"))
    times = [found.events[0]["at"] for found in record.turns if found.events and isinstance(found.events[0], dict)]
    assert times[1] - times[0] == 61_000


def test_a_wait_and_a_restart_are_turns_with_no_events() -> None:
    record = played(wait(1_500), restart())
    assert [(found.transcript[0].by, found.transcript[0].text, found.events) for found in record.turns] == [
        ("user", "[waits 1,500 ms]", ()),
        ("runtime", "[is started anew from its ledger]", ()),
    ]


def test_a_restarted_session_goes_on_from_its_ledger() -> None:
    record = played(
        say(REPORT), restart(), reload(expect={"redraws": True, "block": "priority", "draft_unchanged": True})
    )
    assert reds(record) == []


def test_a_turn_in_which_the_runtime_dies_has_no_answer_and_the_next_takes_it_over() -> None:
    record = played(
        say("Hello", model={"text": "He", "crashes": True}),
        reload(expect={"events": {"has": ["TurnAbandoned", "EffectAbandoned"]}}),
    )
    assert record.turns[0].transcript[1].text == "[no answer: the runtime died, and was started anew]"
    assert reds(record) == []


def test_G8_a_rehearsed_write_reaches_the_double_and_not_the_backend() -> None:
    record = played(
        *TO_THE_CARD,
        tap("Create", expect={"write": {"attempted": 1, "rehearsed": 1, "performed": 0, "ended": "done"}}),
        rehearse=True,
    )
    assert (reds(record), record.writes) == ([], 0)


def test_G8_without_a_rehearsal_the_gate_stays_shut() -> None:
    record = played(*TO_THE_CARD, tap("Create", expect={"write": {"attempted": 1, "ended": "refused"}}))
    assert reds(record) == []


def test_a_forged_tap_is_sent_as_it_is_written() -> None:
    record = played(say(REPORT), forge({"question": "q", "revision": 7, "option": "o9"}, id="forged"))
    tapped = next(
        event for event in turn(record, "forged").events if isinstance(event, dict) and event["kind"] == "UserTapped"
    )
    data = tapped["event"] if "event" in tapped else tapped["data"]
    assert {key: data[key] for key in ("question", "question_revision", "option")} == {
        "question": "q",
        "question_revision": 7,
        "option": "o9",
    }


def test_a_forgery_with_nothing_to_copy_from_is_a_red_of_its_own() -> None:
    assert [check.kind for check in played(forge({"option": "o1"}, id="f")).checks] == ["not_shown"]


def test_a_scenario_goes_on_after_a_red_unless_it_says_stop() -> None:
    turns = (say("Hello", expect={"model_calls": 9}), say("Hi"))
    assert (len(played(*turns).turns), len(played(*turns, on_red="stop").turns)) == (2, 1)


def test_a_listed_change_of_a_tool_is_for_the_turn_alone() -> None:
    record = played(
        *TO_THE_CARD,
        tap(
            "Create",
            id="changed",
            tools={"create_ticket": {"changes": {"identity": "another"}}},
            expect={"gate": {"guard": "refused"}},
        ),
        tap("Create", id="as-before", expect={"gate": {"guard": "allowed"}}),
    )
    assert reds(record) == []


# A slip in a turn

SLIPPING = """\
machine: slipping
start: a
states:
  a:
    transitions:
      - {when: {}, reply: "Thank you.", to: a}
slips:
  - {slip: claims_success, rate: 0}
  - {slip: skips_question, rate: 0}
"""
SLIPS = """\
scenario: a model that slips where it is told to
domain: support_intake
machine: slipping.machine.yaml
turns:
  - {{id: hello, say: hello, model: {{slip: {slip}}}, expect: {{text: {{contains: [Thank you]}}}}}}
  - {{id: again, say: hello again, expect: {{cut: []}}}}
"""


def slipping(folder: Path, slip: str) -> ScenarioRecord:
    (folder / "slipping.machine.yaml").write_text(SLIPPING)
    (folder / "one.scenario.yaml").write_text(SLIPS.format(slip=slip))
    return replay_scenario(load_scenario(folder / "one.scenario.yaml"))


def test_a_slip_of_a_turn_happens_in_it_and_in_no_other(tmp_path: Path) -> None:
    record = slipping(tmp_path, "claims_success")
    assert ([kinds(one).count("ClaimCut") for one in record.turns], reds(record)) == ([1, 0], [])


def test_a_slip_of_a_turn_that_its_reply_does_not_fit_is_a_red(tmp_path: Path) -> None:
    assert reds(slipping(tmp_path, "skips_question")) == [("hello", "unused")]


def test_a_slip_of_a_turn_that_the_machine_does_not_declare_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(LocatedError, match=r"one\.scenario\.yaml:5: .* declares claims_success, skips_question"):
        slipping(tmp_path, "empty")


def test_a_slip_of_a_turn_stands_alone(tmp_path: Path) -> None:
    with pytest.raises(LocatedError, match="leave out text"):
        slipping(tmp_path, "empty, text: Hello")
