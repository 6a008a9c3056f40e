"""Phrases that shadow: the longest match wins, so the words inside a phrase are not seen for what they are alone."""

from __future__ import annotations

from collections.abc import Iterator

from marg_corpora.vocabulary.entry import Entry, line_of, list_entries, pattern_entries, speller_of
from marg_corpora.vocabulary.finding import Finding, Severity
from marg_runtime.reading.patterns import Graph, PatternCompiler
from marg_runtime.reading.schema import CONTENT_ROLES, DIALECTS
from marg_runtime.reading.vocabulary import Vocabulary

_STOPPING = (*CONTENT_ROLES, "deny")
_AGREEING = ("confirm", "confirm_alone", "praise", "polite", "filler", "echo")


def shadows(vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield each agreeing entry whose phrases hold a word that alone would be a deny word or content.

    "no problem" is meant so; one that nobody meant is a hole. A deny word inside is a warning, any other a note.
    """
    stopping = {kind: _stopping_words(vocabulary, kind=kind) for kind in (*DIALECTS, "")}
    for entry in _agreeing_entries(vocabulary):
        stops = stopping[entry.table.rpartition(".")[2] if entry.table != "all" else ""]
        words = _words_in(vocabulary, entry) if not _is_one_word(vocabulary, entry) else set()
        hidden = sorted(words & stops.keys())
        if hidden:
            named = ", ".join(f"{word!r} ({stops[word]})" for word in hidden)
            severity: Severity = "warning" if any(stops[word] == "deny" for word in hidden) else "note"
            message = f"{entry} shadows {named}: inside it they no longer stop a yes"
            yield Finding(severity=severity, rule="shadow", line=line_of(vocabulary, entry), message=message)


def _agreeing_entries(vocabulary: Vocabulary) -> Iterator[Entry]:
    entries = (entry for kind in DIALECTS for entry in pattern_entries(vocabulary, kind=kind))
    return (entry for entry in dict.fromkeys(entries) if entry.role in _AGREEING)


def _stopping_words(vocabulary: Vocabulary, *, kind: str) -> dict[str, str]:
    """Give every word that alone is a deny word or content: in every dialect, and in that of `kind` if there is one."""
    tables = [vocabulary.data["all"], vocabulary.data.get("dialects", {}).get(kind, {})]
    words = ((role, vocabulary.single_words(table, role)) for table in tables for role in _STOPPING)
    return {word: role for role, singles in words for word in sorted(singles)}


def _is_one_word(vocabulary: Vocabulary, entry: Entry) -> bool:
    """Whether an entry reads single words only, itself or through a list that is the whole of it."""
    if entry.text.startswith("{") and entry.text.endswith("}") and entry.text.count("{") == 1:
        listed = [one for one in list_entries(vocabulary) if one.place == f"lists.{entry.text[1:-1]}"]
        return all(_is_one_word(vocabulary, one) for one in listed)
    return len(speller_of(vocabulary).spell(entry.text)) == 1 and not set("{}[]()|").intersection(entry.text)


def _words_in(vocabulary: Vocabulary, entry: Entry) -> set[str]:
    graph = Graph()
    compiler = PatternCompiler(graph=graph, lists=vocabulary.data.get("lists", {}), spell=speller_of(vocabulary).spell)
    compiler.compile(entry.text, graph.new())
    return graph.words
