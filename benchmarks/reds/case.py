"""A red of the benchmark as whoever reads a CI log has it: what the baselines classify by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RedCase:
    """One red, with what message, reruns, base and history say of it.

    kind, family, truth: of its fault; no baseline may look at them. red: `path::scenario::turn::check`. test: what a
    history is kept of, `path::scenario`. seed: of the run. message: what the log says of it. trace: `file:line` of the
    check. retries: whether the test passed when it was run again as it was, with the next draws of the model and the
    wire. base: whether it passed on the base as it stands there, None where there is no such test or no base. history:
    its outcomes on the base's branch, the oldest first, on a clean wire. together: how many reds of the run have this
    message's digest; run_reds, run_tests: how many reds and tests the run has.
    """

    kind: str
    family: str
    truth: str
    red: str
    test: str
    seed: int
    message: str
    trace: str
    retries: tuple[bool, ...]
    base: bool | None
    history: tuple[bool, ...]
    together: int
    run_reds: int
    run_tests: int
