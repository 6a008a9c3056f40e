"""`python -m benchmarks.reds`: make the faults, triage the reds, and print how often it is right."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from benchmarks.reds.figures import Figures
from benchmarks.reds.kind_file import KINDS, check_names, load_kinds
from benchmarks.reds.score import Scored, score
from benchmarks.reds.table import lines_of
from marg_runtime.errors import UsageError

USAGE = 2


def main() -> int:
    """Gives the exit code: 0 where every kind is valid and no regression was let through, 1 where not, 2 for a file of
    kinds that is none."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reds", description="Reds of known classes, triaged.")
    parser.add_argument("--json", action="store_true", help="print JSON on stdout and nothing else there")
    parser.add_argument("--kinds", type=Path, metavar="FOLDER", action="append", default=[], help="these kinds as well")
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="this kind alone; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="how many kinds at once (default: 2)")
    parser.add_argument("--folder", type=Path, help="work here, and keep what was made")
    options = parser.parse_args()
    try:
        kinds = [kind for folder in (KINDS, *options.kinds) for kind in load_kinds(folder)]
        check_names(tuple(kinds))
        unknown = sorted(set(options.only) - {kind.name for kind in kinds})
        if unknown:
            raise UsageError(f"no kind {unknown[0]!r}; there are {', '.join(sorted(kind.name for kind in kinds))}")
    except UsageError as error:
        print(f"benchmarks.reds: {error}", file=sys.stderr)
        return USAGE
    chosen = [kind for kind in kinds if not options.only or kind.name in options.only]
    began = time.monotonic()
    scored = []
    for one in score(chosen, jobs=options.jobs, folder=options.folder):
        scored.append(one)
        print(_progress(one, len(scored), len(chosen)), file=sys.stderr, flush=True)
    figures = Figures(sorted(scored, key=lambda one: (one.kind.truth, one.kind.name)))
    seconds = time.monotonic() - began
    if options.json:
        print(json.dumps(figures.as_json(seconds=seconds), indent=2))
    else:
        print("\n".join(lines_of(figures, seconds=seconds)))
    return 1 if figures.invalid or figures.triage.exonerated or figures.proven_wrong else 0


def _progress(one: Scored, done: int, of: int) -> str:
    if one.trial is None:
        return f"{done}/{of} {one.kind.name}: {one.broken}"
    wrong = [tried for tried in one.trial.tried if tried.verdict.red_class != tried.case.truth]
    said = f"{done}/{of} {one.kind.name}: {len(one.trial.tried)} reds, {len(wrong)} wrong, {one.trial.seconds:.0f} s"
    first = (
        f"; {wrong[0].verdict.name}, {wrong[0].verdict.nearest or 'nothing near'}: {wrong[0].case.red}" if wrong else ""
    )
    return f"{said}{first}{''.join(f'; INVALID {why}' for why in one.trial.invalid[:1])}"


if __name__ == "__main__":
    sys.exit(main())
