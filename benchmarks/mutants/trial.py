"""One trial: in a process of its own, scenarios are replayed against a runtime with a fault in it.

The process is forked from one that has imported Marg, with the runtime of a copy, and loaded the scenarios. The fault
is put into the functions that are there; a fault in what a module does while it is imported goes into a copy of its
own, from which all of Marg is imported anew.
"""

from __future__ import annotations

import importlib
import multiprocessing
import shutil
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.mutants.fault import ROOT, RUNTIME, Fault
from benchmarks.mutants.swap import swap

PACKAGES = ("mock_model", "corpora", "scenarios", "reports", "harness")
DOMAIN = "support_intake"
_FORKING = multiprocessing.get_context("fork")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a trial gave: how many scenarios were replayed, the ids of the reds, and whether those are of scenarios that
    were named. broken: why it shows nothing, where Marg did not even start."""

    replayed: int
    reds: tuple[str, ...]
    expected: bool = False
    broken: str = ""


class Bench:
    """Marg with the runtime of a copy, and its scenarios by the names of their files.

    Raises RuntimeError where Marg has been imported already: that would be the working tree's.
    """

    def __init__(self, folder: Path) -> None:
        if any(name.startswith("marg_") for name in sys.modules):
            raise RuntimeError("Marg is imported already; run the mutants in a process of their own")
        self._copy = folder / "runtime"
        shutil.copytree(RUNTIME, self._copy, ignore=shutil.ignore_patterns("__pycache__"))
        sys.path[:0] = [str(self._copy), *(str(ROOT / package) for package in PACKAGES)]
        self._scenarios = _load()
        target: Any = importlib.import_module("marg_harness.target").ReferenceTarget()
        target.prepare([scenario for found in self._scenarios.values() for scenario in found])

    def begin(self, fault: Fault | None) -> Trial:
        """Begin a trial; None plants nothing, and replays all scenarios."""
        here, there = _FORKING.Pipe(duplex=False)
        process = _FORKING.Process(target=self._try, args=(fault, there))
        process.start()
        there.close()
        return Trial(answer=here, process=process)

    def _try(self, fault: Fault | None, answer: Connection) -> None:
        try:
            answer.send(self._outcome(fault))
        except BaseException as error:
            # A runtime that cannot even be imported shows nothing about the scenarios.
            answer.send(Outcome(replayed=0, reds=(), broken="".join(traceback.format_exception_only(error)).strip()))
        finally:
            answer.close()

    def _outcome(self, fault: Fault | None) -> Outcome:
        if fault is None:
            return _replayed(self._scenarios, ())
        with tempfile.TemporaryDirectory(prefix="marg-mutant-") as folder:
            scenarios = self._scenarios if self._swapped(fault) else self._anew(fault, Path(folder))
            named = _replayed(scenarios, fault.scenarios) if fault.scenarios else None
            # Those that should notice are enough; where none does, perhaps another one notices.
            return named if named is not None and named.reds else _replayed(scenarios, ())

    def _swapped(self, fault: Fault) -> bool:
        path = self._copy / fault.file
        module = sys.modules.get(".".join(Path(fault.file).with_suffix("").parts))
        sound = path.read_text(encoding="utf-8")
        return module is not None and swap(module, sound, fault.planted(sound))

    def _anew(self, fault: Fault, folder: Path) -> dict[str, Sequence[Any]]:
        """Import all of Marg once more, with the runtime of a copy that has the fault."""
        copy = folder / "runtime"
        shutil.copytree(self._copy, copy, ignore=shutil.ignore_patterns("__pycache__"))
        path = copy / fault.file
        path.write_text(fault.planted(path.read_text(encoding="utf-8")), encoding="utf-8")
        for name in [name for name in sys.modules if name.startswith("marg_")]:
            del sys.modules[name]
        sys.path.insert(0, str(copy))
        return _load()


@dataclass(kw_only=True)
class Trial:
    """A trial under way; `answer` becomes readable when it is over."""

    answer: Connection
    process: Any

    def end(self) -> Outcome:
        """Wait for its outcome."""
        try:
            outcome: Outcome = self.answer.recv()
        except EOFError:
            outcome = Outcome(replayed=0, reds=(), broken="the process ended with no word")
        self.process.join()
        self.answer.close()
        return outcome


def _load() -> dict[str, Sequence[Any]]:
    """The rows of every scenario of the example domain, by the name of its file."""
    scenarios: Any = importlib.import_module("marg_scenarios")
    found = scenarios.find_scenarios(scenarios.find_kit(DOMAIN).scenarios)
    return {path.name.partition(".")[0]: scenarios.load_scenarios(path) for path in found}


def _replayed(scenarios: dict[str, Sequence[Any]], names: Sequence[str]) -> Outcome:
    chosen = [scenario for name in names or scenarios for scenario in scenarios[name]]
    run: Any = importlib.import_module("marg_harness.replay").replay(chosen)
    reds = tuple(red.id for red in run.reds())
    return Outcome(replayed=len(chosen), reds=reds, expected=bool(reds) and bool(names))
