"""Which files scenarios depend on, and which of them changed, by the times of their last change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from marg_mock_model import read_document
from marg_runtime.errors import UsageError
from marg_scenarios import find_scenarios, load_scenarios
from marg_scenarios.expansion import included

PYTHON = ".py"
NOT_LOOKED_INTO = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"})

Stamp = tuple[int, int]
"""A file's time of change in nanoseconds, and its size in bytes."""


class Watcher:
    """Looks at the files of the scenarios in some places, of what they depend on, and of Python below a folder.

    root: that folder. A scenario is read again only where its file, or one that it depends on, has changed.
    """

    def __init__(self, places: Sequence[Path], *, root: Path) -> None:
        self._places = tuple(places)
        self._root = root
        self._others: dict[Path, frozenset[Path]] = {}
        self._stamps: Mapping[Path, Stamp] = {}
        self.look()

    @property
    def files(self) -> frozenset[Path]:
        """All files that were there at the last look."""
        return frozenset(self._stamps)

    def look(self) -> Changed:
        """What has changed since the last look, and which scenarios that affects."""
        found, python = self._scenarios(), frozenset(_python(self._root))
        known = {file: self._others[file] for file in found if file in self._others}
        others = frozenset(file for files in known.values() for file in files)
        changed = changes(self._stamps, stamps({*found, *others, *python, *self._others}))
        affected = found if any(file.suffix == PYTHON for file in changed) else self._affected(found, known, changed)
        self._others = {file: _others(file) if file in affected else known[file] for file in found}
        following = frozenset(file for files in self._others.values() for file in files)
        self._stamps = stamps({*found, *following, *python})
        return Changed(files=changed, scenarios=tuple(affected))

    def _affected(
        self, found: Sequence[Path], known: Mapping[Path, frozenset[Path]], changed: frozenset[Path]
    ) -> Sequence[Path]:
        return [file for file in found if file not in known or file in changed or known[file] & changed]

    def _scenarios(self) -> Sequence[Path]:
        files: dict[Path, None] = {}
        for place in self._places:
            try:
                files |= dict.fromkeys(file.resolve() for file in find_scenarios(place))
            except UsageError:
                continue  # the last one was just taken away
        return tuple(files)


@dataclass(frozen=True, kw_only=True)
class Changed:
    """Files that changed, and the scenarios that are to be replayed again."""

    files: frozenset[Path]
    scenarios: tuple[Path, ...]


def stamps(files: Iterable[Path]) -> Mapping[Path, Stamp]:
    """The stamp of every file that is there."""
    found: dict[Path, Stamp] = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        found[file] = (status.st_mtime_ns, status.st_size)
    return found


def changes(before: Mapping[Path, Stamp], after: Mapping[Path, Stamp]) -> frozenset[Path]:
    """The files that are new, gone, or other than before."""
    return frozenset(file for file in {*before, *after} if before.get(file) != after.get(file))


def _others(file: Path) -> frozenset[Path]:
    """The fixtures and the machine of a file; as many as can be told where it does not load."""
    found: set[Path] = set()
    try:
        found |= {one.resolve() for one in included(read_document(file))}
        found |= {Path(scenario.machine.path).resolve() for scenario in load_scenarios(file)}
    except UsageError:
        pass
    return frozenset(found)


def _python(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NOT_LOOKED_INTO]
        yield from (Path(folder, name).resolve() for name in names if name.endswith(PYTHON))
