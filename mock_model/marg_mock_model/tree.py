"""The tree of a YAML file, grown from the event stream, with the line of every node.

Events and not composed nodes, because a composed node has lost its anchor and is built by recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from marg_mock_model.plain import Plain
from marg_runtime.errors import LocatedError

Node: TypeAlias = "str | list[Node] | dict[str, Node]"
NodePath: TypeAlias = "tuple[str | int, ...]"

MAX_DEPTH = 64
"""How deep a document may nest."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(kw_only=True)
class _Open:
    """A list or mapping whose end has not come yet; `key` is the key that waits for its value."""

    node: list[Node] | dict[str, Node]
    path: NodePath
    key: str | None = None


@dataclass(kw_only=True)
class Tree:
    """The tree as it grows by events."""

    path: str
    root: Node | None = None
    stack: list[_Open] = field(default_factory=list)
    lines: dict[NodePath, int] = field(default_factory=dict)
    documents: int = 0

    def take(self, event: yaml.Event) -> None:
        """Take one event in."""
        mark: Any = event.start_mark  # the stubs allow for events without a mark; parsed ones have it
        line = mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self._error("a second document begins; keep one document a file.", line)
        elif isinstance(event, yaml.AliasEvent):
            raise self._error(f"the alias '*{event.anchor}' is not allowed; write the value out.", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            self._take_node(event, line)

    def mapping(self) -> dict[str, Node]:
        """The finished tree; raises LocatedError for an empty file or another root than a mapping."""
        if self.root is None:
            raise self._error("the file is empty; write a mapping of keys to values.", 1)
        if not isinstance(self.root, dict):
            raise self._error("a mapping of keys to values is expected here.", self.lines[()])
        return self.root

    def _take_node(self, event: yaml.NodeEvent, line: int) -> None:
        if event.anchor is not None:
            raise self._error(f"the anchor '&{event.anchor}' is not allowed; write the value out.", line)
        if isinstance(event, yaml.ScalarEvent) and _SURROGATE.search(event.value):
            # Only the pure-Python loader lets an escape make one.
            raise self._error(f"not YAML: {event.value!r} has half a character; write the whole one.", line)
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise self._error(f"the tag {tag!r} is not allowed; quote the value to keep it as text.", line)
        parent = self.stack[-1] if self.stack else None
        if parent is not None and isinstance(parent.node, dict) and parent.key is None:
            self._open_key(parent, event, line)
        else:
            self._place(parent, event, line)

    def _open_key(self, parent: _Open, event: yaml.NodeEvent, line: int) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise self._error("the key is a list or mapping; a key is text.", line)
        key = str(event.value)
        path = (*parent.path, key)
        if key in parent.node:
            raise self._error(f"the key {key!r} stands twice (first at line {self.lines[path]}); keep one.", line)
        self.lines[path] = line
        parent.key = key

    def _place(self, parent: _Open | None, event: yaml.NodeEvent, line: int) -> None:
        node = _node(event)
        path: NodePath = ()
        if parent is None:
            self.root = node
        elif isinstance(parent.node, dict):
            assert parent.key is not None
            path = (*parent.path, parent.key)
            parent.node[parent.key] = node
            parent.key = None
        else:
            path = (*parent.path, len(parent.node))
            parent.node.append(node)
        self.lines.setdefault(path, line)
        if not isinstance(node, str):
            self._descend(_Open(node=node, path=path), line)

    def _descend(self, opened: _Open, line: int) -> None:
        self.stack.append(opened)
        if len(self.stack) > MAX_DEPTH:
            raise self._error(f"the file nests deeper than {MAX_DEPTH} levels; flatten it.", line)

    def _error(self, message: str, line: int) -> LocatedError:
        return LocatedError(message, path=self.path, line=line)


def _node(event: yaml.NodeEvent) -> Node:
    if isinstance(event, yaml.ScalarEvent):
        # The C parser says '' for a plain style, the Python one says None.
        return str(event.value) if event.style else Plain(event.value)
    return {} if isinstance(event, yaml.MappingStartEvent) else []
