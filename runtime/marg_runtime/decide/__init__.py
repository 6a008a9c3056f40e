"""The pure core: `decide(state, act or result) -> events, effects`. No clock, no randomness, no I/O."""

from marg_runtime.decide.book import Decision
from marg_runtime.decide.decision import decide

__all__ = ["Decision", "decide"]
