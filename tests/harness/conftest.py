"""Small scenarios to replay: a machine that says hello, in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

MACHINE = """\
machine: small
start: a
slips:
  - {slip: empty, rate: 0.0}
states:
  a:
    transitions:
      - {when: {user_matches: hello}, reply: Hi., to: a}
      - {when: {user_matches: again}, reply: Again., to: a}
"""
HEAD = "scenario: {name}\ndomain: support_intake\nmachine: small.machine.yaml\n{more}turns:\n"
GREEN = "  - say: hello\n    expect: {model_calls: 1}\n"
RED = "  - say: hello\n    expect: {draft: {priority: high}}\n"

WriteScenario = Callable[..., Path]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteScenario:
    """Write a scenario into the present folder, green unless told otherwise; gives its file."""
    monkeypatch.chdir(tmp_path)

    def write(name: str = "a small one", *, turns: str = GREEN, more: str = "", machine: str = MACHINE) -> Path:
        (tmp_path / "small.machine.yaml").write_text(machine, encoding="utf-8")
        path = tmp_path / f"{name.replace(' ', '_')}.scenario.yaml"
        path.write_text(HEAD.format(name=name, more=more) + turns, encoding="utf-8")
        return path

    return write
