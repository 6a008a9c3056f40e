"""Exploration: every interleaving of acts, misbehaviour and failure, judged by an oracle of its own."""

from marg_runtime.explore.explorer import explore
from marg_runtime.explore.move import Move
from marg_runtime.explore.oracle import Oracle
from marg_runtime.explore.record import Decisions, Exploration, Found
from marg_runtime.explore.violation import Violation
from marg_runtime.explore.words import Words
from marg_runtime.explore.world import World

__all__ = ["Decisions", "Exploration", "Found", "Move", "Oracle", "Violation", "Words", "World", "explore"]
