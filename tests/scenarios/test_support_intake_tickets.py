"""The example desk: what it stores, what it refuses, what it counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime.errors import UsageError
from marg_scenarios.support_intake import BackendCounts, Desk, NewTicket, Refusal, Ticket

NOON = 1_780_000_000_000
FIRST_FREE = 1007
ASKED = NewTicket(
    title="Login fails", details="The page stays blank.", priority="high", category="bug", visibility="public"
)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with closing(Desk(clock=lambda: NOON)) as opened:
        yield opened


def created(answer: Ticket | Refusal) -> Ticket:
    assert isinstance(answer, Ticket), answer
    return answer


def refused(answer: Ticket | Refusal) -> Refusal:
    assert isinstance(answer, Refusal), answer
    return answer


def test_priorities_come_in_the_desks_order_with_labels(desk: Desk) -> None:
    options = [(option.value, option.label) for option in desk.options("priorities")]
    assert options == [("low", "Low"), ("medium", "Medium"), ("high", "High"), ("urgent", "Urgent")]


def test_categories_are_account_billing_bug_and_other(desk: Desk) -> None:
    assert [option.value for option in desk.options("categories")] == ["account", "billing", "bug", "other"]


def test_visibilities_are_private_and_public(desk: Desk) -> None:
    assert [option.value for option in desk.options("visibilities")] == ["private", "public"]


def test_an_unknown_kind_of_reference_data_is_a_usage_error(desk: Desk) -> None:
    kind: Any = "tickets"
    with pytest.raises(UsageError, match="no reference data 'tickets'; there are priorities, categories, visibilities"):
        desk.options(kind)


@pytest.mark.wheel
def test_a_desk_starts_with_the_six_tickets_1001_to_1006(desk: Desk) -> None:
    assert [desk.ticket(number) is not None for number in range(1000, 1008)] == [False, *[True] * 6, False]


def test_the_first_ticket_that_is_created_has_the_next_number_and_the_time_of_the_clock(desk: Desk) -> None:
    ticket = created(desk.create(ASKED))
    assert (ticket.id, ticket.created_at) == ("T-1007", NOON)


def test_numbers_go_on(desk: Desk) -> None:
    ids = [created(desk.create(ASKED)).id for _ in range(3)]
    assert ids == ["T-1007", "T-1008", "T-1009"]


def test_a_created_ticket_is_read_back(desk: Desk) -> None:
    ticket = created(desk.create(replace(ASKED, attachment_note="a photo")))
    assert desk.ticket(ticket.number) == ticket


# Search


def test_a_search_finds_every_word_in_title_or_details_in_any_case_and_order(desk: Desk) -> None:
    assert [ticket.id for ticket in desk.search("MONDAY password")] == ["T-1001"]


def test_a_search_for_words_that_no_ticket_holds_together_finds_nothing(desk: Desk) -> None:
    assert desk.search("password theme") == ()


def test_a_search_does_not_show_private_tickets(desk: Desk) -> None:
    assert desk.search("invoice") == ()


def test_a_search_with_no_word_gives_all_public_tickets_oldest_first(desk: Desk) -> None:
    assert [ticket.id for ticket in desk.search("  ")] == ["T-1001", "T-1003", "T-1004", "T-1005"]


def test_a_search_is_narrowed_by_category(desk: Desk) -> None:
    assert [ticket.id for ticket in desk.search("", category="bug")] == ["T-1003", "T-1005"]


def test_a_search_is_narrowed_by_priority(desk: Desk) -> None:
    assert [ticket.id for ticket in desk.search("", category="bug", priority="urgent")] == ["T-1005"]


def test_a_search_gives_ten_tickets_at_most(desk: Desk) -> None:
    for _ in range(12):
        desk.create(ASKED)
    assert len(desk.search("")) == 10


@pytest.mark.parametrize("query", ["%", "_", "' OR 1=1 --", '"', "\\"])
def test_a_search_takes_signs_of_the_query_language_as_text(desk: Desk, query: str) -> None:
    assert desk.search(query) == ()


# Constraints


@pytest.mark.parametrize("title", ["", "   ", "x" * 121], ids=["empty", "blank", "121_characters"])
def test_a_title_that_does_not_fit_is_refused_with_its_length(desk: Desk, title: str) -> None:
    refusal = refused(desk.create(replace(ASKED, title=title)))
    assert refusal == Refusal(
        code="bad_arguments",
        message="Nothing was created: the title needs 1 to 120 characters that are not all blank; "
        f"it has {len(title)}.",
    )


@pytest.mark.parametrize("title", ["x", "x" * 120], ids=["1_character", "120_characters"])
def test_a_title_at_the_edge_is_taken(desk: Desk, title: str) -> None:
    assert created(desk.create(replace(ASKED, title=title))).title == title


@pytest.mark.parametrize("details", ["", " \n\t"], ids=["empty", "blank"])
def test_empty_details_are_refused(desk: Desk, details: str) -> None:
    refusal = refused(desk.create(replace(ASKED, details=details)))
    assert refusal.message == "Nothing was created: the details are empty."


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (replace(ASKED, priority="High"), "the priority is one of low, medium, high, urgent, not 'High'."),
        (replace(ASKED, category=""), "the category is one of account, billing, bug, other, not ''."),
        (replace(ASKED, visibility="hidden"), "the visibility is one of private, public, not 'hidden'."),
    ],
    ids=["priority", "category", "visibility"],
)
def test_a_value_that_the_desk_does_not_know_is_refused_with_those_it_knows(
    desk: Desk, wrong: NewTicket, sentence: str
) -> None:
    assert refused(desk.create(wrong)).message == f"Nothing was created: {sentence}"


@pytest.mark.parametrize("slot", ["title", "details", "attachment_note"])
def test_half_a_character_is_refused_with_the_name_of_its_slot(desk: Desk, slot: str) -> None:
    values: dict[str, Any] = {slot: "\ud83d"}
    message = refused(desk.create(replace(ASKED, **values))).message
    assert message == f"Nothing was created: the {slot.replace('_', ' ')} holds half a character (a lone surrogate)."


def test_an_empty_idempotency_key_is_refused(desk: Desk) -> None:
    assert (
        refused(desk.create(ASKED, idempotency_key="")).message == "Nothing was created: the idempotency key is empty."
    )


class CarelessDesk(Desk):
    """A desk that forgot to look at the values."""

    def _option_fault(self, new: NewTicket) -> None:
        return None


@pytest.mark.parametrize("slot", ["priority", "category", "visibility"])
def test_the_database_itself_refuses_an_unknown_value(slot: str) -> None:
    values: dict[str, Any] = {slot: "extreme"}
    with closing(CarelessDesk()) as desk, pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        desk.create(replace(ASKED, **values))


# Idempotency


def test_G9_the_same_key_gives_the_same_ticket(desk: Desk) -> None:
    first = desk.create(ASKED, idempotency_key="k")
    assert desk.create(ASKED, idempotency_key="k") == first


def test_G9_the_same_key_writes_once(desk: Desk) -> None:
    desk.create(ASKED, idempotency_key="k")
    desk.create(ASKED, idempotency_key="k")
    assert desk.counts() == BackendCounts(create_calls=2, refused=0, writes=1)


def test_G9_another_key_with_the_same_content_writes_its_own_ticket(desk: Desk) -> None:
    ids = [created(desk.create(ASKED, idempotency_key=key)).id for key in ("k", "l")]
    assert ids == ["T-1007", "T-1008"]


def test_G9_no_key_writes_each_time(desk: Desk) -> None:
    ids = [created(desk.create(ASKED)).id for _ in range(2)]
    assert ids == ["T-1007", "T-1008"]


def test_G9_the_same_key_with_other_content_is_refused_and_names_the_ticket(desk: Desk) -> None:
    desk.create(ASKED, idempotency_key="k")
    refusal = refused(desk.create(replace(ASKED, title="Another"), idempotency_key="k"))
    assert (refusal.code, "T-1007" in refusal.message) == ("key_reused", True)


def test_G9_a_key_that_was_refused_can_be_used_again(desk: Desk) -> None:
    desk.create(replace(ASKED, title=""), idempotency_key="k")
    assert created(desk.create(ASKED, idempotency_key="k")).id == "T-1007"


# The count


def test_a_new_desk_has_counted_nothing(desk: Desk) -> None:
    assert desk.counts() == BackendCounts(create_calls=0, refused=0, writes=0)


def test_a_refused_call_counts_as_a_call_and_a_refusal(desk: Desk) -> None:
    desk.create(replace(ASKED, title=""))
    assert desk.counts() == BackendCounts(create_calls=1, refused=1, writes=0)


def test_a_call_that_was_turned_down_at_the_door_counts_as_a_call_and_a_refusal(desk: Desk) -> None:
    desk.refuse(Refusal(code="writes_off", message="closed"))
    assert desk.counts() == BackendCounts(create_calls=1, refused=1, writes=0)


def test_a_search_is_no_create_call(desk: Desk) -> None:
    desk.search("mail")
    assert desk.counts().create_calls == 0


def test_a_call_on_which_the_desk_breaks_still_counts_as_a_call() -> None:
    def broken_clock() -> int:
        raise OSError("no clock")

    with closing(Desk(clock=broken_clock)) as desk:
        with pytest.raises(OSError, match="no clock"):
            desk.create(ASKED)
        assert desk.counts() == BackendCounts(create_calls=1, refused=0, writes=0)


def test_a_call_on_which_the_desk_breaks_writes_nothing_and_the_next_one_does(tmp_path: Path) -> None:
    times: Iterator[int | OSError] = iter([OSError("no clock"), NOON])

    def clock() -> int:
        now = next(times)
        if isinstance(now, OSError):
            raise now
        return now

    with closing(Desk(tmp_path / "desk.db", clock=clock)) as desk:
        with pytest.raises(OSError, match="no clock"):
            desk.create(ASKED)
        assert created(desk.create(ASKED)).id == "T-1007"


# Files


def test_a_file_keeps_tickets_and_counts(tmp_path: Path) -> None:
    with closing(Desk(tmp_path / "desk.db", clock=lambda: NOON)) as desk:
        ticket = created(desk.create(ASKED))
    with closing(Desk(tmp_path / "desk.db")) as again:
        assert (again.ticket(FIRST_FREE), again.counts().writes) == (ticket, 1)


def test_two_desks_on_one_file_see_one_count(tmp_path: Path) -> None:
    with closing(Desk(tmp_path / "desk.db")) as one, closing(Desk(tmp_path / "desk.db")) as other:
        one.create(ASKED)
        assert other.counts() == BackendCounts(create_calls=1, refused=0, writes=1)


def test_a_key_holds_across_two_desks_on_one_file(tmp_path: Path) -> None:
    with closing(Desk(tmp_path / "desk.db")) as one, closing(Desk(tmp_path / "desk.db")) as other:
        first = one.create(ASKED, idempotency_key="k")
        assert other.create(ASKED, idempotency_key="k") == first


def test_many_desks_can_be_opened_on_one_new_file_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        desks = list(pool.map(lambda _: Desk(tmp_path / "desk.db"), range(8)))
    found = [[ticket.id for ticket in desk.search("")] for desk in desks]
    for desk in desks:
        desk.close()
    assert found == [["T-1001", "T-1003", "T-1004", "T-1005"]] * 8


def test_G9_a_key_that_is_used_on_many_desks_at_once_writes_once(tmp_path: Path) -> None:
    desks = [Desk(tmp_path / "desk.db") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda desk: created(desk.create(ASKED, idempotency_key="k")).id, desks))
    counts = desks[0].counts()
    for desk in desks:
        desk.close()
    assert (answers, counts) == (["T-1007"] * 4, BackendCounts(create_calls=4, refused=0, writes=1))


def test_one_desk_serves_many_threads(desk: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: created(desk.create(ASKED)).id, range(40)))
    assert sorted(ids) == [f"T-{number}" for number in range(1007, 1047)]


def test_a_file_that_is_no_database_is_a_usage_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("bread, milk, " * 100)
    with pytest.raises(UsageError, match=r"notes\.txt' is no desk: file is not a database"):
        Desk(path)


def test_a_database_of_something_else_is_a_usage_error_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as rows:
        rows.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="it holds something else"):
        Desk(path)
    assert path.read_bytes() == before


def test_a_folder_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot open the desk at"):
        Desk(tmp_path / "nowhere" / "desk.db")


# Any text

TITLES = st.text(min_size=1, max_size=120).filter(lambda text: bool(text.strip()))
DETAILS = st.text(min_size=1).filter(lambda text: bool(text.strip()))


@given(title=TITLES, details=DETAILS, note=st.none() | st.text(), key=st.none() | st.text(min_size=1))
@settings(deadline=None)
def test_any_text_is_read_back_as_it_was_given(title: str, details: str, note: str | None, key: str | None) -> None:
    asked = replace(ASKED, title=title, details=details, attachment_note=note)
    with closing(Desk(clock=lambda: NOON)) as desk:
        ticket = created(desk.create(asked, idempotency_key=key))
        kept = desk.ticket(ticket.number)
        assert kept is not None
        assert (kept.title, kept.details, kept.attachment_note) == (title, details, note)


@given(
    title=st.text(max_size=130),
    details=st.text(max_size=5),
    priority=st.sampled_from(["low", "urgent", "Low"]),
    keys=st.lists(st.none() | st.sampled_from("ab"), min_size=1, max_size=4),
)
@settings(deadline=None)
def test_calls_are_refusals_writes_and_repeats_together(
    title: str, details: str, priority: str, keys: list[str | None]
) -> None:
    asked = replace(ASKED, title=title, details=details, priority=priority)
    with closing(Desk(clock=lambda: NOON)) as desk:
        answers = [desk.create(asked, idempotency_key=key) for key in keys]
        written = {answer.number for answer in answers if isinstance(answer, Ticket)}
        refusals = sum(isinstance(answer, Refusal) for answer in answers)
        assert desk.counts() == BackendCounts(create_calls=len(keys), refused=refusals, writes=len(written))


@given(query=st.text())
@settings(deadline=None)
def test_any_query_finds_public_tickets_or_none(query: str) -> None:
    with closing(Desk()) as desk:
        assert {ticket.visibility for ticket in desk.search(query)} <= {"public"}
