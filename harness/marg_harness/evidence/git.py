"""The few questions that the triage asks of git. The repository itself is only read, never checked out or changed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from hashlib import sha1
from pathlib import Path

from marg_runtime.errors import UsageError

GIT_SECONDS = 120


def git(repository: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> str:
    """What a git command prints; raises UsageError with git's own words where it fails or there is no git."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", **(environ or {})}
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *arguments],
            capture_output=True,
            text=True,
            errors="surrogateescape",
            env=environment,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"git {arguments[0]} could not be run in {str(repository)!r}: {error}") from error
    if done.returncode:
        said = done.stderr.strip() or f"exit code {done.returncode}"
        raise UsageError(f"git {' '.join(arguments)} failed in {str(repository)!r}: {said}")
    return done.stdout


def repository_of(path: Path) -> Path:
    """The root of the working tree that a path lies in; raises UsageError where it lies in none."""
    folder = path if path.is_dir() else path.parent
    return Path(git(folder, "rev-parse", "--show-toplevel").strip()).resolve()


def merge_base(repository: Path, base: str) -> str:
    """The commit at which the head left `base`: a base's tip may hold changes that this head never saw.

    Raises UsageError where there is none, as in a shallow clone, and says what to fetch.
    """
    try:
        return git(repository, "merge-base", "HEAD", base).strip()
    except UsageError as error:
        shallow = git(repository, "rev-parse", "--is-shallow-repository").strip() == "true"
        more = "; this clone is shallow: git fetch --unshallow" if shallow else ""
        raise UsageError(f"no merge base of HEAD and {base!r}{more} ({error})") from error


def commit_of(repository: Path, revision: str = "HEAD") -> str:
    """The commit's full hash."""
    return git(repository, "rev-parse", "--verify", f"{revision}^{{commit}}").strip()


def changed(repository: Path) -> bool:
    """Whether the working tree differs from its HEAD, untracked files included."""
    return bool(git(repository, "status", "--porcelain").strip())


def files_now(repository: Path) -> tuple[str, ...]:
    """The files of the working tree that git would take: the tracked that are there, the untracked not ignored."""
    listed = git(repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")[:-1]
    return tuple(sorted({name for name in listed if (repository / name).is_file()}))


def contents_at(repository: Path, revision: str) -> dict[str, str]:
    """The content ids of the files of a revision, by path. A submodule has none: what is in it is not this commit's."""
    listed = git(repository, "ls-tree", "-r", "-z", revision).split("\0")[:-1]
    entries = [line.partition("\t") for line in listed]
    return {path: head.split()[2] for head, _, path in entries if head.split()[1] == "blob"}


def contents_now(repository: Path) -> dict[str, str]:
    """The content ids of the files of the working tree, by path: those that git gives to the same bytes."""
    return contents_of(repository, files_now(repository))


def contents_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The content ids of files in a folder, by path."""
    return {name: _content_id((folder / name).read_bytes()) for name in names}


def _content_id(content: bytes) -> str:
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def check_out(repository: Path, revision: str, into: Path) -> None:
    """The files of a revision in a folder of their own, with an index of its own beside them."""
    index = into.with_name(f"{into.name}.index")
    environ = {"GIT_INDEX_FILE": str(index)}
    try:
        git(repository, "read-tree", revision, environ=environ)
        git(repository, "checkout-index", "--all", f"--prefix={into}/", environ=environ)
    finally:
        index.unlink(missing_ok=True)
