"""A guard of a transition: one thing that must hold of the situation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from marg_mock_model.situation import Situation
from marg_runtime.conversation import ResultMessage

GuardName = Literal[
    "user",
    "user_matches",
    "last",
    "facts",
    "fact_matches",
    "result_of",
    "result_matches",
    "result_is_error",
    "call",
    "turn",
    "last_user_matches",
    "told",
    "told_matches",
    "not_told_matches",
]
PATTERN_GUARDS: tuple[GuardName, ...] = (
    "user_matches",
    "fact_matches",
    "result_matches",
    "last_user_matches",
    "told_matches",
)
"""The guards whose value is a regular expression, and whose groups templates may use."""

CHECKED_PATTERNS: tuple[GuardName, ...] = (*PATTERN_GUARDS, "not_told_matches")
"""All guards whose value is a regular expression; what must not match has no groups."""


@dataclass(frozen=True, kw_only=True)
class Guard:
    """One guard, with the line that it stands on."""

    name: GuardName
    value: str | int | bool | tuple[str, ...]
    path: str
    line: int

    def __str__(self) -> str:
        if isinstance(self.value, bool):
            return f"{self.name} {str(self.value).lower()}"
        return f"{self.name} {list(self.value) if isinstance(self.value, tuple) else self.value!r}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Focus:
    """What is left to look at: the guards before have narrowed the user's messages and the results.

    `groups` are those of the patterns that matched, by name, and by number (as text, `0` is the whole match).
    """

    situation: Situation
    users: tuple[str, ...]
    results: tuple[ResultMessage, ...]
    groups: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def on(cls, situation: Situation) -> Focus:
        """The focus before any guard."""
        # The newest message first: it is the one that the model answers.
        return cls(situation=situation, users=situation.users[::-1], results=situation.results[::-1])


def narrow(guard: Guard, focus: Focus) -> Focus | None:
    """The focus where the guard holds, narrowed to what it holds of; None where it does not hold."""
    return _TESTS[guard.name](guard.value, focus)


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for their white space."""
    return one.split() == other.split()


def _user(value: object, focus: Focus) -> Focus | None:
    users = tuple(text for text in focus.users if same_text(text, str(value)))
    return replace(focus, users=users) if users else None


def _user_matches(value: object, focus: Focus) -> Focus | None:
    for text in focus.users:
        if match := re.search(str(value), text):
            return _with_groups(focus, match)
    return None


def _last(value: object, focus: Focus) -> Focus | None:
    return focus if focus.situation.last == value else None


def _facts(value: object, focus: Focus) -> Focus | None:
    assert isinstance(value, tuple)
    told = all(any(same_text(fact, wanted) for fact in focus.situation.facts) for wanted in value)
    return focus if told else None


def _fact_matches(value: object, focus: Focus) -> Focus | None:
    for fact in focus.situation.facts[::-1]:
        if match := re.search(str(value), fact):
            return _with_groups(focus, match)
    return None


def _result_of(value: object, focus: Focus) -> Focus | None:
    results = tuple(result for result in focus.results if result.name == value)
    return replace(focus, results=results) if results else None


def _result_matches(value: object, focus: Focus) -> Focus | None:
    for result in focus.results:
        if match := re.search(str(value), result.text):
            return _with_groups(replace(focus, results=(result,)), match)
    return None


def _result_is_error(value: object, focus: Focus) -> Focus | None:
    results = tuple(result for result in focus.results if result.is_error == value)
    return replace(focus, results=results) if results else None


def _call(value: object, focus: Focus) -> Focus | None:
    return focus if focus.situation.call == value else None


def _turn(value: object, focus: Focus) -> Focus | None:
    return focus if focus.situation.turn == value else None


def _last_user_matches(value: object, focus: Focus) -> Focus | None:
    match = re.search(str(value), focus.situation.last_user or "")
    return _with_groups(focus, match) if match and focus.situation.last_user is not None else None


def _told(value: object, focus: Focus) -> Focus | None:
    assert isinstance(value, tuple)
    told = all(any(same_text(fact, wanted) for fact in focus.situation.told) for wanted in value)
    return focus if told else None


def _told_matches(value: object, focus: Focus) -> Focus | None:
    for fact in focus.situation.told[::-1]:
        if match := re.search(str(value), fact):
            return _with_groups(focus, match)
    return None


def _not_told_matches(value: object, focus: Focus) -> Focus | None:
    return None if any(re.search(str(value), fact) for fact in focus.situation.told) else focus


def _with_groups(focus: Focus, match: re.Match[str]) -> Focus:
    """The focus with a match's groups; a group that took no part is the empty text."""
    numbered = {str(n): match[n] or "" for n in range(1 + match.re.groups)}
    groups = {**focus.groups, **numbered, **match.groupdict(default="")}
    return Focus(situation=focus.situation, users=focus.users, results=focus.results, groups=groups)


_Test: TypeAlias = Callable[[object, Focus], Focus | None]
_TESTS: Mapping[GuardName, _Test] = {
    "user": _user,
    "user_matches": _user_matches,
    "last": _last,
    "facts": _facts,
    "fact_matches": _fact_matches,
    "result_of": _result_of,
    "result_matches": _result_matches,
    "result_is_error": _result_is_error,
    "call": _call,
    "turn": _turn,
    "last_user_matches": _last_user_matches,
    "told": _told,
    "told_matches": _told_matches,
    "not_told_matches": _not_told_matches,
}
