"""Measures the triage at scale: `python -m benchmarks.triage_scale [--json] [--reds N] [--runs N] [--only PART ...]`.

Parts: `renderings` (every format of ten thousand reds, with size, time and memory), `page` (the HTML in Chromium),
`times` (a real triage, cold and from its cache), `sameness` (the same bytes over twenty runs). Exit code 1 where a
limit is exceeded or bytes differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.triage_scale.browser import PageUse, page_use
from benchmarks.triage_scale.many import REDS, many_reds
from benchmarks.triage_scale.rendering import NAMES, Rendered, rendered
from benchmarks.triage_scale.sameness import Sameness, sameness
from benchmarks.triage_scale.sample import make_sample, triaged_sample
from benchmarks.triage_scale.timing import FAULTS, TriageTime, triage_time
from marg_reports.report import report_lines
from marg_runtime import numbers

PARTS = ("renderings", "page", "times", "sameness")
RUNS = 20
MOST_BYTES = {"junit": 30_000_000, "summary": 1_000 * 1024, "html": 5_000_000}
MOST_OBJECTS = 250_000
COLD_SECONDS = 0.5
CACHED_SECONDS = 0.020
SEARCHED = "_0042.scenario"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What was measured; None for what was not asked for. real: reds of the sample, each really triaged."""

    reds: int
    real: int
    classes: dict[str, int]
    renderings: tuple[Rendered, ...]
    page: PageUse | None
    times: tuple[TriageTime, ...]
    sameness: Sameness | None


def measure(parts: tuple[str, ...], *, reds: int, runs: int, folder: Path) -> Scale:
    """Measure the parts in a folder. Raises CalledProcessError where a command fails."""
    sample = folder / "sample"
    make_sample(sample)
    real = triaged_sample(sample) if {"renderings", "page"} & set(parts) else ()
    drawn: tuple[Rendered, ...] = ()
    classes: dict[str, int] = {}
    if real:
        report = many_reds(real, number=reds)
        classes = {str(name): number for name, number in report.counts().items()}
        source = folder / "report.jsonl"
        with source.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in report_lines(report))
        names = NAMES if "renderings" in parts else ("html",)
        drawn = tuple(rendered(name, source, folder) for name in names)
    return Scale(
        reds=reds,
        real=len(real),
        classes=classes,
        renderings=drawn,
        page=page_use(folder / "report.html", search=SEARCHED) if "page" in parts else None,
        times=tuple(triage_time(fault, folder) for fault in FAULTS) if "times" in parts else (),
        sameness=sameness(sample, runs=runs) if "sameness" in parts else None,
    )


def failures(scale: Scale) -> Iterator[str]:
    """The limits that were not held."""
    for one in scale.renderings:
        if one.bytes >= MOST_BYTES.get(one.name, sys.maxsize):
            yield f"{one.name} is {numbers.count(one.bytes)} bytes, limit {numbers.count(MOST_BYTES[one.name])}"
        if one.objects is not None and one.objects >= MOST_OBJECTS:
            yield f"{one.name} holds {numbers.count(one.objects)} objects, limit {numbers.count(MOST_OBJECTS)}"
    if scale.page is not None and (scale.page.troubles or scale.page.asked):
        yield f"the page had errors or asked the network: {[*scale.page.troubles, *scale.page.asked]!r}"
    for time in scale.times:
        # What a run costs that has few reds is the processes that it starts; the limit is for a run with many.
        if time.reds >= 100 and (time.cold_a_red > COLD_SECONDS or time.cached_a_red > CACHED_SECONDS):
            yield f"{time.fault}: {_a_red(time)}"
    if scale.sameness is not None and scale.sameness.differing:
        yield f"these differ from run to run: {', '.join(scale.sameness.differing)}"


def report_of(scale: Scale) -> Iterator[str]:
    """The figures as lines."""
    if scale.renderings:
        yield f"{numbers.plural(scale.reds, 'reds')} made from {scale.real} really triaged ones: " + ", ".join(
            f"{name} {numbers.count(number)}" for name, number in scale.classes.items()
        )
        yield f"{'rendering':14}{'bytes':>14}{'files':>9}{'time':>9}{'cpu':>9}{'peak':>11}{'read alone':>12}  objects"
        for one in scale.renderings:
            objects = "" if one.objects is None else f"  {numbers.count(one.objects)}"
            yield (
                f"{one.name:14}{numbers.count(one.bytes):>14}{numbers.count(one.files):>9}"
                f"{numbers.seconds(one.seconds):>9}{numbers.seconds(one.cpu_seconds):>9}"
                f"{numbers.size(one.peak_bytes):>11}{numbers.size(one.read_bytes):>12}{objects}"
            )
    if scale.page is not None:
        use = scale.page
        yield (
            f"page in Chromium: loaded after {use.load:.0f} ms; answered a search in {use.search:.0f} ms "
            f"({use.found}), a filter in {use.filter:.0f} ms, a key in {use.key:.0f} ms; "
            f"heap {numbers.size(use.heap_bytes)}"
        )
    for time in scale.times:
        yield f"{time.fault}: {_a_red(time)}; {numbers.count(time.checks)} checks, {time.classes}"
    if scale.sameness is not None:
        same = scale.sameness
        yield f"{numbers.plural(same.runs, 'runs')}, {same.files} files each: {len(same.differing)} differ"


def _a_red(time: TriageTime) -> str:
    cold = f"{numbers.seconds(time.cold_wall)} of wall time, {numbers.seconds(time.cold_cpu)} of work"
    cached = f"{numbers.seconds(time.cached_wall)}, {numbers.seconds(time.cached_cpu)} of work"
    return (
        f"{numbers.plural(time.reds, 'reds')}, cold {cold}: {numbers.seconds(time.cold_a_red)} a red; "
        f"from the cache {cached}: {numbers.seconds(time.cached_a_red)} a red"
    )


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.triage_scale", description="Measure triage at scale.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--reds", type=int, default=REDS, help="reds to draw (default %(default)s)")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs whose bytes are compared (default %(default)s)")
    parser.add_argument("--only", choices=PARTS, action="append", help="measure this part only; may be given again")
    options = parser.parse_args()
    parts = tuple(options.only or PARTS)
    with tempfile.TemporaryDirectory(prefix="marg-scale-") as folder:
        try:
            scale = measure(parts, reds=options.reds, runs=options.runs, folder=Path(folder).resolve())
        except subprocess.CalledProcessError as error:
            sys.exit(f"{error}\n{error.stderr}")
    missed = list(failures(scale))
    print(json.dumps({**asdict(scale), "failures": missed}, indent=2) if options.json else "\n".join(report_of(scale)))
    for line in missed if not options.json else []:
        print(f"LIMIT: {line}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
