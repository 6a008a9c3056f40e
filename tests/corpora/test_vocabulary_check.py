"""What `marg vocab check` finds in a small vocabulary with one thing wrong at a time."""

from __future__ import annotations

import pytest

from marg_corpora.vocabulary import Finding, check_vocabulary
from marg_runtime.reading.vocabulary import Vocabulary

from .conftest import Small


def found(vocabulary: Vocabulary, rule: str) -> list[Finding]:
    return [one for one in check_vocabulary(vocabulary) if one.rule == rule]


def test_the_small_vocabulary_has_no_error(small: Small) -> None:
    assert [one for one in check_vocabulary(small()) if one.severity == "error"] == []


def test_words_that_are_a_yes_and_a_no_are_an_error(small: Small) -> None:
    (finding,) = found(small(('"no thanks"', '"no thanks", "[oh] sure"')), "two_classes")
    assert finding.severity == "error"
    assert "'sure' stands in two classes" in finding.message


def test_a_dialect_may_overrule_what_holds_everywhere(small: Small) -> None:
    (finding,) = found(small(('deny = ["that is all"]', 'deny = ["sure"]')), "two_classes")
    assert (finding.severity, "in dialect more" in finding.message) == ("note", True)


def test_a_pattern_that_another_covers_adds_nothing(small: Small) -> None:
    vocabulary = small(('"that is {good}"', '"that is {good}", "that is fine"'))
    (finding,) = found(vocabulary, "duplicate")
    assert finding.message.startswith("'that is fine' (all.praise) adds nothing: 'that is {good}' (all.praise)")


def test_two_spellings_of_one_word_in_a_list_are_a_duplicate(small: Small) -> None:
    (finding,) = found(small(('"sure", "okay"', '"sure", "okay", "ok"')), "duplicate")
    assert finding.message == "'ok' (lists.yesword) is 'okay' again, once spelling is settled"


def test_an_entry_that_loses_only_sometimes_still_counts(small: Small) -> None:
    assert found(small(('"please"', '"please", "[dear] maybe"')), "never_counts") == []


def test_an_entry_whose_every_word_another_role_takes_never_counts(small: Small) -> None:
    (finding,) = found(small(('polite = ["please"', 'polite = ["Sure", "please"')), "never_counts")
    assert (finding.severity, finding.message.split(":")[0]) == ("note", "'Sure' (all.polite) never counts")


def test_a_phrase_that_swallows_a_deny_word_is_a_warning(small: Small) -> None:
    (finding,) = found(small(), "shadow")
    assert finding.severity == "warning"
    assert finding.message.startswith("'no problem' (all.confirm) shadows 'no' (deny)")


def test_a_phrase_that_swallows_a_hedge_is_a_note(small: Small) -> None:
    shadows = found(small(('"no problem"', '"why not"')), "shadow")
    assert [(one.severity, "'not' (hedge)" in one.message) for one in shadows] == [("note", True)]


def test_a_word_of_one_dialect_stops_nothing_in_another(small: Small) -> None:
    vocabulary = small(('deny = ["that is all"]', 'deny = ["right"]'))
    assert all("'right'" not in one.message for one in found(vocabulary, "shadow"))


@pytest.mark.parametrize(("word", "meaning"), [("book", "a verb of the action 'book'"), ("first", "an ordinal")])
def test_a_confirm_word_with_another_meaning_is_a_warning(small: Small, word: str, meaning: str) -> None:
    (finding,) = found(small(('"that is right"', f'"{word}"')), "double_meaning")
    assert (finding.severity, meaning in finding.message) == ("warning", True)


def test_a_confirm_word_that_is_a_shown_value_is_a_warning(small: Small) -> None:
    findings = check_vocabulary(small(('"that is right"', '"private"')), values=["Public", "Private"])
    assert any("the confirm word 'private' (all) is also a value" in one.message for one in findings)


def test_a_dialect_may_agree_with_the_word_of_its_action(small: Small) -> None:
    (finding,) = found(small(('deny = ["that is all"]', 'confirm = ["book"]')), "double_meaning")
    assert (finding.severity, "'book' (dialects.more)" in finding.message) == ("note", True)


def test_a_word_that_is_the_opposite_in_another_language_is_a_warning(small: Small) -> None:
    danish = small(
        ('language = "en"', 'language = "da"'), ('"yes", "sure"', '"no thanks", "sure"'), ('"no", ', '"ne", ')
    )
    other = small(('"no", ', '"sure", "no", '), ('"yes", "sure"', '"yes", "ne"'))
    found = [one.message for one in check_vocabulary(danish, others=[other]) if one.rule == "other_language"]
    assert sorted(found) == [
        "'ne' is a deny word here and a confirm word in language 'en'",
        "'sure' is a confirm word here and a deny word in language 'en'",
    ]


def test_a_finding_names_the_line_of_its_entry(small: Small) -> None:
    vocabulary = small(('"that is right"', '"that is right", "first"'))
    (finding,) = found(vocabulary, "double_meaning")
    assert '"first"' in vocabulary.source.text.splitlines()[finding.line - 1]


def test_the_worst_comes_first(small: Small) -> None:
    findings = check_vocabulary(small(('"no thanks"', '"no thanks", "[oh] sure"')))
    assert [one.severity for one in findings] == sorted(
        (one.severity for one in findings), key=["error", "warning", "note"].index
    )
