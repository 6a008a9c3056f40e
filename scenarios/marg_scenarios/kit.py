"""A kit: what a scenario needs of a domain: the domain, a backend of its own, and the machine that plays the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_scenarios.checks.custom import CustomLook


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
    checks: checks of its own, by the name under which `custom` calls them.
    dev: the backend is one for development, which `marg probe` may write to. record: a known-good record of it, the
    arguments of the write tool. contract: the file that says what the backend enforces, written by `marg probe`.
    excused: what its scenarios need not cover, as `marg replay --coverage` names it, and why.
    """

    domain: Domain
    backend: Callable[[], Backend]
    machine: Path
    scenarios: Path
    checks: Mapping[str, CustomLook] = field(default_factory=dict)
    dev: bool = False
    record: Mapping[str, Json] = field(default_factory=dict)
    contract: Path | None = None
    excused: Mapping[str, str] = field(default_factory=dict)
