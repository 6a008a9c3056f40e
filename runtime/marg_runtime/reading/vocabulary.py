"""The vocabulary of one language, loaded from `data/<language>.toml` when it is first needed.

The file format (schema 1). TOML, UTF-8; `<language>` is the tag by which the language is chosen ("en", "pt",
"hi-latn"). Entries are compared after the folding of `words.fold`, so case, Unicode form and kind of apostrophe
do not matter. An unknown key, a text twice in a list, or a pattern in two roles of one table is an error with file
and line.

    schema = 1                  required
    language = "en"             required: the tag, as in the file name
    name = "English"            required
    spaces = true               false for scripts without spaces: a run is cut by the longest known word (12 characters
                                at most), what lies between two known words is one unknown word
    casing = "plain"            "turkic": I and i are two letters
    noun_suffixes = ["s"]       endings in which a repeated noun may differ from the question's
    function = [...]            words of a question that are never its nouns; one-word entries below never are either
    negators = [...]            what stands after one of these in a question is no echo ("without subtitles")

    [rewrite]                   one spelling = the words it stands for; applied to replies, questions and entries,
    "that's" = "that is"        once (the words of the right side are not looked up again)

    [lists]                     named lists of patterns, for use in patterns as {name}
    [all]                       patterns of every dialect, by role
    [dialects.<kind>]           further patterns of one kind of question, by role, and `reads`
    [question]                  what the words of a question say of its shape
    [asks]                      how a sentence asks
    [choice]                    how an option is named by its place, and what may stand around it
    [actions.<name>]            verbs = [...], nouns = [...]: single words for one and the same action. A question that
                                holds one of them lends them all to the reply: its verbs as <verb>, its nouns as <noun>

A pattern is words with four signs: `{list}`, `[may be missing]`, `(one | other)`, and the slots `<noun>`, `<verb>`,
`<value>`, which match a word (for a value: the whole of it) that the question lends. It has no repetition and must
hold one word at least. Marks are not written: a phrase never crosses a mark of the reply other than a hyphen.

A reply is cut from the left into the longest phrases; where two patterns cover the same words a dialect's own come
before those of `[all]`, and within a table the role named first here. A word that begins no phrase is unknown, a
question mark is a question, a word with a digit is a digit.

    hedge, change, question, digit    make the reply content; keep single deciding words here ("not", "but", "two")
    deny, confirm                     answer; both in one reply make it content
    confirm_alone                     a yes that admits no restating beside it ("keep" in a review)
    praise, satisfied, closing        "great", "I am good", "that is all": what the dialect's `reads` makes of them
    deferral, calling_off             "not right now", "never mind": likewise
    onward                            "go ahead": a confirm, but content where the question asks to stop something, or
                                      where the dialect reads it as content
    echo                              restates the question; adds nothing beside a confirm, makes content elsewhere
    polite, filler                    add nothing and answer nothing

`reads = { praise = "...", satisfied = "...", closing = "...", deferral = "...", calling_off = "...", echo = "..." }`
takes: confirm; deny; filler; untold (confirm where the question has no text, else content); with_deny (filler beside
a deny, else content); action (counts where the question asks for an action or offers a replacement, is filler beside
a deny, else content); content, which is also what silence means, but for echo. Praise that confirms admits no echo
beside it, unless there is a confirm too. Kinds: confirm, offer, more, boolean_slot, review, optional, cancel, other;
`other` is also read where nothing is known of the question.

`[question]` is matched against the last question of the text. exempt: longer phrases that only take part in the
matching ("or not"); choice ("or"): it is never answered yes or no; twice: a particle that makes a choice where it
stands twice; open ("which") and negative ("no reminder?"), where the sentence begins, leads such as "so" before them
aside: content but for the kinds more and optional, and content until the polarity is declared; inverted ("do you
mind"), likewise until it is declared; more ("anything else"): content under another kind; action ("shall i"): it asks
whether to do something, and the word after it is a verb that the reply may repeat; stopping ("shall i cancel"): it
asks whether to stop something; replacement ("sorry", "instead"; in the whole text): what is offered takes the place
of something that could not be had.

`[asks]`: opener, counts where a clause begins; request, counts anywhere; lead, may stand before an opener ("please",
"so"); statement, longer phrases that look like one of them and are none ("i will let you know").

`[choice]`: ordinals = [["first", "1"], ["second", "2"]], the names of each place in turn; last = ["the last one"];
filler = patterns that may stand around an option ("make it", "i will take"); joint = the words that join several
options ("and"), where more than one may be chosen.

A word shared with another language belongs in a file only with the meaning it has in this one; no file is ever
read together with another (R7).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from marg_runtime.errors import ReadingError
from marg_runtime.reading.automaton import NOUN, VERB, Automaton
from marg_runtime.reading.question import QUESTION_KINDS
from marg_runtime.reading.schema import (
    ASK_ROLES,
    DECIDING_ROLES,
    QUESTION_ROLES,
    ROLES,
    VocabularySource,
    parse_vocabulary,
)
from marg_runtime.reading.units import Speller
from marg_runtime.reading.words import MARKS, Casing, norms

DATA_FOLDER = Path(__file__).parent / "data"
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]+)*")
_SIGNS = frozenset("{}<>[]()|")


@dataclass(frozen=True, kw_only=True, eq=False)
class Vocabulary:
    """One language's words and phrases, ready to be matched. Made by `load_vocabulary` or `parse`."""

    language: str
    digest: str
    data: Mapping[str, Any]
    source: VocabularySource
    _dialects: dict[str, Automaton] = field(default_factory=dict, repr=False)

    @cached_property
    def speller(self) -> Speller:
        """How texts of this language become units."""
        written = self._written
        if self.data.get("spaces", True):
            return written
        return Speller(casing=written.casing, rewrites=written.rewrites, dictionary=self._dictionary())

    @cached_property
    def _written(self) -> Speller:
        """How the entries of the file become units: their words are written apart in every language."""
        casing: Casing = "turkic" if self.data.get("casing") == "turkic" else "plain"
        table: Mapping[str, str] = self.data.get("rewrite", {})
        bare = Speller(casing=casing, rewrites={})
        rewrites = {self._key(key, casing): bare.spell(value) for key, value in table.items()}
        return Speller(casing=casing, rewrites=rewrites)

    def _dictionary(self) -> frozenset[str]:
        """Return every word that this file knows, to cut runs of text into."""
        matchers = [self.question, self.asks, *(self.dialect(kind) for kind in QUESTION_KINDS)]
        words = frozenset[str]().union(*(matcher.words for matcher in matchers))
        ordinals = (self._written.spell(w) for group in self._choice_groups() for w in group)
        return words.union(self.actions, self._word_set("function"), self.negators, self._written.rewrites, *ordinals)

    def _choice_groups(self) -> list[list[str]]:
        table = self.data.get("choice", {})
        return [*table.get("ordinals", ()), table.get("last", [])]

    @cached_property
    def negators(self) -> frozenset[str]:
        """Words of a question after which its nouns may not be repeated as an agreement ("without")."""
        return self._word_set("negators")

    @cached_property
    def noun_suffixes(self) -> tuple[str, ...]:
        """Endings in which a repeated noun may differ from the question's."""
        return tuple(self.data.get("noun_suffixes", ()))

    @cached_property
    def closed_words(self) -> frozenset[str]:
        """Words that are never taken for a noun of a question: function words and all one-word entries."""
        tables = [self.data["all"], *self.data.get("dialects", {}).values()]
        roles = [role for role in ROLES if role not in ("closing", "echo")]
        single = (self.single_words(table, role) for table in tables for role in roles)
        return self._word_set("function").union(self.negators, *single)

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Words that no question lends as a noun, and that stand for no action."""
        return self.closed_words.difference(self.actions)

    @cached_property
    def deciding_words(self) -> frozenset[str]:
        """Words that decide a reading; a shown value that holds one may not be restated."""
        tables = [self.data["all"], *self.data.get("dialects", {}).values()]
        return frozenset[str]().union(*(self.single_words(t, role) for t in tables for role in DECIDING_ROLES))

    @cached_property
    def actions(self) -> Mapping[str, Mapping[str, int]]:
        """For each word of an action, the words that stand for the same action, as verb or noun ("book": "reserve")."""
        found: dict[str, dict[str, int]] = {}
        for group in self.data.get("actions", {}).values():
            bits: dict[str, int] = {}
            for key, bit in (("verbs", VERB), ("nouns", NOUN)):
                for word in group.get(key, ()):
                    unit = self._key(word, self._written.casing)
                    bits[unit] = bits.get(unit, 0) | bit
            for word in bits:
                merged = found.setdefault(word, {})
                merged.update({other: merged.get(other, 0) | bit for other, bit in bits.items()})
        return found

    @cached_property
    def question(self) -> Automaton:
        """Finds what shape a question has: a choice, an open or inverted question, one that asks for an action."""
        return self._automaton([(role, self.data.get("question", {}).get(role, ())) for role in QUESTION_ROLES])

    @cached_property
    def asks(self) -> Automaton:
        """Finds the words with which a sentence asks."""
        return self._automaton([(role, self.data.get("asks", {}).get(role, ())) for role in ASK_ROLES])

    def dialect(self, kind: str) -> Automaton:
        """Return the matcher of a kind of question: the dialect's own patterns before those of every dialect."""
        if kind not in self._dialects:
            own = self.data.get("dialects", {}).get(kind, {})
            if kind == "choice":
                own = {"filler": self.data.get("choice", {}).get("filler", ())}
            tables = (own, self.data["all"])
            self._dialects[kind] = self._automaton([(role, t.get(role, ())) for t in tables for role in ROLES])
        return self._dialects[kind]

    def reads(self, kind: str) -> Mapping[str, str]:
        """Return what a dialect makes of praise, of "I'm good" and of closing words; silence is "content"."""
        found: Mapping[str, str] = self.data.get("dialects", {}).get(kind, {}).get("reads", {})
        return found

    def single_words(self, table: Mapping[str, Any], role: str) -> frozenset[str]:
        """Return the one-word patterns of a role, lists included where a list is the whole pattern."""
        found: set[str] = set()
        for pattern in self._flat(table.get(role, ())):
            units = self._written.spell(pattern)
            if len(units) == 1:
                found.update(units)
        return frozenset(found)

    def dialect_words(self, kind: str, role: str) -> frozenset[str]:
        """Return the one-word entries of a role in one dialect, those of every dialect included."""
        own = self.data.get("dialects", {}).get(kind, {})
        return self.single_words(own, role) | self.single_words(self.data["all"], role)

    def _flat(self, patterns: Sequence[str]) -> list[str]:
        flat: list[str] = []
        for pattern in patterns:
            if pattern.startswith("{") and pattern.endswith("}") and pattern.count("{") == 1:
                flat.extend(self._flat(self.data.get("lists", {}).get(pattern[1:-1], ())))
            elif not _SIGNS.intersection(pattern):
                flat.append(pattern)
        return flat

    def _automaton(self, roles: Sequence[tuple[str, Sequence[str]]]) -> Automaton:
        automaton = Automaton(lists=self.data.get("lists", {}), spell=self._spelled)
        for role, patterns in roles:
            for pattern in patterns:
                try:
                    automaton.add(role, (pattern,))
                except ReadingError as problem:
                    raise self.source.error(str(problem), near=pattern) from problem
        return automaton

    @cached_property
    def _spelled(self) -> Callable[[str], Sequence[str]]:
        return lru_cache(maxsize=None)(self._written.spell)

    def _word_set(self, key: str) -> frozenset[str]:
        return frozenset(unit for entry in self.data.get(key, ()) for unit in self._written.spell(entry))

    def _key(self, text: str, casing: Casing) -> str:
        words = norms(text, casing=casing)
        if len(words) != 1 or words[0] in MARKS:
            raise self.source.error(f"{text!r} must be one word", near=text)
        return words[0]


def known_languages() -> tuple[str, ...]:
    """Return the languages that have a vocabulary, sorted."""
    return tuple(sorted(path.stem for path in DATA_FOLDER.glob("*.toml")))


@lru_cache(maxsize=256)
def has_vocabulary(language: str) -> bool:
    """Whether a language has a vocabulary; a name that is no language tag has none."""
    return _LANGUAGE.fullmatch(language) is not None and (DATA_FOLDER / f"{language}.toml").is_file()


@lru_cache(maxsize=64)
def load_vocabulary(language: str) -> Vocabulary:
    """Return the vocabulary of a language, read once.

    Raises ReadingError where there is none, LocatedError where the file does not hold together.
    """
    if not has_vocabulary(language):
        raise ReadingError(f"no vocabulary for language {language!r}; there are {', '.join(known_languages())}")
    path = DATA_FOLDER / f"{language}.toml"
    return parse_vocabulary_text(path.read_text(encoding="utf-8"), path=path.name)


def parse_vocabulary_text(text: str, *, path: str) -> Vocabulary:
    """Return the vocabulary that a text in the file format holds; `path` names it in errors."""
    source = VocabularySource(path=path, text=text)
    data = parse_vocabulary(source)
    canonical = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    return Vocabulary(language=data["language"], digest=digest, data=data, source=source)


@lru_cache(maxsize=1024)
def question_units(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the units of a question's text; the readers look at them several times."""
    return tuple(vocabulary.speller.norms(text))
