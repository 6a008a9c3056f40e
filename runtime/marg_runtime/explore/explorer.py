"""`explore`: every interleaving of acts, misbehaviour and failure over a domain, judged by the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from marg_runtime.acts import Act, Reload, Say, Tap
from marg_runtime.block import Block
from marg_runtime.decide import replies
from marg_runtime.domain import Domain
from marg_runtime.errors import UsageError
from marg_runtime.events.write import LayerName
from marg_runtime.explore.breadth import Breadth
from marg_runtime.explore.layers import in_place_of, without, without_skill
from marg_runtime.explore.likeness import Likeness
from marg_runtime.explore.model import Voice
from marg_runtime.explore.move import Move
from marg_runtime.explore.node import Node
from marg_runtime.explore.oracle import Oracle
from marg_runtime.explore.person import Person
from marg_runtime.explore.play import Play, Played
from marg_runtime.explore.record import Exploration
from marg_runtime.explore.search import OnLevel, Search
from marg_runtime.explore.words import Words
from marg_runtime.explore.world import Loader, World
from marg_runtime.reading import read
from marg_runtime.tools.tool import ToolSpec

LONGEST_WALK = 60  # acts on the straight way from nothing to a summary


def explore(
    domain: Domain,
    *,
    specs: Sequence[ToolSpec],
    load: Loader,
    depth: int,
    layers_off: Sequence[LayerName] = (),
    flag: bool = True,
    words: Words | None = None,
    breadth: Breadth = "usual",
    eager: bool = False,
    in_order: bool = False,
    until_found: bool = False,
    jobs: int = 1,
    on_progress: OnLevel | None = None,
) -> Exploration:
    """Everything within `depth` acts of each state on the straight way from nothing to a summary.

    specs: the tools as a server lists them, the write among them. load: finds a step's options. layers_off: layers of
    the gate that allow everything. flag: what the write flag is taken to be; the process's own is neither read nor set,
    and nothing is written anywhere, for every result is made up. words: what the person says; by default English.
    breadth: how much of the alphabet is played (`docs/explore.md`). eager: with every reply the model calls the write,
    with `confirmed: true`. in_order: the channel is declared to deliver in order. until_found: stop at the first
    violation. jobs: so many processes play at a time, forked where the system can; what is found is the same.
    on_progress: is told the depth, how many states wait at it, and the transitions of the depths before.

    Raises UsageError for a depth or jobs below 1, for words that the domain's language does not read as yes and no, and
    for a domain whose summary cannot be reached by answering what is asked; SliceFailed where one of several processes
    did not come to its end.
    """
    if depth < 1:
        raise UsageError(f"an exploration goes at least 1 act deep, got {depth!r}")
    if jobs < 1:
        raise UsageError(f"an exploration needs at least 1 job, got {jobs!r}")
    words = words or Words()
    words.check(language=domain.language)
    play = _play(
        without_skill(domain) if "skill" in layers_off else domain,
        specs=tuple(specs),
        load=load,
        flag=flag,
        words=words,
        breadth=breadth,
        eager=eager,
        in_order=in_order,
    )
    steps = tuple(step.key for step in domain.steps if set(step.slots) & set(play.voice.quoted_slots()))
    budgets = {step.key: step.reask_budget for step in domain.steps}
    likeness = Likeness(quotes=words.quotes, steps=steps, budgets=budgets)
    search = Search(play=play, likeness=likeness, jobs=jobs, until_found=until_found, on_progress=on_progress)
    with without(layers_off), in_place_of(replies, "read", _read_once):
        return search.run(straight_way(play), depth=depth)


def _play(
    domain: Domain,
    *,
    specs: tuple[ToolSpec, ...],
    load: Loader,
    flag: bool,
    words: Words,
    breadth: Breadth,
    eager: bool,
    in_order: bool,
) -> Play:
    write_flag = "true" if flag else None
    return Play(
        person=Person(
            words=words,
            slots={step.key: step.slots for step in domain.steps},
            twice=_one_of_a_kind(domain),
            breadth=breadth,
        ),
        voice=Voice(domain=domain, specs=specs, words=words, eager=eager, breadth=breadth),
        world=World(domain=domain, specs=specs, load=load, write_flag=write_flag, in_order=in_order, breadth=breadth),
        oracle=Oracle(domain=domain, yes=(words.yes,), write_flag=write_flag, in_order=in_order),
    )


def straight_way(play: Play) -> list[Node]:
    """The states at rest from the opened session to its first summary, each question answered as it asks."""
    node = play.begin()
    way = [node]
    for _ in range(LONGEST_WALK):
        if node.client.block is not None and node.client.block.kind == "summary":
            return way
        node = _run(play, play.act(node, _answer(play, node)))
        way.append(node)
    asked = node.client.block.step if node.client.block else "nothing"
    raise UsageError(
        f"domain {play.world.domain.name!r}: no summary within {LONGEST_WALK} answers; the last question was "
        f"{asked!r}. Its options may not come, or `validate` may refuse every draft."
    )


def _run(play: Play, played: Played) -> Node:
    """The end of the turn, where everything goes well: the first move at every node is the harmless one."""
    while not played.node.rests:
        played = next(iter(play.moves(played.node)))
    return played.node


def _answer(play: Play, node: Node) -> Move:
    block, client, at = node.client.block, node.client, node.state.at + 1000
    act: Act
    if block is None:
        # Nothing is asked before the person has said something; the model then says something harmless.
        act = Say(text="hello", at=at, seen=client.latest) if not client.answers else Reload(at=at, seen=client.latest)
    else:
        act = _straight_answer(play, block, at, client.latest)
    return Move(who="person", letter="answer what is asked", detail=str(getattr(act, "text", "")), act=act)


def _straight_answer(play: Play, block: Block, at: int, seen: int | None) -> Act:
    submits = list(play.person.sendings(block))
    if submits and (block.kind == "text" or not block.options or getattr(block, "selection", None) is not None):
        return play.person.submit(block, submits[0].values, submits[0].options, at, seen)
    return Tap(question=block.question, revision=block.revision, option=block.options[0].id, at=at, seen=seen)


# The reader is pure and the same replies recur, so each is read once for each question, in all explorations.
_read_once = lru_cache(maxsize=100_000)(read)


def _one_of_a_kind(domain: Domain) -> frozenset[str]:
    """The first step of each kind."""
    first: dict[type, str] = {}
    for step in domain.steps:
        first.setdefault(type(step), step.key)
    return frozenset(first.values())
