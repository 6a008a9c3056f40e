"""A test case of any runner: its name, how it ended, and what kind of failure it was, without its message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Status = Literal["passed", "failed", "error", "skipped"]


@dataclass(frozen=True, kw_only=True)
class ForeignCase:
    """One case of one run. suite, name: as the runner names them.

    kind: the failure's type, such as an exception's name. text: what was printed; it is shown and never evidence.
    """

    suite: str
    name: str
    status: Status
    path: str = ""
    line: int = 0
    kind: str = ""
    text: str = ""

    @property
    def id(self) -> str:
        """What joins a case across runs."""
        return f"{self.suite}::{self.name}"

    @property
    def signature(self) -> str:
        """Whether two failures are the same one, as far as can be told without reading what they say."""
        return f"{self.status} {self.kind}".strip()

    @property
    def is_red(self) -> bool:
        """Whether it failed; an error before or after the test counts too."""
        return self.status in ("failed", "error")


ForeignRun: TypeAlias = Mapping[str, ForeignCase]
"""A run's cases by id."""
