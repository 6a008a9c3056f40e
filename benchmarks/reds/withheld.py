"""Evidence withheld: the red stays unclassified, and the command that its verdict prints is run to see what it is."""

from __future__ import annotations

import contextlib
import io
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.reds.kind import Kind
from benchmarks.reds.site import SOURCES, Site
from marg_harness.cli.command_line import marg
from marg_harness.evidence.gather import Bench, gather
from marg_harness.evidence.git import git
from marg_harness.evidence.live import with_live
from marg_harness.evidence.triage import corrected
from marg_harness.evidence.warm import warm_run
from marg_harness.evidence.workspace import head_workspace
from marg_reports import RunRecord, write_record
from marg_reports.record_reading import read_damaged
from marg_reports.report import read_report
from marg_reports.triage import Evidence, Verdict

RUN = ".marg/run.jsonl"
REPORT = ".marg/triage.jsonl"
FEW = 20
COMMAND_SECONDS = 900


@dataclass(frozen=True, kw_only=True)
class Undecided:
    """A red whose evidence was withheld. then_right: whether its command, run, showed what it is."""

    red: str
    verdict: Verdict
    evidence: Evidence
    then_right: bool


def undecided(site: Site, run: RunRecord, *, cache: Path) -> Iterator[Undecided]:
    """Triage a run without what is withheld, then run what is printed. Raises UsageError where that cannot be."""
    kind = site.kind
    repository, base = _place(site)
    record = repository / RUN
    write_record(_without(kind, run), record)
    if kind.missing == "cut_record":
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        record.write_text("".join(lines[:-1]), encoding="utf-8")
    few = ["--live", str(FEW)] if kind.missing == "few_live" else []
    with importable(repository), contextlib.chdir(repository):
        evidences = _evidences(site, repository, cache=cache)
        _marg(["triage", RUN, "--base", base, "--gate", "none", "--quiet", "--cache", str(cache), *few])
        first = {red.place.id: red.verdict for red in read_report(repository / REPORT).reds}
        after: dict[str, str] = {}
        for command in dict.fromkeys(verdict.command for verdict in first.values() if verdict.command):
            if not _run(command, repository, cache=cache):
                continue
            # A whole run may have reds that a record which was cut off had not.
            found = [red for red in read_report(repository / REPORT).reds if red.place.id in first]
            after |= {red.place.id: red.red_class for red in found if first[red.place.id].command == command}
    for red, verdict in first.items():
        yield Undecided(red=red, verdict=verdict, evidence=evidences[red], then_right=after.get(red) == kind.then)


@contextlib.contextmanager
def importable(repository: Path) -> Iterator[None]:
    """A repository's sources on the path, as in the process of whoever triages there: after all others, since the code
    of this process is not the repository's."""
    before = list(sys.path)
    sys.path += [str(repository / source) for source in SOURCES]
    try:
        yield
    finally:
        sys.path[:] = before


def _place(site: Site) -> tuple[Path, str]:
    """The repository that is triaged, and what it calls its base."""
    if site.kind.missing != "shallow_clone":
        return site.repository, "trunk"
    clone = site.repository.with_name("clone")
    shutil.rmtree(clone, ignore_errors=True)  # an earlier seed's command has fetched its history
    git(site.repository.parent, "clone", "--quiet", "--depth", "1", site.repository.as_uri(), str(clone))
    return clone, "origin/trunk"


def _without(kind: Kind, run: RunRecord) -> RunRecord:
    """The run as it is on record: without the model's replies, where those are withheld."""
    if kind.missing != "no_replies":
        return run
    scenarios = [
        replace(scenario, turns=tuple(replace(turn, replies=()) for turn in scenario.turns))
        for scenario in run.scenarios
    ]
    return replace(run, scenarios=tuple(scenarios))


def _evidences(site: Site, repository: Path, *, cache: Path) -> Mapping[str, Evidence]:
    """The evidence that there is, by the red's id."""
    damaged = read_damaged(repository / RUN)
    shallow = site.kind.missing == "shallow_clone"
    bench = Bench(
        repository=repository,
        base=None if shallow else site.base,
        run=damaged.run,
        missing=damaged.missing,
        cache=cache,
    )
    gathered = gather(bench)
    found = corrected(with_live(bench, gathered, runs=FEW) if site.kind.missing == "few_live" else gathered)
    return {one.red.id: one for one in found}


def _run(command: str, repository: Path, *, cache: Path) -> bool:
    """Run what a verdict prints, as a shell would: `;` goes on whatever came of it, `&&` where it went well. False for
    a command that decides nothing by itself."""
    for part in command.replace("&&", ";").split(";"):
        words = shlex.split(part)
        if words[:2] == ["marg", "replay"]:
            _replay(words[1:], repository)
        elif words[:2] == ["marg", "triage"]:
            _marg([*words[1:], "--gate", "none", "--quiet", "--cache", str(cache)])
        elif words[:1] == ["git"]:
            subprocess.run(words, cwd=repository, check=True, capture_output=True, timeout=COMMAND_SECONDS)
        else:
            return False
    return True


def _replay(arguments: Sequence[str], repository: Path) -> None:
    """Replay with the code of the repository, which is not that of this process."""
    with tempfile.TemporaryDirectory(prefix="marg-said-") as folder:
        environ = head_workspace(repository).environment() | {"PYTHONHASHSEED": "0"}
        said = Path(folder) / "said.txt"
        warm_run(arguments, folder=repository, environ=environ, said=said, seconds=COMMAND_SECONDS)


def _marg(arguments: Sequence[str]) -> None:
    """Run the command in this process; its exit code is the gate's."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
        marg.main(args=list(arguments), prog_name="marg", standalone_mode=False)
