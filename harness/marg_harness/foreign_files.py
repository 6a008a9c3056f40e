"""Reports of other runners on disk: a file, or a folder in which a runner wrote one a suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from marg_harness.paths import shown_path
from marg_reports.foreign import HEAD_BYTES, ForeignCase, ForeignRun, RunKind, dialect_of, foreign_run
from marg_runtime.errors import UsageError

SUFFIXES = (".xml", ".json", ".jsonl")
_SOURCES = ("{}", "src/{}", "test/{}", "tests/{}", "src/test/java/{}", "src/test/kotlin/{}")


@dataclass(frozen=True, kw_only=True)
class ForeignFile:
    """A run that was read. name: its path, as it is shown. digest: of its bytes."""

    name: str
    run: ForeignRun
    digest: str


def is_foreign(path: Path) -> bool:
    """Whether a path is another runner's report, or a folder with such ones, by what is in it."""
    return any(dialect_of(_head(file)) is not None for file in _files(path))


def read_foreign(path: Path) -> ForeignFile:
    """The run of a report, or of a folder of reports. Raises UsageError for what is none."""
    files = _files(path)
    name = shown_path(path)
    if not files:
        what = f"holds no report ({', '.join(SUFFIXES)})" if path.is_dir() else "is not there"
        raise UsageError(f"{name!r} {what}; name a report of JUnit XML, CTRF or pytest's report log")
    found: dict[str, ForeignCase] = {}
    digest = sha256()
    for file in files:
        data = _data(file)
        digest.update(data)
        run = foreign_run(data, name=shown_path(file))
        twice = next((identity for identity in run if identity in found), None)
        if twice is not None:
            raise UsageError(f"{shown_path(file)}: {twice!r} stands in another file of the folder too; name one run's")
        found |= run
    return ForeignFile(name=name, run=found, digest=digest.hexdigest())


def check_apart(head: ForeignFile, others: Mapping[RunKind, Iterable[ForeignFile]]) -> None:
    """Raise UsageError for a report that is given twice, and for one that has no case of the head's."""
    seen = {head.digest: head.name}
    for files in others.values():
        for file in files:
            if file.digest in seen:
                raise UsageError(
                    f"{file.name!r} is the same report as {seen[file.digest]!r}: one run counts once; name another"
                )
            seen[file.digest] = file.name
            if not file.run.keys() & head.run.keys():
                raise UsageError(
                    f"none of the {len(file.run)} cases of {file.name!r} is in {head.name!r}; such as "
                    f"{next(iter(file.run))!r}; name a report that the same runner wrote of the same tests"
                )


def check_same(head: ForeignFile, base: Iterable[ForeignFile]) -> None:
    """Raise UsageError where the tests are stated to be the same and a base has one that the head has not, of a suite
    that the head ran to its end."""
    broken = {case.suite or case.name for case in head.run.values() if case.status == "error"}
    suites = {case.suite for case in head.run.values()} - broken
    for file in base:
        gone = next((name for name, case in file.run.items() if case.suite in suites and name not in head.run), None)
        if gone is not None:
            raise UsageError(
                f"--same-checks: {gone!r} is in {file.name!r} and not in {head.name!r}, so the tests are not the same; "
                "run these tests on the base's code, and name that report with --base-code"
            )


def placed(run: ForeignRun, *, root: Path) -> ForeignRun:
    """The run with the files of its reds as paths from `root`, where they are found there."""
    return {
        name: replace(case, path=_found(case.path, case.suite, root)) if case.is_red else case
        for name, case in run.items()
    }


@lru_cache(maxsize=10_000)
def _found(named: str, suite: str, root: Path) -> str:
    """The file of a case: as it is named, else by the dots of its suite."""
    path = Path(named)
    if path.is_absolute() and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    if named and (root / path).is_file():
        return path.as_posix()
    parts = suite.split("$")[0].split(".")
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        for source in _SOURCES:
            for suffix in (".py", ".java", ".kt"):
                guess = source.format(stem + suffix)
                if (root / guess).is_file():
                    return guess
    return named


def _files(path: Path) -> tuple[Path, ...]:
    if path.is_dir():
        return tuple(sorted(file for file in path.iterdir() if file.suffix in SUFFIXES and file.is_file()))
    return (path,) if path.is_file() else ()


def _head(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(HEAD_BYTES)
    except OSError:
        return b""


def _data(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown_path(file)!r} cannot be read: {error.strerror or error}; check the path") from error
