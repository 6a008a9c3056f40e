"""A kit: what a scenario needs of a domain: the domain, a backend of its own, and the machine that plays the model."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Protocol

from marg_runtime.domain import Domain
from marg_scenarios.errors import KitError


class Backend(Protocol):
    """A backend for one conversation, in the state in which every scenario finds it."""

    @property
    def sources(self) -> Mapping[str, Any]:
        """Its tool servers by name, each as `marg_runtime.tools.mcp.McpTools` takes one."""
        ...

    def writes(self) -> int:
        """How many writes the backend itself counts."""
        ...

    def close(self) -> None:
        """Give up what it holds."""
        ...


@dataclass(frozen=True, kw_only=True)
class Kit:
    """A domain ready to be replayed.

    backend: makes a fresh one. machine: the file of the mock machine. scenarios: the folder of the domain's scenarios.
    """

    domain: Domain
    backend: Callable[[], Backend]
    machine: Path
    scenarios: Path


SHIPPED_KITS = {"support_intake": "marg_scenarios.support_intake.kit:KIT"}


def find_kit(name: str, *, beside: Path | None = None) -> Kit:
    """The kit of a shipped domain's name, or of `package.module:attribute`.

    A module is looked for where Python looks, then in the present folder and in `beside`, the scenario's own.
    Raises KitError, with the nearest known name.
    """
    target = SHIPPED_KITS.get(name, name)
    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        near = get_close_matches(name, SHIPPED_KITS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"shipped: {', '.join(SHIPPED_KITS)}"
        raise KitError(f"no domain {name!r}; {hint} A domain of your own is named 'package.module:attribute'.")
    found = getattr(_module(module_name, name=name, beside=beside), attribute, None)
    if not isinstance(found, Kit):
        raise KitError(f"domain {name!r}: {attribute!r} in {module_name!r} is {found!r}, not a marg_scenarios Kit")
    return found


def _module(module_name: str, *, name: str, beside: Path | None) -> object:
    extra = [str(folder) for folder in (Path.cwd(), beside) if folder is not None]
    before = list(sys.path)
    sys.path.extend(folder for folder in extra if folder not in before)
    try:
        module = importlib.import_module(module_name)
        _check_origin(module_name, name=name)
        return module
    except ModuleNotFoundError as error:
        raise KitError(
            f"domain {name!r}: no module {error.name!r}; looked where Python looks and in {', '.join(extra)}"
        ) from error
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        raise KitError(
            f"domain {name!r}: its module raised {type(error).__name__}: {error} at {frame.filename}:{frame.lineno}"
        ) from error
    finally:
        sys.path[:] = before


def _check_origin(module_name: str, *, name: str) -> None:
    """Two folders with a module of one name: Python hands out whichever was imported first, without a word."""
    top = module_name.partition(".")[0]
    loaded, fresh = sys.modules[top].__spec__, PathFinder.find_spec(top)
    if loaded and fresh and loaded.origin and fresh.origin and loaded.origin != fresh.origin:
        raise KitError(
            f"domain {name!r}: {top!r} is already imported from {loaded.origin!r}, and {fresh.origin!r} has the same "
            "name; rename one of them"
        )
