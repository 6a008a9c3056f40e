"""Where the values of a YAML text stand, by their paths: what an edit replaces and nothing around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from marg_mock_model import NodePath

# Behind every line break that YAML knows.
_LINES = re.compile("(?<=\n)|(?<=\r)(?!\n)|(?<=[\x85\u2028\u2029])")
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, kw_only=True)
class Span:
    """A value: its characters from `start` to `end`, and the column of its start.

    block: a list or mapping that is written over lines of its own, without brackets. leaf: a scalar.
    """

    start: int
    end: int
    column: int
    block: bool = False
    leaf: bool = False


@dataclass(kw_only=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    path: NodePath
    start: int
    column: int
    mapping: bool
    block: bool
    key: str | None = None
    number: int = 0
    end: int = 0


def spans_of(text: str) -> Mapping[NodePath, Span]:
    """The values of a document that has been read before, by their paths as `Document` has them."""
    walk = _Walk(text=text)
    for event in yaml.parse(text, Loader=_LOADER):
        walk.take(event)
    return walk.found


@dataclass(kw_only=True)
class _Walk:
    text: str
    found: dict[NodePath, Span] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lines: list[int] = [0]
        for line in _LINES.split(self.text):
            self._lines.append(self._lines[-1] + len(line))

    def take(self, event: Any) -> None:
        """Take one event in."""
        if isinstance(event, yaml.CollectionEndEvent):
            self._close(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event)

    def _open(self, event: Any) -> None:
        mark, mapping = event.start_mark, isinstance(event, yaml.MappingStartEvent)
        opened = _Open(
            path=self._path(),
            start=self._at(mark),
            column=mark.column,
            mapping=mapping,
            block=not event.flow_style,
        )
        self.stack.append(opened)

    def _scalar(self, event: Any) -> None:
        parent = self.stack[-1]
        if parent.mapping and parent.key is None:
            parent.key = str(event.value)
            return
        path, start, end = self._path(), self._at(event.start_mark), self._at(event.end_mark)
        # The end of a block scalar is where what follows begins.
        end = start + len(self.text[start:end].rstrip()) if event.style in ("|", ">") else end
        self._note(path, Span(start=start, end=end, column=event.start_mark.column, leaf=True))

    def _close(self, event: Any) -> None:
        done = self.stack.pop()
        # A block ends where its last value does, and not where the next token stands.
        end = done.end if done.block else self._at(event.end_mark)
        self._note(done.path, Span(start=done.start, end=end, column=done.column, block=done.block))

    def _path(self) -> NodePath:
        """The path of the value that begins now."""
        if not self.stack:
            return ()
        parent = self.stack[-1]
        if parent.mapping:
            assert parent.key is not None
            path: NodePath = (*parent.path, parent.key)
            parent.key = None
            return path
        parent.number += 1
        return (*parent.path, parent.number - 1)

    def _note(self, path: NodePath, span: Span) -> None:
        self.found[path] = span
        if self.stack:
            self.stack[-1].end = span.end

    def _at(self, mark: Any) -> int:
        line = min(int(mark.line), len(self._lines) - 1)
        return min(self._lines[line] + int(mark.column), len(self.text))
