"""A model's claim that the record was created, or was not, is checked against the ledger before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime.canonical import Json
from marg_runtime.claims import Claims, claim_words
from marg_runtime.cutter import Cut, Cutter, feed, finish
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError
from marg_runtime.events.model import ClaimCut, ModelReplied, QuestionCut
from marg_runtime.steps import confirm_step
from marg_runtime.tools.tool import ToolName, ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CREATE = ToolName(server="desk", name="create")


def told(desk: Desk, reply: str) -> list[str]:
    """What the user sees of a reply of the model's."""
    desk.hear(reply)
    desk.say("and how does it look now, my friend?")
    return desk.texts("model")


def test_S3_a_claim_of_success_with_no_write_is_cut(desk: Desk) -> None:
    desk.to_summary()
    assert told(desk, "Sure. Your ticket has been created. Have a nice day.") == ["Sure. Have a nice day."]


def test_S3_a_false_claim_is_in_the_ledger(desk: Desk) -> None:
    desk.to_summary()
    told(desk, "Your ticket has been created.")
    assert desk.events(ClaimCut) == [ClaimCut(claim="created", sentence="Your ticket has been created.")]


def test_S3_a_false_claim_is_kept_out_of_what_the_model_is_sent_later(desk: Desk) -> None:
    desk.to_summary()
    told(desk, "Sure. Your ticket has been created.")
    told(desk, "Fine.")
    assert "has been created" not in repr(desk.model.received[-1].messages)


def test_S3_what_the_model_said_stays_in_the_ledger(desk: Desk) -> None:
    desk.to_summary()
    told(desk, "Sure. Your ticket has been created.")
    assert desk.events(ModelReplied)[-1].raw == "Sure. Your ticket has been created."


def test_S3_a_typed_approval_that_the_model_tells_as_a_success_is_cut(desk: Desk) -> None:
    """vercel/eve 312: a typed approval that was not taken as one was told as a success."""
    desk.to_summary()
    desk.hear("Approved! Your ticket has been created.")
    desk.say("I approve of it, more or less")
    assert (desk.texts("model"), desk.block.kind) == (["Approved!"], "summary")


def test_S3_a_claim_is_true_after_the_write(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.tap("Create")
    assert told(desk, "Yes, your ticket has been created.") == ["Yes, your ticket has been created."]


def test_S3_a_claim_is_false_after_a_refusal(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk(script={CREATE: ToolOutcome(text="The desk is closed.", is_error=True)})
    desk.to_summary()
    desk.tap("Create")
    assert told(desk, "Your ticket has been created.") == []


def test_S3_neither_claim_is_true_while_the_write_is_unknown(make_desk: MakeDesk, writes_on: None) -> None:
    def lost(arguments: Mapping[str, Json]) -> ToolOutcome:
        raise ToolError("desk: create: no answer")

    desk = make_desk(script={CREATE: lost})
    desk.to_summary()
    desk.tap("Create")
    assert told(desk, "Hm. Your ticket has been created. It has not been created.") == ["Hm."]


def test_S3_not_created_after_the_write_is_cut(desk: Desk, writes_on: None) -> None:
    """TulipFarm/tulipfarm 429: the text said "not created", and the same turn created it."""
    desk.to_summary()
    desk.tap("Create")
    assert (told(desk, "Sorry, I could not create the ticket. Bye."), desk.events(ClaimCut)[0].claim) == (
        ["Bye."],
        "not_created",
    )


def test_S3_a_ticket_of_an_earlier_draft_may_be_named_while_a_new_one_is_made(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.tap("Create")
    desk.hear(desk.propose("title", "radiator leaks"))
    desk.hear("Noted.")
    desk.say("Now another thing: radiator leaks")
    assert told(desk, "Your ticket T-1 was created. Your ticket has been created.") == ["Your ticket T-1 was created."]


def test_S3_a_claim_of_a_reply_that_breaks_off_is_cut_too(desk: Desk) -> None:
    desk.to_summary()
    desk.break_off("Your ticket has been created. And")
    desk.say("and how does it look now, my friend?")
    assert (desk.texts("model"), len(desk.events(ClaimCut))) == ([], 1)


def test_S3_a_sentence_that_asks_what_a_step_owns_is_cut_as_a_question(desk: Desk) -> None:
    desk.to_summary()
    told(desk, "Shall I create the ticket?")
    assert (len(desk.events(QuestionCut)), desk.events(ClaimCut)) == (1, [])


def test_S3_a_domain_says_what_a_claim_is_in_its_words(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    confirm = confirm_step(label="Your probe", lead="Shall I launch it?", claims_like=r"\bin orbit\b")
    desk = make_desk(domain=domain_with(confirm=confirm))
    desk.to_summary()
    assert told(desk, "The probe is in orbit. Once it is in orbit, we land.") == ["Once it is in orbit, we land."]


def test_S3_in_a_language_of_its_own_words_a_claim_is_cut(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(language="de"))
    desk.hear("Gern. Dein Ticket wurde erstellt.")
    desk.say("hallo")
    assert desk.texts("model") == ["Gern."]


# In pieces

SCRAPS = st.sampled_from(
    [
        *("Your ticket has been created.", "Created!", "It was not created.", "Once it is created, you get a mail."),
        *(
            "I have created",
            " it",
            " for you.",
            "Your",
            " ticket T-7",
            " was created",
            ".",
            "?",
            "!",
            " ",
            "\n",
            "No. ",
        ),
    ]
)
TEXTS = st.lists(SCRAPS, max_size=9).map("".join)


def through(pieces: list[str], claims: Claims) -> tuple[str, list[Cut]]:
    cutter, shown, cuts = Cutter(owned=(), language="en", claims=claims), "", list[Cut]()
    for piece in pieces:
        fed = feed(cutter, piece)
        cutter, shown = fed.cutter, shown + fed.shown
        cuts.extend(fed.cuts)
    last = finish(cutter)
    return shown + last.shown, [*cuts, *last.cuts]


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, ends=st.lists(st.integers(0, 200), max_size=12), done=st.booleans())
def test_S3_any_pieces_of_a_text_give_the_same(text: str, ends: list[int], done: bool) -> None:
    claims = Claims(words=claim_words("en"), language="en", done=done, receipts=("ticket T-7",) if done else ())
    marks = [0, *sorted(end % (len(text) + 1) for end in ends), len(text)]
    assert through([text[a:b] for a, b in pairwise(marks)], claims) == through([text], claims)


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_S3_no_false_claim_is_shown_and_nothing_else_is_lost(text: str) -> None:
    claims = Claims(words=claim_words("en"), language="en")
    shown, cuts = through(list(text), claims)
    assert all(cut.because == "created" and claims.false_claim(cut.sentence) == "created" for cut in cuts)
    # Every character is shown or cut, in its own count; the order is that of the text, which `any pieces` holds.
    assert sorted("".join((shown, *(cut.sentence for cut in cuts))).replace(" ", "").replace("\n", "")) == sorted(
        text.replace(" ", "").replace("\n", "")
    )


def test_S3_the_cut_of_a_claim_is_the_confirmations() -> None:
    claims = Claims(words=claim_words("en"), language="en")
    assert through(["Created!"], claims)[1] == [Cut(step="confirm", sentence="Created!", because="created")]
