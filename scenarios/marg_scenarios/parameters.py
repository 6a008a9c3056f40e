"""Parameters: `{name}` in a turn's texts, with a value from a row, from the scenario, or from where a fixture is used.

A text that is a parameter and nothing else becomes its value, whatever that is: `model_calls: "{calls}"` is a number.
Where there are no parameters braces are text, but a text that is nothing but `{name}` was meant to be one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from marg_mock_model import Document, NodePath, Plain, nearest
from marg_mock_model.tree import Node

_NAME = re.compile(r"\{([A-Za-z_]\w*)\}")
_PART = re.compile(r"\{\{|\}\}|\{(\w+)\}|[{}]")


class Parameters:
    """Values by name, and which of them were put in somewhere. With none, texts stay as they are, braces too; one that
    is `{name}` and nothing else is refused."""

    def __init__(self, values: Mapping[str, Node]) -> None:
        self.values = values
        self.used: set[str] = set()

    def fill(self, node: Node, document: Document, place: NodePath) -> Node:
        """A node with its parameters put in; `place` is where it stands. Raises LocatedError for an unknown name."""
        if isinstance(node, str) and not self.values:
            return self._plain(node, document, place)
        if isinstance(node, str):
            return self._fill_text(node, document, place)
        if isinstance(node, list):
            return [self.fill(below, document, (*place, number)) for number, below in enumerate(node)]
        if not isinstance(node, Mapping):
            return node  # of the Python builder: a number or a truth value, where a file has only texts
        if len(node) == 1 and set(node) <= set(self.values) and list(node.values()) == [""]:
            # An unquoted {name} is YAML's mapping of "name" to nothing.
            raise document.error(f"{place[-1]!r} is a mapping; quote the parameter: '{{{next(iter(node))}}}'.", *place)
        return {key: self.fill(below, document, (*place, key)) for key, below in node.items()}

    def _plain(self, text: str, document: Document, place: NodePath) -> Node:
        whole = _NAME.fullmatch(text)
        if whole is not None:
            raise document.error(
                f"{place[-1]!r} is {text!r}, and nothing here has parameters; add 'parameters: {{{whole[1]}: ...}}' "
                "or rows.",
                *place,
            )
        return text

    def _fill_text(self, text: str, document: Document, place: NodePath) -> Node:
        whole = _PART.fullmatch(text)
        if whole is not None and whole[1] is not None:
            return self._value(whole[1], document, place)

        def part(match: re.Match[str]) -> str:
            if match[1] is None:
                return self._brace(match[0], text, document, place)
            value = self._value(match[1], document, place)
            if not isinstance(value, str):
                raise document.error(f"{text!r} names {match[0]!r}, which is a list or a mapping.", *place)
            return value

        filled = _PART.sub(part, text)
        return Plain(filled) if isinstance(text, Plain) else filled

    def _brace(self, brace: str, text: str, document: Document, place: NodePath) -> str:
        if len(brace) == 1:
            raise document.error(f"{text!r} has the brace {brace!r} alone; write {brace * 2!r} for a brace.", *place)
        return brace[0]

    def _value(self, name: str, document: Document, place: NodePath) -> Node:
        if name not in self.values:
            hint = nearest(name, tuple(self.values))
            raise document.error(f"{{{name}}} is no parameter; {hint} Write '{{{{' for a brace.", *place)
        self.used.add(name)
        return self.values[name]
