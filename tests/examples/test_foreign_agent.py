"""Show 8: an agent of another framework, without the runtime and with it, as the page on targets shows it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

pytest.importorskip("pydantic_ai", reason="needs the extra examples: pip install 'marg[examples]'")

REPOSITORY = Path(__file__).parents[2]
FAILS_WITHOUT = {
    "a yes with a change creates nothing / yes-but / reading",
    "a yes with a change creates nothing / yes-but / tools_not_called",
    "a yes with a change creates nothing / yes-but / write",
    "what the person chose is what is sent / go-ahead / write",
    "one go-ahead creates one ticket / thanks / write",
}


@pytest.fixture(scope="module")
def compared() -> dict[str, tuple[str, str]]:
    """Every check of the example's scenarios, without the runtime and with it."""
    spec = importlib.util.spec_from_file_location("foreign_agent", REPOSITORY / "examples" / "foreign_agent.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # pydantic-ai looks the annotations of a tool up in the module that it was loaded as.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "foreign_agent", module)
        spec.loader.exec_module(module)
        found: dict[str, tuple[str, str]] = module.compared()
    return found


def test_without_the_runtime_a_yes_with_a_change_a_models_value_and_a_second_yes_fail(
    compared: dict[str, tuple[str, str]],
) -> None:
    assert {name for name, (without, _) in compared.items() if without == "failed"} == FAILS_WITHOUT


def test_with_the_runtime_every_check_passes(compared: dict[str, tuple[str, str]]) -> None:
    assert {with_it for _, with_it in compared.values()} == {"passed"}


def test_what_the_agent_does_not_report_is_not_measured(compared: dict[str, tuple[str, str]]) -> None:
    unmeasured = [name.rpartition(" / ")[2] for name, (without, _) in compared.items() if without == "not measured"]
    assert sorted(unmeasured) == ["block", "draft"]


def test_the_page_on_targets_has_the_table(compared: dict[str, tuple[str, str]]) -> None:
    page = (REPOSITORY / "docs" / "targets.md").read_text(encoding="utf-8")
    rows = [f"| {name} | {without} | {with_it} |" for name, (without, with_it) in compared.items()]
    assert "\n".join(["| check | without | with |", "|---|---|---|", *rows]) + "\n" in page + "\n"
