"""The labelled replies in Spanish, Portuguese, French, Italian, German and Dutch, and how they are read.

`data/languages/<language>.jsonl` holds the records of one language in the form of the shipped corpus. Its `id` is
`languages-` and the first 12 hex digits of SHA-256 over kind, question and reply, joined by line feeds, in UTF-8. The
questions and replies are our own; the labels follow the guideline, with the session's language in the place of English.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import get_args

import pytest

from marg_corpora.record import Label, Record
from marg_corpora.record_reader import question_of
from marg_runtime import Question, asks, read
from marg_runtime.reading.kinds import QuestionKind, ReadingKind

LANGUAGES = ("de", "es", "fr", "it", "nl", "pt")
LEAST_RECORDS = 40
LEAST_OF_EACH_LABEL = 10
MOST_MISSED = 0.10
LONGEST_QUESTION = 300
KEYS = ["id", "source", "language", "question", "question_kind", "reply", "label", "why", "acts", "n", "conflict"]
NOT_YES_NO_KINDS = {"choice", "other"}
CARDS = {"confirm", "review", "optional", "offer", "more", "boolean_slot", "cancel", "choice", "other"}
LABEL_OF_RULE = {"rule 10": "plain_no", "rule 11": "plain_yes"} | {
    f"rule {number}": "content" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12)
}
# One yes and one no of each language, by which the others are tried.
YES_AND_NO = {
    "de": ("ja", "nein"),
    "es": ("sí", "no"),
    "fr": ("oui", "non"),
    "it": ("sì", "no"),
    "nl": ("ja", "nee"),
    "pt": ("sim", "não"),
}
# Words that two of the languages share, with the same meaning.
SHARED = {("de", "nl", "ja"), ("nl", "de", "ja"), ("nl", "de", "nee"), ("es", "it", "no"), ("it", "es", "no")}


@cache
def text_of(language: str) -> str:
    return files("marg_corpora.data").joinpath("languages", f"{language}.jsonl").read_text(encoding="utf-8")


@cache
def records(language: str) -> tuple[Record, ...]:
    return tuple(Record.model_validate_json(line) for line in text_of(language).splitlines())


def kind_of(record: Record) -> ReadingKind:
    return read(record.reply, question_of(record), language=record.language).kind


def digest_id(record: Record) -> str:
    text = "\n".join((record.question_kind, record.question, record.reply))
    return "languages-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def confirmed(reply: str, language: str) -> ReadingKind:
    return read(reply, Question(), language=language).kind


# The corpus


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_enough_replies_of_every_label(language: str) -> None:
    labels = Counter(record.label for record in records(language))
    assert labels.total() >= LEAST_RECORDS
    assert set(labels) <= set(get_args(Label))
    assert min(labels[label] for label in ("plain_yes", "plain_no", "content")) >= LEAST_OF_EACH_LABEL


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_of_the_guideline_is_asked_in_every_language(language: str) -> None:
    assert {record.question_kind for record in records(language)} == CARDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_record_has_exactly_the_keys_of_the_format_in_order(language: str) -> None:
    assert [line for line in text_of(language).splitlines() if list(json.loads(line)) != KEYS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_id_is_the_digest_of_kind_question_and_reply(language: str) -> None:
    assert [record.id for record in records(language) if record.id != digest_id(record)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_language_ids_are_unique_and_sorted(language: str) -> None:
    ids = [record.id for record in records(language)]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_of_a_language_has_the_same_reply_twice(language: str) -> None:
    seen = Counter((r.question, " ".join(r.reply.casefold().split())) for r in records(language))
    assert [pair for pair, count in seen.items() if count > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_source_and_language_are_the_same_throughout_a_file(language: str) -> None:
    constants = {(r.source, r.language, r.n, r.conflict) for r in records(language)}
    assert constants == {("languages", language, 1, False)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_label_is_the_one_its_rule_gives(language: str) -> None:
    assert [record.id for record in records(language) if LABEL_OF_RULE[record.why] != record.label] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_R6_a_choice_or_an_open_card_has_only_content_in_every_language(language: str) -> None:
    labels = {record.label for record in records(language) if record.question_kind in NOT_YES_NO_KINDS}
    assert labels == {"content"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_of_a_language_is_too_long(language: str) -> None:
    assert max(len(record.question) for record in records(language)) <= LONGEST_QUESTION


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_file_is_ascii(language: str) -> None:
    assert text_of(language).isascii()


# How they are read


@pytest.mark.parametrize("language", LANGUAGES)
def test_R1_no_content_reply_of_a_language_is_misread(language: str) -> None:
    read_plain = [r.reply for r in records(language) if r.label == "content" and kind_of(r) != "content"]
    assert read_plain == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_yes_of_a_language_is_read_as_a_no_nor_the_other_way_round(language: str) -> None:
    plain = [r for r in records(language) if r.label != "content"]
    assert [r.reply for r in plain if kind_of(r) not in (r.label, "content")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_most_one_in_ten_plain_replies_of_a_language_is_missed(language: str) -> None:
    plain = [r for r in records(language) if r.label != "content"]
    missed = [r.reply for r in plain if kind_of(r) == "content"]
    assert len(missed) <= MOST_MISSED * len(plain), missed


@pytest.mark.parametrize(("language", "other"), list(permutations(LANGUAGES, 2)))
def test_R7_the_yes_and_the_no_of_another_language_answer_nothing(language: str, other: str) -> None:
    foreign = [w for w in YES_AND_NO[other] if (other, language, w) not in SHARED]
    assert [word for word in foreign if confirmed(word, language) != "content"] == []


@pytest.mark.parametrize(("origin", "language", "word"), sorted(SHARED))
def test_R7_a_word_that_two_languages_share_means_the_same_in_both(origin: str, language: str, word: str) -> None:
    assert confirmed(word, language) == confirmed(word, origin) != "content"


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("de", "lass das bitte privat"),
        ("es", "mantén esto privado por favor"),
        ("fr", "garde ça privé s'il te plaît"),
        ("it", "tieni questo privato per favore"),
        ("nl", "hou dit privé alsjeblieft"),
        ("pt", "mantém isto privado por favor"),
    ],
)
@pytest.mark.parametrize("kind", ["confirm", "review"])
def test_R3_an_order_to_keep_it_private_is_content_whatever_the_card_shows(
    language: str, reply: str, kind: QuestionKind
) -> None:
    values = ("privat", "privado", "privé", "privato", "público")
    assert read(reply, Question(kind=kind, values=values), language=language).kind == "content"


@pytest.mark.parametrize(
    ("language", "reply", "value"),
    [
        ("de", "ja, um 20 Uhr", "20 Uhr"),
        ("es", "sí, a las 21:00", "21:00"),
        ("fr", "oui, à 20h", "20h"),
        ("it", "sì, alle 20:00", "20:00"),
        ("nl", "ja, om 20:00", "20:00"),
        ("pt", "sim, às 20:00", "20:00"),
    ],
)
def test_R3_a_value_that_the_card_shows_may_be_restated_in_every_language(
    language: str, reply: str, value: str
) -> None:
    shown = Question(kind="confirm", values=(value,))
    other = Question(kind="confirm", values=("19:45",))
    assert read(reply, shown, language=language).kind == "plain_yes"
    assert read(reply, other, language=language).kind == "content"


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "Soll es heute oder morgen sein?"),
        ("es", "¿Lo quiere hoy o mañana?"),
        ("fr", "Voulez-vous le recevoir lundi ou mardi ?"),
        ("it", "Lo vuole oggi o domani?"),
        ("nl", "Wilt u het vandaag of morgen?"),
        ("pt", "Quer hoje ou amanhã?"),
    ],
)
def test_R6_a_question_that_offers_two_things_is_never_answered_yes_or_no(language: str, question: str) -> None:
    kinds = {read(word, Question(text=question), language=language).kind for word in YES_AND_NO[language]}
    assert kinds == {"content"}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "Stört es Sie, wenn ich das schließe?"),
        ("es", "¿Le importa si lo cierro?"),
        ("fr", "Ça vous dérange si je le ferme ?"),
        ("it", "Le dispiace se lo chiudo?"),
        ("nl", "Vindt u het erg als ik het sluit?"),
        ("pt", "Você se importa se eu fechar?"),
    ],
)
def test_R6_a_question_of_inverted_polarity_is_content_until_it_is_declared(language: str, question: str) -> None:
    yes = YES_AND_NO[language][0]
    assert read(yes, Question(text=question), language=language).kind == "content"
    declared = Question(text=question, polarity="inverted")
    assert read(yes, declared, language=language).kind == "plain_no"


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("de", "na ja"),
        ("de", "doch"),
        ("es", "si quiere"),
        ("es", "bueno"),
        ("fr", "si"),
        ("fr", "pourquoi pas"),
        ("it", "assolutamente"),
        ("it", "figurati"),
        ("nl", "graag gedaan"),
        ("nl", "het zal wel"),
        ("pt", "pois não"),
        ("pt", "pois"),
    ],
)
def test_R5_a_word_that_only_looks_like_an_answer_is_content(language: str, reply: str) -> None:
    assert confirmed(reply, language) == "content"


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("de", "der Titel stimmt"),
        ("es", "el título está bien"),
        ("fr", "le titre est bon"),
        ("it", "il titolo va bene"),
        ("nl", "de titel klopt"),
        ("pt", "o título está bom"),
    ],
)
def test_R4_praise_of_a_part_leaves_the_rest_unsaid(language: str, reply: str) -> None:
    assert confirmed(reply, language) == "content"


# How a model's sentence asks (S4)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Bitte nennen Sie mir die Priorität."),
        ("de", "Danke! Wie dringend ist es"),
        ("es", "Dígame qué prioridad quiere."),
        ("es", "Gracias. Qué prioridad tiene"),
        ("fr", "Veuillez choisir une priorité."),
        ("fr", "Merci ! Quelle est la priorité"),
        ("it", "Mi dica quanto è urgente."),
        ("it", "Grazie! Quale priorità ha"),
        ("nl", "Laat me weten welke prioriteit het heeft."),
        ("nl", "Bedankt! Hoe dringend is het"),
        ("pt", "Por favor escolha uma prioridade."),
        ("pt", "Obrigado! Qual é a prioridade"),
    ],
)
def test_S4_a_sentence_that_asks_without_a_question_mark_is_known_in_every_language(
    language: str, sentence: str
) -> None:
    assert asks(sentence, language=language)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Tickets mit hoher Priorität werden am selben Tag beantwortet."),
        ("es", "Los tickets de prioridad alta se responden en un día."),
        ("fr", "Les tickets de haute priorité reçoivent une réponse le jour même."),
        ("it", "I ticket con priorità alta ricevono risposta in giornata."),
        ("nl", "Tickets met hoge prioriteit worden dezelfde dag beantwoord."),
        ("pt", "Os chamados de prioridade alta são respondidos no mesmo dia."),
    ],
)
def test_S4_a_statement_does_not_ask_in_any_language(language: str, sentence: str) -> None:
    assert not asks(sentence, language=language)
