"""What others would say of the same reds: each a function over what a CI log, reruns, the base and a history show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from benchmarks.reds.case import RedCase

Baseline: TypeAlias = Callable[[Sequence[RedCase]], Sequence[str]]
"""Gives a class for each red, in order."""

BASELINES: Mapping[str, Baseline] = {}
"""The baselines by name, in the order in which they are printed."""
