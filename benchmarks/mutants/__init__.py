"""Faults planted in the runtime, one line at a time: does a scenario of the example domain turn red?

    python -m benchmarks.mutants [--json] [--only NAME] [--jobs N]

`faults.toml` lists them. Each is applied to a copy of the runtime, never to the working tree, and the scenarios that
should notice are replayed against that in a process of its own; where none of them does, all are. A fault that no
scenario notices survives, and says why it may.
"""

from benchmarks.mutants.fault import FAULTS, Fault, load_faults

__all__ = ["FAULTS", "Fault", "load_faults"]
