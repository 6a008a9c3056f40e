"""The examples do what they say: the reader in another framework's approval, and a session in one file."""

from __future__ import annotations

import ast
import asyncio
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FLAG = "MARG_ALLOW_WRITES"


def loaded(name: str) -> ModuleType:
    """A fresh module of an example."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines_of(name: str, function: str) -> int:
    tree = ast.parse((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))
    (found,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function]
    assert found.end_lineno is not None
    return found.end_lineno - found.lineno + 1


@pytest.fixture
def approval() -> ModuleType:
    pytest.importorskip("pydantic_ai", reason="needs the extra examples: pip install 'marg[examples]'")
    return loaded("tool_approval")


@pytest.mark.parametrize("reply", ["yes", "yes, please refund it", "Go ahead!", "yes, refund 100 please"])
def test_a_plain_yes_runs_the_call_that_was_held_back(reply: str, approval: ModuleType) -> None:
    assert (asyncio.run(approval.conversation(reply)), approval.refunds) == ("Told: 100 paid back", [100])


@pytest.mark.parametrize(
    "reply", ["yes but make it 50", "yes, later", "no", "is it really 100?", "yesterday", "yes 50"]
)
def test_anything_else_runs_nothing_and_the_model_is_told_the_words(reply: str, approval: ModuleType) -> None:
    told = asyncio.run(approval.conversation(reply))
    assert (told.endswith(f"answered: {reply}"), approval.refunds) == (True, [])


def test_one_yes_approves_no_call_where_two_are_held(approval: ModuleType) -> None:
    calls = [approval.ToolCallPart("refund", {"amount": 100}, tool_call_id=name) for name in ("a", "b")]
    held = approval.DeferredToolRequests(approvals=calls)
    results = approval.approvals(held, approval.Question(text="Shall I?", kind="confirm"), "yes")
    assert {type(one) for one in results.approvals.values()} == {approval.ToolDenied}


def test_the_hook_is_at_most_ten_lines() -> None:
    assert lines_of("tool_approval", "approvals") <= 10


def test_the_session_of_one_file_is_under_sixty_lines() -> None:
    assert len((EXAMPLES / "library_loan.py").read_text(encoding="utf-8").splitlines()) < 60


def test_a_session_of_ones_own_domain_writes_on_a_plain_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FLAG, "true")
    answer = asyncio.run(loaded("library_loan").converse())
    assert "L-1: The Dispossessed, 4 weeks" in " ".join(text.text for text in answer.texts)


def test_G6_a_session_of_ones_own_domain_writes_nothing_with_the_flag_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FLAG, raising=False)
    answer = asyncio.run(loaded("library_loan").converse())
    assert answer.block is not None
    assert answer.block.step == "confirm"
