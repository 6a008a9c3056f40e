"""Options that nobody could tell apart are not shown, and a typed label never chooses one of two (rules G4, G10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain, SlotStep
from marg_runtime.errors import UsageError
from marg_runtime.events.step import OptionsFailed
from marg_runtime.lines import Lines
from marg_runtime.steps import (
    Field,
    Option,
    OptionPage,
    OptionsContext,
    SearchContext,
    chips_step,
    form_step,
    multi_chips_step,
    picker_step,
    review_step,
    text_step,
)
from marg_runtime.steps.option import alike

if TYPE_CHECKING:
    from tests.runtime.conftest import MakeDesk

MakeDomain = Callable[..., Domain]
ANNAS = (Option(label="Anna Schmidt", value="u1"), Option(label="Anna Schmidt", value="u2"))


@pytest.mark.parametrize("other", ["anna schmidt", "Anna  Schmidt ", "Ａnna Schmidt"])
def test_labels_are_alike_that_differ_in_letter_case_width_or_white_space(other: str) -> None:
    assert alike(["Anna Schmidt", "Bo", other]) == other


def test_labels_that_differ_in_a_word_are_not_alike() -> None:
    assert alike(["Anna Schmidt", "Anna Schmidt (Berlin)"]) is None


def domain_finding(domain_with: MakeDomain, options: Sequence[Option], *, kind: str, required: bool = True) -> Domain:
    """The desk's domain with one step, whose options are found."""

    async def found(context: OptionsContext) -> Sequence[Option]:
        return options

    async def page(context: SearchContext) -> OptionPage:
        return OptionPage(options=options)

    made: SlotStep
    match kind:
        case "chips":
            made = chips_step(key="who", label="Who", slot="who", lead="Who?", options=found, required=required)
        case "multi_chips":
            made = multi_chips_step(key="who", label="Who", slot="who", lead="Who?", options=found)
        case "picker":
            made = picker_step(key="who", label="Who", slot="who", lead="Who?", search=page)
        case _:
            field = Field(slot="who", label="Who", type="choice", options=found)
            made = form_step(key="who", label="Who", lead="Who?", fields=[field])
    return domain_with(steps=(made,))


@pytest.mark.parametrize("kind", ["chips", "multi_chips", "picker", "form"])
def test_G4_found_options_that_nobody_could_tell_apart_are_not_shown(
    make_desk: MakeDesk, domain_with: MakeDomain, kind: str
) -> None:
    desk = make_desk(domain=domain_finding(domain_with, ANNAS, kind=kind))
    desk.to_title()
    shown = [] if desk.last.block is None else [option.label for option in desk.last.block.options]
    assert (len(desk.events(OptionsFailed)), "Anna Schmidt" in shown) == (1, False)


def test_G4_the_ledger_names_the_label_that_came_twice(make_desk: MakeDesk, domain_with: MakeDomain) -> None:
    desk = make_desk(domain=domain_finding(domain_with, ANNAS, kind="chips"))
    desk.to_title()
    assert [event.error for event in desk.events(OptionsFailed)] == [
        "two options of 'who' have the label 'Anna Schmidt'; nobody could tell them apart"
    ]


def test_G10_a_typed_label_chooses_none_of_two_that_share_it(make_desk: MakeDesk, domain_with: MakeDomain) -> None:
    desk = make_desk(domain=domain_finding(domain_with, ANNAS, kind="chips"))
    desk.to_title()
    desk.hear("Which one?")
    desk.say("Anna Schmidt")
    assert desk.values == {}


def test_G10_a_typed_synonym_chooses_none_of_two_that_share_it(make_desk: MakeDesk, domain_with: MakeDomain) -> None:
    annas = [Option(label=f"Anna ({where})", value=where, synonyms=("Anna",)) for where in ("Berlin", "Bonn")]
    desk = make_desk(domain=domain_finding(domain_with, annas, kind="chips"))
    desk.to_title()
    desk.hear("Which one?")
    desk.say("Anna")
    assert (desk.values, desk.block.step) == ({}, "who")


def test_an_option_that_a_tool_gives_twice_is_shown_once(make_desk: MakeDesk, domain_with: MakeDomain) -> None:
    twice = (ANNAS[0], Option(label="Bo", value="u3"), ANNAS[0])
    desk = make_desk(domain=domain_finding(domain_with, twice, kind="chips"))
    desk.to_title()
    assert [option.label for option in desk.block.options] == ["Anna Schmidt", "Bo"]


def test_a_found_option_that_is_called_as_the_way_out_is_not_shown(
    make_desk: MakeDesk, domain_with: MakeDomain
) -> None:
    found = (Option(label="skip", value="s"), Option(label="Hop", value="h"))
    desk = make_desk(domain=domain_finding(domain_with, found, kind="chips", required=False))
    desk.to_title()
    assert "'Skip'; nobody could tell them apart" in desk.events(OptionsFailed)[0].error


# What a domain declares


def test_a_fixed_option_that_is_called_as_the_way_out_is_refused(domain_with: MakeDomain) -> None:
    options = [Option(label="SKIP", value="s"), Option(label="Hop", value="h")]
    step = chips_step(key="way", label="Way", slot="way", lead="Which way?", options=options, required=False)
    with pytest.raises(UsageError, match="two options of 'way' have the label 'Skip'"):
        domain_with(steps=(step,))


def test_a_domain_may_call_the_way_out_otherwise(domain_with: MakeDomain) -> None:
    options = [Option(label="Skip", value="s"), Option(label="Hop", value="h")]
    step = chips_step(key="way", label="Way", slot="way", lead="Which way?", options=options, required=False)
    assert domain_with(steps=(step,), lines=Lines(skip_label="Leave it out")).steps == (step,)


def test_a_summary_whose_options_differ_in_letter_case_alone_is_refused(domain_with: MakeDomain) -> None:
    confirm = replace(domain_with().confirm, decline_label="CREATE")
    with pytest.raises(UsageError, match="two options of 'confirm' have the label 'CREATE'"):
        domain_with(confirm=confirm)


@pytest.mark.parametrize(
    ("review", "where"),
    [(review_step(option_label="create"), "'confirm'"), (review_step(back_label="title"), "'review'")],
)
def test_a_review_that_is_called_as_another_option_is_refused(
    domain_with: MakeDomain, review: object, where: str
) -> None:
    with pytest.raises(UsageError, match=f"two options of {where}"):
        domain_with(review=review)


def test_two_steps_of_one_label_are_refused_where_a_review_lists_them(domain_with: MakeDomain) -> None:
    steps = tuple(text_step(key=key, label="Date", slot=key, lead=f"{key}?") for key in ("start", "end"))
    with pytest.raises(UsageError, match="two options of 'review' have the label 'Date'"):
        domain_with(steps=steps, review=review_step())


def test_two_steps_of_one_label_are_fine_where_nothing_lists_them(domain_with: MakeDomain) -> None:
    steps = tuple(text_step(key=key, label="Date", slot=key, lead=f"{key}?") for key in ("start", "end"))
    assert domain_with(steps=steps).steps == steps
