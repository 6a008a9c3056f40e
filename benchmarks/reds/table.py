"""The figures as tables for a terminal or a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.reds.figures import Figures
from benchmarks.reds.measure import CLASSES, Measure
from marg_runtime import numbers

WIDTH = 14


def lines_of(figures: Figures, *, seconds: float) -> Iterator[str]:
    """All of it, line by line."""
    yield from _kinds(figures)
    yield ""
    yield from _confusion(figures.triage)
    yield ""
    yield from _classifiers(figures)
    yield ""
    yield from _counts(figures, seconds=seconds)


def _kinds(figures: Figures) -> Iterator[str]:
    yield _row(("kind", "truth", "reds", "right", "called"), (36, 15, 6, 6, 0))
    for scored in figures.scored:
        tried = scored.trial.tried if scored.trial else ()
        right = sum(one.verdict.red_class == one.case.truth for one in tried)
        names = Counter(one.verdict.name for one in tried)
        called = ", ".join(f"{name} {names[name]}" for name in sorted(names))
        cells = (scored.kind.name, scored.kind.truth, str(len(tried)), str(right), called)
        yield _row(cells, (36, 15, 6, 6, 0))
    for why in figures.invalid:
        yield f"INVALID  {why}"
    for one in figures.wrong:
        yield f"WRONG    {one.case.kind}: {one.case.truth} is called {one.verdict.name}: {one.case.red}"


def _confusion(triage: Measure) -> Iterator[str]:
    widths = (15, *([WIDTH] * len(CLASSES)), 11, 11)
    yield _row(("truth \\ called", *CLASSES, "recall", "precision"), widths)
    for truth in CLASSES:
        counts = (str(triage.confusion.get((truth, called), 0)) for called in CLASSES)
        own = triage.of_class(truth)
        yield _row((truth, *counts, _share(own.recall), _share(own.precision)), widths)


def _classifiers(figures: Figures) -> Iterator[str]:
    widths = (26, 10, 20, 18, 24)
    yield _row(("classifier", "accuracy", "95 % interval", "kinds weigh alike", "regressions exonerated"), widths)
    for name, one in {"triage": figures.triage, **figures.baselines}.items():
        exonerated = f"{numbers.of(one.exonerated, one.regressions)} ({numbers.at_most(one.exonerated_bound)})"
        accuracy, balanced = numbers.percent(one.accuracy), numbers.percent(one.balanced)
        yield _row((name, accuracy, numbers.interval(one.interval), balanced, exonerated), widths)


def _counts(figures: Figures, *, seconds: float) -> Iterator[str]:
    reds = figures.triage.reds
    yield f"reds: {numbers.count(reds)} of {numbers.plural(len(figures.scored), 'kind')}"
    yield f"decided with no key and no network: {numbers.percent_of(figures.decided, reds)}"
    yield f"proven and wrong: {figures.proven_wrong}"
    yield f"classes changed by taking cells away: {len(figures.changes)} of {numbers.count(figures.subsets)} subsets"
    right, ran = figures.commands
    if ran:
        yield f"printed commands that showed the truth: {numbers.percent_of(right, ran)}"
    yield f"triage: {figures.seconds_a_red:.2f} s a red; all of it: {numbers.seconds(seconds)}"


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
