"""What the documents show works: their Python runs, their commands and make targets exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_harness.cli.commands import MOCK_COMMANDS, SESSIONS_COMMANDS, VOCAB_COMMANDS

ROOT = Path(__file__).parents[2]
GROUPS = {"vocab": VOCAB_COMMANDS, "mock": MOCK_COMMANDS, "sessions": SESSIONS_COMMANDS}
DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
SHELLS = {"console", "sh", "bash", "shell"}
FENCE = re.compile(r"^```(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a document: where it begins, its language and its text."""

    where: str
    language: str
    text: str


def _blocks() -> list[Block]:
    return [
        Block(
            where=f"{path.relative_to(ROOT).as_posix()}:{text.count(chr(10), 0, match.start()) + 1}",
            language=match["language"],
            text=match["text"],
        )
        for path in DOCUMENTS
        for text in [path.read_text(encoding="utf-8")]
        for match in FENCE.finditer(text)
    ]


def _commands(name: str) -> list[tuple[str, list[str]]]:
    """Every shown command line of the program `name`: where its block begins, and its words after the name."""
    found = []
    for block in _blocks():
        if block.language in SHELLS:
            for line in block.text.replace("\\\n", " ").splitlines():
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words[:1] == [name]:
                    found.append((block.where, words[1:]))
    return found


def _in_order(cases: list[tuple[str, list[str]]]) -> list[object]:
    return [pytest.param(words, id=f"{where} {shlex.join(words)}") for where, words in cases]


@pytest.mark.parametrize("block", [b for b in _blocks() if b.language == "python"], ids=lambda block: block.where)
def test_a_python_block_runs(block: Block, tmp_path: Path) -> None:
    (tmp_path / "block.py").write_text(block.text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "block.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", _in_order(_commands("marg")))
def test_a_shown_command_and_its_options_exist(words: list[str]) -> None:
    command = [word for word in words[:1] if not word.startswith("-")]
    command += [word for word in words[1:2] if word in GROUPS.get(words[0], {})]
    options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    shown = CliRunner().invoke(marg, [*command, "--help"])
    assert shown.exit_code == 0, shown.output
    assert options - set(re.findall(r"--?[a-z][\w-]*", shown.output)) == set()


@pytest.mark.parametrize("words", _in_order(_commands("make")))
def test_a_shown_make_target_exists(words: list[str]) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert [word for word in words if "=" not in word and word not in targets] == []


def test_the_readme_shows_both_commands_of_a_fresh_clone() -> None:
    shown = [words for where, words in _commands("make") if where.startswith("README.md")]
    assert [words for words in shown if words in (["replay"], ["test"])] == [["replay"], ["test"]]
