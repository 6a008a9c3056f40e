"""The files that a command of `marg scenario` is about."""

from __future__ import annotations

from pathlib import Path

from marg_runtime.errors import UsageError
from marg_scenarios import find_kit, find_scenarios
from marg_scenarios.kit_finder import SHIPPED_KITS


def scenario_files(paths: tuple[str, ...]) -> tuple[Path, ...]:
    """The scenario files of paths and shipped domains, each once, in order; raises UsageError where there is none."""
    found = {file.resolve(): file for path in paths or (".",) for file in find_scenarios(place_of(path))}
    return tuple(found.values())


def place_of(path: str) -> Path:
    """A path, or the scenarios of a domain where no file or folder has that name."""
    if Path(path).exists():
        return Path(path)
    if path in SHIPPED_KITS or ":" in path:
        return find_kit(path, beside=Path.cwd()).scenarios
    raise UsageError(
        f"{path!r} is neither a file nor a folder, nor a shipped domain ({', '.join(SHIPPED_KITS)}); check the path."
    )
