"""From a scenario's file to its rows: fixtures put in, ids given, parameters filled; nodes keep their file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from marg_mock_model import Document, NodePath, nearest
from marg_mock_model.tree import Node
from marg_scenarios.fixtures import Fixture, Fixtures
from marg_scenarios.forms import OutlineForm, UseForm
from marg_scenarios.forms.fixture_form import TurnsForm
from marg_scenarios.parameters import Parameters
from marg_scenarios.turn_ids import SEEN_WORDS, check_ids, is_revision, made_id

USE = "use"
# What a row's document has no part of: its turns are its own. All rows in each of them would be rows squared.
WHOLE_FILE = ("turns", "fixtures", "rows")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a scenario: its id (None where there are no rows), and its document, with nothing left to fill."""

    id: str | None
    document: Document


@dataclass(frozen=True, kw_only=True)
class _Piece:
    """A turn as it is written: its node, where that stands, what fills it, and what goes before its ids."""

    node: dict[str, Node]
    document: Document
    place: NodePath
    parameters: Parameters
    prefix: str


def expand(document: Document) -> tuple[Row, ...]:
    """The rows of a scenario's file, one where it has none. Raises LocatedError for whatever does not fit."""
    outline = document.validate(OutlineForm)
    fixtures = Fixtures()
    fixtures.include(document, outline.include)
    fixtures.take(document, outline.fixtures or {})
    for fixture in fixtures.by_name.values():
        _check_fixture(fixture, fixtures)
    rows = _rows(document, outline)
    found = []
    used: set[str] = set()
    for name, values in rows.items():
        parameters = Parameters(values)
        found.append(Row(id=name, document=_row(document, outline, fixtures, parameters)))
        used |= parameters.used
    _check_used(document, outline, used)
    return tuple(found)


def included(document: Document) -> tuple[Path, ...]:
    """The files of fixtures that a scenario's file takes in, directly or through others."""
    fixtures = Fixtures()
    fixtures.include(document, document.validate(OutlineForm).include)
    return tuple(fixtures.files)


# Rows and their parameters


def _rows(document: Document, outline: OutlineForm) -> dict[str | None, dict[str, Any]]:
    """The values of each row; every row has every parameter."""
    defaults = outline.parameters or {}
    if outline.rows is None:
        return {None: defaults}
    known = tuple(defaults) or tuple(next(iter(outline.rows.values())))
    for name, values in outline.rows.items():
        for parameter in values:
            if parameter not in known:
                hint = nearest(parameter, known)
                message = f"{parameter!r} in the row {name!r} is no parameter of the other rows; {hint}"
                raise document.error(message, "rows", name, parameter)
        missing = [parameter for parameter in known if parameter not in {**defaults, **values}]
        if missing:
            raise document.error(f"the row {name!r} does not give {missing[0]!r}; add it.", "rows", name)
    return {name: {**defaults, **values} for name, values in outline.rows.items()}


def _check_used(document: Document, outline: OutlineForm, used: set[str]) -> None:
    """A parameter that no turn names changes nothing, and its rows would all be the same."""
    section = "parameters" if outline.parameters else "rows"
    first = next(iter(outline.rows), "") if outline.rows else ""
    names = outline.parameters or (outline.rows or {}).get(first, {})
    for name in names:
        if name not in used:
            place = (section, name) if outline.parameters else (section, first, name)
            raise document.error(f"no turn names {{{name}}}; use it or remove it.", *place)


def _row(document: Document, outline: OutlineForm, fixtures: Fixtures, parameters: Parameters) -> Document:
    turns = cast("list[dict[str, Node]]", outline.turns)
    pieces = tuple(_pieces(turns, document, ("turns",), parameters, fixtures))
    tree = _Tree(path=document.path)
    kept = {key: node for key, node in document.root.items() if key not in WHOLE_FILE}
    for key, node in kept.items():
        tree.copy(node, document, (key,), (key,))
    tree.lines[("turns",)] = document.line("turns")
    tree.turns = [tree.turn(piece, number) for number, piece in enumerate(pieces)]
    grown = Document(
        path=document.path,
        root={**kept, "turns": tree.turns},
        lines={(): document.line(), **tree.lines},
        files=tree.files,
    )
    check_ids(grown, tree.ids, made=frozenset(tree.made))
    return grown


# Fixtures


def _pieces(
    turns: list[dict[str, Node]],
    document: Document,
    place: NodePath,
    parameters: Parameters,
    fixtures: Fixtures,
    *,
    prefix: str = "",
    chain: tuple[str, ...] = (),
) -> Iterator[_Piece]:
    """The turns of a list, with those of every fixture in the place where it is used."""
    for number, node in enumerate(turns):
        at = (*place, number)
        if USE not in node:
            yield _Piece(node=node, document=document, place=at, parameters=parameters, prefix=prefix)
            continue
        use = _use(node, document, at, parameters)
        fixture = fixtures.find(use.use, document, *at, USE)
        if fixture.name in chain:
            raise document.error(f"the fixture {fixture.name!r} uses itself; break the circle.", *at, USE)
        yield from _pieces(
            fixture.turns,
            fixture.document,
            (*fixture.place, "turns"),
            _given(fixture, use, document, at),
            fixtures,
            prefix=prefix + (f"{use.id}-" if use.id else ""),
            chain=(*chain, fixture.name),
        )


def _use(node: dict[str, Node], document: Document, at: NodePath, parameters: Parameters) -> UseForm:
    filled = parameters.fill(node, document, at)
    assert isinstance(filled, dict)
    lines = {place[len(at) :]: line for place, line in document.lines.items() if place[: len(at)] == at}
    return Document(path=document.path, root=filled, lines=lines).validate(UseForm)


def _given(fixture: Fixture, use: UseForm, document: Document, at: NodePath) -> Parameters:
    given = use.given or {}
    for name in given:
        if name not in fixture.parameters:
            hint = nearest(name, tuple(fixture.parameters))
            message = f"the fixture {fixture.name!r} has no parameter {name!r}; {hint}"
            raise document.error(message, *at, "with", name)
    return Parameters({**fixture.parameters, **cast("Mapping[str, Node]", given)})


def _check_fixture(fixture: Fixture, fixtures: Fixtures) -> None:
    """Hold a fixture against the form of a turn, whether a scenario uses it or not."""
    parameters = Parameters(fixture.parameters)
    place = (*fixture.place, "turns")
    pieces = _pieces(fixture.turns, fixture.document, place, parameters, fixtures, chain=(fixture.name,))
    own = [piece for piece in pieces if piece.document is fixture.document and piece.place[: len(place)] == place]
    tree = _Tree(path=fixture.document.path)
    tree.turns = [tree.turn(piece, number) for number, piece in enumerate(own)]
    lines = {(): 1, ("turns",): fixture.document.line(*place), **tree.lines}
    Document(path=fixture.document.path, root={"turns": tree.turns}, lines=lines, files=tree.files).validate(TurnsForm)


# The tree of a row


@dataclass(kw_only=True)
class _Tree:
    """A row's tree as it grows, with the line and file of every node; `made` are the places of ids that were made."""

    path: str
    turns: list[Node] = field(default_factory=list)
    lines: dict[NodePath, int] = field(default_factory=dict)
    files: dict[NodePath, str] = field(default_factory=dict)
    ids: dict[NodePath, str] = field(default_factory=dict)
    made: set[NodePath] = field(default_factory=set)

    def copy(self, node: Node, document: Document, at: NodePath, to: NodePath) -> None:
        """Note the line of a node and of all below it."""
        self.lines[to] = document.line(*at)
        below = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in below:
            self.copy(child, document, (*at, key), (*to, key))

    def turn(self, piece: _Piece, number: int) -> Node:
        """A turn with its id and its parameters."""
        place: NodePath = ("turns", number)
        named = self._named(piece.node, place, prefix=piece.prefix)
        filled = piece.parameters.fill(named, piece.document, piece.place)
        self.copy(filled, piece.document, piece.place, place)
        if piece.document.path != self.path:
            self.files[place] = piece.document.path
        return filled

    def _named(self, node: dict[str, Node], place: NodePath, *, prefix: str) -> dict[str, Node]:
        declared = node.get("id")
        named: dict[str, Node] = {
            "id": prefix + str(made_id(node) if declared is None else declared),
            **_bound(node, prefix),
        }
        self.ids[place] = str(named["id"])
        if declared is None:
            self.made.add(place)
        parts = node.get("concurrent")
        if isinstance(parts, list):
            named["concurrent"] = [
                self._part(part, (*place, "concurrent", at), prefix=prefix, name=f"{named['id']}-{at + 1}")
                for at, part in enumerate(parts)
            ]
        return named

    def _part(self, node: Node, place: NodePath, *, prefix: str, name: str) -> Node:
        """One of several acts at once: where it declares no id it has the name of them all with its number."""
        if not isinstance(node, dict):
            return node
        declared = node.get("id")
        named: dict[str, Node] = {"id": name if declared is None else prefix + str(declared), **_bound(node, prefix)}
        self.ids[place] = str(named["id"])
        return named


def _bound(node: Mapping[str, Node], prefix: str) -> dict[str, Node]:
    """A turn without its id, and with the prefix before the ids that it refers to.

    A fixture refers to its own turns alone: whoever uses it cannot know what else it would need.
    """
    bound = {key: below for key, below in node.items() if key != "id"}
    for act in ("tap", "submit", "search", "forge"):
        below = bound.get(act)
        if isinstance(below, dict) and "of" in below:
            bound[act] = {**below, "of": prefix + str(below["of"])}
    seen = bound.get("seen")
    if isinstance(seen, str) and seen not in SEEN_WORDS and not is_revision(seen):
        bound["seen"] = prefix + seen
    return bound
