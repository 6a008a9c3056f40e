"""What would decide a red of another runner that is not classified: one command, and what its reports are to be of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from shlex import quote

from marg_reports.foreign.foreign_evidence import EXONERATING_RUNS, agreed, measured, wavers
from marg_reports.foreign.runs import SWAPPED, ForeignRuns, RunKind
from marg_reports.triage.words import Unclassified

_ORDER: tuple[RunKind, ...] = ("rerun", "base_code", "base", "base_checks", "alone", "fresh")


@dataclass(frozen=True, kw_only=True)
class OpenQuestion:
    """Why a red is not classified, and the command that would decide it."""

    reason: Unclassified
    command: str


def open_question(name: str, runs: ForeignRuns, *, run: str) -> OpenQuestion:
    """What to run and pass next for a red. run: the file of the run to triage, as it is shown."""
    wanted = dict(_wanted(name, runs))
    short = {kind: number for kind, number in wanted.items() if number > 0}
    if runs.hermetic and not short:
        return OpenQuestion(reason="conflict", command=_for_a_person(name, runs))
    if not runs.hermetic:
        reason: Unclassified = "no_replies"
    else:
        reason = "no_base" if any(kind.startswith("base") for kind in short) else "more_runs"
    return OpenQuestion(reason=reason, command=_command(runs, short, run))


def _for_a_person(name: str, runs: ForeignRuns) -> str:
    """No report would decide: the runs at hand contradict each other, or cannot be told apart."""
    why = "the runs fail in different ways, or neither often enough nor rarely enough; marg explain shows them"
    if not runs.head[name].is_placed:
        why = "no stack shows a line of the test's own file, so two failures cannot be told to be the same"
    return f"marg reds label {quote(name)} CLASS --because REASON  # {why}"


def _wanted(name: str, runs: ForeignRuns) -> Iterator[tuple[RunKind, int]]:
    """How many more reports of which kind it takes."""
    wavering = wavers(measured(runs, "rerun", name))
    needed = EXONERATING_RUNS if wavering else runs.needed
    yield "rerun", _short(name, runs, "rerun", needed)
    code = runs.source("base_code") if runs.same_checks else "base_code"
    yield code, _short(name, runs, code, needed)
    swapped = agreed(measured(runs, "base_code", name), runs)
    if wavering or (swapped is not None and swapped.outcome == "pass"):
        return
    yield "base", _short(name, runs, "base", needed)
    if not runs.same_checks:
        yield "base_checks", _short(name, runs, "base_checks", needed)
    alone = agreed(measured(runs, "alone", name), runs)
    if alone is not None and alone.outcome == "pass":
        yield "fresh", _short(name, runs, "fresh", needed)


def _short(name: str, runs: ForeignRuns, kind: RunKind, needed: int) -> int:
    return max(0, needed - len(measured(runs, kind, name)))


def _command(runs: ForeignRuns, short: dict[RunKind, int], run: str) -> str:
    words = ["marg triage", quote(run), "--hermetic"]
    words += ["--same-checks"] if runs.same_checks else []
    for kind in _ORDER:
        option = f"--{kind.replace('_', '-')}"
        given = list(runs.names.get(kind, ()))
        words += [f"{option} {quote(name)}" for name in given]
        if kind in short:
            words.append(f"{option}={_files(kind, len(given) + 1, short[kind], PurePosixPath(run).suffix)}")
    return f"{' '.join(words)}  # {_said(runs, short)}"


def _files(kind: RunKind, first: int, number: int, suffix: str) -> str:
    """Names for reports that are still to be made; braces are the shell's."""
    # A suffix that the shell would read otherwise is left out; the content tells what a report is.
    suffix = suffix if suffix[1:].isalnum() else ""
    numbers = f"{{{first}..{first + number - 1}}}" if number > 1 else str(first)
    return f"{kind.replace('_', '-')}-{numbers}{suffix}"


def _said(runs: ForeignRuns, short: dict[RunKind, int]) -> str:
    parts = [f"{kind.replace('_', '-')}-*: {SWAPPED[kind]}" for kind in _ORDER if kind in short]
    if "base_code" in short:
        parts.append("where no test changed, --same-checks stands for base-code and base-checks")
    parts.append("every run without a network")
    return "; ".join(parts)
