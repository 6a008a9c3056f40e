"""Which class each fault of a wire is: `python -m benchmarks.transport_matrix [--json]`.

Every row of `transport_matrix.yaml` is one request of the runtime's own clients, to a model's API or to a tool server,
over a real socket or pipe. Its log of the wire goes the way that a red's does: the facts are read from it, and the
classifier judges them beside cells in which the red is gone on a clean wire. Exit code 1 where a row is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from benchmarks.matrix import Matrix, run_rows
from benchmarks.transport_peers import ask
from benchmarks.transport_rows import MODEL_PEERS, TOOL_PEERS, Row, rows
from marg_harness.evidence.facts import red_facts
from marg_reports import CheckRecord, Red, ScenarioRecord, TurnRecord
from marg_reports.triage import BundleCell, CellRun, Evidence, IntentCell, RunsCell, SettingsCell, classify
from marg_runtime.wire import WireEvent

NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A row, and the class that its wire was given."""

    row: Row
    red_class: str

    @property
    def is_wrong(self) -> bool:
        """Whether the class is not the row's."""
        return self.red_class != self.row.red_class


async def run(chosen: Sequence[Row]) -> list[Outcome]:
    """Run rows, some at once, each with a peer of its own."""
    return await run_rows(chosen, _run)


async def _run(row: Row) -> Outcome:
    return Outcome(row=row, red_class=class_of(await ask(row)))


def class_of(events: Sequence[WireEvent]) -> str:
    """The class of a red behind such a wire that is gone on a clean one; `none` where that is not transport."""
    red = _red(events)
    gone = CellRun(outcome="pass")
    cells = (
        BundleCell(),
        IntentCell(declared=()),
        RunsCell(name="clean_wire", runs=(gone,)),
        RunsCell(name="varied", runs=(gone,) * 3),
        RunsCell(name="alone", runs=(gone,)),
        RunsCell(name="in_order", runs=(gone,)),
        SettingsCell(differ=True, base_passes=False),
    )
    verdict = classify(Evidence(red=red_facts(red, settings={}), cells=cells))
    return verdict.name if verdict.red_class == "transport" else NONE


def _red(events: Sequence[WireEvent]) -> Red:
    check = CheckRecord(
        id="draft", kind="draft", owner="runtime", line=1, passed=False, expected={"priority": "high"}, got={}
    )
    turn = TurnRecord(
        id="t",
        line=1,
        checks=(check,),
        transcript=(),
        request_digests=(),
        events=(),
        wire=tuple(asdict(event) for event in events),
    )
    scenario = ScenarioRecord(name="s", path="s.yaml", line=1, turns=(turn,), turns_planned=1, writes=0)
    return Red(scenario=scenario, turn=0, check=check)


def table(chosen: Sequence[Row]) -> str:
    """The rows as the documentation has them: one line for each fault, a column for each peer."""
    return f"{_table(chosen, MODEL_PEERS)}\n{_table(chosen, TOOL_PEERS)}"


def _table(chosen: Sequence[Row], peers: Sequence[str]) -> str:
    heads = " | ".join(peer.replace("_", " ") for peer in peers)
    lines = [f"| fault | {heads} |", f"|---{'|---' * len(peers)}|"]
    own = [row for row in chosen if row.peer in peers]
    for fault, whole in dict.fromkeys((row.fault, row.is_model and not row.stream) for row in own):
        found = {row.peer: row for row in own if (row.fault, row.is_model and not row.stream) == (fault, whole)}
        retries = max(row.retries for row in found.values())
        said = [f"`{found[peer].red_class}`" if peer in found else "" for peer in peers]
        asked = f"{fault}{', asked for JSON' if whole else ''}{f' (retries: {retries})' if retries else ''}"
        lines.append(f"| {asked} | {' | '.join(said)} |")
    return "\n".join(lines) + "\n"


def _record(one: Outcome) -> dict[str, object]:
    return {
        "peer": one.row.peer,
        "stream": one.row.stream,
        "fault": one.row.fault,
        "expected": one.row.red_class,
        "got": one.red_class,
    }


MATRIX = Matrix(
    name="transport_matrix",
    what="Faults of the wire.",
    rows=rows,
    run=_run,
    table=table,
    wrong=lambda one: f"{one.row.name}: expected {one.row.red_class!r}, got {one.red_class!r}",
    record=_record,
)

if __name__ == "__main__":
    sys.exit(MATRIX.main())
