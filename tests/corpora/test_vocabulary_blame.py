"""Blame by taking out: what each entry gains and costs, and where the two sides of the split part."""

from __future__ import annotations

from marg_corpora import Label, Record
from marg_corpora.vocabulary import Balance, Blame, Entry, blame_entries, traced_uses
from marg_corpora.vocabulary.trace import Tracer
from marg_runtime import Question
from marg_runtime.reading.vocabulary import Vocabulary

from .conftest import Small

YES = Entry(place="lists.yesword", text="yes")
PROBLEM = Entry(place="all.confirm", text="no problem")


def record(reply: str, label: Label, *, language: str = "en", n: int = 1) -> Record:
    return Record(
        id=reply,
        source="own",
        language=language,
        question="Shall I create the ticket?",
        question_kind="confirm",
        reply=reply,
        label=label,
        n=n,
    )


def blame(vocabulary: Vocabulary, *records: Record) -> dict[Entry, Balance]:
    found = blame_entries(traced_uses(records, vocabulary=vocabulary), vocabulary=vocabulary)
    return {one.entry: one.tuning + one.held_out for one in found}


def test_a_word_gains_the_yes_that_would_be_missed_without_it(small: Small) -> None:
    assert blame(small(), record("yes", "plain_yes", n=7))[YES] == Balance(gained=1, gained_weighted=7)


def test_every_word_of_a_reply_that_needs_them_all_gains_it(small: Small) -> None:
    found = blame(small(), record("yes please", "plain_yes"))
    assert {str(entry) for entry, side in found.items() if side.gained} == {
        "'yes' (lists.yesword)",
        "'{yesword}' (all.confirm)",
        "'please' (all.polite)",
    }


def test_a_misread_is_blamed_on_its_word(small: Small) -> None:
    assert blame(small(), record("no problem", "content"))[PROBLEM] == Balance(misreads=1)


def test_a_flip_is_blamed_on_its_word(small: Small) -> None:
    assert blame(small(), record("no problem", "polar_no"))[PROBLEM] == Balance(flips=1)


def test_an_entry_beside_its_double_gains_nothing(small: Small) -> None:
    vocabulary = small(('"no problem"', '"no problem", "no [big] problem"'))
    assert all(side.gained == 0 for side in blame(vocabulary, record("no problem", "plain_yes")).values())


def test_a_right_reading_of_content_blames_nobody(small: Small) -> None:
    assert blame(small(), record("yes but later", "content")) == {}


def test_a_polar_reply_read_the_right_way_counts_for_nothing(small: Small) -> None:
    assert blame(small(), record("yes", "polar_yes")) == {}


def test_replies_in_other_languages_are_left_alone(small: Small) -> None:
    assert blame(small(), record("yes", "plain_yes", language="de")) == {}


def test_a_reading_is_traced_to_patterns_and_to_words_of_lists(small: Small) -> None:
    traced = Tracer(small()).entries_of("That is fine, thank you", Question(text="Is that right?"))
    assert [str(entry) for entry in traced] == [
        "'that is {good}' (all.praise)",
        "'fine' (lists.good)",
        "'thank you' (all.polite)",
    ]


def test_a_word_of_a_list_within_a_list_is_traced(small: Small) -> None:
    vocabulary = small(('good = ["good", "fine"]', 'good = ["good", "{great}"]\ngreat = ["grand"]'))
    traced = Tracer(vocabulary).entries_of("that is grand", Question())
    assert Entry(place="lists.great", text="grand") in traced


def test_each_reply_counts_on_its_own_side(small: Small) -> None:
    records = [record(f"yes{' please' * count}", "plain_yes") for count in range(12)]
    (found,) = (
        one for one in blame_entries(traced_uses(records, vocabulary=small()), vocabulary=small()) if one.entry == YES
    )
    assert (found.tuning.gained + found.held_out.gained, bool(found.held_out.gained)) == (12, True)


def test_where_both_sides_agree_there_is_no_warning() -> None:
    assert (
        Blame(entry=YES, tuning=Balance(gained=60, misreads=1), held_out=Balance(gained=40, misreads=1)).warning == ""
    )


def test_harm_that_outweighs_the_gain_on_the_held_out_side_is_a_warning() -> None:
    found = Blame(entry=YES, tuning=Balance(gained=3), held_out=Balance(misreads=1))
    assert found.warning == "gains where it was tuned, costs as much as it gains on the held-out side"


def test_a_higher_share_of_harm_on_the_held_out_side_is_a_warning() -> None:
    found = Blame(entry=YES, tuning=Balance(gained=500), held_out=Balance(gained=300, misreads=30))
    assert found.warning == "does more harm on the held-out side"


def test_a_lower_share_of_harm_on_the_held_out_side_is_said() -> None:
    found = Blame(entry=YES, tuning=Balance(gained=500, flips=100), held_out=Balance(gained=300))
    assert found.warning == "does less harm on the held-out side"


def test_a_gain_that_stays_behind_is_a_warning() -> None:
    assert Blame(entry=YES, tuning=Balance(gained=40), held_out=Balance(gained=1)).warning.startswith(
        "the gain does not"
    )


def test_a_gain_of_the_size_of_the_split_is_no_warning() -> None:
    assert Blame(entry=YES, tuning=Balance(gained=40), held_out=Balance(gained=27)).warning == ""
