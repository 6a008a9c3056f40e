"""Where ledgers are kept: the interface, and the one in memory."""

from marg_runtime.store.memory import MemoryStore
from marg_runtime.store.store import Store

__all__ = ["MemoryStore", "Store"]
