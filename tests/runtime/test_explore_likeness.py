"""Nodes of one key are one: what follows from them is the same, and so is a level however it is dealt out."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from typing import Any

import pytest

from marg_runtime.errors import SliceFailed, UsageError
from marg_runtime.explore import Exploration, search
from marg_runtime.explore.forks import can_fork, in_slices, stretches
from marg_runtime.explore.likeness import Key, Likeness
from marg_runtime.explore.node import Node
from marg_runtime.explore.play import Played
from marg_runtime.explore.slice import Kept, Part, Slicer

Explorer = Callable[..., Exploration]

forks = pytest.mark.skipif(not can_fork(), reason="this system cannot fork, so a level is played in one process")


STEPS = ("title", "place")
EVERY = 4  # of the pairs that are taken for one, how many are compared: one in so many


class Compared:
    """Plays from nodes that were taken for others, and keeps those pairs that lead to different nodes."""

    def __init__(self) -> None:
        self.first: dict[Key, Node] = {}
        self.pairs = 0
        self.differ: list[tuple[Node, Node]] = []

    def new(self, slicer: Slicer, played: Played) -> Kept | None:
        key, node = slicer.likeness.key(played.node), played.node
        if key in self.first:
            self.pairs += 1
            if self.pairs % EVERY == 0 and self._next(slicer, self.first[key]) != self._next(slicer, node):
                self.differ.append((self.first[key], node))
            return None
        self.first[key] = node
        slicer.seen.add(key)
        return Kept(key=key, node=node)

    @staticmethod
    def _next(slicer: Slicer, node: Node) -> set[tuple[Key, tuple[str, ...]]]:
        return {
            (slicer.likeness.key(played.node), tuple(one.rule for one in played.violations))
            for played in slicer.play.moves(node)
        }


@pytest.mark.parametrize(("breadth", "depth"), [("narrow", 2), ("usual", 1)])
def test_nodes_that_are_taken_for_one_lead_to_the_same_nodes(
    exploring: Explorer, monkeypatch: pytest.MonkeyPatch, breadth: str, depth: int
) -> None:
    compared = Compared()
    monkeypatch.setattr(Slicer, "_new", lambda slicer, played: compared.new(slicer, played))
    exploring(steps=STEPS, breadth=breadth, depth=depth)
    assert compared.pairs > 100 * EVERY
    assert compared.differ == []


def test_a_key_that_forgets_what_was_said_is_noticed(exploring: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Compared()
    monkeypatch.setattr(Slicer, "_new", lambda slicer, played: compared.new(slicer, played))
    monkeypatch.setattr(Likeness, "_said", lambda likeness, state: None)
    exploring(steps=STEPS, depth=1)
    assert compared.differ


@forks
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # the test runner has threads of its own
def test_several_processes_find_what_one_finds(exploring: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "WORTH_A_FORK", 1)
    alone = exploring(steps=STEPS, depth=2, layers_off=["guard"])
    assert exploring(steps=STEPS, depth=2, layers_off=["guard"], jobs=3) == alone
    assert alone.found


@forks
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_what_a_process_raises_ends_the_exploration_with_its_trace() -> None:
    here = os.getpid()

    def explore_slice(starts: Any) -> Part:
        if os.getpid() != here:
            raise ValueError("a hole in the floor")
        return Part()

    with pytest.raises(SliceFailed, match="a hole in the floor"):
        in_slices(explore_slice, places=4, jobs=2)


@forks
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_process_that_dies_ends_the_exploration() -> None:
    here = os.getpid()

    def explore_slice(starts: Any) -> Part:
        if os.getpid() != here:
            os._exit(3)
        return Part()

    with pytest.raises(SliceFailed, match="--jobs 1"):
        in_slices(explore_slice, places=4, jobs=2)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("places", "jobs"), [(1, 2), (7, 2), (100, 2), (1000, 3)])
def test_stretches_cover_a_level_once_and_in_order(places: int, jobs: int) -> None:
    assert [place for stretch in stretches(places, jobs=jobs) for place in stretch] == list(range(places))


def test_stretches_become_shorter_so_that_no_process_waits_long() -> None:
    lengths = [len(stretch) for stretch in stretches(1000, jobs=2)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == 250


def test_no_job_at_all_is_refused(exploring: Explorer) -> None:
    with pytest.raises(UsageError, match="at least 1 job, got 0"):
        exploring(jobs=0)
