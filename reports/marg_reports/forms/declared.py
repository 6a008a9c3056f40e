"""A form as a check declares it: its name, and what two of the forms need to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from marg_reports.forms.form import Form, FormName
from marg_reports.forms.forms import form_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredForm:
    """A form that a check declares.

    wordings: for `wording`, lists of texts that mean the same. keys: for `over_specified`, the keys that are meant, at
    every depth; whatever else the check pins, it does not mean.
    """

    name: FormName
    wordings: tuple[tuple[str, ...], ...] = ()
    keys: frozenset[str] = frozenset()


def declared_form(declared: Sequence[DeclaredForm]) -> Form:
    """All that a check declares, as one form."""
    return form_of(
        [one.name for one in declared],
        wordings=[same for one in declared for same in one.wordings],
        keys=frozenset(key for one in declared for key in one.keys),
    )
