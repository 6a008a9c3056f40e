"""A planted fault: one line of the runtime, in other words."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime"
FAULTS = Path(__file__).with_name("faults.toml")
KEYS = {"name", "rule", "file", "old", "new", "scenarios", "survives"}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A fault. `file` is counted from the folder `runtime`; `old` stands in it exactly once.

    rule: what the line holds. scenarios: those that are expected to turn red, by the names of their files.
    survives: why none does, where that is known and no fault of the suite's.
    """

    name: str
    rule: str
    file: str
    old: str
    new: str
    scenarios: tuple[str, ...]
    survives: str = ""

    @property
    def path(self) -> Path:
        """The file in the working tree."""
        return RUNTIME / self.file

    def planted(self, source: str) -> str:
        """A source with the fault in it. Raises ValueError where the old text does not stand in it exactly once."""
        found = source.count(self.old)
        if found != 1:
            raise ValueError(f"fault {self.name!r}: {self.old!r} stands {found} times in {self.file!r}, not once")
        return source.replace(self.old, self.new)


def load_faults(path: Path = FAULTS) -> tuple[Fault, ...]:
    """All faults, in the order of the file. Raises ValueError for an unknown key and for a name that comes twice."""
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    faults = []
    for entry in entries:
        unknown = sorted(set(entry) - KEYS)
        if unknown:
            raise ValueError(f"{path.name}: the fault {entry.get('name')!r} has the unknown key {unknown[0]!r}")
        faults.append(Fault(**{**entry, "scenarios": tuple(entry.get("scenarios", ()))}))
    names = [fault.name for fault in faults]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{path.name}: two faults are called {name!r}; rename one")
    return tuple(faults)
