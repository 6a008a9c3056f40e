"""The pytest plugin: collects `*.scenario.yaml`, one item a scenario or row, with its tags as markers.

It is loaded in every pytest run of a user's, so it imports nothing but pytest until a scenario's file is met.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

ITEMS = "marg_harness.pytest_items"
SUFFIX = ".scenario.yaml"
MARKER = "marg"
SEED = "--marg-seed"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the seed of the mock model's slips."""
    group = parser.getgroup("marg", "scenarios of marg")
    group.addoption(SEED, type=int, default=0, metavar="N", help="The seed of the mock model's slips (default: 0).")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker that every scenario has; those of the tags follow as they are met."""
    config.addinivalue_line("markers", f"{MARKER}: a scenario of marg's, replayed with no key, no network and no write")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a scenario's file, None for any other file."""
    if not file_path.name.endswith(SUFFIX):
        return None
    collector: pytest.Collector = import_module(ITEMS).ScenarioFile.from_parent(parent, path=file_path)
    return collector
