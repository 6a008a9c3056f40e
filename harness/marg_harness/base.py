"""The base of a triage: the merge base of HEAD and a revision, or why there is none and what fetches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from marg_harness.evidence.git import commit_of, git, merge_base
from marg_reports.report import TriagedRed, TriageReport
from marg_runtime.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Base:
    """What to compare with. commit: None where there is none; then `reason` says why, where one was asked for, and
    `command` what to run instead, where a clone without its history is all that keeps it away."""

    commit: str | None = None
    reason: str = ""
    command: str = ""


def base_of(repository: Path, revisions: Sequence[str], *, run: str) -> Base:
    """The base that was asked for; no revision asks for none. run: the record's file, for the command.

    A shallow clone, as CI makes them, may know neither the revision nor where HEAD left it: that is no wrong input.
    Raises UsageError for several revisions, and, where the whole history is there, for one that there is not.
    """
    if not revisions:
        return Base()
    if len(revisions) > 1:
        raise UsageError(
            f"--base is given {len(revisions)} times ({', '.join(revisions)}); a run has one base; name it"
        )
    revision = revisions[0]
    shallow = git(repository, "rev-parse", "--is-shallow-repository").strip() == "true"
    command = f"{_fetch(repository, revision)} && marg triage {quote(run)} --base {quote(revision)}" if shallow else ""
    try:
        commit_of(repository, revision)
    except UsageError as error:
        if Path(revision).is_file():
            raise UsageError(
                f"--base {revision!r} is a file, and {run!r} a run of Marg's, which is compared with a revision; name "
                "one, such as origin/main"
            ) from error
        if not shallow:
            raise
        return Base(reason=f"{revision!r} is not in this shallow clone: {error}", command=command)
    try:
        return Base(commit=merge_base(repository, revision))
    except UsageError as error:
        return Base(reason=str(error), command=command)


def with_fetch(report: TriageReport, base: Base) -> TriageReport:
    """The report in which every red that lacks a base names the command that fetches it."""
    return replace(report, reds=tuple(_fetching(red, base.command) for red in report.reds)) if base.command else report


def _fetching(red: TriagedRed, command: str) -> TriagedRed:
    if red.verdict.reason != "no_base":
        return red
    return replace(red, verdict=replace(red.verdict, command=command))


def _fetch(repository: Path, revision: str) -> str:
    """What fetches the whole history, and all branches: a clone of one branch knows no other."""
    remotes = git(repository, "remote").split()
    named = [remote for remote in remotes if revision.startswith(f"{remote}/")]
    remote = (named or remotes or ["origin"])[0]
    return f"git fetch --unshallow {quote(remote)} '+refs/heads/*:refs/remotes/{remote}/*'"
