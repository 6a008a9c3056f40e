"""The pytest plugin: collects `*.scenario.yaml`, one item a scenario.

It is loaded in every pytest run of a user's, so it imports nothing but pytest until a scenario's file is met.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

ITEMS = "marg_harness.pytest_items"
SUFFIX = ".scenario.yaml"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a scenario's file, None for any other file."""
    if not file_path.name.endswith(SUFFIX):
        return None
    collector: pytest.Collector = import_module(ITEMS).ScenarioFile.from_parent(parent, path=file_path)
    return collector
