"""Drawings of a machine: well formed, whole, and the same every time."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model import Machine, parse_machine
from marg_mock_model.drawing import mermaid_of, svg_of
from marg_mock_model.drawing.edge import edges_of
from marg_mock_model.drawing.layout import layout_of

TEXT = """\
machine: desk
start: open
states:
  open:
    says: nothing was said
    transitions:
      - {when: {user: "a: <b> & \\"c\\"; #1"}, reply: Hello., to: open}
      - {when: {user: go}, calls: [{search: {}}], to: busy}
      - {when: {user: run}, reply: Yes., to: away}
  busy:
    transitions:
      - {when: {result_of: search}, reply: Found., to: open}
  away:
    transitions:
      - {when: {}, silent: true, to: open}
      - {when: {user: x}, silent: true, to: busy}
  lost:
    transitions:
      - {when: {}, silent: true, to: open}
slips:
  - {slip: empty, rate: 0.25, states: [busy]}
"""
MACHINE = parse_machine(TEXT, path="desk.yaml")
SVG = "{http://www.w3.org/2000/svg}"


def texts(machine: Machine) -> list[str]:
    """All texts of the SVG."""
    root = ElementTree.fromstring(svg_of(machine))
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def test_mermaid_has_every_state_and_every_transition() -> None:
    lines = mermaid_of(MACHINE).splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert [line.strip() for line in lines if " as s" in line] == [
        'state "open" as s1',
        'state "busy" as s2',
        'state "away" as s3',
        'state "lost" as s4',
    ]
    assert sum("-->" in line for line in lines) == 1 + len(MACHINE.transitions())


def test_mermaid_gets_no_character_that_it_would_read() -> None:
    (line,) = (line for line in mermaid_of(MACHINE).splitlines() if "s1 --> s1" in line)
    assert line.partition(": ")[2] == "user 'a#58; #60;b#62; #38; #34;c#34;#59; #35;1'"


def test_mermaid_notes_the_slips() -> None:
    assert "    note right of s2: slip empty 0.25" in mermaid_of(MACHINE).splitlines()


def test_the_svg_has_a_box_for_every_state_and_a_badge_for_every_edge() -> None:
    root = ElementTree.fromstring(svg_of(MACHINE))
    boxes = [node for node in root.iter(f"{SVG}rect") if node.get("rx")]
    badges = [node for node in root.iter(f"{SVG}g")]
    assert (len(boxes), len(badges)) == (4, len(edges_of(MACHINE)))


def test_the_legend_says_what_every_edge_is() -> None:
    found = texts(MACHINE)
    assert "2  open → busy" in found
    assert "line 8: user 'go' → calls search" in found
    assert "slip  line 21: empty, rate 0.25, busy" in found


def test_a_state_that_nothing_reaches_is_dashed() -> None:
    root = ElementTree.fromstring(svg_of(MACHINE))
    assert len([node for node in root.iter(f"{SVG}rect") if node.get("stroke-dasharray")]) == 1


def test_no_two_boxes_overlap() -> None:
    boxes = list(layout_of(MACHINE, edges_of(MACHINE), top=0).boxes.values())
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            beside = one.x + one.width < other.x or other.x + other.width < one.x
            assert beside or one.y + one.height < other.y or other.y + other.height < one.y


def test_every_box_lies_within_the_drawing() -> None:
    layout = layout_of(MACHINE, edges_of(MACHINE), top=0)
    assert all(box.x > 0 and box.x + box.width < layout.width for box in layout.boxes.values())
    assert all(box.y + box.height < layout.height for box in layout.boxes.values())


def machine_of(names: list[str], links: list[tuple[int, int]]) -> Machine:
    states: dict[str, Any] = {name: {"transitions": []} for name in names}
    for source, target in [*links, *((n, 0) for n in range(len(names)))]:
        transitions = states[names[source % len(names)]]["transitions"]
        transitions.append({"when": {"user": "x"}, "reply": "y", "to": names[target % len(names)]})
    return parse_machine(json.dumps({"machine": "m", "start": names[0], "states": states}), path="m.yaml")


Names = st.lists(
    st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=40),
    min_size=1,
    max_size=6,
    unique=True,
)


@given(Names, st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_any_machine_is_drawn_as_well_formed_xml(names: list[str], links: list[tuple[int, int]]) -> None:
    ElementTree.fromstring(svg_of(machine_of(names, links)))


@pytest.mark.parametrize("draw", [mermaid_of, svg_of])
def test_a_drawing_is_the_same_every_time(draw: Any) -> None:
    assert draw(MACHINE) == draw(parse_machine(TEXT, path="desk.yaml"))
