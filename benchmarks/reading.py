"""How fast replies are read: many short ones, and one of 100 kB in several shapes.

    python -m benchmarks.reading [--json]

A reply's time must not grow faster than its length, whatever it is made of; 50 ms for 100 kB is issue 3's bound.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

from marg_runtime import Question, languages, read

SHORT = (
    "yes",
    "no thanks",
    "yes, please book it",
    "Yes but change the title to login fails",
    "how long does that take?",
    "the second one please",
    "I think so",
    "my login fails since this morning, I get error 500",
)
BYTES = 100_000
LIMIT_MS = 50.0
ROUNDS = 5
QUESTION = Question(text="Shall I create this ticket?", kind="confirm", values=("login broke", "High"))

SHAPES: dict[str, str] = {
    "one word": "a" * BYTES,
    "yes, over and over": "yes " * (BYTES // 4),
    "half of a phrase, over and over": "that is " * (BYTES // 8),
    "marks": "?" * BYTES,
    "drawn out": "yess" + "s" * BYTES,
    "a shown value, over and over": "login broke " * (BYTES // 12),
    "combining marks": "e" + "\u0301" * (BYTES // 2),
    "Chinese": "好的" * (BYTES // 6),
}


@dataclass(frozen=True, kw_only=True)
class LongReply:
    """The median time of one long reply of a shape, in milliseconds, over all languages' slowest."""

    shape: str
    milliseconds: float
    slowest_language: str


def per_second() -> float:
    """Short replies a second, in one process, each read by `whole_message` in English."""
    count = 4_000
    return count / _seconds(lambda: [read(SHORT[n % len(SHORT)], QUESTION) for n in range(count)])


def long_replies() -> list[LongReply]:
    """Each shape in the language that takes longest over it."""
    found = []
    for shape, text in SHAPES.items():
        times = {language: _seconds(partial(read, text, QUESTION, language=language)) for language in languages()}
        slowest = max(times, key=lambda language: times[language])
        found.append(LongReply(shape=shape, milliseconds=1000 * times[slowest], slowest_language=slowest))
    return found


def _seconds(work: Callable[[], object]) -> float:
    work()  # the first reading of a language puts its words in order
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def main() -> int:
    """Print what was measured; gives the exit code 0."""
    parser = argparse.ArgumentParser(description="How fast replies are read.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    rate, long = per_second(), long_replies()
    if as_json:
        print(json.dumps({"replies_per_second": round(rate), "long": [asdict(reply) for reply in long]}))
        return 0
    print(f"short replies, whole_message, English: {rate:,.0f}/s")
    for reply in long:
        held = "held" if reply.milliseconds < LIMIT_MS else "EXCEEDED"
        slowest = f"slowest in {reply.slowest_language}"
        took = f"{reply.milliseconds:7.2f} ms, {slowest} (limit {LIMIT_MS:.0f} ms: {held})"
        print(f"{BYTES // 1000} kB, {reply.shape:<32} {took}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
