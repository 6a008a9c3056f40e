"""A machine as an SVG: states in layers, numbered edges, and a legend that says what each number is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from marg_mock_model.drawing.edge import Edge, answer_in_words, edges_of, guards_in_words
from marg_mock_model.drawing.layout import CHARACTER, LANE, LINE, LOOP, PADDING, Box, Layout, layout_of
from marg_mock_model.machine import Machine, unreachable

TOP = 64.0
BADGE = 10.0
CORNER = 14.0
INK, PAPER, SOFT, FAINT = "#1b1f24", "#ffffff", "#57606a", "#d0d7de"
UNREACHED = "#cf222e"

# What XML 1.0 has no form for.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_of(machine: Machine) -> str:
    """The drawing's text: one file, nothing outside of it is asked for."""
    edges = edges_of(machine)
    layout = layout_of(machine, edges, top=TOP)
    legend = _legend(machine, edges)
    widest = max(len(line) for line in legend) * CHARACTER + 2 * PADDING
    width, height = max(layout.width, widest), layout.height + len(legend) * LINE + 2 * PADDING
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="ui-sans-serif, sans-serif" font-size="12" fill="{INK}" role="img">',
        f"<title>{_text(f'The mock machine {machine.name}')}</title>",
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{SOFT}"/></marker></defs>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>',
        *_start(layout.boxes[machine.start]),
        *_edges(edges, layout),
        *_boxes(machine, layout),
        *_lines(legend, y=layout.height + PADDING),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _start(box: Box) -> Iterator[str]:
    y = TOP - 40
    yield f'<circle cx="{box.middle:.1f}" cy="{y:.1f}" r="6"/>'
    yield _path(f"M{box.middle:.1f} {y + 6:.1f} L{box.middle:.1f} {box.y:.1f}")


def _boxes(machine: Machine, layout: Layout) -> Iterator[str]:
    lost = {state.name for state in unreachable(machine)}
    for name, box in layout.boxes.items():
        stroke, dashes = (UNREACHED, ' stroke-dasharray="5 4"') if name in lost else (INK, "")
        yield (
            f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="8" '
            f'fill="{PAPER}" stroke="{stroke}"{dashes}/>'
        )
        for number, line in enumerate(box.lines):
            y = box.y + PADDING + (number + 0.75) * LINE
            style = ' font-weight="600"' if number == 0 else f' fill="{SOFT}"'
            yield f'<text x="{box.middle:.1f}" y="{y:.1f}" text-anchor="middle"{style}>{_text(line)}</text>'


def _edges(edges: tuple[Edge, ...], layout: Layout) -> Iterator[str]:
    lane = 0
    for edge in edges:
        source, target = layout.boxes[edge.source], layout.boxes[edge.target]
        if edge.source == edge.target:
            yield from _loop(edge, source)
        elif layout.layers[edge.target] > layout.layers[edge.source]:
            yield from _down(edge, edges, source, target)
        else:
            lane += 1
            yield from _back(edge, layout, x=layout.left - LANE * lane, lane=lane)


def _loop(edge: Edge, box: Box) -> Iterator[str]:
    x, y = box.x + box.width, box.y + box.height / 2
    out = x + LOOP - BADGE
    yield _path(f"M{x:.1f} {y - 10:.1f} C{out:.1f} {y - 26:.1f} {out:.1f} {y + 26:.1f} {x:.1f} {y + 10:.1f}")
    yield from _badge(edge, x=x + (LOOP - BADGE) * 0.75, y=y)


def _down(edge: Edge, edges: tuple[Edge, ...], source: Box, target: Box) -> Iterator[str]:
    """From the lower side of one to the upper side of another, each edge at a place of its own."""
    start = source.x + source.width * _share(edge, [e for e in edges if e.source == edge.source])
    end = target.x + target.width * _share(edge, [e for e in edges if e.target == edge.target])
    top, bottom = source.y + source.height, target.y
    middle = (top + bottom) / 2
    yield _path(f"M{start:.1f} {top:.1f} C{start:.1f} {middle:.1f} {end:.1f} {middle:.1f} {end:.1f} {bottom:.1f}")
    yield from _badge(edge, x=(start + end) / 2, y=middle)


def _share(edge: Edge, beside: list[Edge]) -> float:
    others = [other for other in beside if other.source != other.target]
    return (others.index(edge) + 1) / (len(others) + 1)


def _back(edge: Edge, layout: Layout, *, x: float, lane: int) -> Iterator[str]:
    """Around the left of everything, in a lane of its own; over or under its row where others stand to the left."""
    source, target = layout.boxes[edge.source], layout.boxes[edge.target]
    apart = 4.0 * (lane % 4)  # where several edges meet
    start, end = source.y + source.height - 6 - apart, target.y + 6 + apart
    points = [(source.x, start), (x, start), (x, end), (target.x, end)]
    if source.x > layout.left:
        under = layout.bottom(edge.source) + 10 + apart
        begin = source.x + source.width * 0.75 + apart
        points[:2] = [(begin, source.y + source.height), (begin, under), (x, under)]
    if target.x > layout.left:
        over = target.y - 10 - apart
        points[-2:] = [(x, over), (target.x + apart + 6, over), (target.x + apart + 6, target.y)]
    yield _path(_rounded(points))
    yield from _badge(edge, x=x, y=(start + end) / 2 + (lane % 3 - 1) * BADGE * 2)


def _rounded(points: list[tuple[float, float]]) -> str:
    """A line over points, its corners round."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        near, far = _towards(corner, before), _towards(corner, after)
        parts.append(f"L{near[0]:.1f} {near[1]:.1f} Q{corner[0]:.1f} {corner[1]:.1f} {far[0]:.1f} {far[1]:.1f}")
    parts.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return " ".join(parts)


def _towards(corner: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The point near a corner on the way to another, at most halfway."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    length = max(abs(dx), abs(dy)) or 1.0
    share = min(CORNER / length, 0.5)
    return corner[0] + dx * share, corner[1] + dy * share


def _badge(edge: Edge, *, x: float, y: float) -> Iterator[str]:
    told = "; ".join(f"line {t.line}: {guards_in_words(t)} → {answer_in_words(t)}" for t in edge.transitions)
    yield f"<g><title>{_text(told)}</title>"
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{BADGE:.1f}" fill="{PAPER}" stroke="{FAINT}"/>'
    yield f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{edge.number}</text></g>'


def _legend(machine: Machine, edges: tuple[Edge, ...]) -> list[str]:
    lines = []
    for edge in edges:
        lines.append(f"{edge.number}  {edge.source} → {edge.target}")
        lines += [f"      line {t.line}: {guards_in_words(t)} → {answer_in_words(t)}" for t in edge.transitions]
    for slip in machine.slips:
        where = ", ".join(slip.states) or "anywhere"
        lines.append(f"slip  line {slip.line}: {slip.kind}, rate {slip.rate}, {where}")
    return lines


def _lines(lines: list[str], *, y: float) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        indent, style = (PADDING, "") if not line.startswith(" ") else (PADDING + 24, f' fill="{SOFT}"')
        yield f'<text x="{indent:.1f}" y="{y + number * LINE:.1f}"{style}>{_text(line.strip())}</text>'


def _path(d: str) -> str:
    return f'<path d="{d}" fill="none" stroke="{SOFT}" marker-end="url(#end)"/>'


def _text(text: str) -> str:
    return escape(_ILLEGAL.sub("\ufffd", text))
