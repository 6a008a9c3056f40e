"""Opening a store by its URL."""

from __future__ import annotations

from importlib import import_module

from marg_runtime.errors import UsageError
from marg_runtime.store.memory import MemoryStore
from marg_runtime.store.store import Store

IN_MEMORY = "memory:"


async def open_store(url: str) -> Store:
    """The store of a URL: `sqlite:///FILE`, `postgresql://USER:PASSWORD@HOST/DATABASE`, or `memory:`.

    Close it when done. Raises UsageError for a URL of another kind or where the extra `serve` is missing, StoreError
    where the database cannot be opened.
    """
    if url == IN_MEMORY:
        return MemoryStore()
    try:
        sql = import_module("marg_runtime.store.sql")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"no module {error.name!r}: a store in a database needs the extra serve: pip install 'marg[serve]'"
        ) from None
    store: Store = await sql.SqlStore.open(url)
    return store
