"""A machine's tree that fits its form beyond doubt, read without pydantic.

Importing pydantic and building the form takes longer than all else that an endpoint does before its first answer. What
is read here is what the form gives: the same keys, defaults and values. Whatever is not beyond doubt, such as an
unknown key or a number in another spelling, is left to the form, which takes it or says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast, get_args

from marg_mock_model.errors import Doubt
from marg_mock_model.plain import resolve
from marg_mock_model.situation import InputKind
from marg_mock_model.slip import SlipKind
from marg_runtime.model import FinishReason

if TYPE_CHECKING:
    from marg_mock_model.machine_form import MachineForm

Read = Callable[[Any], Any]

_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_SHARE = re.compile(r"0|1|0\.[0-9]{1,9}|1\.0", re.ASCII)
_TRUTH = {"true": True, "false": False}


def fitting_machine(root: Mapping[str, Any]) -> MachineForm | None:
    """The form of a machine, with its keys as attributes; None where only the form itself can tell."""
    try:
        return cast("MachineForm", MACHINE(root))
    except Doubt:
        return None


class Keys:
    """A mapping with these keys: those of `needed` stand in it, and the others are left at a default."""

    def __init__(self, *, needed: Mapping[str, Read], reads: Mapping[str, Read], defaults: Mapping[str, Any]) -> None:
        """`defaults` are those that are not None."""
        self.needed = frozenset(needed)
        self.reads = {**needed, **reads}
        self.defaults = {**dict.fromkeys(reads), **defaults}

    def __call__(self, node: Any) -> SimpleNamespace:
        """The values by their keys; raises Doubt."""
        if not isinstance(node, dict) or not self.needed <= node.keys() <= self.reads.keys():
            raise Doubt
        return SimpleNamespace(**self.defaults | {key: self.reads[key](value) for key, value in node.items()})


def _text(node: Any) -> str:
    if not isinstance(node, str):
        raise Doubt
    return str(node)


def _truth(node: Any) -> bool:
    return _TRUTH[_one_of(node, _TRUTH)]


def _whole(least: int) -> Read:
    def read(node: Any) -> int:
        number = int(_spelt(node, _WHOLE))
        if number < least:
            raise Doubt
        return number

    return read


def _share(node: Any) -> float:
    return float(_spelt(node, _SHARE))


def _word(words: Any) -> Read:
    """One word of a Literal."""
    return lambda node: _one_of(node, get_args(words))


def _list(read: Read, *, least: int = 0) -> Read:
    def read_list(node: Any) -> tuple[Any, ...]:
        if not isinstance(node, list) or len(node) < least:
            raise Doubt
        return tuple(read(item) for item in node)

    return read_list


def _by_name(read: Read, *, least: int = 0, most: int | None = None) -> Read:
    def read_mapping(node: Any) -> dict[str, Any]:
        if not isinstance(node, dict) or len(node) < least or (most is not None and len(node) > most):
            raise Doubt
        return {key: read(value) for key, value in node.items()}

    return read_mapping


def _free(node: Any) -> Any:
    try:
        return resolve(node)
    except ValueError:
        raise Doubt from None


def _one_of(node: Any, words: Any) -> str:
    word = _text(node)
    if word not in words:
        raise Doubt
    return word


def _spelt(node: Any, pattern: re.Pattern[str]) -> str:
    text = _text(node)
    if not pattern.fullmatch(text):
        raise Doubt
    return text


_ARGUMENTS = _by_name(_free)
_CALLS = _list(_by_name(_ARGUMENTS, least=1, most=1))
_TEXTS = _list(_text, least=1)

WHEN = Keys(
    needed={},
    reads={
        "user": _text,
        "user_matches": _text,
        "last": _word(InputKind),
        "facts": _TEXTS,
        "fact_matches": _text,
        "result_of": _text,
        "result_matches": _text,
        "result_is_error": _truth,
        "call": _whole(1),
        "turn": _whole(0),
        "last_user_matches": _text,
        "told": _TEXTS,
        "told_matches": _text,
        "not_told_matches": _text,
    },
    defaults={},
)
USAGE = Keys(needed={"input": _whole(0), "output": _whole(0)}, reads={}, defaults={})
TRANSITION = Keys(
    needed={"when": WHEN, "to": _text},
    reads={
        "reply": _text,
        "data": _free,
        "calls": _CALLS,
        "silent": _truth,
        "usage": USAGE,
        "finish": _word(FinishReason),
    },
    defaults={"reply": "", "calls": (), "silent": False},
)
STATE = Keys(
    needed={},
    reads={"says": _text, "ends": _truth, "transitions": _list(TRANSITION, least=1)},
    defaults={"says": "", "ends": False},
)
SLIP = Keys(
    needed={"slip": _word(SlipKind)},
    reads={
        "rate": _share,
        "states": _TEXTS,
        "when": WHEN,
        "text": _text,
        "tool": _text,
        "arguments": _ARGUMENTS,
        "calls": _CALLS,
        "finish": _word(FinishReason),
    },
    defaults={"rate": 1.0, "when": WHEN({}), "text": "", "calls": ()},
)
MACHINE = Keys(
    needed={"machine": _text, "start": _text, "states": _by_name(STATE, least=1)},
    reads={"slips": _list(SLIP)},
    defaults={"slips": ()},
)
