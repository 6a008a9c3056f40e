"""Lists in patterns: compiled once, and copied to where a reply reaches them."""

from __future__ import annotations

import pytest

from marg_runtime.errors import ReadingError
from marg_runtime.reading.automaton import Automaton
from marg_runtime.reading.patterns import Graph, PatternCompiler

LISTS = {
    "sure": ("sure", "of course"),
    "agree": ("yes", "{sure}", "({sure} | okay) then"),
    "maybe": ("[please]", "now"),
}


def compiler() -> PatternCompiler:
    return PatternCompiler(graph=Graph(), lists=LISTS, spell=str.split)


def longest(pattern: str, words: str) -> int:
    """How many of the words the pattern covers."""
    automaton = Automaton(lists=LISTS, spell=str.split)
    automaton.add("confirm", (pattern,))
    match = automaton.longest(words.split(), (), 0)
    return 0 if match is None else match.length


@pytest.mark.parametrize(
    ("pattern", "words", "length"),
    [
        ("{agree}", "of course then", 3),
        ("{agree} {agree}", "sure okay then", 3),
        ("{agree} {agree}", "of course sure then again", 4),
        ("{agree} {agree}", "sure then", 0),
        ("({sure} | {agree}) do", "of course do", 3),
        ("{maybe} {sure}", "sure", 1),
        ("{maybe} {sure}", "please of course", 3),
        ("{sure} {maybe}", "sure now", 2),
        ("[{sure}] do", "do", 1),
    ],
)
def test_a_list_is_read_wherever_it_is_named(pattern: str, words: str, length: int) -> None:
    assert longest(pattern, words) == length


def test_a_list_is_copied_only_to_where_a_reply_reaches_it() -> None:
    made = compiler()
    start = made.graph.new()
    made.compile("do {agree}", start)
    size = len(made.graph.edges)
    (after_do,) = [end for node in made.graph.closure({start}) for end in made.graph.edges[node].get("do", ())]
    assert len(made.graph.edges) == size
    made.graph.closure({after_do})
    assert len(made.graph.edges) > size


def test_compiling_a_list_that_is_named_twice_copies_it_nowhere() -> None:
    once, twice = compiler(), compiler()
    once.compile("{agree}", once.graph.new())
    twice.compile("{agree} {agree}", twice.graph.new())
    assert len(twice.graph.edges) - len(once.graph.edges) == 2


@pytest.mark.parametrize("pattern", ["{maybe}", "[{sure}]", "{maybe} [{agree}]"])
def test_a_pattern_of_what_may_be_missing_alone_is_refused(pattern: str) -> None:
    made = compiler()
    with pytest.raises(ReadingError, match="needs at least one word"):
        made.compile(pattern, made.graph.new())
