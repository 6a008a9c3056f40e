"""A changed value as edits of the text: what is the same stays as it was written, comments and order with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marg_harness.scenario_text import flow_text, key_text
from marg_harness.update.spans import Span
from marg_mock_model import NodePath
from marg_mock_model.plain import resolve
from marg_runtime.canonical import canonical_json
from marg_runtime.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Characters of a text, from `start` to `end`, and what stands in their place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Written:
    """A text, and where its values stand in it."""

    text: str
    spans: Mapping[NodePath, Span]

    def edits(self, place: NodePath, old: Any, new: Any) -> Iterator[Edit]:
        """What to change so that the value at a place becomes `new`.

        Raises UsageError where that would take a comment away.
        """
        if same_value(old, new):
            return
        if isinstance(old, Mapping) and isinstance(new, Mapping) and set(old) == set(new):
            for key in old:
                yield from self.edits((*place, key), old[key], new[key])
        elif isinstance(old, list) and _is_list(new) and len(old) == len(new):
            for number, below in enumerate(new):
                yield from self.edits((*place, number), old[number], below)
        else:
            yield self._replaced(place, new)

    def _replaced(self, place: NodePath, new: Any) -> Edit:
        span = self.spans[place]
        self._check_comments(place, span)
        text = _block_text(new, span.column) if span.block else flow_text(new)
        if self.text[span.start - 1 : span.start] == ":":
            text = f" {text}"  # nothing was written behind the colon
        return Edit(start=span.start, end=span.end, text=text)

    def _check_comments(self, place: NodePath, span: Span) -> None:
        between, at = [], span.start
        leaves = sorted(
            (one.start, one.end) for path, one in self.spans.items() if path[: len(place)] == place and one.leaf
        )
        for start, end in leaves:
            between.append(self.text[at:start])
            at = end
        if any("#" in part for part in (*between, self.text[at : span.end])):
            raise UsageError("there are comments in what would be written anew")


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with all edits made; they do not overlap."""
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def same_value(old: Any, new: Any) -> bool:
    """Whether a node as it is written means this value: 5 and "5" differ."""
    return canonical_json(resolve(old)) == canonical_json(new)


def _block_text(new: Any, column: int) -> str:
    """A list or a mapping a line each, from a column on; what is empty stands in brackets, further in."""
    between = "\n" + " " * column
    if isinstance(new, Mapping) and new:
        return between.join(f"{key_text(key)}: {flow_text(below)}" for key, below in new.items())
    if _is_list(new) and new:
        return between.join(f"- {flow_text(below)}" for below in new)
    return f"  {flow_text(new)}"


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
