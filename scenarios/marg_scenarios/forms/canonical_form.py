"""How a check declares the forms in which what it sees may differ and still mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from marg_mock_model.form import Form
from marg_reports.forms import DeclaredForm

PlainForm = Literal["whitespace", "case", "order", "id", "clock", "unicode"]
Wording: TypeAlias = Annotated[str, Field(min_length=1)]


class WordingForm(Form):
    """Texts that mean the same."""

    wording: Annotated[list[Annotated[list[Wording], Field(min_length=2)]], Field(min_length=1)] = Field(
        description="Lists of texts, each of which says the same as the others of its list."
    )


class OverSpecifiedForm(Form):
    """The keys that are meant, of those that the check pins."""

    over_specified: Annotated[list[str], Field(min_length=1)] = Field(
        description="The keys that are meant, at every depth; the others are pinned and not meant."
    )


CanonicalForm: TypeAlias = PlainForm | WordingForm | OverSpecifiedForm


def declared_forms(forms: Sequence[CanonicalForm]) -> tuple[DeclaredForm, ...]:
    """What a list of a scenario's declares, in its order."""
    return tuple(_declared(form) for form in forms)


def _declared(form: CanonicalForm) -> DeclaredForm:
    if isinstance(form, WordingForm):
        return DeclaredForm(name="wording", wordings=tuple(tuple(same) for same in form.wording))
    if isinstance(form, OverSpecifiedForm):
        return DeclaredForm(name="over_specified", keys=frozenset(form.over_specified))
    return DeclaredForm(name=form)


def _each_once(forms: list[CanonicalForm]) -> list[CanonicalForm]:
    names = [one.name for one in declared_forms(forms)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{twice[0]!r} is declared twice; name each form once")
    return forms


CanonicalForms: TypeAlias = Annotated[list[CanonicalForm], Field(min_length=1), AfterValidator(_each_once)]
