"""Vocabulary files: what they may hold, and how they are refused."""

from __future__ import annotations

import pytest

from marg_runtime import Question, languages
from marg_runtime.errors import LocatedError
from marg_runtime.reading.kinds import ReadingKind
from marg_runtime.reading.schema import DIALECTS
from marg_runtime.reading.vocabulary import Vocabulary, load_vocabulary, parse_vocabulary_text
from marg_runtime.reading.whole_message import WholeMessage

HEAD = 'schema = 1\nlanguage = "xx"\nname = "Test"\n'
SMALL = HEAD + '[all]\nconfirm = ["da"]\ndeny = ["njet"]\npolite = ["bitte"]\n'
SPACELESS = (
    HEAD + 'spaces = false\n[rewrite]\n"对的" = "对"\n[all]\nconfirm = ["对", "可以"]\ndeny = ["不"]\nfiller = ["的"]\n'
)


def parse(text: str) -> Vocabulary:
    return parse_vocabulary_text(text, path="xx.toml")


def reading_of(reply: str, vocabulary: Vocabulary, text: str = "") -> ReadingKind:
    return WholeMessage().read(reply, Question(text=text), vocabulary).kind


@pytest.mark.parametrize("language", languages())
def test_every_shipped_vocabulary_compiles_in_every_dialect(language: str) -> None:
    vocabulary = load_vocabulary(language)
    assert vocabulary.language == language
    assert all(vocabulary.dialect(kind).words for kind in (*DIALECTS, "choice"))
    assert vocabulary.question.words
    assert vocabulary.asks.words


def test_a_small_vocabulary_reads() -> None:
    assert [reading_of(r, parse(SMALL)) for r in ("da bitte", "njet", "bitte")] == ["plain_yes", "plain_no", "content"]


def test_a_script_without_spaces_is_cut_by_the_longest_known_word() -> None:
    vocabulary = parse(SPACELESS)
    assert [reading_of(r, vocabulary) for r in ("可以", "对的", "不", "不对", "可以改")] == [
        "plain_yes",
        "plain_yes",
        "plain_no",
        "content",
        "content",
    ]


def test_the_pieces_of_a_run_keep_their_places() -> None:
    reading = WholeMessage().read("好可以", Question(), parse(SPACELESS))
    assert [(t.text, t.start, t.token_class) for t in reading.tokens] == [("好", 0, "unknown"), ("可以", 1, "confirm")]


def test_turkic_letters_are_told_apart() -> None:
    vocabulary = parse(HEAD + 'casing = "turkic"\n[all]\nconfirm = ["hayır"]\n')
    assert [reading_of(r, vocabulary) for r in ("HAYIR", "hayir")] == ["plain_yes", "content"]


def test_combining_signs_belong_to_their_word() -> None:
    vocabulary = parse(HEAD + '[all]\nconfirm = ["हाँ"]\n')
    assert [reading_of(r, vocabulary) for r in ("हाँ", "हा")] == ["plain_yes", "content"]


def test_the_digest_ignores_comments_and_layout() -> None:
    assert parse("# a comment\n" + SMALL).digest == parse(SMALL).digest


def test_the_digest_tells_another_word() -> None:
    assert parse(SMALL.replace("bitte", "danke")).digest != parse(SMALL).digest


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + "[all\n", 4, "Expected"),
        (HEAD + '[all]\nconfrim = ["da"]\n', 5, "'confrim'; nearest: confirm"),
        (HEAD + "[al]\n", 4, "'al'; nearest: all"),
        (HEAD, 1, "'all' is missing"),
        (HEAD.replace("1", "9") + "[all]\n", 1, "schema 9"),
        (HEAD.replace('"Test"', "5") + "[all]\n", 3, "'name' must be of type str"),
        (HEAD + 'casing = "odd"\n[all]\n', 4, "'odd'"),
        (HEAD + '[all]\nconfirm = "da"\n', 5, "list of texts"),
        (HEAD + "[all]\nconfirm = [7]\n", 5, "7"),
        (HEAD + '[all]\nconfirm = [\n"da",\n"da"]\n', 6, "'da' twice"),
        (HEAD + '[all]\nconfirm = ["da"]\ndeny = ["da"]\n', 5, "'confirm' and under 'deny'"),
        (HEAD + "[all]\n[dialects.confrim]\n", 5, "nearest: confirm"),
        (HEAD + '[all]\n[dialects.more]\nreads = { praise = "yes" }\n', 6, "'yes' is none of"),
        (HEAD + "[rewrite]\na = 1\n[all]\n", 5, "rewrite of 'a'"),
        (HEAD + '[all]\n[choice]\nordinals = ["first"]\n', 6, "list of texts"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(LocatedError) as caught:
        parse(text)
    assert str(caught.value).startswith(f"xx.toml:{line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{nobody}", "'nobody' is not there"),
        ("a (b", "is not closed"),
        ("a ] b", "closes nothing"),
        ("[a] [b]", "at least one word"),
        ("<thing>", "no slot"),
    ],
)
def test_a_bad_pattern_is_refused_with_its_line(pattern: str, message: str) -> None:
    vocabulary = parse(HEAD + f'[all]\nconfirm = [\n"da",\n"{pattern}"]\n')
    with pytest.raises(LocatedError, match=r"xx\.toml:7: ") as caught:
        vocabulary.dialect("confirm")
    assert message in str(caught.value)


def test_a_list_that_names_itself_is_refused() -> None:
    vocabulary = parse(HEAD + '[lists]\nx = ["{x}"]\n[all]\nconfirm = ["{x}"]\n')
    with pytest.raises(LocatedError, match="deep"):
        vocabulary.dialect("confirm")


def test_a_rewrite_of_two_words_is_refused() -> None:
    vocabulary = parse(HEAD + '[rewrite]\n"a b" = "c"\n[all]\nconfirm = ["da"]\n')
    with pytest.raises(LocatedError, match=r"xx\.toml:5: 'a b' must be one word"):
        vocabulary.dialect("confirm")
