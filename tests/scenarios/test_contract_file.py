"""Reading a contract and a known-good record; what is wrong in them is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_runtime.errors import LocatedError, UsageError
from marg_runtime.probe import contract_text
from marg_scenarios.contract_file import load_contract, load_record
from marg_scenarios.support_intake.kit import KIT

CONTRACT = """contract: 1
tool: "shop/create"
server: "shop 1"
record:
  "name": "Lamp"
  "size": 3
closed: []
fields:
  "name":
    "stripped": {schema: refuses, backend: refused}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "contract.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_contract_is_read_and_written_the_same() -> None:
    assert KIT.contract is not None
    assert contract_text(load_contract(KIT.contract)) == KIT.contract.read_text(encoding="utf-8")


def test_the_values_of_a_record_are_what_they_were(tmp_path: Path) -> None:
    assert load_contract(written(tmp_path, CONTRACT)).record == {"name": "Lamp", "size": 3}


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("contract: 1", "contract: 2", 1),
        ('"shop/create"', '"create"', 2),
        ("closed: []", "closed: [colour]", 7),
        ("backend: refused", "backend: refusd", 10),
        ("schema: refuses", "says: refuses", 10),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(old: str, new: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(LocatedError) as caught:
        load_contract(written(tmp_path, CONTRACT.replace(old, new)))
    assert caught.value.line == line


def test_a_contract_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.yaml: cannot be read"):
        load_contract(tmp_path / "none.yaml")


def test_a_record_in_json_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, '{"name": "Lamp", "size": 3, "new": true, "tags": ["a"], "note": null}')
    assert load_record(path) == {"name": "Lamp", "size": 3, "new": True, "tags": ["a"], "note": None}


def test_a_record_in_yaml_keeps_yes_a_text(tmp_path: Path) -> None:
    assert load_record(written(tmp_path, "answer: yes\nsize: 3\n")) == {"answer": "yes", "size": 3}


def test_a_number_that_cannot_be_carried_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(LocatedError, match=r"contract\.yaml:2: 'size'"):
        load_record(written(tmp_path, "name: Lamp\nsize: 1e999\n"))
