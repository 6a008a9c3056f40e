"""Where the states of a drawing stand: in layers by their distance from the start, each layer a row."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from marg_mock_model.drawing.edge import Edge, shortened
from marg_mock_model.machine import Machine, State

CHARACTER = 7.0  # pixels of one character, estimated; what is drawn is wide enough for it
LINE = 16.0
PADDING = 12.0
LONGEST_LINE = 34
BETWEEN_STATES = 90.0
BETWEEN_LAYERS = 90.0
LOOP = 56.0
"""Pixels right of a state that its loop takes."""

BELOW = 36.0
"""Pixels below the last row, where edges may lead back."""

LANE = 26.0
"""Pixels between two edges that lead back, left of all states."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """A state's box: its left upper corner, its size, and the lines in it."""

    state: State
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]

    @property
    def middle(self) -> float:
        """The x of its middle."""
        return self.x + self.width / 2


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The boxes by state, the layer of each, and the size of it all; the states begin right of `left`."""

    boxes: dict[str, Box]
    layers: dict[str, int]
    left: float
    width: float
    height: float

    def bottom(self, name: str) -> float:
        """The lower end of a state's row."""
        beside = [box for other, box in self.boxes.items() if self.layers[other] == self.layers[name]]
        return max(box.y + box.height for box in beside)


def layout_of(machine: Machine, edges: tuple[Edge, ...], *, top: float) -> Layout:
    """The layout of a machine, from `top` downwards."""
    layers = _layers(machine, edges)
    back = sum(layers[edge.target] <= layers[edge.source] and edge.source != edge.target for edge in edges)
    left = PADDING + LANE * (back + 1)
    boxes: dict[str, Box] = {}
    y, right = top, left
    for row in _rows(machine, edges, layers):
        x, height = left, 0.0
        for name in row:
            box = _box(machine.states[name], x=x, y=y)
            boxes[name] = box
            x, height = x + box.width + BETWEEN_STATES, max(height, box.height)
        right, y = max(right, x - BETWEEN_STATES + LOOP), y + height + BETWEEN_LAYERS
    return Layout(boxes=boxes, layers=layers, left=left, width=right + PADDING, height=y - BETWEEN_LAYERS + BELOW)


def _layers(machine: Machine, edges: tuple[Edge, ...]) -> dict[str, int]:
    """The distance of each state from the start; those that are not reached stand in a layer of their own, last."""
    layers = {machine.start: 0}
    front = [machine.start]
    while front:
        following = [e.target for name in front for e in edges if e.source == name and e.target not in layers]
        front = list(dict.fromkeys(following))
        layers |= {name: max(layers.values()) + 1 for name in front}
    last = max(layers.values()) + 1
    return {name: layers.get(name, last) for name in machine.states}


def _rows(machine: Machine, edges: tuple[Edge, ...], layers: dict[str, int]) -> list[list[str]]:
    """The states of each layer from left to right: below those that lead to them, then in the order of the file."""
    rows: list[list[str]] = []
    places: dict[str, int] = {}
    for layer in range(max(layers.values()) + 1):
        names = [name for name in machine.states if layers[name] == layer]
        row = sorted(names, key=lambda name: _wish(name, edges, places))
        places |= {name: place for place, name in enumerate(row)}
        rows.append(row)
    return rows


def _wish(name: str, edges: tuple[Edge, ...], places: dict[str, int]) -> float:
    above = [places[edge.source] for edge in edges if edge.target == name and edge.source in places]
    return fmean(above) if above else float(len(places))


def _box(state: State, *, x: float, y: float) -> Box:
    lines = (shortened(state.name, longest=LONGEST_LINE), *_wrapped(state.says))
    width = max(len(line) for line in lines) * CHARACTER + 2 * PADDING
    return Box(state=state, x=x, y=y, width=width, height=len(lines) * LINE + 2 * PADDING, lines=lines)


def _wrapped(text: str) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= LONGEST_LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, longest=LONGEST_LINE))
    return lines
