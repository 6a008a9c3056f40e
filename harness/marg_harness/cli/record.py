"""`marg record`: a stored session becomes a scenario that says what was seen in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from marg_harness.cli.console import note, quiet_option, safe_text
from marg_harness.cli.store_at import with_store
from marg_harness.replay import replay
from marg_harness.scenario_text import scenario_text
from marg_harness.session_recording import recorded_scenario
from marg_harness.whole_files import check_writable, write_whole
from marg_mock_model import parse_document
from marg_reports import reds_text
from marg_runtime.canonical import canonical_json
from marg_runtime.errors import LedgerError, UsageError
from marg_runtime.events.turn import SessionOpened
from marg_runtime.ledger import Entry, decode
from marg_runtime.scrub import own_secrets, scrub_together
from marg_scenarios.loader import build_scenarios
from marg_scenarios.scenario import SCENARIO_SUFFIX

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("session", required=False)
@click.option(
    "--store", "url", metavar="URL", envvar="MARG_STORE", help="The store of the session (default: MARG_STORE)."
)
@click.option("--ledger", type=FILE, help="A file with the ledger instead: an event a line, or a list.")
@click.option("--domain", help="The domain as a scenario names it; by default the one that the ledger names.")
@click.option("--machine", metavar="FILE", help="The machine, from the scenario's folder; by default the domain's own.")
@click.option("--scripted", is_flag=True, help="Write the model's replies into the turns, so that no machine is asked.")
@click.option("--name", help="What the scenario shows; by default the session's name.")
@click.option("--output", type=FILE, help=f"The file to write, *{SCENARIO_SUFFIX}; by default it is printed.")
@quiet_option
def record_command(
    session: str | None,
    url: str | None,
    ledger: Path | None,
    output: Path | None,
    quiet: bool,
    **given: str | bool | None,
) -> None:
    """Make a scenario of a SESSION: the user's acts, and what was seen of each turn as its checks.

    It is replayed before it is written. Exit code 1 where that shows a red: the file is written all the same, and the
    reds say what a replay does not repeat.
    """
    if output is not None and not output.name.endswith(SCENARIO_SUFFIX):
        raise UsageError(f"{str(output)!r} is no scenario's name; name a file *{SCENARIO_SUFFIX}")
    check_writable(output)
    kept = _entries(session, url, ledger)
    entries = _without_secrets(kept)
    if entries != kept:
        note("secrets were removed of what was said: the file is one to commit", quiet=quiet)
    opened = next((entry.event for entry in entries if isinstance(entry.event, SessionOpened)), None)
    if opened is None:
        named = f"{str(ledger)!r}" if ledger is not None else "the ledger"
        raise UsageError(f"{named} does not begin with a session; name the whole of its ledger")
    root = recorded_scenario(
        entries,
        name=str(given["name"] or f"what was seen in the session {opened.session}"),
        domain=str(given["domain"] or opened.domain),
        machine=None if given["machine"] is None else str(given["machine"]),
        scripted=bool(given["scripted"]),
    )
    text = scenario_text(root)
    path = output or Path(f"recorded{SCENARIO_SUFFIX}")
    scenarios = build_scenarios(parse_document(text, path=str(path)), path=path)
    reds = replay(scenarios).reds()
    if output is not None:
        write_whole({output: text})
    else:
        click.echo(safe_text(text), nl=False)
    if reds:
        note("a replay does not repeat all of it:", quiet=quiet)
        click.echo(safe_text(reds_text(reds)), err=True)
    sys.exit(1 if reds else 0)


def _lines(ledger: Path) -> Sequence[str]:
    """The events of a file, one a line, or a list of them as `marg sessions show --json` prints it."""
    try:
        text = ledger.read_text(encoding="utf-8")
        if text.lstrip().startswith("["):
            return [json.dumps(event) for event in json.loads(text)]
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{str(ledger)!r} cannot be read: {error}; check the path and the file") from None
    return text.split("\n")


def _decoded(ledger: Path) -> Sequence[Entry]:
    """The entries of a file; raises UsageError with file:line for what is none."""
    entries = []
    for number, line in enumerate(_lines(ledger), start=1):
        if not line.strip():
            continue
        try:
            entries.append(decode(line))
        except LedgerError as error:
            raise UsageError(f"{ledger}:{number}: {error}; name what `marg sessions show --json` prints") from error
    return entries


def _without_secrets(entries: Sequence[Entry]) -> Sequence[Entry]:
    """What was said, as it may stand in a file that is committed; the store keeps what was really said."""
    records = [entry.record for entry in entries]
    clean: Any = scrub_together(records, secrets=own_secrets())
    return entries if clean is records else [decode(canonical_json(record)) for record in clean]


def _entries(session: str | None, url: str | None, ledger: Path | None) -> Sequence[Entry]:
    if (session is None) == (ledger is None):
        raise UsageError("name a SESSION of a store, or a file with its --ledger")
    if ledger is not None:
        return _decoded(ledger)
    if url is None:
        raise UsageError(f"{session!r} is looked for in a store; name it: --store URL, or MARG_STORE")
    name = str(session)
    entries = with_store(url, lambda store: store.read(name))
    if not entries:
        raise UsageError(f"no session {session!r} in this store; `marg sessions list` names them all")
    return entries
