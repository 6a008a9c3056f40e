"""A test case of any runner: its name, how it ended, and where and as what it failed, without its message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Status = Literal["passed", "failed", "error", "skipped"]
Dialect = Literal["JUnit", "CTRF", "report log"]


@dataclass(frozen=True, kw_only=True)
class ForeignCase:
    """One case of one run. suite, name: as the runner names them.

    kind: the failure's type, such as an exception's name. at: the frames of the stack that lie in the test's own file,
    and the file that it was raised in. message, text: what was said, in short and in full;
    both are shown and never evidence. path, line: where it
    stands. failed_before: how many attempts failed before this last one. collects: the suite whose tests could not even
    be found, where that is what failed.
    """

    suite: str
    name: str
    status: Status
    path: str = ""
    line: int = 0
    kind: str = ""
    at: str = ""
    message: str = ""
    text: str = ""
    failed_before: int = 0
    collects: str = ""

    @property
    def id(self) -> str:
        """What joins a case across runs."""
        return f"{self.suite}::{self.name}" if self.suite else self.name

    @property
    def signature(self) -> str:
        """Whether two failures are the same one, as far as can be told without reading what they say."""
        return " ".join(part for part in (self.status, self.kind, self.at) if part)

    @property
    def is_placed(self) -> bool:
        """Whether it is known where it failed; else two failures of one type cannot be told apart."""
        return bool(self.at)

    @property
    def is_red(self) -> bool:
        """Whether it failed; an error before or after the test counts too."""
        return self.status in ("failed", "error")


ForeignRun: TypeAlias = Mapping[str, ForeignCase]
"""A run's cases by id."""


def run_of(cases: list[ForeignCase]) -> dict[str, ForeignCase]:
    """The cases by id, in their order. Several of one name are several cases: none may hide another's failure."""
    found: dict[str, ForeignCase] = {}
    seen: dict[str, int] = {}
    for case in cases:
        seen[case.id] = number = seen.get(case.id, 0) + 1
        found[case.id if number == 1 else f"{case.id} #{number}"] = case
    return found
