"""Checks: one assertion each on a turn, with an owner and a stable id."""

from marg_scenarios.checks.check import Check, Owner, Verdict
from marg_scenarios.checks.expectations import checks_of

__all__ = ["Check", "Owner", "Verdict", "checks_of"]
