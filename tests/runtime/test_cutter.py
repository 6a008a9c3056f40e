"""The cutter: cuts what asks and is owned, keeps the rest, and gives the same for any pieces of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from marg_runtime import cutter as module
from marg_runtime.cutter import Cut, Cutter, Owned, feed, finish
from marg_runtime.sentences import sentences as of_language

OWNED = (
    Owned(step="urgency", pattern=re.compile(r"\b(priority|urgent)\b", re.IGNORECASE)),
    Owned(step="confirm", pattern=re.compile(r"\b(create|confirm)\b", re.IGNORECASE)),
)
# Text that is full of ends, half ends, abbreviations and questions of both kinds.
SCRAPS = st.sampled_from(
    [
        *("How urgent is this?", "Shall I create it?", "High priority tickets get answered in a day.", "Noted"),
        *("What is your name?", "e.g.", "3.5", "Dr. Who", "etc.", "a.b", "...", "。", ".)", '."', "!", "?"),
        *(" ", "  ", "\n", "\n\n", ""),
    ]
)
TEXTS = st.lists(SCRAPS | st.text("ab ?.!\n", max_size=4), max_size=9).map("".join)


@dataclass(frozen=True)
class Through:
    """What a text gave that went through a cutter."""

    shown: str
    cuts: tuple[Cut, ...]


def through(pieces: Sequence[str], *, owned: tuple[Owned, ...] = OWNED, language: str = "en") -> Through:
    cutter, shown, cuts = Cutter(owned=owned, language=language), "", list[Cut]()
    for piece in pieces:
        fed = feed(cutter, piece)
        cutter, shown = fed.cutter, shown + fed.shown
        cuts.extend(fed.cuts)
    last = finish(cutter)
    return Through(shown=shown + last.shown, cuts=(*cuts, *last.cuts))


def shown(text: str) -> str:
    return through([text]).shown


def sentences(text: str) -> list[str]:
    return [cut.sentence for cut in through([text]).cuts]


def in_pieces(text: str, ends: list[int]) -> list[str]:
    marks = [0, *sorted(end % (len(text) + 1) for end in ends), len(text)]
    return [text[start:end] for start, end in pairwise(marks)]


# What is cut


@pytest.mark.parametrize(
    "sentence",
    ["How urgent is this?", "What priority should it have?", "Is this urgent?", "Please tell me how urgent it is."],
)
def test_S4_a_sentence_that_asks_what_a_step_owns_is_cut(sentence: str) -> None:
    assert through([f"Noted. {sentence}"]).cuts == (Cut(step="urgency", sentence=sentence),)


def test_S4_a_statement_about_the_same_thing_stays() -> None:
    text = "High priority tickets get answered in a day."
    assert through([text]) == Through(shown=text, cuts=())


def test_S4_a_question_that_nobody_owns_stays() -> None:
    assert shown("What is your name?") == "What is your name?"


def test_S4_the_models_own_confirmation_is_cut() -> None:
    assert through(["Shall I create it?"]).cuts == (Cut(step="confirm", sentence="Shall I create it?"),)


def test_S4_the_first_step_that_matches_is_named() -> None:
    assert through(["Shall I create an urgent one?"]).cuts[0].step == "urgency"


def test_S4_only_the_sentence_is_cut() -> None:
    assert shown("Noted. How urgent is this? I will look.") == "Noted. I will look."


def test_S4_a_whole_text_of_owned_questions_leaves_nothing() -> None:
    assert shown("How urgent is this? Shall I create it?") == ""


def test_S4_every_cut_is_told_in_order() -> None:
    assert sentences("Is it urgent? Fine. Shall I create it?") == ["Is it urgent?", "Shall I create it?"]


def test_S4_a_last_sentence_without_an_end_is_cut_too() -> None:
    assert through(["Noted. How urgent is this"]).shown == "Noted."


def test_S4_nothing_is_cut_where_nothing_is_owned() -> None:
    assert through(["How urgent is this?"], owned=()) == Through(shown="How urgent is this?", cuts=())


def test_S4_a_language_without_a_vocabulary_is_cut_by_the_question_mark_alone() -> None:
    assert through(["Urgent ka? Urgent da."], language="xx").cuts == (Cut(step="urgency", sentence="Urgent ka?"),)


# Where sentences end


@pytest.mark.parametrize("inside", ["3.5", "a.b", "e.g. x", "i.e. x", "Dr. Who", "approx. 3", "J. Doe", "no. 5"])
def test_S4_a_full_stop_within_a_sentence_does_not_end_it(inside: str) -> None:
    assert sentences(f"Noted. Is {inside} urgent?") == [f"Is {inside} urgent?"]


@pytest.mark.parametrize("mark", [".", "!", "...", "…", '."', ".)", "?!", "。"])
def test_S4_a_mark_ends_a_sentence(mark: str) -> None:
    assert sentences(f"Noted{mark} Is it urgent?") == ["Is it urgent?"]


def test_S4_a_line_break_ends_a_sentence() -> None:
    assert sentences("- Noted\nIs it urgent?\n- Done") == ["Is it urgent?"]


def test_S4_a_line_break_ends_a_sentence_that_ends_in_an_abbreviation() -> None:
    assert shown("Mail, chat, etc.\nHow urgent is this?") == "Mail, chat, etc."


def test_S4_a_mark_of_a_script_without_spaces_ends_a_sentence() -> None:
    assert sentences("好的。urgent？好") == ["urgent？"]


# The white space around a cut


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Is it urgent? Two.", "One. Two."),
        ("One.\n\nIs it urgent?\n\nTwo.", "One.\n\nTwo."),
        ("- One\nIs it urgent?\n- Two", "- One\n- Two"),
        ("One.\nIs it urgent? Shall I create it?\nTwo.", "One.\nTwo."),
        ("Is it urgent? Two.", "Two."),
        ("One. Is it urgent?", "One."),
    ],
)
def test_S4_white_space_around_a_cut_does_not_stand_doubled(text: str, expected: str) -> None:
    assert shown(text) == expected


# As a fold


def test_S4_a_sentence_is_held_until_it_has_ended() -> None:
    fed = feed(Cutter(owned=OWNED, language="en"), "How urgent is")
    assert (fed.shown, fed.cutter.held) == ("", "How urgent is")


def test_S4_a_sentence_is_shown_as_soon_as_it_has_ended() -> None:
    assert feed(Cutter(owned=OWNED, language="en"), "Noted. How").shown == "Noted."


def test_S4_an_end_waits_for_the_character_behind_it() -> None:
    assert feed(Cutter(owned=OWNED, language="en"), "It is 3.").shown == ""


def test_S4_feeding_leaves_the_cutter_before_as_it_was() -> None:
    before = Cutter(owned=OWNED, language="en")
    feed(before, "Noted. How")
    assert before == Cutter(owned=OWNED, language="en")


def test_S4_no_text_gives_nothing() -> None:
    assert through([]) == Through(shown="", cuts=())


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 200), max_size=12))
@example("Fine. Is it urgent? Shall I create it? e.g. no.", [1, 2, 3, 20])
def test_S4_any_pieces_of_a_text_give_the_same(text: str, ends: list[int]) -> None:
    assert through(in_pieces(text, ends)) == through([text])


@pytest.mark.parametrize("closing", [1, 7, 8, 9, 40])
def test_S4_any_number_of_closing_marks_ends_a_sentence_in_any_pieces(closing: int) -> None:
    text = "Fine." + ")" * closing + " How urgent is this?"
    assert through(list(text)) == through([text])
    assert sentences(text) == ["How urgent is this?"]


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_S4_character_by_character_gives_the_same(text: str) -> None:
    assert through(list(text)) == through([text])


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 200), max_size=8))
def test_S4_what_was_shown_is_never_part_of_a_cut_sentence(text: str, ends: list[int]) -> None:
    """After each piece: what is shown so far begins what is shown in the end, which holds no cut sentence."""
    cutter, so_far, whole = Cutter(owned=OWNED, language="en"), "", through([text])
    for piece in in_pieces(text, ends):
        fed = feed(cutter, piece)
        cutter, so_far = fed.cutter, so_far + fed.shown
        assert whole.shown.startswith(so_far)


@settings(max_examples=80, deadline=None)
@given(TEXTS)
def test_S4_shown_and_cut_together_are_the_text_but_for_white_space(text: str) -> None:
    """Each word of the text is either shown or cut, in order within each, and none twice."""
    result = through([text])
    words = sorted("".join([result.shown, *(cut.sentence for cut in result.cuts)]).replace("\n", " ").replace(" ", ""))
    assert words == sorted(text.replace("\n", " ").replace(" ", ""))


@settings(max_examples=150, deadline=None)
@given(st.lists(SCRAPS, max_size=9).map("".join))
def test_S4_a_text_without_a_match_passes_unchanged_but_for_the_white_space_at_its_end(text: str) -> None:
    unmatched = (Owned(step="colour", pattern=re.compile("colour")),)
    assert through([text], owned=unmatched).shown == text.rstrip()


class Counting:
    """A pattern that counts the characters that it is made to look at."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.looked_at = pattern, 0

    def finditer(self, text: str, start: int = 0) -> list[re.Match[str]]:
        self.looked_at += len(text) - start
        return list(self.pattern.finditer(text, start))


def test_S4_a_long_sentence_in_small_pieces_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = of_language("en")
    counting = Counting(usual.ends)
    monkeypatch.setattr(module, "sentences", lambda language: replace(usual, ends=counting))  # type: ignore[arg-type]
    text = "word " * 2000
    through(list(text))
    assert counting.looked_at < 20 * len(text)
