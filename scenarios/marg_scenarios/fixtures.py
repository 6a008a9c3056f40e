"""Fixtures: named lists of turns, of a scenario's file and of the files that it includes, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from marg_mock_model import Document, NodePath, nearest, read_document
from marg_mock_model.tree import Node
from marg_runtime.errors import UsageError
from marg_scenarios.forms.fixture_form import FixtureFileForm, FixtureForm
from marg_scenarios.scenario import FIXTURES_SUFFIX, files_below


@dataclass(frozen=True, kw_only=True)
class Fixture:
    """A fixture: its turns and parameters stand in `document` at `place`."""

    name: str
    document: Document
    place: NodePath
    turns: list[dict[str, Node]]
    parameters: dict[str, Node]

    @property
    def where(self) -> str:
        """Its file and line."""
        return f"{self.document.path}:{self.document.line(*self.place)}"


class Fixtures:
    """The fixtures that a scenario can use, by name. `files` are the included files, each once."""

    def __init__(self) -> None:
        self.by_name: dict[str, Fixture] = {}
        self.files: list[Path] = []

    def include(self, document: Document, files: list[str], *, chain: tuple[Path, ...] = ()) -> None:
        """Take in the fixtures of files, and of those that they include.

        Raises LocatedError for a file that is not there, that includes itself, or that names a fixture once more.
        """
        folder = Path(document.path).parent
        chain = (*chain, Path(document.path).resolve())
        for number, name in enumerate(files):
            path, place = folder / name, ("include", number)
            if path.resolve() in chain:
                raise document.error(f"'include' names {name!r}, which includes this file; break the circle.", *place)
            if not name.endswith(FIXTURES_SUFFIX) or not path.is_file():
                there = sorted(found.name for found in path.parent.glob(f"*{FIXTURES_SUFFIX}"))
                near = nearest(name, there) if there else "check the path."
                raise document.error(f"'include' names {name!r}, which is no file *{FIXTURES_SUFFIX}; {near}", *place)
            if path.resolve() not in {found.resolve() for found in self.files}:
                self.files.append(path)
                self._take_file(read_document(path), chain)

    def _take_file(self, document: Document, chain: tuple[Path, ...]) -> None:
        form = document.validate(FixtureFileForm)
        self.include(document, form.include, chain=chain)
        self.take(document, form.fixtures)

    def take(self, document: Document, forms: dict[str, FixtureForm]) -> None:
        """Take in a document's own fixtures; raises LocatedError for a name that is taken."""
        for name, form in forms.items():
            place: NodePath = ("fixtures", name)
            if name in self.by_name:
                first = self.by_name[name].where
                raise document.error(f"the fixture {name!r} is there already, at {first}; rename one.", *place)
            self.by_name[name] = Fixture(
                name=name,
                document=document,
                place=place,
                turns=cast("list[dict[str, Node]]", form.turns),
                parameters=form.parameters or {},
            )

    def find(self, name: str, document: Document, *place: str | int) -> Fixture:
        """The fixture of a name; raises LocatedError, at the place that names it, where there is none."""
        if name in self.by_name:
            return self.by_name[name]
        hint = nearest(name, tuple(self.by_name)) if self.by_name else "there are none; include a file of fixtures."
        raise document.error(f"'use' names {name!r}, which is no fixture; {hint}", *place)


def find_fixtures(path: Path) -> tuple[Path, ...]:
    """The fixture files of a path: the file itself, or all below a folder, in order; hidden folders are left out."""
    if path.is_file():
        return (path,) if path.name.endswith(FIXTURES_SUFFIX) else ()
    if not path.is_dir():
        raise UsageError(f"{str(path)!r} is neither a file nor a folder; check the path.")
    return files_below(path, FIXTURES_SUFFIX)
