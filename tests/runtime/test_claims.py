"""What a model's sentence claims of the record, in every language with words for it, and whether it is borne out."""

from __future__ import annotations

import re

import pytest

from marg_runtime.claims import Claims, claim_languages, claim_words
from marg_runtime.claims.words import parse_words
from marg_runtime.errors import UsageError
from marg_runtime.reading import languages

CREATED = {
    "en": [
        "Your ticket has been created.",
        "Your ticket T-7 was created.",
        "Your ticket number 7 has now been created.",
        "I've created your ticket!",
        "I have just submitted it.",
        "I went ahead and created the ticket for you.",
        "We have booked you in.",
        "It's been submitted to the team.",
        "It is now booked.",
        "Your booking is confirmed.",
        "Created!",
        "**Ticket created.**",
        "Great, ticket #12 created successfully.",
        "✅ Booked.",
        "Created: T-9.",
        "Your request went through.",
        "You're all booked.",
        "Good news, your reservation has been made, see you soon.",
        "I can confirm that your ticket has been created.",
        "Your ticket has been created, is that all?",
        "Alright, I’ve filed the report.",
        "If you need anything else, just ask: your ticket has been created.",
    ],
    "de": [
        "Dein Ticket wurde erstellt.",
        "Ihr Ticket T-7 wurde soeben erfolgreich angelegt.",
        "Ich habe das Ticket erstellt.",
        "Hiermit wurde Ihre Anfrage übermittelt.",
        "Es ist jetzt gebucht.",
        "Gebucht!",
        "Prima, Ticket erstellt.",
        "Ich bestätige, dass dein Ticket erstellt wurde.",
    ],
    "es": [
        "Tu ticket ha sido creado.",
        "Se ha enviado la solicitud.",
        "He creado tu ticket.",
        "Ya está reservado.",
        "Listo, reserva hecha.",
        "Tu solicitud quedó registrada con éxito.",
        "¡Creado!",
    ],
    "fr": [
        "Votre ticket a été créé.",
        "J'ai bien enregistré votre demande.",
        "Je l'ai envoyée.",
        "Votre réservation est confirmée et elle a été enregistrée.",
        "C’est réservé !",
        "Parfait, demande envoyée.",
    ],
    "it": [
        "La tua richiesta è stata inviata.",
        "Ho creato il ticket.",
        "Il ticket è stato creato con successo.",
        "Fatto, prenotazione effettuata.",
        "Inviata!",
    ],
    "pt": [
        "O seu chamado foi criado.",
        "Já foi enviado.",
        "Criei o chamado para você.",
        "Pronto, reserva feita.",
        "Seu pedido foi registrado com sucesso.",
    ],
    "nl": [
        "Je ticket is aangemaakt.",
        "Ik heb je aanvraag ingediend.",
        "Het is geboekt.",
        "Prima, ticket aangemaakt.",
        "Hierbij is je melding verstuurd.",
    ],
    "pl": [
        "Zgłoszenie zostało utworzone.",
        "Wysłałem zgłoszenie.",
        "Gotowe, rezerwacja została złożona.",
        "Utworzono.",
    ],
    "ru": ["Заявка создана.", "Ваша заявка успешно отправлена.", "Я создал заявку.", "Готово, бронь оформлена."],
    "tr": ["Talebiniz oluşturuldu.", "Destek kaydı başarıyla açıldı.", "Biletinizi oluşturdum.", "Gönderildi!"],
    "ar": ["تم إنشاء التذكرة.", "لقد تم إرسال طلبك.", "أنشأت التذكرة."],
    "zh": ["您的工单已创建。", "已为您提交申请。", "预订成功！", "我已经帮您创建了工单。"],
    "ja": ["チケットを作成しました。", "予約が完了しました。", "送信されました。", "登録いたしました。"],
    "hi": ["आपका टिकट बना दिया गया है।", "मैंने आपका अनुरोध भेज दिया है।", "आपकी शिकायत दर्ज हो गई है।"],
}
NOTHING = {
    "en": [
        "Has your ticket been created?",
        "Shall I create the ticket?",
        "Once it is created, you will get a mail.",
        "When your ticket has been created, I will tell you.",
        "Your ticket is created as soon as you confirm.",
        "I will create it when you confirm.",
        "It will be created once you confirm.",
        "It will have been created by then.",
        "The ticket can be created below.",
        "I have written it down in your words.",
        "Nothing is created before you say so.",
        "I would like to create your ticket.",
        "I'll submit it for you.",
        "Tickets are created by the runtime.",
        "A ticket is created for each report.",
        "A similar ticket was filed by another user last week.",
        "There is a similar one: T-1005.",
        "I do not think that it was created.",
        "You said it was created yesterday.",
        "Let me know whether it was submitted.",
        'I have set the title to "The ticket was created twice".',
        "A password reset mail was sent to you.",
        "High priority tickets get answered in a day.",
        "Your account was opened in 2019.",
        "Changed.",
        "Done.",
        "Thanks, that helps.",
    ],
    "de": [
        "Wurde dein Ticket erstellt?",
        "Sobald es erstellt ist, bekommst du eine Mail.",
        "Wenn du bestätigst, ist das Ticket erstellt.",
        "Ich werde das Ticket erstellen.",
        "Das Ticket wird erstellt, sobald du bestätigst.",
        "Ich habe es in deinen Worten notiert.",
        "Ein ähnliches Ticket wurde gestern von jemandem erstellt.",
    ],
    "es": [
        "¿Se ha creado el ticket?",
        "Cuando se haya creado, te aviso.",
        "Crearé el ticket cuando confirmes.",
        "Si se ha creado, lo verás abajo.",
        "Lo he apuntado con tus palabras.",
    ],
    "fr": [
        "Le ticket a-t-il été créé ?",
        "Dès que la demande est envoyée, vous recevez un mail.",
        "Je créerai le ticket quand vous confirmerez.",
        "J'ai noté vos mots.",
        "Une demande similaire a été déposée hier.",
    ],
    "it": [
        "Il ticket è stato creato?",
        "Quando è stato creato, ti avviso.",
        "Creerò il ticket quando confermi.",
        "Ho preso nota.",
    ],
    "pt": [
        "O chamado foi criado?",
        "Quando for criado, eu aviso.",
        "Vou criar o chamado quando confirmar.",
        "Anotei tudo.",
    ],
    "nl": [
        "Is je ticket aangemaakt?",
        "Zodra het is aangemaakt, krijg je een mail.",
        "Ik zal het ticket aanmaken.",
        "Genoteerd.",
    ],
    "pl": [
        "Czy zgłoszenie zostało utworzone?",
        "Gdy zgłoszenie zostanie utworzone, dam znać.",
        "Utworzę zgłoszenie po potwierdzeniu.",
    ],
    "ru": [
        "Заявка создана?",
        "Когда заявка создана, придёт письмо.",
        "Я создам заявку, когда вы подтвердите.",
        "Я всё записал.",
    ],
    "tr": ["Talebiniz oluşturuldu mu?", "Talebiniz onaydan sonra oluşturulacak.", "Not aldım."],
    "ar": ["هل تم إنشاء التذكرة؟", "سيتم إنشاء التذكرة بعد تأكيدك.", "إذا تم إنشاء التذكرة فسأخبرك.", "سجلت كلماتك."],
    "zh": ["工单已创建了吗？", "您确认后，我会创建工单。", "如果已创建，您会收到邮件。", "我记下了。"],
    "ja": [
        "チケットは作成されましたか？",
        "作成しましたら、お知らせします。",
        "確認後に作成します。",
        "承知しました。",
    ],
    "hi": ["क्या आपका टिकट बना दिया गया है?", "जब आपका टिकट बन जाएगा, मैं बताऊँगा।", "मैंने लिख लिया है।"],
}
NOT_CREATED = {
    "en": [
        "Your ticket was not created.",
        "I couldn't create the ticket.",
        "Nothing was created.",
        "It hasn't been submitted yet.",
        "I was unable to submit your request.",
        "No ticket has been created.",
        "The booking failed.",
        "Sorry, I haven’t created it.",
    ],
    "de": [
        "Dein Ticket wurde nicht erstellt.",
        "Ich konnte das Ticket leider nicht erstellen.",
        "Es wurde nichts erstellt.",
    ],
    "es": ["Tu ticket no ha sido creado.", "No he podido crear el ticket.", "No se ha creado."],
    "fr": ["Votre ticket n'a pas été créé.", "Je n'ai pas pu créer le ticket.", "Rien n’a été envoyé."],
    "it": ["Il ticket non è stato creato.", "Non sono riuscito a creare il ticket."],
    "pt": ["O chamado não foi criado.", "Não consegui criar o chamado."],
    "nl": ["Je ticket is niet aangemaakt.", "Ik kon het ticket niet aanmaken."],
    "pl": ["Zgłoszenie nie zostało utworzone.", "Nie udało się utworzyć zgłoszenia."],
    "ru": ["Заявка не создана.", "Не удалось создать заявку."],
    "tr": ["Talebiniz oluşturulamadı.", "Biletinizi oluşturamadım."],
    "ar": ["لم يتم إنشاء التذكرة.", "تعذر إرسال الطلب."],
    "zh": ["工单未创建。", "提交失败。", "我没能为您创建工单。"],
    "ja": ["チケットは作成されませんでした。", "送信に失敗しました。"],
    "hi": ["आपका टिकट नहीं बनाया जा सका।"],
}


def pairs(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, sentence) for language, sentences in table.items() for sentence in sentences]


def claims(
    language: str = "en",
    *,
    done: bool = False,
    unknown: bool = False,
    receipts: tuple[str, ...] = (),
    like: str | None = None,
) -> Claims:
    pattern = re.compile(like, re.IGNORECASE) if like else None
    words = claim_words(language)
    return Claims(words=words, language=language, done=done, unknown=unknown, receipts=receipts, like=pattern)


@pytest.mark.parametrize(("language", "sentence"), pairs(CREATED))
def test_S3_a_claim_that_it_was_created_is_known(language: str, sentence: str) -> None:
    assert claims(language).claim(sentence) == "created"


@pytest.mark.parametrize(("language", "sentence"), pairs(NOTHING))
def test_S3_a_question_a_condition_a_prospect_and_anything_else_are_no_claims(language: str, sentence: str) -> None:
    assert claims(language).claim(sentence) is None


@pytest.mark.parametrize(("language", "sentence"), pairs(NOT_CREATED))
def test_S3_a_claim_that_it_was_not_created_is_known(language: str, sentence: str) -> None:
    assert claims(language).claim(sentence) == "not_created"


def test_S3_every_language_with_a_vocabulary_has_words_for_claims() -> None:
    assert set(claim_languages()) == set(languages())


def test_S3_every_language_is_tested_both_ways() -> None:
    assert set(CREATED) == set(NOTHING) == set(NOT_CREATED) == set(claim_languages())


# Against the ledger


def test_S3_a_claim_of_success_is_false_where_nothing_was_written() -> None:
    assert claims().false_claim("Your ticket has been created.") == "created"


def test_S3_a_claim_of_success_is_true_of_a_draft_that_was_written() -> None:
    assert claims(done=True).false_claim("Your ticket has been created.") is None


def test_S3_a_claim_about_an_earlier_write_is_true_where_it_names_its_receipt() -> None:
    assert claims(receipts=("ticket T-7",)).false_claim("Your ticket T-7 was created.") is None


def test_S3_the_number_of_a_receipt_names_it() -> None:
    assert claims(receipts=("ticket 4711",)).false_claim("Your ticket number 4711 was created.") is None


@pytest.mark.parametrize(
    ("receipt", "sentence"),
    [
        ("done", "Done! Your ticket has been created."),
        ("", "Your ticket has been created."),
        ("the ticket", "The ticket has been created."),
        ("5", "I have created 5 tickets for you."),
        ("T-1 on 2026-03-02", "Your ticket for 2026-03-02 has been created."),
        ("02.03.2026 at 10:30", "Your booking of 02.03.2026 was made."),
        ("the 2nd room, 3pm", "Your 2nd booking at 3pm was made."),
    ],
)
def test_S3_no_plain_words_date_or_small_number_vouch_for_a_claim(receipt: str, sentence: str) -> None:
    assert claims(receipts=(receipt,)).false_claim(sentence) == "created"


@pytest.mark.parametrize("sentence", ["Your ticket was not created.", "Your ticket has been created."])
def test_S3_neither_claim_stands_while_nobody_knows(sentence: str) -> None:
    assert claims(unknown=True).false_claim(sentence) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "I've gone ahead and booked the room.",
        "It went through.",
        "I took care of it.",
        "The ticket is now open.",
        "Your ticket number is T-99.",
        "You're all set!",
    ],
)
def test_S3_a_success_in_other_words_is_a_claim(sentence: str) -> None:
    assert claims().claim(sentence) == "created"


@pytest.mark.parametrize(
    "sentence",
    [
        "Once you confirm, you're all set.",
        "Where do I find my ticket number?",
        "I will take care of it.",
        "If it went through, you would see it.",
        "The window is now open.",
        "Your ticket number is on its way once you confirm.",
    ],
)
def test_S3_its_neighbours_are_none(sentence: str) -> None:
    assert claims().claim(sentence) is None


@pytest.mark.parametrize("sentence", ["Your ticket was created.", "Your ticket T-8 was created.", "Created!"])
def test_S3_a_claim_about_a_new_draft_is_false_whatever_was_written_before_it(sentence: str) -> None:
    assert claims(receipts=("ticket T-7",)).false_claim(sentence) == "created"


def test_S3_not_created_is_false_of_a_draft_that_was_written() -> None:
    """TulipFarm/tulipfarm 429: the text said "not created", and the same turn created it."""
    assert claims(done=True).false_claim("Sorry, your ticket was not created.") == "not_created"


def test_S3_not_created_is_true_where_nothing_was_written() -> None:
    assert claims().false_claim("Your ticket was not created.") is None


def test_S3_a_domains_own_pattern_stands_in_place_of_the_languages() -> None:
    own = claims(like=r"\bis in orbit\b")
    assert [own.claim("The probe is in orbit."), own.claim("Your ticket has been created.")] == ["created", None]


@pytest.mark.parametrize(
    "sentence", ["Is the probe in orbit?", "Once the probe is in orbit, we land.", "It is not in orbit."]
)
def test_S3_a_question_and_a_condition_are_no_claims_by_a_domains_own_pattern_either(sentence: str) -> None:
    assert claims(like=r"\bin orbit\b").claim(sentence) is None


@pytest.mark.parametrize("language", ["xx", "", "../en", "EN"])
def test_S3_a_language_without_words_claims_nothing(language: str) -> None:
    assert Claims(words=claim_words(language), language="xx").claim("Your ticket has been created.") is None


# The files


def test_a_pattern_with_an_unknown_fragment_is_refused() -> None:
    with pytest.raises(UsageError, match=r"xx\.toml: no fragment 'verb'"):
        parse_words("success = ['{verb}']", name="xx.toml")


def test_a_key_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match=r"xx\.toml: 'sucess' is no key of claim words"):
        parse_words("sucess = ['x']", name="xx.toml")


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match=r"xx\.toml"):
        parse_words("success = ['(']", name="xx.toml")
