"""Expectations re-recorded: what a red's check saw becomes what it expects, in the text of the scenario's file."""

from marg_harness.update.apply import diff_of, stands, texts_of
from marg_harness.update.plan import Change, Left, Plan, plan_of

__all__ = ["Change", "Left", "Plan", "diff_of", "plan_of", "stands", "texts_of"]
