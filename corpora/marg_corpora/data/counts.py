"""Counts of the shipped corpus by label, kind of question, rule and hard kind, how far its two labellings agree, and
counts of the replies of each language.

`python -m marg_corpora.data.counts [--agreement | --languages]` prints what stands in this folder's
README; a test compares the two.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from typing import TypedDict

from marg_corpora.agreement import Agreement, agreement

CORPUS_FILE = "support_intake.jsonl"
SECOND_FILE = "support_intake.second.jsonl"
LANGUAGES_FOLDER = "languages"
LANGUAGE_FILE_SUFFIX = ".jsonl"
LABELS = ("content", "plain_yes", "plain_no")


class CountedFields(TypedDict):
    """The fields of a corpus record that are counted."""

    label: str
    question_kind: str
    why: str
    acts: list[str]


def corpus_text(name: str = CORPUS_FILE) -> str:
    """A file of this folder, by default the corpus as it is shipped: UTF-8 JSON Lines, one record a line."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def shipped_agreement() -> Agreement:
    """How far the two labellings of the shipped corpus agree."""
    first, second = (
        {record["id"]: record["label"] for record in map(json.loads, corpus_text(name).splitlines())}
        for name in (CORPUS_FILE, SECOND_FILE)
    )
    return agreement(first, second)


def agreement_line() -> str:
    """The agreement in a sentence."""
    found = shipped_agreement()
    return f"{found.agreed} of {found.replies} labels agree; Cohen's kappa {found.kappa:.3f}."


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


def language_table() -> str:
    """A Markdown table of the replies of each language by label, by language code, and their sums."""
    places = files(__package__).joinpath(LANGUAGES_FOLDER).iterdir()
    names = sorted(place.name for place in places if place.name.endswith(LANGUAGE_FILE_SUFFIX))
    counts = {name.removesuffix(LANGUAGE_FILE_SUFFIX): _labels(f"{LANGUAGES_FOLDER}/{name}") for name in names}
    rows = {**counts, "all": sum(counts.values(), Counter[str]())}
    lines = [f"| language | {' | '.join(LABELS)} | replies |", "|---|---|---|---|---|"]
    for name, labels in rows.items():
        lines.append(f"| {name} | {' | '.join(str(labels[label]) for label in LABELS)} | {labels.total()} |")
    return "\n".join(lines) + "\n"


def _labels(name: str) -> Counter[str]:
    return Counter(json.loads(line)["label"] for line in corpus_text(name).splitlines())


def main() -> None:
    """Print the tables for the shipped corpus; with `--agreement` how far its two labellings agree, with `--languages`
    the table of the languages."""
    if "--languages" in sys.argv[1:]:
        print(language_table(), end="")
        return
    if "--agreement" in sys.argv[1:]:
        print(agreement_line())
        return
    print(count_tables(json.loads(line) for line in corpus_text().splitlines()), end="")


if __name__ == "__main__":
    main()
