"""How many of a model's questions are cut, and how much is cut that should stay, by language.

    python -m benchmarks.cutter [--json] [--errors]

The sentences are this project's own, in `cutter_sentences.toml`: written and labelled before the cutter saw them, and
looked at since, so a cutter in the wild will do worse. Each is streamed between two statements in pieces of three
characters. `cut`: of the sentences that ask for what a step owns, those of which nothing was shown. `false cut`: of
those that do not, the ones that were not shown whole. `neighbours lost`: statements beside them that were not shown.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from marg_runtime import numbers
from marg_runtime.cutter import Cutter, Owned, feed, finish
from marg_runtime.intervals import clopper_pearson, wilson

SENTENCES = Path(__file__).with_name("cutter_sentences.toml")
PIECE = 3  # characters
UNSPACED = frozenset({"zh", "ja"})
"""Languages that write no space between sentences."""


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A sentence, whether it asks for what a step owns, the steps' patterns, and the statement beside it."""

    language: str
    text: str
    asks: bool
    owned: tuple[str, ...]
    beside: str


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What became of a sentence: what of it was shown, and how many of its two neighbours were lost."""

    labelled: Labelled
    shown: str
    neighbours_lost: int

    @property
    def wrong(self) -> bool:
        """A question of which something was shown, or a statement of which something was not."""
        return bool(self.shown) if self.labelled.asks else self.shown != self.labelled.text


@dataclass(frozen=True, kw_only=True)
class CutCounts:
    """The counts of one language, or of all."""

    language: str
    cut: int
    questions: int
    false_cuts: int
    statements: int
    neighbours_lost: int


def labelled() -> Iterator[Labelled]:
    """Every sentence of the file, in its order."""
    for language, entry in tomllib.loads(SENTENCES.read_text(encoding="utf-8")).items():
        for key in ("asks", "stays"):
            for text in entry[key]:
                beside = next(other for other in entry["stays"] if other != text)
                owned = tuple(entry["owned"])
                yield Labelled(language=language, text=text, asks=key == "asks", owned=owned, beside=beside)


def judge(one: Labelled) -> Judged:
    """Stream a sentence between two statements and look at what was shown."""
    space = "" if one.language in UNSPACED else " "
    text = space.join((one.beside, one.text, one.beside))
    owned = tuple(Owned(step="owned", pattern=re.compile(pattern, re.IGNORECASE)) for pattern in one.owned)
    cutter, shown = Cutter(owned=owned, language=one.language), ""
    for start in range(0, len(text), PIECE):
        fed = feed(cutter, text[start : start + PIECE])
        cutter, shown = fed.cutter, shown + fed.shown
    shown += finish(cutter).shown
    return Judged(
        labelled=one,
        shown=shown.replace(one.beside, "").strip(),
        neighbours_lost=2 - shown.count(one.beside),
    )


def counts(judged: Iterable[Judged], *, language: str) -> CutCounts:
    """The counts over some sentences."""
    those = list(judged)
    asking = [one for one in those if one.labelled.asks]
    stating = [one for one in those if not one.labelled.asks]
    return CutCounts(
        language=language,
        cut=sum(not one.wrong for one in asking),
        questions=len(asking),
        false_cuts=sum(one.wrong for one in stating),
        statements=len(stating),
        neighbours_lost=sum(one.neighbours_lost for one in those),
    )


def by_language(judged: Sequence[Judged]) -> list[CutCounts]:
    """The counts of each language, in the order of the file, and of all together."""
    languages = dict.fromkeys(one.labelled.language for one in judged)
    rows = [
        counts((one for one in judged if one.labelled.language == language), language=language)
        for language in languages
    ]
    return [*rows, counts(judged, language="all")]


def table(rows: Iterable[CutCounts]) -> str:
    """The counts as a table in Markdown, with intervals of 95 %."""
    lines = ["| language | cut | false cut | neighbours lost |", "|---|---|---|---|"]
    for row in rows:
        cells = (
            row.language,
            _share(row.cut, row.questions),
            _share(row.false_cuts, row.statements),
            numbers.count(row.neighbours_lost),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _share(hits: int, total: int) -> str:
    if hits == 0:
        return f"{numbers.of(0, total)}, {numbers.at_most(clopper_pearson(0, total).high)}"
    return f"{numbers.of(hits, total)}, {numbers.percent_of(hits, total)} [{numbers.interval(wilson(hits, total))}]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts; gives the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.cutter", description="The cutter on labelled sentences.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--errors", action="store_true", help="print the sentences that it got wrong")
    asked = parser.parse_args(arguments)
    judged = [judge(one) for one in labelled()]
    wrong = [one for one in judged if one.wrong or one.neighbours_lost]
    if asked.json:
        errors = [{"language": one.labelled.language, "text": one.labelled.text, "shown": one.shown} for one in wrong]
        rows = [asdict(row) for row in by_language(judged)]
        print(json.dumps({"rows": rows, "errors": errors}, ensure_ascii=False, indent=1))
        return 0
    print(table(by_language(judged)), end="")
    for one in wrong if asked.errors else ():
        what = "not cut" if one.labelled.asks and one.wrong else "cut" if one.wrong else "a neighbour lost"
        print(f"{one.labelled.language}  {what}: {one.labelled.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
