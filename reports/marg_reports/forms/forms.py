"""The forms by name, and several of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from marg_reports.errors import RecordError
from marg_reports.forms.form import FORM_NAMES, Form, FormName, identity, over_texts
from marg_reports.forms.structures import numbered_ids, only_keys, without_clock, without_order
from marg_reports.forms.texts import agreed_wording, plain_unicode, without_case, without_white_space
from marg_runtime.canonical import Json, digest

_PLAIN: Mapping[str, Form] = {
    "whitespace": lambda value: over_texts(value, without_white_space),
    "case": lambda value: over_texts(value, without_case),
    "order": without_order,
    "id": numbered_ids,
    "clock": without_clock,
    "unicode": lambda value: over_texts(value, plain_unicode),
}


def form_of(
    names: Sequence[FormName], *, wordings: Sequence[Sequence[str]] = (), keys: frozenset[str] = frozenset()
) -> Form:
    """All the named forms as one, in a fixed order so that the order of declaration does not matter.

    wordings: for `wording`, lists of texts that mean the same. keys: for `over_specified`, the keys that are meant.
    Raises RecordError for a name that is no form.
    """
    unknown = sorted(set(names) - set(FORM_NAMES))
    if unknown:
        raise RecordError(f"there is no form {unknown[0]!r}; there are {', '.join(FORM_NAMES)}")
    forms: list[Form] = []
    for name in FORM_NAMES:
        if name in names and name != "order":
            forms.append(_form(name, wordings, keys, before=tuple(forms)))
    # Sorting comes last: what is sorted must have its final form.
    forms += [_PLAIN["order"]] if "order" in names else []
    return lambda value: _formed(value, forms)


def _formed(value: Json, forms: Sequence[Form]) -> Json:
    return reduce(lambda formed, form: form(formed), forms, value)


def _form(name: FormName, wordings: Sequence[Sequence[str]], keys: frozenset[str], *, before: Sequence[Form]) -> Form:
    if name == "wording":
        # They are looked for in texts that have their other forms already, so they need to have them too.
        formed = [[str(_formed(text, before)) for text in same] for same in wordings]
        return lambda value: over_texts(value, lambda text: agreed_wording(text, formed))
    if name == "over_specified":
        return (lambda value: only_keys(value, keys)) if keys else identity
    return _PLAIN[name]


def canonical(value: Json, form: Form = identity) -> str:
    """The digest of a value in its canonical form: two observations with one digest mean the same to the check."""
    return digest(form(value))
