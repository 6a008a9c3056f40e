"""What the repository promises around the code: pinned versions, and make targets that say what they do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TARGETS = ("help", "setup", "replay", "score", "test", "format", "bench", "clean")


@pytest.fixture
def declared(root: Path) -> list[Requirement]:
    """Every requirement of the distribution, those of its extras too, without the ones on itself."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    return [requirement for line in lines if (requirement := Requirement(line)).name != "marg"]


@pytest.fixture
def pins(root: Path) -> list[Requirement]:
    """Every line of the constraints that is not a comment."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_every_constraint_is_one_exact_version(pins: list[Requirement]) -> None:
    assert [str(pin) for pin in pins if not re.fullmatch(r"==[^*,]+", str(pin.specifier)) or pin.url] == []


def test_the_constraints_stand_in_the_order_of_their_names(pins: list[Requirement]) -> None:
    names = [canonicalize_name(pin.name) for pin in pins]
    assert names == sorted(names)


def test_every_declared_requirement_is_pinned_within_its_range(
    declared: list[Requirement], pins: list[Requirement]
) -> None:
    here = {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins
        if pin.marker is None or pin.marker.evaluate()
    }
    unmet = [
        str(requirement)
        for requirement in declared
        if not requirement.specifier.contains(here.get(canonicalize_name(requirement.name), "0"), prereleases=True)
    ]
    assert unmet == []


def test_every_make_target_says_what_it_does(root: Path) -> None:
    said = re.findall(r"^([a-z]+):.*## \S", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(said) == sorted(TARGETS)


def test_the_oldest_python_is_the_same_in_the_project_and_in_make(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = re.search(r"version_info < \((\d+), (\d+)\)", (root / "Makefile").read_text(encoding="utf-8"))
    assert asked is not None
    assert project["requires-python"] == f">={asked[1]}.{asked[2]}"
