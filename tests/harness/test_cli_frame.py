"""The frame of the command line: lazy, quick to help, and never a traceback for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_harness.cli.commands import COMMANDS
from marg_harness.cli.failures import EXIT_NOT_MEASURED, EXIT_USAGE, explain
from marg_harness.cli.help_page import help_page
from marg_harness.cli.lazy import LazyGroup
from marg_harness.cli.replay_tools import TOOLS, USELESS, taken_tool
from marg_runtime.errors import LocatedError, ToolError

HEAVY = {"pandas", "pyarrow", "openai", "anthropic", "mcp", "httpx", "httpx2", "pydantic", "rich", "yaml", "jsonlines"}

LIST_MODULES = """
import json, sys
from marg_harness.cli import main
sys.argv = ["marg", "--help"]
try:
    main()
except SystemExit as stop:
    print(json.dumps({"code": stop.code, "modules": sorted({name.partition(".")[0] for name in sys.modules})}))
"""


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


def test_help_imports_nothing_heavy() -> None:
    seen = json.loads(python(LIST_MODULES).stdout.splitlines()[-1])
    assert seen["code"] == 0
    assert not HEAVY & set(seen["modules"])


def test_help_imports_nothing_of_the_lower_floors() -> None:
    seen = json.loads(python(LIST_MODULES).stdout.splitlines()[-1])
    assert [name for name in seen["modules"] if name.startswith("marg_")] == ["marg_harness"]


def test_help_lists_every_command_with_its_summary() -> None:
    shown = CliRunner().invoke(marg, ["--help"]).output
    assert all(f"{name} " in shown and summary in shown for name, summary in COMMANDS.items())


@pytest.mark.parametrize("arguments", [(), ("-h",), ("--help",)])
def test_help_is_the_same_page_with_and_without_click(arguments: tuple[str, ...]) -> None:
    run = python("from marg_harness.cli import main; main()", *arguments)
    assert (run.returncode, run.stdout) == (0, CliRunner().invoke(marg, ["--help"]).stdout)


def test_no_line_of_the_help_is_wider_than_a_terminal() -> None:
    assert max(map(len, help_page().splitlines())) <= 80


def test_the_help_names_the_options_of_the_group() -> None:
    options = [name for parameter in marg.params for name in parameter.opts]
    assert all(f"  {name} " in help_page() for name in options)


def test_help_does_not_wait_for_click() -> None:
    seen = json.loads(python(LIST_MODULES).stdout.splitlines()[-1])
    assert "click" not in seen["modules"]


def test_the_exit_codes_are_in_the_help() -> None:
    shown = " ".join(CliRunner().invoke(marg, ["--help"]).output.split())
    assert "0 fine, 1 reds or misreads, 2 usage or bad input, 3 not measured" in shown


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_of_the_table_has_its_own_help(name: str) -> None:
    result = CliRunner().invoke(marg, [name, "--help"])
    assert (result.exit_code, result.output.startswith(f"Usage: marg {name} ")) == (0, True)


def listed(group: LazyGroup = marg, *above: str) -> Iterator[tuple[str, ...]]:
    """The words of every command that a help lists, those below another command too."""
    for name in group.entries:
        yield (*above, name)
        command = group.get_command(Context(group), name)
        if isinstance(command, LazyGroup):
            yield from listed(command, *above, name)


def test_every_command_that_a_help_lists_below_another_loads_and_has_its_own_help() -> None:
    below = [words for words in listed() if len(words) > 1]
    shown = {words: CliRunner().invoke(marg, [*words, "--help"]) for words in below}
    assert {words[0] for words in below} == {"mock", "reds", "scenario", "sessions", "target", "vocab"}
    assert {
        words: (result.exit_code, result.output.splitlines()[0].split()[: len(words) + 2])
        for words, result in shown.items()
    } == {words: (0, ["Usage:", "marg", *words]) for words in below}


@pytest.mark.parametrize("tool", TOOLS)
def test_the_module_that_an_option_of_replay_names_loads(tool: str) -> None:
    options = {
        **dict.fromkeys(TOOLS, False),
        tool: True,
        "force": False,
        "yes": False,
        **dict.fromkeys(USELESS[tool], 0),
    }
    assert callable(taken_tool(options, [Path()]))


def test_the_version_is_that_of_the_distribution() -> None:
    assert CliRunner().invoke(marg, ["--version"]).output == f"marg {version('marg')}\n"


def test_a_misspelt_command_exits_2_with_the_nearest_one() -> None:
    result = CliRunner().invoke(marg, ["scoer"])
    assert result.exit_code == EXIT_USAGE
    assert "no command 'scoer'; did you mean 'score'?" in result.output


def test_an_unknown_command_exits_2_with_the_known_ones() -> None:
    assert f"the commands are {', '.join(COMMANDS)}." in CliRunner().invoke(marg, ["xyzzy"]).output


def test_a_usage_error_is_one_paragraph_and_exit_2() -> None:
    run = python("from marg_harness.cli import main; main()", "score", "no-such-file.jsonl")
    assert (run.returncode, run.stdout) == (EXIT_USAGE, "")
    assert run.stderr == "marg: there is no file 'no-such-file.jsonl'; check the path\n"


def test_an_error_of_many_lines_is_folded_into_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(LocatedError("bad\n  value", path="a.yaml", line=3)) == EXIT_USAGE
    assert capsys.readouterr().err == "marg: a.yaml:3: bad value\n"


def test_an_error_never_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    explain(LocatedError("bad \x1b[31mvalue", path="a.yaml", line=3))
    assert capsys.readouterr().err == "marg: a.yaml:3: bad \\x1b[31mvalue\n"


def test_a_tool_that_broke_means_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(ToolError("the tool server died")) == EXIT_NOT_MEASURED
    assert "the tool server died" in capsys.readouterr().err


def test_an_error_that_is_not_ours_is_raised_again() -> None:
    with pytest.raises(ZeroDivisionError):
        explain(ZeroDivisionError("a defect"))
