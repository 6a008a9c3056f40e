"""`python -m benchmarks.mutants`: plant every fault, and print what noticed it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mutants.fault import Fault, load_faults
from benchmarks.mutants.score import Result, score, sound
from benchmarks.mutants.trial import Bench

NOT_MEASURED = 3


def main() -> int:
    """Gives the exit code: 0 where every fault was caught or says why it survives, 1 where one was not, 2 for a name
    that is not known, 3 where the scenarios are red without any fault or a trial showed nothing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description="Faults planted in the runtime.")
    parser.add_argument("--json", action="store_true", help="print JSON on stdout and nothing else there")
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="this fault alone; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once (default: the cores)")
    options = parser.parse_args()
    faults = load_faults()
    chosen = [fault for fault in faults if not options.only or fault.name in options.only]
    unknown = sorted(set(options.only) - {fault.name for fault in faults})
    if unknown:
        print(f"no fault {unknown[0]!r}; the names stand in faults.toml", file=sys.stderr)
        return 2
    return _run(chosen, jobs=max(1, min(options.jobs, len(chosen))), as_json=options.json, whole=not options.only)


def _run(faults: Sequence[Fault], *, jobs: int, as_json: bool, whole: bool) -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="marg-mutants-") as folder:
        bench = Bench(Path(folder))
        # One fault alone is looked at while it is worked on, and its own scenarios are enough then.
        standing = sound(bench) if whole else None
        if standing is not None and (standing.reds or standing.broken):
            print(f"the scenarios are red without any fault: {standing.broken or standing.reds[0]}", file=sys.stderr)
            return NOT_MEASURED
        results = []
        for result in score(faults, bench, jobs=jobs):
            results.append(result)
            if not as_json:
                print(_line(result), flush=True)
    seconds = time.monotonic() - began
    if as_json:
        print(json.dumps(_as_json(results, seconds), indent=2))
    else:
        print(f"\n{len(results)} planted, {sum(result.caught for result in results)} caught, {seconds:.0f} s")
    return _exit_code(results)


def _exit_code(results: Sequence[Result]) -> int:
    if any(result.outcome.broken for result in results):
        return NOT_MEASURED
    return 1 if any(not result.caught and not result.fault.survives for result in results) else 0


def _line(result: Result) -> str:
    fault = result.fault
    if result.outcome.broken:
        return f"BROKEN    {fault.name}: {result.outcome.broken}"
    if not result.caught:
        return f"survived  {fault.name}: {fault.survives or 'no scenario noticed'}"
    by = "" if result.outcome.expected else " by others than expected"
    return f"caught    {fault.name} ({len(result.outcome.reds)} reds){by}: {result.first.rpartition('/')[2]}"


def _as_json(results: Sequence[Result], seconds: float) -> dict[str, object]:
    survivors = [result for result in results if not result.caught]
    return {
        "planted": len(results),
        "caught": len(results) - len(survivors),
        "seconds": round(seconds, 1),
        "survivors": [{"name": result.fault.name, "why": result.fault.survives} for result in survivors],
        "faults": [
            {
                "name": result.fault.name,
                "rule": result.fault.rule,
                "file": result.fault.file,
                "caught": result.caught,
                "as_expected": result.outcome.expected,
                "replayed": result.outcome.replayed,
                "reds": len(result.outcome.reds),
                "first": result.first,
                "broken": result.outcome.broken,
            }
            for result in results
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
