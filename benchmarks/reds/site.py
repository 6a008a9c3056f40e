"""Where a kind happens: a repository with a base and a head, made anew for it, and the same without the fault."""

from __future__ import annotations

import compileall
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.reds.kind import Kind, Patch
from marg_harness.evidence.git import commit_of, contents_of, git
from marg_harness.evidence.workspace import Workspace, content_key
from marg_runtime.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("runtime/marg_runtime", "scenarios/marg_scenarios")
SOURCES = ("runtime", "scenarios")
"""The folders of the repository that modules are imported from."""

SCENARIO = ".scenario.yaml"
_COMMIT = ("-c", "user.name=bench", "-c", "user.email=bench@example.test", "-c", "commit.gpgsign=false", "commit")


@dataclass(frozen=True, kw_only=True)
class Site:
    """The repository of a kind: `trunk` with the base, checked out is the head. sound: the head without the fault."""

    repository: Path
    kind: Kind
    base: str
    sound: Workspace

    @property
    def files(self) -> tuple[str, ...]:
        """The scenarios' files, from the repository's root."""
        return tuple(str(target_scenario(self.kind.domain, name)) for name in self.kind.scenarios)

    @property
    def path(self) -> tuple[str, ...]:
        """What is imported from it."""
        return tuple(str(self.repository / source) for source in SOURCES)


def make_pristine(folder: Path) -> Path:
    """A repository with the runtime and the scenarios as they are, in one commit; what all sites begin as."""
    folder.mkdir(parents=True)
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / ".gitignore").write_text(".marg/\n__pycache__/\n", encoding="utf-8")
    git(folder, "init", "--quiet", "--initial-branch=trunk")
    _commit(folder, "start")
    # A copy keeps the times of change, so what is compiled here need not be in every copy.
    for source in SOURCES:
        compileall.compile_dir(folder / source, quiet=2)
    return folder


def make_site(kind: Kind, *, pristine: Path, folder: Path) -> Site:
    """Make the repository of a kind. Raises UsageError where a patch finds nothing to change."""
    shutil.rmtree(folder, ignore_errors=True)  # of an earlier run that was to be kept
    repository = folder / "repository"
    shutil.copytree(pristine, repository, symlinks=True)
    _apply(kind, repository, lambda patch: patch.on == "start")
    _commit(repository, "start")
    _apply(kind, repository, lambda patch: patch.on in ("base", "both"))
    base = _commit(repository, "base")
    git(repository, "checkout", "--quiet", "-b", "change")
    # What only the base has is undone: the head goes on from what was before it.
    undone = {target_of(kind, patch, patch.file) for patch in kind.patches if patch.on == "base"}
    for path in sorted(undone):
        git(repository, "checkout", "--quiet", "trunk~1", "--", path.as_posix())
    _apply(kind, repository, lambda patch: patch.on == "both" and target_of(kind, patch, patch.file) in undone)
    _apply(kind, repository, lambda patch: patch.on == "head")
    _commit(repository, "head")
    return Site(repository=repository, kind=kind, base=base, sound=_sound(kind, pristine, repository, folder))


def _sound(kind: Kind, pristine: Path, repository: Path, folder: Path) -> Workspace:
    """The head without the fault, laid out like the repository; where that is the start, it is kept once for all."""
    supporting = [patch for patch in kind.patches if not patch.fault and patch.on != "base"]
    root = folder / "sound" if supporting else pristine
    if supporting:
        shutil.copytree(pristine, root, ignore=shutil.ignore_patterns(".git"))
        _apply(kind, root, lambda patch: patch in supporting)
    names = [".gitignore", *(path.relative_to(root).as_posix() for path in _sources(root))]
    key = content_key(contents_of(root, names))
    return Workspace(root=root, repository=repository, commit=commit_of(repository), key=key)


def _sources(root: Path) -> list[Path]:
    found = (path for source in SOURCES for path in (root / source).rglob("*"))
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


def _apply(kind: Kind, root: Path, chosen: Callable[[Patch], bool]) -> None:
    for patch in kind.patches:
        if not chosen(patch):
            continue
        for name in _names(kind, patch):
            path = root / target_of(kind, patch, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if patch.write is None and not path.is_file():
                raise UsageError(f"{patch.place}: there is no file {path.relative_to(root).as_posix()!r}")
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            path.write_text(patch.applied(text), encoding="utf-8", newline="")


def _names(kind: Kind, patch: Patch) -> Iterable[str]:
    return kind.scenarios if patch.file == "*" else (patch.file,)


def target_of(kind: Kind, patch: Patch, name: str) -> Path:
    """The file that a patch changes, from the root of the repository. name: of it, where the patch names several."""
    domain = target_folder(kind.domain)
    match patch.of:
        case "runtime":
            return Path("runtime") / name
        case "kit":
            return domain / name
        case "scenario":
            return target_scenario(kind.domain, name)
        case "machine":
            return domain / (name or f"{kind.domain}.machine.yaml")
        case "fixtures":
            return domain / "scenarios" / name


def target_folder(domain: str) -> Path:
    """The folder of a domain, from the root of the repository."""
    return Path("scenarios/marg_scenarios") / domain


def target_scenario(domain: str, name: str) -> Path:
    """The file of a domain's scenario."""
    return target_folder(domain) / "scenarios" / f"{name}{SCENARIO}"


def _commit(repository: Path, message: str) -> str:
    git(repository, "add", "--all")
    git(repository, *_COMMIT, "--quiet", "--allow-empty", "-m", message)
    return commit_of(repository)
