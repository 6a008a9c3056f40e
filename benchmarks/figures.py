"""The figures that stand in README and docs, each computed anew.

    python -m benchmarks.figures [--write]

A figure stands between `<!-- figure: NAME -->` and `<!-- /figure -->`. Without `--write` the command says which figures
differ from what is computed (exit code 1); with it, it puts the computed ones in their place. A test does the former.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cutter import by_language, judge, labelled, table
from marg_corpora import (
    Count,
    RecordReader,
    ScoreRow,
    ShippedReader,
    peer_names,
    peer_reader,
    read_records,
    score,
)
from marg_harness.replay import load_all, replay
from marg_reports import RunRecord
from marg_runtime import numbers
from marg_runtime.intervals import clopper_pearson, wilson

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
READERS = ("leading_word", "literal", "whole_message")
PUBLIC_ROWS = (("sgd", "confirm"), ("sgd", "offer"), ("taskmaster4", "confirm"), ("taskmaster4", "offer"))

_FIGURE = re.compile(r"<!-- figure: (?P<name>[a-z_]+) -->\n(?P<text>.*?)<!-- /figure -->", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A figure as a document states it."""

    document: Path
    name: str
    text: str


def stated_figures(documents: Iterable[Path] = DOCUMENTS) -> Iterator[Stated]:
    """Every figure of the documents, in order."""
    for document in documents:
        for match in _FIGURE.finditer(document.read_text(encoding="utf-8")):
            yield Stated(document=document, name=match["name"], text=match["text"])


def corpora_folder() -> Path:
    """Where the public corpora are: MARG_CORPORA, by default `../shared/corpora` from the checkout."""
    return Path(os.environ.get("MARG_CORPORA") or ROOT / "../shared/corpora")


def replayed() -> str:
    """What replaying the example domains gives."""
    return replay_in_numbers(replay(load_all([ROOT / "scenarios"])))


def replay_in_numbers(run: RunRecord) -> str:
    """The line of a replay: what it held, its reds, and its writes."""
    turns = sum(len(scenario.turns) for scenario in run.scenarios)
    checks = sum(len(scenario.checks) for scenario in run.scenarios)
    reds, writes = len(run.reds()), sum(scenario.writes or 0 for scenario in run.scenarios)
    counted = ", ".join(
        f"{numbers.count(number)} {what}"
        for number, what in ((len(run.scenarios), "scenarios"), (turns, "turns"), (checks, "checks"), (reds, "reds"))
    )
    return f"{counted}; {numbers.count(writes)} writes by the backend's own count.\n"


def cut() -> str:
    """What the cutter cuts of the labelled sentences, and what it cuts that should stay."""
    return table(by_language([judge(one) for one in labelled()]))


def shipped() -> str:
    """The readers on the shipped corpus."""
    records = read_records(ROOT / "corpora" / "marg_corpora" / "data" / "support_intake.jsonl")
    return _table(score(records, readers=_readers()).rows)


def public() -> str:
    """The readers where a system asks to confirm or offers, in two public corpora."""
    return _table(_public_rows(_readers(), PUBLIC_ROWS))


def peers() -> str:
    """All readers, third-party ones among them, where a system asks to confirm. Needs the extra `peers`."""
    readers = [*(ShippedReader(name=name) for name in (*READERS, "click_only")), *map(peer_reader, peer_names())]
    return _table(_public_rows(readers, tuple(row for row in PUBLIC_ROWS if row[1] == "confirm")))


def _public_rows(readers: Sequence[RecordReader], wanted: tuple[tuple[str, str], ...]) -> list[ScoreRow]:
    rows: list[ScoreRow] = []
    for source in dict.fromkeys(source for source, _ in wanted):
        records = read_records(corpora_folder() / f"{source}.jsonl.gz")
        kept = (record for record in records if (source, record.question_kind) in wanted)
        rows.extend(score(kept, readers=readers, by="question_kind").rows)
    return rows


def _readers() -> list[ShippedReader]:
    return [ShippedReader(name=name) for name in READERS]


FIGURES: dict[str, Callable[[], str]] = {
    "replay": replayed,
    "cutter": cut,
    "shipped": shipped,
    "public": public,
    "peers": peers,
}
NEEDS_CORPORA = frozenset({"public", "peers"})


def _table(rows: Iterable[ScoreRow]) -> str:
    lines = [
        "| replies | reader | misread content | missed yes, weighted | missed no, weighted | flips |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        tally = row.tally
        where = f"{row.key.source} {row.key.group}".strip()
        cells = (
            where,
            f"`{row.key.reader}`",
            _rate(tally.misread.unique, tally.content.unique),
            _missed(tally.missed_yes, tally.plain_yes),
            _missed(tally.missed_no, tally.plain_no),
            numbers.of(tally.flips.unique, tally.yes_or_no.unique),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _rate(hits: int, total: int) -> str:
    if total == 0:
        return numbers.NOTHING
    share = f"{numbers.of(hits, total)}, {numbers.percent_of(hits, total)}"
    if hits == 0:
        return f"{numbers.of(0, total)}, {numbers.at_most(clopper_pearson(0, total).high)}"
    return f"{share} [{numbers.interval(wilson(hits, total))}]"


def _missed(hits: Count, total: Count) -> str:
    return numbers.percent_of(hits.weighted, total.weighted)


def main() -> int:
    """Compare or write the figures; gives the exit code."""
    parser = argparse.ArgumentParser(description="The figures of README and docs.")
    parser.add_argument("--write", action="store_true", help="put the computed figures into the documents")
    write = parser.parse_args().write
    stated = list(stated_figures())
    computed = {name: FIGURES[name]() for name in sorted({figure.name for figure in stated})}
    different = [figure for figure in stated if figure.text != computed[figure.name]]
    for figure in different:
        print(f"{figure.document.relative_to(ROOT)}: {figure.name} {'is written anew' if write else 'differs'}")
    if write:
        for document in {figure.document for figure in different}:
            _write(document, computed)
        return 0
    return 1 if different else 0


def _write(document: Path, computed: dict[str, str]) -> None:
    text = document.read_text(encoding="utf-8")
    document.write_text(
        _FIGURE.sub(lambda m: f"<!-- figure: {m['name']} -->\n{computed[m['name']]}<!-- /figure -->", text),
        encoding="utf-8",
    )


if __name__ == "__main__":
    sys.exit(main())
