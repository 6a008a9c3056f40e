"""Coverage: which steps, blocks, options, gate layers, tools, states and transitions the scenarios use."""

from marg_harness.coverage.coverage import Coverage, coverage_of
from marg_harness.coverage.item import Item, ItemKind

__all__ = ["Coverage", "Item", "ItemKind", "coverage_of"]
