"""Workspaces: the code of one side with the checks of a side, in a folder from which a run can be made.

Scenarios, machines, fixtures and what beside a kit judges are the checks; everything else is the code. Swapping one
against the other side's is what the cells of evidence are made of.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path

from marg_harness.evidence.git import check_out, commit_of, contents_at, contents_now, files_now

CHECK_PATTERNS = (
    "*.scenario.yaml",
    "*.scenario.yml",
    "*.machine.yaml",
    "*.machine.yml",
    "*.fixtures.yaml",
    "*.fixtures.yml",
)
"""File names of what a check is made of."""

KIT_CHECKS = ("checks.py", "contract.yaml", "contract.yml")
"""Beside a `kit.py`, these are checks too: what `custom` calls, and what a backend is held against."""


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """A folder that is laid out like the repository. commit: of its code. key: the digest of what is in it."""

    root: Path
    repository: Path
    commit: str
    key: str

    def place(self, path: Path) -> Path:
        """Where a path of the repository lies in this workspace."""
        return self.root / path.resolve().relative_to(self.repository)

    def environment(self, environ: Mapping[str, str] = os.environ, path: Sequence[str] = ()) -> dict[str, str]:
        """The environment of a run here: whatever was imported from the repository is imported from this folder.

        path: the import path to carry over, by default this process's own.
        """
        inside = [self._moved(entry) for entry in (path or sys.path)]
        kept = [entry for entry in inside if entry is not None]
        return {**environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(kept)), "PYTHONDONTWRITEBYTECODE": "1"}

    def _moved(self, entry: str) -> str | None:
        folder = Path(entry or ".").resolve()
        if not folder.is_relative_to(self.repository) or _is_environment(folder, self.repository):
            return None
        return str(self.root / folder.relative_to(self.repository))


def head_workspace(repository: Path) -> Workspace:
    """The working tree as it is, committed or not: nothing is copied."""
    return _in_place(repository, commit=commit_of(repository), key=content_key(contents_now(repository)))


def mixed_workspace(
    repository: Path, *, base: str, code: str, checks: str, cache: Path, judges: str | None = None
) -> Workspace:
    """The code and the checks of the sides named, each `head` or `base`; made once and kept by content.

    Where that comes to what the working tree has anyway, as when only the code or only the checks were changed, it is
    the working tree: the same content is the same evidence. base: the base's commit. judges: the side of the checks
    that are code, where it is not that of the others. cache: the folder in which workspaces are kept. Raises UsageError
    where git fails.
    """
    judges = judges or checks
    sides = {"head": contents_now(repository), "base": contents_at(repository, base)}
    key = content_key(_mixed(sides[code], sides[checks], sides[judges]))
    commit = base if code == "base" else commit_of(repository)
    if key == content_key(sides["head"]):
        return _in_place(repository, commit=commit, key=key)
    root = cache / key
    if not root.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{key}.", dir=cache))
        try:
            _lay_out(repository, base=base, sides=(code, checks, judges), into=fresh)
            os.replace(fresh, root)
        except OSError:
            if not root.is_dir():  # else another run has made the same one meanwhile
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return Workspace(root=root, repository=repository, commit=commit, key=key)


def _in_place(repository: Path, *, commit: str, key: str) -> Workspace:
    return Workspace(root=repository, repository=repository, commit=commit, key=key)


def _mixed(code: Mapping[str, str], checks: Mapping[str, str], judges: Mapping[str, str]) -> dict[str, str]:
    """What is in a folder with the code of one side and the checks of others: content ids by path."""
    kept = code.keys() - checks_among(code)
    written = {path: checks[path] for path in checks_among(checks) - judges_among(checks)}
    judging = {path: judges[path] for path in judges_among(judges)}
    return {**{path: code[path] for path in kept}, **written, **judging}


def checks_among(paths: Collection[str]) -> frozenset[str]:
    """The files that belong to the checks, of all files of a side."""
    return frozenset(path for path in paths if is_check(path)) | judges_among(paths)


def judges_among(paths: Collection[str]) -> frozenset[str]:
    """Those of them that are a kit's own: the code that judges, and what it judges by."""
    kits = {path.removesuffix("kit.py") for path in paths if path.rpartition("/")[2] == "kit.py"}
    beside = {folder + name for folder in kits for name in KIT_CHECKS}
    return frozenset(path for path in paths if path in beside and not is_check(path))


def is_check(path: str) -> bool:
    """Whether a file belongs to the checks wherever it lies."""
    name = path.rpartition("/")[2]
    return any(fnmatch(name, pattern) for pattern in CHECK_PATTERNS)


def _lay_out(repository: Path, *, base: str, sides: tuple[str, str, str], into: Path) -> None:
    code, checks, judges = sides
    _lay_side(repository, base if code == "base" else None, into)
    if checks != code:
        _take_over(
            repository, base=base, side=checks, among=lambda paths: checks_among(paths) - judges_among(paths), into=into
        )
    if judges != code:
        _take_over(repository, base=base, side=judges, among=judges_among, into=into)


def _take_over(
    repository: Path, *, base: str, side: str, among: Callable[[Collection[str]], frozenset[str]], into: Path
) -> None:
    """Put those files of another side in the place of this one's."""
    for path in among(_files_below(into)):
        (into / path).unlink()
    with tempfile.TemporaryDirectory(prefix=f"{into.name}.", dir=into.parent) as beside:
        other = Path(beside) / "side"
        _lay_side(repository, base if side == "base" else None, other)
        _copy(other, among(_files_below(other)), into)


def _lay_side(repository: Path, base: str | None, into: Path) -> None:
    """All files of the base's commit, or, without one, of the working tree."""
    if base is not None:
        check_out(repository, base, into)
    else:
        _copy(repository, files_now(repository), into)


def _copy(repository: Path, paths: Iterable[str], into: Path) -> None:
    for path in paths:
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(repository / path, target)


def _files_below(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]


def content_key(contents: Mapping[str, str]) -> str:
    """The key of a workspace with these files: content ids by path."""
    return sha256(
        "".join(f"{path}\0{contents[path]}\0" for path in sorted(contents)).encode("utf-8", "surrogateescape")
    ).hexdigest()[:20]


def _is_environment(folder: Path, repository: Path) -> bool:
    """Whether a folder belongs to a virtual environment that happens to lie in the repository."""
    return any(
        (parent / "pyvenv.cfg").is_file() for parent in (folder, *folder.parents) if parent.is_relative_to(repository)
    )
