"""Finding a domain's kit, by the name of a shipped one or by module and attribute."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from marg_scenarios import Kit, find_kit
from marg_scenarios.errors import KitError

SHIPPED = "marg_scenarios.support_intake.kit:KIT"


def module(folder: Path, text: str) -> str:
    """A module beside a scenario; the name is of this test alone, since a module is loaded once in a process."""
    name = f"kit_of_{folder.name}"
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return name


def test_a_shipped_domain_is_found_by_its_name() -> None:
    assert find_kit("support_intake") is find_kit(SHIPPED)


def test_a_module_beside_the_scenario_is_found(tmp_path: Path) -> None:
    name = module(tmp_path, "from marg_scenarios.support_intake.kit import KIT as OWN\n")
    assert isinstance(find_kit(f"{name}:OWN", beside=tmp_path), Kit)


def test_looking_beside_the_scenario_leaves_the_import_path_as_it_was(tmp_path: Path) -> None:
    before = list(sys.path)
    find_kit(f"{module(tmp_path, 'from marg_scenarios.support_intake.kit import KIT')}:KIT", beside=tmp_path)
    assert sys.path == before


def test_a_module_that_is_not_there_is_named_with_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(KitError) as caught:
        find_kit("no_such_kit_module:KIT", beside=tmp_path)
    assert "no module 'no_such_kit_module'" in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_module_that_lacks_another_module_names_that_one(tmp_path: Path) -> None:
    name = module(tmp_path, "import no_such_other_module\n")
    with pytest.raises(KitError, match="no module 'no_such_other_module'"):
        find_kit(f"{name}:KIT", beside=tmp_path)


def test_a_misspelt_shipped_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(KitError, match=r"no domain 'suport_intake'; did you mean 'support_intake'\?"):
        find_kit("suport_intake")


@pytest.mark.parametrize("name", ["nothing_like_it", "module:", ""])
def test_another_name_is_refused_with_what_ships(name: str) -> None:
    with pytest.raises(KitError, match="shipped: support_intake"):
        find_kit(name)


@pytest.mark.parametrize("target", ["json:KIT", "json:dumps", "marg_scenarios.support_intake.kit:SUPPORT_INTAKE"])
def test_what_is_no_kit_is_refused(target: str) -> None:
    with pytest.raises(KitError, match=r"no kit|no Kit"):
        find_kit(target)


def test_a_module_that_raises_is_named_with_the_error_and_its_line(tmp_path: Path) -> None:
    name = module(tmp_path, "\n1 / 0\n")
    place = re.escape(f"{tmp_path / name}.py:2")
    with pytest.raises(KitError, match=f"its module raised ZeroDivisionError: division by zero at {place}"):
        find_kit(f"{name}:KIT", beside=tmp_path)


def test_a_module_that_is_no_python_is_named_with_the_error(tmp_path: Path) -> None:
    name = module(tmp_path, "\nthis is no python\n")
    with pytest.raises(KitError, match="its module raised SyntaxError: invalid syntax"):
        find_kit(f"{name}:KIT", beside=tmp_path)


def test_a_second_module_of_the_same_name_is_refused_and_both_are_named(tmp_path: Path) -> None:
    name = module(tmp_path, "from marg_scenarios.support_intake.kit import KIT\n")
    find_kit(f"{name}:KIT", beside=tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / f"{name}.py").write_text("KIT = None\n", encoding="utf-8")
    with pytest.raises(KitError, match="has the same name; rename one of them") as caught:
        find_kit(f"{name}:KIT", beside=other)
    assert str(tmp_path / f"{name}.py") in str(caught.value)
    assert str(other / f"{name}.py") in str(caught.value)


def test_a_misspelt_kit_is_refused_with_the_kit_that_is_there() -> None:
    with pytest.raises(KitError, match=r"'KITT' in .* is not there; it has the kit 'KIT'"):
        find_kit("marg_scenarios.support_intake.kit:KITT")


def test_a_scenario_finds_the_kit_of_the_folder_above(tmp_path: Path) -> None:
    scenarios = tmp_path / "copied" / "scenarios"
    scenarios.mkdir(parents=True)
    source = "from dataclasses import replace\nfrom marg_scenarios.support_intake.kit import KIT as SHIPPED\n"
    (tmp_path / "copied" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "copied" / "kit.py").write_text(f"{source}KIT = replace(SHIPPED)\n", encoding="utf-8")
    assert find_kit(":KIT", beside=scenarios) is sys.modules["copied.kit"].KIT


def test_a_copy_of_the_example_is_its_own_domain(tmp_path: Path) -> None:
    example = find_kit("support_intake").machine.parent
    copied = tmp_path / "my_intake"
    shutil.copytree(example, copied, ignore=shutil.ignore_patterns("__pycache__"))
    domain = (copied / "domain.py").read_text(encoding="utf-8")
    (copied / "domain.py").write_text(domain.replace("How urgent is this?", "How pressing is it?"), encoding="utf-8")
    found = find_kit(":KIT", beside=copied / "scenarios")
    assert "How pressing is it?" in [step.lead for step in found.domain.steps]


def test_without_a_kit_in_any_folder_above_it_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"no 'kit\.py' in .* or a folder above it; write one, or name a domain"):
        find_kit(":KIT", beside=tmp_path)


def test_a_folder_that_is_no_module_is_refused_with_the_module_to_name(tmp_path: Path) -> None:
    (tmp_path / "hollow").mkdir()
    with pytest.raises(KitError, match=r"'hollow' is a folder and no module"):
        find_kit("hollow:KIT", beside=tmp_path)
