"""Imports of much at once. It comes before all else of Marg, so it rests the collector by itself."""

from __future__ import annotations

import gc
from importlib import import_module
from types import ModuleType


def imported(name: str) -> ModuleType:
    """Import a module and all that it needs, without the collector: imports make much and leave no garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        if was_on:
            gc.enable()
