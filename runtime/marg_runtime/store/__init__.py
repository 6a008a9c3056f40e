"""Where ledgers are kept: the interface, the store in memory, and the door to the one in SQL."""

from marg_runtime.store.door import open_store
from marg_runtime.store.memory import MemoryStore
from marg_runtime.store.store import Lease, Snapshot, Store, StoredSession

__all__ = ["Lease", "MemoryStore", "Snapshot", "Store", "StoredSession", "open_store"]
