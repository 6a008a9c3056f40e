"""Where sentences end in other scripts; and no half of a cut one is shown, whatever the language and the pieces."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime.cutter import Cutter, Owned, feed, finish

URGENT = re.compile(
    r"urgent|dringend|urgente|pilne|срочн|acil|عاجل|فوری|紧急|緊急|ज़रूरी|επείγον|ด่วน|շտապ|급한가요", re.IGNORECASE
)
OWNED = (Owned(step="urgency", pattern=URGENT),)

# Language, text, what is shown of it.
CASES = [
    ("es", "Anotado. ¿Es urgente? Gracias.", "Anotado. Gracias."),
    ("es", "Anotado.¿Es urgente?¿Desde cuándo falla?", "Anotado.¿Desde cuándo falla?"),
    ("es", "¡Anotado!¿Es urgente?¿Desde cuándo falla?", "¡Anotado!¿Desde cuándo falla?"),
    ("es", "Vale, ¿es urgente? Bien.", "Bien."),
    ("es", "Hable con el Sr. Gil. ¿Es urgente? Bien.", "Hable con el Sr. Gil. Bien."),
    ("de", "Notiert. Ist es dringend, z. B. heute? Gut.", "Notiert. Gut."),
    ("de", "Das ist Nr. 5. Ist es dringend? Gut.", "Das ist Nr. 5. Gut."),
    ("fr", "Noté. Est-ce urgent ? Bien.", "Noté. Bien."),
    ("fr", "Noté. Est-ce urgent\u202f? Bien.", "Noté. Bien."),
    ("fr", "Noté. « Est-ce urgent ? » Bien.", "Noté. Bien."),
    ("pl", "Zapisane. Czy to pilne? Dobrze.", "Zapisane. Dobrze."),
    ("ru", "Записал. Это срочно? Хорошо.", "Записал. Хорошо."),
    ("ru", "Записал!Это срочно?Хорошо.", "Записал!Хорошо."),
    ("tr", "Not aldım. Acil mi? Tamam.", "Not aldım. Tamam."),
    ("ar", "سجلت ذلك. هل هو عاجل؟ حسنا.", "سجلت ذلك. حسنا."),
    ("ur", "نوٹ کر لیا۔ کیا یہ فوری ہے؟ ٹھیک۔", "نوٹ کر لیا۔ ٹھیک۔"),
    ("zh", "记下了。紧急吗？好的。", "记下了。好的。"),
    ("zh", "记下了。紧急吗?好的。", "记下了。好的。"),
    ("zh", "记下了。“紧急吗？”好的。", "记下了。好的。"),
    ("ja", "承知しました。緊急ですか？ありがとうございます。", "承知しました。ありがとうございます。"),
    ("ja", "承知しました。「緊急ですか？」はい。", "承知しました。はい。"),
    ("hi", "लिख लिया। क्या यह ज़रूरी है? ठीक है।", "लिख लिया। ठीक है।"),
    ("hi", "लिख लिया॥ क्या यह ज़रूरी है? ठीक है।", "लिख लिया॥ ठीक है।"),
    ("el", "Το σημείωσα. Είναι επείγον; Εντάξει.", "Το σημείωσα. Εντάξει."),
    ("el", "Το σημείωσα. Είναι επείγον\u037e Εντάξει.", "Το σημείωσα. Εντάξει."),
    ("hy", "Գրեցի։ Շտա՞պ է, շտապ։ Լավ։", "Գրեցի։ Լավ։"),
    ("th", "จดแล้ว เรื่องนี้ด่วนไหม ขอบคุณ", "จดแล้ว ขอบคุณ"),
    ("th", "จดแล้ว เรื่องด่วนมาก่อน ขอบคุณ", "จดแล้ว เรื่องด่วนมาก่อน ขอบคุณ"),
    ("ko", "적었습니다. 급한가요? 네.", "적었습니다. 네."),
    ("en", "Noted. **Is it urgent?** Good.", "Noted. Good."),
    ("en", "Noted. _Is it urgent?_ Good.", "Noted. Good."),
    ("en", "Noted. Is it urgent?🙂 Good.", "Noted. 🙂 Good."),
    ("en", "Noted. Is it urgent⁉ Good.", "Noted. Good."),
    ("en", "The answer is no. Is it urgent? Good.", "The answer is no. Good."),
    ("en", "This is no. 5. Is it urgent? Good.", "This is no. 5. Good."),
    ("en", "See https://desk.example/?urgent=1 for more. Good.", "See https://desk.example/?urgent=1 for more. Good."),
    ("en", "How urgent is it?I ask once. Good.", "I ask once. Good."),
]
SPANISH_STATEMENT = "Puede confirmar abajo que es urgente."


def through(pieces: list[str], language: str) -> tuple[str, tuple[str, ...]]:
    cutter, shown, cuts = Cutter(owned=OWNED, language=language), "", list[str]()
    for piece in pieces:
        fed = feed(cutter, piece)
        cutter, shown = fed.cutter, shown + fed.shown
        cuts.extend(cut.sentence for cut in fed.cuts)
    last = finish(cutter)
    return shown + last.shown, (*cuts, *(cut.sentence for cut in last.cuts))


@pytest.mark.parametrize(("language", "text", "shown"), CASES)
def test_S4_a_question_is_cut_alone_in_every_script(language: str, text: str, shown: str) -> None:
    assert through([text], language)[0] == shown


@pytest.mark.parametrize(("language", "text", "shown"), CASES)
def test_S4_a_question_is_cut_alone_where_characters_come_one_by_one(language: str, text: str, shown: str) -> None:
    assert through(list(text), language)[0] == shown


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru"])
def test_S4_where_questions_are_marked_a_full_stop_closes_a_statement_however_it_opens(language: str) -> None:
    """Portuguese and Italian say "you can confirm it below" in the words of "can you confirm it below?"."""
    opening = {
        "es": SPANISH_STATEMENT,
        "it": "Può confermare sotto che è urgente.",
        "pt": "Você pode confirmar que é urgente.",
    }
    text = opening.get(language, "urgent.")
    assert through([text], language) == (text, ())


def test_S4_without_its_end_a_sentence_that_opens_as_a_question_is_one() -> None:
    assert through(["Puede confirmar que es urgente"], "es")[1] == ("Puede confirmar que es urgente",)


ALL_SCRIPTS = st.sampled_from(
    [*(text for _, text, _ in CASES), " ", "\n", "no.", " 5", "?", "؟", ";", "。", "z. B.", "🙂"]
)
LANGUAGES = st.sampled_from(sorted({language for language, _, _ in CASES}))


@settings(max_examples=250, deadline=None)
@given(texts=st.lists(ALL_SCRIPTS, max_size=4), ends=st.lists(st.integers(0, 400), max_size=14), language=LANGUAGES)
def test_S4_any_pieces_of_a_text_give_the_same_in_any_language(
    texts: list[str], ends: list[int], language: str
) -> None:
    text = "".join(texts)
    marks = [0, *sorted(end % (len(text) + 1) for end in ends), len(text)]
    assert through([text[a:b] for a, b in pairwise(marks)], language) == through([text], language)


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(ALL_SCRIPTS, max_size=4), language=LANGUAGES)
def test_S4_what_is_shown_at_any_time_holds_no_part_of_a_sentence_that_is_cut(texts: list[str], language: str) -> None:
    text = "".join(texts)
    whole, cuts = through([text], language)
    cutter, shown = Cutter(owned=OWNED, language=language), ""
    for character in text:
        fed = feed(cutter, character)
        cutter, shown = fed.cutter, shown + fed.shown
        assert whole.startswith(shown)
    # Shown and cut together are the text: no character is in both, none is lost but space beside a cut.
    assert len("".join("".join((whole, *cuts)).split())) == len("".join(text.split()))
