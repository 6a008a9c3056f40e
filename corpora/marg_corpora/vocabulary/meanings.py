"""Words that mean something else as well: the opposite in another language, or a verb, an ordinal, a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from marg_corpora.vocabulary.entry import Entry, line_of, list_entries, pattern_entries, speller_of
from marg_corpora.vocabulary.finding import Finding, Severity
from marg_runtime.reading.schema import DIALECTS
from marg_runtime.reading.vocabulary import Vocabulary

_TABLES = ("all", *(f"dialects.{kind}" for kind in DIALECTS))
_OPPOSITE: Mapping[str, str] = {"confirm": "deny", "deny": "confirm"}


def opposites(vocabulary: Vocabulary, *, others: Sequence[Vocabulary]) -> Iterator[Finding]:
    """Yield the words that are the opposite in another language: harmless alone, a flip if the two are ever mixed.

    What holds everywhere is compared with what holds everywhere, and a dialect with the same dialect.
    """
    for table in _TABLES:
        for role, opposite in _OPPOSITE.items():
            words = _single_words(vocabulary, table, role)
            for other in others:
                for word in sorted(words & _single_words(other, table, opposite)):
                    message = f"{word!r} is a {role} word here and a {opposite} word in language {other.language!r}"
                    line = _line_of_word(vocabulary, word, place=f"{table}.{role}")
                    yield Finding(severity="warning", rule="other_language", line=line, message=message)


def double_meanings(vocabulary: Vocabulary, *, values: Sequence[str]) -> Iterator[Finding]:
    """Yield the confirm words that are also a verb or noun of an action, an ordinal, or one of `values`.

    A dialect may mean it so ("discard" to "Discard it?"), hence a note there and a warning for every dialect.
    """
    meanings = _meanings(vocabulary, values=values)
    for table in _TABLES:
        for word in sorted(_single_words(vocabulary, table, "confirm") & meanings.keys()):
            message = f"the confirm word {word!r} ({table}) is also {meanings[word]}; a reply that names it would agree"
            line = _line_of_word(vocabulary, word, place=f"{table}.confirm")
            severity: Severity = "warning" if table == "all" else "note"
            yield Finding(severity=severity, rule="double_meaning", line=line, message=message)


def _meanings(vocabulary: Vocabulary, *, values: Sequence[str]) -> Mapping[str, str]:
    spell = speller_of(vocabulary).spell
    ordinals = [word for group in vocabulary.data.get("choice", {}).get("ordinals", ()) for word in group]
    groups: Iterable[tuple[str, Iterable[str]]] = [
        *((f"a verb of the action {name!r}", group.get("verbs", ())) for name, group in _actions(vocabulary)),
        *((f"a noun of the action {name!r}", group.get("nouns", ())) for name, group in _actions(vocabulary)),
        ("an ordinal of a choice", ordinals),
        ("a value that a card shows", values),
    ]
    return {units[0]: meaning for meaning, texts in groups for units in map(spell, texts) if len(units) == 1}


def _actions(vocabulary: Vocabulary) -> Iterable[tuple[str, Mapping[str, Sequence[str]]]]:
    actions: Mapping[str, Mapping[str, Sequence[str]]] = vocabulary.data.get("actions", {})
    return actions.items()


def _single_words(vocabulary: Vocabulary, table: str, role: str) -> frozenset[str]:
    entries: Mapping[str, object] = vocabulary.data["all"]
    if table != "all":
        entries = vocabulary.data.get("dialects", {}).get(table.partition(".")[2], {})
    return vocabulary.single_words(entries, role)


def _line_of_word(vocabulary: Vocabulary, word: str, *, place: str) -> int:
    """Find the entry that is this word: a pattern in its place, or else an entry of a list."""
    spell = speller_of(vocabulary).spell
    patterns = (entry for kind in DIALECTS for entry in pattern_entries(vocabulary, kind=kind) if entry.place == place)
    for entry in (*patterns, *list_entries(vocabulary)):
        if spell(entry.text) == (word,):
            return line_of(vocabulary, entry)
    return line_of(vocabulary, Entry(place=place, text=word))
