"""Counts of the shipped corpus by label, kind of question, rule and hard kind.

`python -m marg_corpora.data.counts` prints the tables that stand in this folder's README; a test compares the two.
"""

import json
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from typing import TypedDict

CORPUS_FILE = "support_intake.jsonl"


class CountedFields(TypedDict):
    """The fields of a corpus record that are counted."""

    label: str
    question_kind: str
    why: str
    acts: list[str]


def corpus_text() -> str:
    """The corpus as it is shipped: UTF-8 JSON Lines, one record a line."""
    return files(__package__).joinpath(CORPUS_FILE).read_text(encoding="utf-8")


def count_tables(records: Iterable[CountedFields]) -> str:
    """Markdown tables of record counts, largest first, ties by name. Hard kinds overlap: a record may carry several."""
    labels: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    hard: Counter[str] = Counter()
    for record in records:
        labels[record["label"]] += 1
        kinds[record["question_kind"]] += 1
        rules[record["why"]] += 1
        hard.update(record["acts"])
    columns = {"label": labels, "kind of question": kinds, "rule": rules, "hard kind": hard}
    return "\n".join(_table(name, counts) for name, counts in columns.items())


def _table(name: str, counts: Counter[str]) -> str:
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"| {name} | records |", "|---|---|", *(f"| {key} | {count} |" for key, count in rows)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the tables for the shipped corpus."""
    print(count_tables(json.loads(line) for line in corpus_text().splitlines()), end="")


if __name__ == "__main__":
    main()
