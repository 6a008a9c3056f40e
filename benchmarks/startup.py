"""Measures start-up: `python -m benchmarks.startup [--json] [--rounds N]`.

Every round runs each command once, one after the other, so that whatever else the machine does meets all of them; the
figures are medians over the rounds of one run, and ratios to the bare interpreter of the same run. Children may write
bytecode and a first round that is not counted lets them, for that is what somebody who starts Marg twice has.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from marg_runtime import numbers

ROUNDS = 15
HEAVY = ("pandas", "pyarrow", "openai", "anthropic", "mcp", "httpx")
"""What must not be imported to start."""

IMPORT_LIMIT_SECONDS = 0.030
HELP_LIMIT_RATIO = 6.0
REPLAY_LIMIT_SECONDS = 0.1
"""A scenario's; the first twenty were to take 2 s, and there are ever more of them."""

BARE = "python -c pass"
IMPORT = 'python -c "import marg_runtime"'
HELP = "marg --help"
REPLAY = "marg replay scenarios"

ROOT = Path(__file__).parents[1]
MARG = str(Path(sys.executable).with_name("marg"))
COMMANDS = {
    BARE: [sys.executable, "-c", "pass"],
    IMPORT: [sys.executable, "-c", "import marg_runtime"],
    HELP: [MARG, "--help"],
}
LOADS = {
    IMPORT: "import marg_runtime",
    HELP: "from marg_harness.cli import main; sys.argv = ['marg', '--help']; main()",
}
"""The same as COMMANDS, as code that can be asked afterwards what it imported."""

ASK = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps([name for name in {heavy!r} if name in sys.modules]), file=sys.stderr))
{code}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Startup:
    """Seconds of wall time, medians; `loaded` names the heavy modules in `sys.modules` after each command."""

    rounds: int
    bare_seconds: float
    import_seconds: float
    help_seconds: float
    import_extra_seconds: float
    help_ratio: float
    loaded: dict[str, list[str]]
    replay_seconds: float | None
    """What `marg replay --json` reports of itself, after its start-up; None where it reports nothing."""
    replay_scenarios: int
    replay_turns: int
    replay_wall_seconds: float
    replay_exit_code: int


def measure(*, rounds: int) -> Startup:
    """Run everything and take the medians; raises CalledProcessError when a command of COMMANDS fails."""
    _round()
    times = [_round() for _ in range(rounds)]
    bare, imported, helped = (median(one[name] for one in times) for name in (BARE, IMPORT, HELP))
    replayed, wall = _timed([MARG, "replay", "scenarios", "--json", "--quiet"], check=False)
    reported = _reported(replayed.stdout)
    return Startup(
        rounds=rounds,
        bare_seconds=bare,
        import_seconds=imported,
        help_seconds=helped,
        # Pairs of one round, not the difference of medians: what slows a round down slows both.
        import_extra_seconds=median(one[IMPORT] - one[BARE] for one in times),
        help_ratio=median(one[HELP] / one[BARE] for one in times),
        loaded={name: _loaded(code) for name, code in LOADS.items()},
        replay_seconds=reported.get("seconds"),
        replay_scenarios=int(reported.get("scenarios", 0)),
        replay_turns=int(reported.get("turns", 0)),
        replay_wall_seconds=wall,
        replay_exit_code=replayed.returncode,
    )


def report(startup: Startup) -> str:
    """The figures as lines, each with the limit that it is held against."""
    extra, replay = startup.import_extra_seconds, startup.replay_seconds
    lines = [
        f"{BARE:30} {numbers.seconds(startup.bare_seconds)}",
        f"{IMPORT:30} {numbers.seconds(startup.import_seconds)}, {numbers.seconds(extra)} more"
        f" ({_held(extra, IMPORT_LIMIT_SECONDS, numbers.seconds(IMPORT_LIMIT_SECONDS))})",
        f"{HELP:30} {numbers.seconds(startup.help_seconds)}, {startup.help_ratio:.1f} times as long"
        f" ({_held(startup.help_ratio, HELP_LIMIT_RATIO, f'{HELP_LIMIT_RATIO:.1f} times')})",
        f"{REPLAY:30} {numbers.NOTHING if replay is None else numbers.seconds(replay)} after start-up"
        f" ({_replayed(startup)}), {numbers.seconds(startup.replay_wall_seconds)} in all,"
        f" exit code {startup.replay_exit_code}",
        f"of {', '.join(HEAVY)}:",
        *(f"{name:30} imports {', '.join(found) or 'none'}" for name, found in startup.loaded.items()),
        f"(medians of {startup.rounds} rounds, Python {sys.version.split()[0]})",
    ]
    return "\n".join(lines)


def _held(figure: float | None, limit: float, shown: str) -> str:
    """Say how a figure stands to its limit."""
    if figure is None:
        return f"limit {shown}: not measured"
    return f"limit {shown}: {'held' if figure < limit else 'EXCEEDED'}"


def _replayed(startup: Startup) -> str:
    """How much was replayed, and how a scenario's part stands to its limit."""
    seconds, scenarios = startup.replay_seconds, startup.replay_scenarios
    each = seconds / scenarios if seconds and scenarios else None
    told = numbers.NOTHING if each is None else numbers.seconds(each)
    held = _held(each, REPLAY_LIMIT_SECONDS, numbers.seconds(REPLAY_LIMIT_SECONDS))
    return f"{scenarios:,} scenarios and {startup.replay_turns:,} turns, {told} each, {held}"


def _round() -> dict[str, float]:
    """Run each command once; the seconds that each took."""
    return {name: _timed(command, check=True)[1] for name, command in COMMANDS.items()}


def _timed(command: list[str], *, check: bool) -> tuple[subprocess.CompletedProcess[str], float]:
    begin = time.perf_counter()
    done = _run(command, check=check)
    return done, time.perf_counter() - begin


def _run(command: list[str], *, check: bool) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=check)


def _loaded(code: str) -> list[str]:
    """The heavy modules that `code` leaves in `sys.modules`, asked in a process of its own."""
    done = _run([sys.executable, "-c", ASK.format(heavy=HEAVY, code=code)], check=True)
    return [str(name) for name in json.loads(done.stderr.splitlines()[-1])]


def _reported(output: str) -> dict[str, float]:
    """The `seconds`, `scenarios` and `turns` that `marg replay --json` printed; empty where it printed none."""
    try:
        printed = json.loads(output)
        return {name: float(printed[name]) for name in ("seconds", "scenarios", "turns")}
    except (json.JSONDecodeError, KeyError, TypeError):
        return {}


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description="Measure start-up.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds to take medians over (default %(default)s)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds must be 1 or more, not {options.rounds!r}")
    startup = measure(rounds=options.rounds)
    print(json.dumps(asdict(startup), indent=2) if options.json else report(startup))


if __name__ == "__main__":
    main()
