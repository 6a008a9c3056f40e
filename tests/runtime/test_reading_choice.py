"""Options are chosen by a whole message: label, value, place or another word for it."""

from __future__ import annotations

import pytest

from marg_runtime import Choice, Question, read

PRIORITY = Question(
    text="How urgent is this?",
    kind="choice",
    options=(
        Choice(label="Low", value="low"),
        Choice(label="Medium", value="medium", synonyms=("normal", "in the middle")),
        Choice(label="High", value="high"),
        Choice(label="Very high", value="urgent", synonyms=("critical",)),
    ),
)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("high", "high"),
        ("High please", "high"),
        ("HIGH!", "high"),
        ("urgent", "urgent"),
        ("very high", "urgent"),
        ("the second one please", "medium"),
        ("normal", "medium"),
        ("In the middle, thanks", "medium"),
        ("make it high", "high"),
        ("the last one", "urgent"),
        ("2", "medium"),
        ("I'll take the first one", "low"),
        ("let's go with critical", "urgent"),
        ("high, the third one", "high"),
        ("hiiigh", "content"),
        ("yes high", "high"),
        ("low then", "low"),
        ("just medium", "medium"),
    ],
)
def test_a_whole_message_chooses_an_option(reply: str, value: str) -> None:
    reading = read(reply, PRIORITY)
    assert (reading.choice or reading.kind) == value


@pytest.mark.parametrize(
    "reply",
    [
        "high or low",
        "low high",
        "high because the site is down",
        "high?",
        "not high",
        "yes",
        "no",
        "the fifth one",
        "highest",
        "please",
        "",
        "is high faster",
        "low and tell Maria",
    ],
)
def test_more_than_one_option_is_content(reply: str) -> None:
    assert read(reply, PRIORITY).kind == "content"


def test_the_words_of_the_option_are_marked() -> None:
    assert [t.token_class for t in read("very high please", PRIORITY).tokens] == ["option", "option", "polite"]


def test_an_option_that_is_called_yes_is_chosen_by_its_label() -> None:
    question = Question(kind="choice", options=(Choice(label="Yes", value="y"), Choice(label="No", value="n")))
    assert (read("yes", question).choice, read("no", question).choice) == ("y", "n")


def test_options_that_share_a_label_are_not_told_apart() -> None:
    question = Question(kind="choice", options=(Choice(label="A", value="1"), Choice(label="A", value="2")))
    assert read("a", question).kind == "content"


def test_a_label_that_is_a_number_is_that_option() -> None:
    question = Question(kind="choice", options=(Choice(label="2", value="two"), Choice(label="1", value="one")))
    assert read("1", question).choice == "one"


def test_praise_of_an_item_is_no_choice_where_it_is_no_option() -> None:
    assert read("hotel mumbai is good", PRIORITY).kind == "content"


GEAR = Question(
    kind="choice",
    many=True,
    options=(
        Choice(label="Low", value="l"),
        Choice(label="High", value="h"),
        Choice(label="Bed and breakfast", value="b"),
    ),
)


@pytest.mark.parametrize(
    ("reply", "choices"),
    [
        ("low", ("l",)),
        ("high and low", ("l", "h")),
        ("low, high, bed and breakfast please", ("l", "h", "b")),
        ("bed and breakfast and low", ("l", "b")),
        ("low & high", ("l", "h")),
        ("the last one and the first", ("l", "b")),
    ],
)
def test_R1_a_question_that_takes_several_options_takes_those_that_are_named(
    reply: str, choices: tuple[str, ...]
) -> None:
    reading = read(reply, GEAR)
    assert (reading.kind, reading.choice, reading.choices) == ("choice", None, choices)


@pytest.mark.parametrize(
    "reply", ["low or high", "low and", "low but not high", "low? high", "low and more", "not low", "and", "", "yes"]
)
def test_R5_more_than_the_options_is_content_there_too(reply: str) -> None:
    assert (read(reply, GEAR).kind, read(reply, GEAR).choices) == ("content", ())


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("de", "Low und High"),
        ("es", "low y high"),
        ("fr", "low et high"),
        ("hi", "low और high"),
        ("it", "low e high"),
        ("ja", "LowとHigh"),
        ("nl", "low en high"),
        ("pl", "low i high"),
        ("pt", "low e high"),
        ("ru", "low и high"),
        ("tr", "low ve high"),
        ("zh", "low和high"),
    ],
)
def test_R7_each_language_joins_options_with_its_own_words(language: str, reply: str) -> None:
    assert read(reply, GEAR, language=language).choices == ("l", "h")


def test_R7_a_joint_of_another_language_is_no_joint() -> None:
    assert read("low und high", GEAR).kind == "content"


def of(*labels: str, ways_out: int = 0) -> Question:
    """Options as the runtime hands them to a reader: by a place that no reply names; the last are ways out."""
    own = len(labels) - ways_out
    return Question(
        text="Which one?",
        kind="choice",
        options=tuple(
            Choice(label=label, value=str(place), named_by_value=False, counted=place < own)
            for place, label in enumerate(labels)
        ),
    )


@pytest.mark.parametrize(
    ("reply", "label"),
    [("1", "Oak"), ("2", "Elm"), ("3", "Ash"), ("1.", "Oak"), ("#1", "Oak"), ("option 2", "Elm"), ("2nd", "Elm")],
)
def test_R3_a_number_is_a_place_counted_from_one(reply: str, label: str) -> None:
    question = of("Oak", "Elm", "Ash")
    assert question.options[int(read(reply, question).choice or -1)].label == label


@pytest.mark.parametrize("reply", ["0", "4", "10"])
def test_R3_no_index_names_an_option(reply: str) -> None:
    assert read(reply, of("Oak", "Elm", "Ash")).kind == "content"


@pytest.mark.parametrize("label", ["1", "2", "4", "8"])
def test_R3_a_label_that_is_a_number_is_itself(label: str) -> None:
    question = of("1", "2", "4", "8")
    assert question.options[int(read(label, question).choice or -1)].label == label


@pytest.mark.parametrize("reply", ["0", "3", "5", "option 3", "number 4", "number four", "the fourth one"])
def test_R5_a_number_that_might_be_a_label_or_a_place_is_neither(reply: str) -> None:
    assert read(reply, of("1", "2", "4", "8")).kind == "content"


@pytest.mark.parametrize(("reply", "label"), [("the last one", "8"), ("the first one", "1"), ("the third one", "4")])
def test_R3_a_place_in_words_stands_beside_labels_that_are_numbers(reply: str, label: str) -> None:
    question = of("1", "2", "4", "8")
    assert question.options[int(read(reply, question).choice or -1)].label == label


@pytest.mark.parametrize(
    ("reply", "choice"), [("the last one", "1"), ("the third one", None), ("3", None), ("Skip", "2")]
)
def test_S5_a_way_out_has_no_place_among_the_options(reply: str, choice: str | None) -> None:
    assert read(reply, of("Oak", "Elm", "Skip", ways_out=1)).choice == choice
