"""Scenario and fixture files in one form: keys in the order of the forms, short values on one line, comments kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import yaml

from marg_mock_model import Document, NodePath, Plain, parse_document
from marg_mock_model.plain import resolve
from marg_mock_model.tree import Node
from marg_runtime.errors import LocatedError
from marg_scenarios.forms import ScenarioForm, TurnForm

WIDTH = 120
INDENT = "  "
_TURN_KEYS = ("id", "use", "with", *(name for name in TurnForm.model_fields if name not in ("id", "expect")), "expect")
_HEAD_KEYS = tuple(ScenarioForm.model_fields)
_IN_BLOCK, _IN_FLOW = "a: _", "a: [_]"


def format_scenario(text: str, *, path: str) -> str:
    """The text of a file in its one form. Raises LocatedError for what is no document, and where the formatted text
    would not say the same."""
    document = parse_document(text, path=path)
    formatted = "\n".join(_Printer(document, _comments(text)).lines()) + "\n"
    again = parse_document(formatted, path=path)
    if again.root != document.root or resolve(again.root) != resolve(document.root):
        raise LocatedError("formatting would change what the file says; please report it.", path=path, line=1)
    return formatted


def _comments(text: str) -> dict[int, list[str]]:
    """The comments by line, from 1: those that stand alone, and those behind a value."""
    found: dict[int, list[str]] = {}
    lines = text.split("\n")
    covered: dict[int, int] = {}
    inside: set[int] = set()
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        start, end = token.start_mark, token.end_mark
        if isinstance(token, yaml.ScalarToken):
            inside.update(range(start.line, end.line if end.column == 0 else end.line + 1))
        if end.column:
            covered[end.line] = max(covered.get(end.line, 0), end.column)
    for number, line in enumerate(lines):
        rest = line[covered.get(number, 0) :].strip()
        if rest.startswith("#") and (number not in inside or number in covered):
            found.setdefault(number + 1, []).append(rest)
    return found


class _Printer:
    """Prints a document; a comment goes above the first entry that is not before it."""

    def __init__(self, document: Document, comments: Mapping[int, list[str]]) -> None:
        self._document = document
        self._left = dict(sorted(comments.items()))

    def lines(self) -> Iterator[str]:
        """All lines of the file."""
        yield from self._mapping(dict(self._document.root), (), "")
        for comments in self._left.values():
            yield from comments

    def _above(self, place: NodePath, margin: str) -> Iterator[str]:
        line = self._document.line(*place)
        for number in [number for number in self._left if number <= line]:
            for comment in self._left.pop(number):
                yield f"{margin}{comment}"

    def _mapping(self, node: dict[str, Node], place: NodePath, margin: str, *, first: str = "") -> Iterator[str]:
        """The entries of a mapping; `first` goes before the first one in the place of the margin."""
        for number, key in enumerate(_ordered(node, place)):
            at = (*place, key)
            lead = first if first and number == 0 else margin
            if lead is not first or not first:
                yield from self._above(at, margin)
            yield from self._entry(f"{lead}{_key(key, _IN_BLOCK)}:", node[key], at, margin)

    def _entry(self, head: str, node: Node, place: NodePath, margin: str) -> Iterator[str]:
        flow = _scalar(node) if isinstance(node, str) else _flow(node)
        short = len(head) + 1 + len(flow) <= WIDTH and not self._opened(node, place)
        if short and not self._commented(node, place):
            yield f"{head} {flow}".rstrip()
        elif isinstance(node, str):
            yield from _folded(head, node, margin)
        elif isinstance(node, list):
            yield head
            yield from self._list(node, place, margin + INDENT)
        else:
            yield head
            yield from self._mapping(node, place, margin + INDENT)

    def _list(self, node: list[Node], place: NodePath, margin: str) -> Iterator[str]:
        for number, item in enumerate(node):
            at = (*place, number)
            yield from self._above(at, margin)
            flow = _flow(item)
            short = len(margin) + 2 + len(flow) <= WIDTH and not self._commented(item, at)
            if isinstance(item, dict) and not (short and self._short_item(item, at)):
                yield from self._mapping(item, at, margin + INDENT, first=f"{margin}- ")
            else:
                yield f"{margin}- {flow}"

    def _short_item(self, item: dict[str, Node], place: NodePath) -> bool:
        """Whether an item may stand in braces: neither a turn nor a mapping of one key, which needs none."""
        return len(item) > 1 and place[-2:-1] != ("turns",)

    def _opened(self, node: Node, place: NodePath) -> bool:
        """What never stands on one line: turns, fixtures, rows, and several mappings."""
        mappings = sum(isinstance(item, dict) for item in node) if isinstance(node, list) else 0
        named = place[-1] in ("turns", "fixtures", "concurrent") or place[:-1] == ("fixtures",)
        return named or place == ("rows",) or mappings > 1

    def _commented(self, node: Node, place: NodePath) -> bool:
        """Whether a comment stands within a value, so that it must have lines of its own."""
        last = max(line for at, line in self._document.lines.items() if at[: len(place)] == place)
        return any(self._document.line(*place) < number <= last for number in self._left)


def _ordered(node: Mapping[str, Node], place: NodePath) -> Iterable[str]:
    """The keys in the order of the form, those that it does not have as they stand."""
    known: tuple[str, ...] = ()
    if not place:
        known = _HEAD_KEYS
    elif len(place) > 1 and place[-2] in ("turns", "concurrent"):
        known = _TURN_KEYS
    return [*(key for key in known if key in node), *(key for key in node if key not in known)]


def _flow(node: Any) -> str:
    if isinstance(node, str):
        return _scalar(node, context=_IN_FLOW)
    if isinstance(node, list):
        return f"[{', '.join(_flow(item)[1:-1] if _is_pair(item) else _flow(item) for item in node)}]"
    return f"{{{', '.join(f'{_key(key, _IN_FLOW)}: {_flow(below)}' for key, below in node.items())}}}"


def _key(key: str, context: str) -> str:
    return _scalar(Plain(key) if key else key, context=context)


def _is_pair(item: Node) -> bool:
    """Whether an item is a mapping of one key, which needs no braces in a list."""
    return isinstance(item, dict) and len(item) == 1


def _scalar(text: str, *, context: str = _IN_BLOCK) -> str:
    """A scalar on one line: plain where it was plain and can be, else in the quotes that need the fewest escapes."""
    if isinstance(text, Plain) and (text == "" or _reads_back(str(text), context)):
        return str(text)
    if "'" not in text and ("\\" in text or '"' in text) and text.isprintable():
        return f"'{text}'"
    return yaml.dump(str(text), default_style='"', allow_unicode=True, width=100_000).strip()


@lru_cache(maxsize=4096)
def _reads_back(text: str, context: str) -> bool:
    """Whether a plain text can stand in a context unquoted."""
    try:
        document = parse_document(context.replace("_", text), path="")
    except LocatedError:
        return False
    found = document.root["a"]
    return found in (text, [text]) and isinstance(found[0] if isinstance(found, list) else found, Plain)


def _folded(head: str, text: str, margin: str) -> Iterator[str]:
    """A long text over several lines, where that loses nothing."""
    words = text.split(" ")
    if "\n" in text or "" in words or text != text.strip():
        yield f"{head} {_scalar(text)}"
        return
    yield f"{head} >-"
    line = margin + INDENT
    for word in words:
        if len(line) + len(word) > WIDTH and line.strip():
            yield line.rstrip()
            line = margin + INDENT
        line += f"{word} "
    yield line.rstrip()
