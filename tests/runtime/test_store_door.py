"""The door of the stores: a URL in, a store out, and words for whoever has not what it needs."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")


from marg_runtime.errors import UsageError
from marg_runtime.store import MemoryStore, Store, open_store
from marg_runtime.store.sql import SqlStore


def opened(url: str) -> Store:
    async def play() -> Store:
        store = await open_store(url)
        await store.close()
        return store

    return asyncio.run(play())


def test_memory_is_a_store_of_this_process() -> None:
    assert isinstance(opened("memory:"), MemoryStore)


def test_a_file_is_a_store_in_sql(tmp_path: Path) -> None:
    assert isinstance(opened(f"sqlite:///{tmp_path / 'store.db'}"), SqlStore)
    assert (tmp_path / "store.db").is_file()


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("marg_runtime.store.sql")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(UsageError, match=r"no module 'sqlalchemy': .* pip install 'marg\[serve\]'"):
        opened("sqlite://")
