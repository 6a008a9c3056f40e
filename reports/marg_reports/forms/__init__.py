"""Meaning-preserving forms of what a check saw, each declared by the check, and meaning-changing mutants of it."""

from marg_reports.forms.declared import DeclaredForm, declared_form
from marg_reports.forms.form import FORM_NAMES, Form, FormName, identity
from marg_reports.forms.forms import canonical, form_of
from marg_reports.forms.mutants import Mutant, mutants

__all__ = [
    "FORM_NAMES",
    "DeclaredForm",
    "Form",
    "FormName",
    "Mutant",
    "canonical",
    "declared_form",
    "form_of",
    "identity",
    "mutants",
]
