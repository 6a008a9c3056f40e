"""`marg explore`: every interleaving of acts, misbehaviour and failure over a domain, judged by an oracle."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import get_args

import click

from marg_harness.cli.console import json_option, print_json, progress, quiet_option
from marg_harness.cli.explore_output import exploration_json, print_exploration
from marg_harness.explored_kit import explored
from marg_harness.path_scenario import path_scenario
from marg_harness.processors import processors
from marg_runtime.events.write import LayerName
from marg_runtime.explore import Words, explore
from marg_runtime.explore.breadth import BREADTHS, DEEPEST_USUAL, Breadth, breadth_at
from marg_runtime.explore.words import ENGLISH
from marg_scenarios import find_kit

LAYERS: tuple[LayerName, ...] = get_args(LayerName)


@click.command()
@click.argument("domain")
@click.option("--depth", type=click.IntRange(min=1), default=2, show_default=True, help="Acts on every path.")
@click.option("--without", type=click.Choice(LAYERS), multiple=True, help="Take a layer of the gate away.")
@click.option("--flag", type=click.Choice(["on", "off"]), default="on", show_default=True, help="The write flag.")
@click.option(
    "--breadth",
    type=click.Choice(BREADTHS),
    default=None,
    help=f"How much of the alphabet [default: usual; narrow where --depth is above {DEEPEST_USUAL}].",
)
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Processes at work [default: one a processor].")
@click.option("--eager", is_flag=True, help="With every reply the model calls the write too, confirmed.")
@click.option("--in-order", is_flag=True, help="The channel is declared to deliver in order.")
@click.option("--yes", default=None, help="A plain yes in the domain's language, where that is not English.")
@click.option("--no", default=None, help="A plain no in it.")
@click.option("--until-found", is_flag=True, help="Stop at the first violation.")
@json_option
@quiet_option
def explore_command(
    domain: str,
    depth: int,
    without: tuple[LayerName, ...],
    flag: str,
    breadth: Breadth | None,
    jobs: int | None,
    eager: bool,
    in_order: bool,
    yes: str | None,
    no: str | None,
    until_found: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Explore DOMAIN: a shipped one (support_intake) or `package.module:attribute` of a kit.

    Every path has so many acts after one of the states between nothing and the first summary. Results are made up, and
    nothing is written anywhere. Exit code 1 where a rule was broken; the shortest path is printed as a scenario.
    """
    kit = find_kit(domain, beside=Path.cwd())
    breadth = breadth or breadth_at(depth)
    started = time.monotonic()
    with explored(kit) as open_kit, progress("exploring", total=None, quiet=quiet or as_json) as advance:
        found = explore(
            kit.domain,
            specs=open_kit.specs,
            load=open_kit.load,
            depth=depth,
            layers_off=without,
            flag=flag == "on",
            breadth=breadth,
            eager=eager,
            in_order=in_order,
            words=Words(yes=yes or ENGLISH.yes, no=no or ENGLISH.no),
            until_found=until_found,
            jobs=jobs or processors(),
            on_progress=lambda reached, waiting, transitions: advance(transitions),
        )
    seconds = time.monotonic() - started
    scenarios = [path_scenario(one, domain=domain, flag=flag == "on") for one in found.found]
    if as_json:
        print_json(exploration_json(found, scenarios, seconds=seconds, breadth=breadth))
    else:
        print_exploration(found, scenarios, seconds=seconds, breadth=breadth)
    sys.exit(1 if found.found else 0)
