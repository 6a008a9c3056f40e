"""Polish, Russian, Turkish, Arabic, Chinese, Japanese and Hindi, on labelled replies of our own and on public specs."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypedDict, cast

import pytest

from marg_corpora import read_records
from marg_runtime import Question, asks, read
from marg_runtime.reading.kinds import QuestionKind
from marg_runtime.reading.vocabulary import load_vocabulary

LANGUAGES = ("pl", "ru", "tr", "ar", "zh", "ja", "hi")
LEAST_REPLIES = 40
LEAST_OF_A_LABEL = 10
MOST_MISSED = 0.10
KEYS = ["id", "source", "language", "question", "question_kind", "reply", "label", "why", "acts", "n", "conflict"]
LABEL_OF_RULE = {"rule 10": "plain_no", "rule 11": "plain_yes"}
# A yes and a no of every language; several are words of another meaning elsewhere ("na", "no", "ne", "ja", "da").
ANSWERS = {
    "en": ("yes", "no"),
    "de": ("ja", "nein"),
    "fr": ("oui", "non"),
    "es": ("sí", "si"),
    "cs": ("ano", "ne"),
    "ko": ("네", "아니요"),
    "pl": ("tak", "nie"),
    "ru": ("да", "нет"),
    "tr": ("evet", "hayır"),
    "ar": ("نعم", "لا"),
    "zh": ("是的", "不是"),
    "ja": ("はい", "いいえ"),
    "hi": ("haan", "nahi"),
}
CREATE = {
    "pl": "Czy utworzyć to zgłoszenie?",
    "ru": "Создать эту заявку?",
    "tr": "Bu kaydı oluşturayım mı?",
    "ar": "هل أنشئ هذه التذكرة؟",
    "zh": "要创建这个工单吗?",
    "ja": "このチケットを作成しますか?",
    "hi": "क्या मैं यह टिकट बना दूँ?",
}


class OwnRecord(TypedDict):
    """One line of a language's own corpus."""

    id: str
    source: str
    language: str
    question: str
    question_kind: QuestionKind
    reply: str
    label: str
    why: str
    acts: list[str]
    n: int
    conflict: bool


def text_of(language: str) -> str:
    return files("marg_corpora.data").joinpath("languages", f"{language}.jsonl").read_text(encoding="utf-8")


@cache
def own(language: str) -> tuple[OwnRecord, ...]:
    return tuple(cast(OwnRecord, json.loads(line)) for line in text_of(language).splitlines())


def read_as(record: OwnRecord) -> str:
    question = Question(text=record["question"], kind=record["question_kind"])
    return read(record["reply"], question, language=record["language"]).kind


def kind(language: str, reply: str, text: str = "", of: QuestionKind = "confirm") -> str:
    return read(reply, Question(text=text or CREATE[language], kind=of), language=language).kind


def words(language: str, text: str) -> list[str]:
    return list(load_vocabulary(language).speller.units(text).words.norms)


# The records


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_at_least_forty_replies_with_plain_and_content_among_them(language: str) -> None:
    labels = Counter(record["label"] for record in own(language))
    assert labels.total() >= LEAST_REPLIES
    assert min(labels[label] for label in ("plain_yes", "plain_no", "content")) >= LEAST_OF_A_LABEL


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_record_has_exactly_the_keys_of_the_format_in_order(language: str) -> None:
    assert [record["id"] for record in own(language) if list(record) != KEYS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_id_is_the_digest_of_kind_question_and_reply(language: str) -> None:
    texts = ["\n".join((r["question_kind"], r["question"], r["reply"])) for r in own(language)]
    digests = ["languages-" + hashlib.sha256(text.encode()).hexdigest()[:12] for text in texts]
    assert [record["id"] for record in own(language)] == digests


@pytest.mark.parametrize("language", LANGUAGES)
def test_records_are_sorted_by_id_and_unique(language: str) -> None:
    ids = [record["id"] for record in own(language)]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_has_the_same_reply_twice_whatever_its_case_and_spacing(language: str) -> None:
    seen = Counter((r["question"], " ".join(r["reply"].casefold().split())) for r in own(language))
    assert [pair for pair, count in seen.items() if count > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_source_language_weight_and_conflict_are_the_same_throughout(language: str) -> None:
    constants = {(r["source"], r["language"], r["n"], r["conflict"]) for r in own(language)}
    assert constants == {("languages", language, 1, False)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_label_is_the_one_its_rule_gives(language: str) -> None:
    assert [r["id"] for r in own(language) if LABEL_OF_RULE.get(r["why"], "content") != r["label"]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_ascii_so_that_hidden_characters_show(language: str) -> None:
    assert text_of(language).isascii()


# The reader on them


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_content_is_misread_and_no_answer_is_turned_round(language: str) -> None:
    wrong = [
        (record["reply"], found)
        for record in own(language)
        if (found := read_as(record)) not in ("content", record["label"])
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_most_a_tenth_of_the_plain_replies_is_missed(language: str) -> None:
    plain = [record for record in own(language) if record["label"] != "content"]
    missed = [record["reply"] for record in plain if read_as(record) == "content"]
    assert len(missed) <= MOST_MISSED * len(plain), missed


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one not in ("pl", "ru")])
def test_the_recognizers_specs_give_no_flips(language: str, corpora_folder: Path) -> None:
    records = [r for r in read_records(corpora_folder / "recognizers-spec.jsonl.gz") if r.language == language]
    turned = {"plain_yes": "no", "plain_no": "yes"}
    read_of = {record: read(record.reply, Question(), language=language).kind for record in records}
    assert records
    assert [record.id for record, found in read_of.items() if record.label.endswith(turned.get(found, "none"))] == []


# R5, R6, R7


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("other", sorted(ANSWERS))
def test_R7_another_languages_yes_and_no_are_content(language: str, other: str) -> None:
    expected = ["plain_yes", "plain_no"] if language == other else ["content", "content"]
    assert [kind(language, answer) for answer in ANSWERS[other]] == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_R5_a_yes_and_a_no_together_are_content(language: str) -> None:
    yes, no = ANSWERS[language]
    assert [kind(language, f"{a}, {b}") for a, b in ((yes, no), (no, yes))] == ["content", "content"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mark", ["?", "？", "؟"])
def test_R5_a_question_mark_makes_a_yes_content(language: str, mark: str) -> None:
    assert kind(language, ANSWERS[language][0] + mark) == "content"


@pytest.mark.parametrize("language", LANGUAGES)
def test_R5_a_digit_makes_a_yes_content(language: str) -> None:
    assert kind(language, f"{ANSWERS[language][0]} 4") == "content"


CHOICES = {
    "pl": "Zostawić czy zmienić?",
    "ru": "Оставить или изменить?",
    "tr": "Kalsın mı yoksa değiştireyim mi?",
    "ar": "هل تريد قهوة أم شاي؟",
    "zh": "要咖啡还是茶?",
    "ja": "コーヒーですか、それとも紅茶ですか?",
    "hi": "चाय या कॉफ़ी?",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_R6_a_question_that_offers_a_choice_is_never_answered_yes_or_no(language: str) -> None:
    assert [kind(language, answer, CHOICES[language]) for answer in ANSWERS[language]] == ["content", "content"]


INVERTED = {
    "pl": "Czy masz coś przeciwko?",
    "ru": "Вы не против?",
    "tr": "Sakıncası var mı?",
    "ar": "هل لديك مانع؟",
    "zh": "您介意吗?",
    "ja": "以上でよろしいですか?",
    "hi": "Aapko koi aapatti hai?",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_R6_a_question_that_a_yes_may_refuse_is_content_until_its_polarity_is_declared(language: str) -> None:
    yes = ANSWERS[language][0]
    declared = Question(text=INVERTED[language], kind="confirm", polarity="inverted")
    found = kind(language, yes, INVERTED[language]), read(yes, declared, language=language).kind
    assert found == ("content", "plain_no")


OPEN = {
    "pl": "Jaki ma być tytuł?",
    "ru": "Какая тема?",
    "tr": "Başlık ne olsun?",
    "ar": "ما العنوان؟",
    "zh": "标题写什么?",
    "ja": "件名は何にしますか?",
    "hi": "Title kya rakhun?",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_R6_a_question_that_asks_for_more_is_never_answered_yes_or_no(language: str) -> None:
    assert kind(language, ANSWERS[language][0], OPEN[language], "other") == "content"


# What is a word


def test_a_hindi_vowel_sign_belongs_to_its_word() -> None:
    assert words("hi", "नहीं, ठीक है।") == ["नहीं", ",", "ठीक", "है", "."]


def test_a_hindi_word_that_begins_like_a_yes_or_a_no_is_none() -> None:
    assert [kind("hi", reply) for reply in ("हानि", "नाम", "जीत", "naam", "haanth", "jitesh")] == ["content"] * 6


def test_a_nukta_letter_is_one_word_however_it_is_stored() -> None:
    assert [kind("hi", reply) for reply in ("\u095bरूर", "ज\u093cरूर", "जरूर")] == ["plain_yes"] * 3


def test_anusvara_and_chandrabindu_write_the_same_yes() -> None:
    assert [kind("hi", reply) for reply in ("हाँ", "हां")] == ["plain_yes", "plain_yes"]


@pytest.mark.parametrize("reply", ["haan, टिकट बना दो", "जी haan", "nahi, मत बनाओ"])
def test_both_scripts_of_hindi_mix_in_one_reply(reply: str) -> None:
    assert kind("hi", reply) == ("plain_no" if reply.startswith("nahi") else "plain_yes")


def test_hindi_laughter_is_no_yes() -> None:
    assert [kind("hi", reply) for reply in ("ha", "ha ha", "हा हा")] == ["plain_yes", "content", "content"]


def test_arabic_vowel_signs_cut_no_word_and_change_none() -> None:
    assert words("ar", "نَعَم، شُكْرًا") == ["نعم", ",", "شكرا"]


@pytest.mark.parametrize("reply", ["نعم", "نَعَم", "نعــــم", "نعممممم", "أيوة", "ايوه"])
def test_an_arabic_yes_is_one_however_it_is_spelled(reply: str) -> None:
    assert kind("ar", reply) == "plain_yes"


@pytest.mark.parametrize("reply", ["شكراً، لا", "شكرًا لا", "لا شكرا"])
def test_an_arabic_tanween_may_stand_before_or_after_its_alef(reply: str) -> None:
    assert kind("ar", reply) == "plain_no"


@pytest.mark.parametrize("reply", ["لاحقا", "لازم", "لان", "نعمة", "أجلس"])
def test_an_arabic_word_that_begins_like_an_answer_is_none(reply: str) -> None:
    assert kind("ar", reply) == "content"


@pytest.mark.parametrize("reply", ["HAYIR", "hayır", "Hayir", "HAYIR TEŞEKKÜRLER"])
def test_a_turkish_no_is_one_with_either_i(reply: str) -> None:
    assert kind("tr", reply) == "plain_no"


@pytest.mark.parametrize("reply", ["İYİ", "iyi", "Iyi"])
def test_turkish_praise_is_one_with_either_i(reply: str) -> None:
    assert kind("tr", reply) == "plain_yes"


def test_a_turkish_verb_denies_only_what_the_question_asks_for() -> None:
    assert [kind("tr", reply) for reply in ("oluşturma", "silme")] == ["plain_no", "content"]


def test_a_chinese_run_is_cut_into_its_words() -> None:
    assert words("zh", "好的创建这个工单吧") == ["好的", "创建", "这个", "工单", "吧"]


@pytest.mark.parametrize("reply", ["银行", "行李", "会议", "好像", "对象", "可是", "好不好", "是不是"])
def test_a_chinese_word_that_holds_an_answer_is_none(reply: str) -> None:
    assert kind("zh", reply) == "content"


@pytest.mark.parametrize("reply", ["不是不行", "不是不可以", "不得不同意"])
def test_a_chinese_double_negation_is_content(reply: str) -> None:
    assert kind("zh", reply) == "content"


def test_full_width_letters_and_marks_are_the_same() -> None:
    assert [kind("zh", reply) for reply in ("ＯＫ！", "好的。", "好的？")] == ["plain_yes", "plain_yes", "content"]


def test_a_japanese_run_is_cut_into_its_words() -> None:
    assert words("ja", "はいチケットを作成してください") == ["はい", "チケット", "を", "作成", "してください"]


@pytest.mark.parametrize("reply", ["ﾊｲ", "ハイ", "はーい", "はーーーい", "はい"])
def test_a_japanese_yes_is_one_in_every_kana(reply: str) -> None:
    assert kind("ja", reply) == "plain_yes"


@pytest.mark.parametrize("reply", ["はいる", "はいけい", "いいわけ", "うんざり", "いやし"])
def test_a_japanese_word_that_begins_like_an_answer_is_none(reply: str) -> None:
    assert kind("ja", reply) == "content"


@pytest.mark.parametrize(
    ("of", "text", "expected"),
    [
        ("confirm", "", "content"),
        ("offer", "この件でチケットをお作りしましょうか?", "content"),
        ("more", "ほかに何かお手伝いできることはありますか?", "plain_no"),
        ("review", "すべてこのままでよろしいですか?", "plain_yes"),
    ],
)
def test_daijoubu_is_read_by_the_question(of: QuestionKind, text: str, expected: str) -> None:
    assert kind("ja", "大丈夫です", text, of) == expected


def test_decomposed_text_reads_as_composed_text_does() -> None:
    replies = {
        "pl": "dziękuję, nie",
        "ja": "ありがとうございます、いいえ",
        "tr": "hayır teşekkürler",
        "ru": "всё верно",
    }
    for language, reply in replies.items():
        assert kind(language, unicodedata.normalize("NFD", reply)) == kind(language, reply) != "content"


# What asks

ASKING = {
    "pl": ("Powiedz mi, jak pilne to jest.", "Zgłoszenia o wysokim priorytecie obsługujemy w jeden dzień."),
    "ru": ("Насколько это срочно.", "Заявки с высоким приоритетом решаются за день."),
    "tr": ("Bu ne kadar acil.", "Yüksek öncelikli kayıtlar bir günde yanıtlanır."),
    "ar": ("ما مدى أهمية الطلب.", "التذاكر ذات الأولوية العالية تجاب في يوم واحد."),
    "zh": ("请告诉我优先级。", "高优先级的工单一天内回复。"),
    "ja": ("優先度を教えてください。", "高優先度のチケットは1日以内に回答されます。"),
    "hi": ("Yeh kitna zaroori hai.", "Zaroori ticket ek din mein hal hote hain."),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_asks_and_a_statement_does_not(language: str) -> None:
    assert [asks(sentence, language=language) for sentence in ASKING[language]] == [True, False]


def test_R6_two_turkish_particles_offer_a_choice_and_one_asks_for_yes_or_no() -> None:
    choice = Question(text="Kahve mi çay mı?", kind="offer")
    offer = Question(text="Kahve ister misiniz?", kind="offer")
    assert [read("evet", question, language="tr").kind for question in (choice, offer)] == ["content", "plain_yes"]


def test_R3_a_chinese_noun_that_holds_an_answer_is_not_that_answer() -> None:
    question = Question(text="要看行程表吗?", kind="confirm")
    assert read("行程表", question, language="zh").kind == "content"


def test_R3_a_hindi_noun_with_a_vowel_sign_can_be_restated() -> None:
    question = Question(text="प्राथमिकता उच्च है?", kind="confirm")
    assert read("हाँ, उच्च", question, language="hi").kind == "plain_yes"
