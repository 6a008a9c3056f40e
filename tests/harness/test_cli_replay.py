"""`marg replay` as a process: what it prints, what it writes, and the code it leaves with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli import main
from marg_harness.cli.command_line import marg
from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_scenarios import find_kit, find_scenarios
from marg_scenarios.kit_finder import SHIPPED_KITS

HEAD = "scenario: a small one\ndomain: support_intake\nmachine: small.machine.yaml\nturns:\n"
MACHINE = (
    "machine: m\nstart: a\nstates:\n  a:\n    transitions:\n      - {when: {user_matches: hello}, reply: Hi., to: a}\n"
)
GREEN = "  - say: hello\n    expect: {model_calls: 1}\n"
RED = "  - say: hello\n    expect:\n      model_calls: 1\n      draft: {priority: high}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty present folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scenario(folder: Path, turns: str, *, name: str = "x.scenario.yaml") -> Path:
    (folder / "small.machine.yaml").write_text(MACHINE, encoding="utf-8")
    path = folder / name
    path.write_text(HEAD + turns, encoding="utf-8")
    return path


def run(*arguments: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(marg, ["replay", *arguments], catch_exceptions=False)


SHIPPED = ", ".join(SHIPPED_KITS)
COMMAND = "from marg_harness.cli import main; main()"


def process(folder: Path, *arguments: str, code: str = COMMAND, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, "replay", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


BAD: Mapping[str, tuple[str, str]] = {
    "a misspelt key": (
        HEAD + "  - say: hello\n    expect:\n      readin: content\n",
        "x.scenario.yaml:7: unknown key 'readin' with the value 'content'; did you mean 'reading'?",
    ),
    "bad YAML": (HEAD + "  - say: [hello\n", "x.scenario.yaml:6: not YAML: "),
    "a missing machine file": (
        HEAD.replace("small.", "gone.") + GREEN,
        "x.scenario.yaml:3: 'machine' is 'gone.machine.yaml', which is no file; correct the path.",
    ),
    "a missing machine state": (
        HEAD.replace("small.", "bad.") + GREEN,
        "bad.machine.yaml:6: 'to' is 'b', which is not a declared state; known here: 'a'.",
    ),
    "an unknown domain": (
        HEAD.replace("support_intake", "support_intak") + GREEN,
        "x.scenario.yaml:2: no domain 'support_intak'; did you mean 'support_intake'?",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_paragraph_with_file_and_line_and_exit_2(folder: Path, what: str) -> None:
    text, message = BAD[what]
    scenario(folder, "", name="x.scenario.yaml").write_text(text, encoding="utf-8")
    (folder / "bad.machine.yaml").write_text(MACHINE.replace("to: a", "to: b"), encoding="utf-8")
    before = files(folder)
    found = process(folder, "x.scenario.yaml")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(f"marg: {message}")
    assert found.stderr.count("\n") == 1
    assert files(folder) == before


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("empty", "marg: 'empty' holds no '*.scenario.yaml' file; name a folder that does."),
        ("gone", f"marg: 'gone' is neither a file nor a folder, nor a shipped domain ({SHIPPED}); check the path."),
    ],
)
def test_a_path_with_nothing_to_replay_is_one_paragraph_and_exit_2(folder: Path, path: str, message: str) -> None:
    (folder / "empty").mkdir()
    found = process(folder, path)
    assert (found.returncode, found.stdout, found.stderr) == (2, "", message + "\n")
    assert files(folder) == set()


def test_all_unusable_files_of_a_folder_are_named(folder: Path) -> None:
    scenario(folder, GREEN)
    for name in ("b", "c"):
        (folder / f"{name}.scenario.yaml").write_text("scenaro: x\nturns: []\n")
    with pytest.raises(
        UsageError, match=r"^2 of 3 files cannot be used:\nb\.scenario\.yaml:1: .*\nc\.scenario\.yaml:1: "
    ):
        run()


def test_one_unusable_file_among_others_replays_nothing(folder: Path) -> None:
    scenario(folder, GREEN, name="a.scenario.yaml")
    scenario(folder, "  - sya: hello\n", name="b.scenario.yaml")
    with pytest.raises(UsageError, match=r"^b\.scenario\.yaml:5: unknown key 'sya'"):
        run()
    assert not (folder / ".marg").exists()


# The command under an audit hook of the test's own, which also shows that it sees an attempt where there is one.
WATCHED = """
import socket, sys
from pathlib import Path
seen = []
QUIET = ("socket.__new__", "socket.getservbyname", "socket.gethostname")

def hook(event, arguments):
    if event.startswith("socket.") and event not in QUIET:
        seen.append(f"{event} {arguments[-1]!r}")

sys.addaudithook(hook)
from marg_harness.cli import main
try:
    main()
finally:
    during = len(seen)
    try:
        socket.create_connection(("127.0.0.1", 9), timeout=1)
    except OSError:
        pass
    Path("seen.txt").write_text("\\n".join([*seen[:during], f"then {len(seen) > during}"]))
"""


@dataclass(frozen=True, kw_only=True)
class Shipped:
    """A replay of shipped scenarios by a caller who allows writes.

    What the process printed, the lines that it put on record, and what it tried to reach.
    """

    process: subprocess.CompletedProcess[str]
    record: list[str]
    reached: list[str]


def shipped_run(folder: Path, *paths: str, **environment: str) -> Shipped:
    found = process(folder, *paths, "--json", code=WATCHED, **{WRITE_FLAG: "true"}, **environment)
    record = (folder / ".marg" / "run.jsonl").read_text(encoding="utf-8").splitlines()
    return Shipped(process=found, record=record, reached=(folder / "seen.txt").read_text().splitlines())


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    return shipped_run(tmp_path_factory.mktemp("shipped"), "support_intake", PYTHONHASHSEED="0", TZ="UTC")


@pytest.mark.wheel
def test_G8_the_shipped_domain_is_green_and_writes_nothing_where_the_caller_allows_writes(shipped: Shipped) -> None:
    counts = json.loads(shipped.process.stdout)
    assert (shipped.process.returncode, counts["reds"], counts["writes"]) == (0, [], 0)
    assert counts["scenarios"] >= 12
    assert counts["checks"] >= 60


@pytest.mark.wheel
def test_a_replay_of_the_shipped_domain_connects_binds_and_looks_up_nothing(shipped: Shipped) -> None:
    assert shipped.reached == ["then True"]


@pytest.mark.wheel
def test_the_record_is_the_same_under_another_hash_seed_time_zone_and_order(shipped: Shipped, tmp_path: Path) -> None:
    paths = [str(path) for path in find_scenarios(find_kit("support_intake").scenarios)][::-3]
    other = shipped_run(tmp_path, *paths, PYTHONHASHSEED="4711", TZ="Asia/Kathmandu").record[1:]
    again = {json.loads(line)["path"] for line in other}
    assert len(again) == len(paths)
    assert other == [line for line in shipped.record[1:] if json.loads(line)["path"] in again]


def test_a_green_run_exits_0_and_says_so(folder: Path) -> None:
    scenario(folder, GREEN)
    found = run()
    assert (found.exit_code, found.stdout.splitlines()[-1]) == (
        0,
        "1 scenario, 1 turn, 1 check: all green; 0 writes by the backend's own count",
    )


def test_a_red_exits_1_and_is_explained(folder: Path) -> None:
    scenario(folder, "  - reload: true\n" + RED)
    found = run("x.scenario.yaml")
    assert found.exit_code == 1
    shown = [line.rstrip() for line in found.stdout.splitlines()]
    start = shown.index("x.scenario.yaml:9: a small one")
    assert shown[start : start + 10] == [
        "x.scenario.yaml:9: a small one",
        "  turn 2 (say-hello), check draft, owner runtime",
        '  expected    {"priority":"high"}',
        '  got         {"priority":null}',
        '  difference  priority: expected "high", got null',
        "  transcript",
        "     1  user     [reloads]",
        "     2  user     hello",
        "     2  model    Hi.",
        "     2  block    text: What should the ticket be called?",
    ]
    assert shown[-1] == "1 scenario, 2 turns, 2 checks: 1 red; 0 writes by the backend's own count"


def test_the_table_counts_turns_checks_and_reds_of_each_scenario(folder: Path) -> None:
    scenario(folder, RED + "  - say: what\n  - reload: true\n")
    row = next(line for line in run().stdout.splitlines() if line.startswith("a small one "))
    assert row.split()[-4:] == ["x.scenario.yaml", "2/3", "3", "2"]


def test_json_is_one_object_on_stdout_with_every_red(folder: Path) -> None:
    scenario(folder, RED)
    found = run("--json")
    printed = json.loads(found.stdout)
    assert found.exit_code == 1
    assert {key: printed[key] for key in ("scenarios", "turns", "checks", "writes", "record")} == {
        "scenarios": 1,
        "turns": 1,
        "checks": 2,
        "writes": 0,
        "record": ".marg/run.jsonl",
    }
    assert printed["reds"] == [
        {
            "id": "x.scenario.yaml::a small one::say-hello::draft",
            "scenario": "a small one",
            "path": "x.scenario.yaml",
            "line": 8,
            "turn": "say-hello",
            "check": "draft",
            "owner": "runtime",
            "expected": {"priority": "high"},
            "got": {"priority": None},
            "difference": ['priority: expected "high", got null'],
        }
    ]


def test_the_record_is_in_the_default_place_and_agrees_with_the_json(folder: Path) -> None:
    scenario(folder, RED)
    printed = json.loads(run("--json").stdout)
    records = [json.loads(line) for line in (folder / ".marg" / "run.jsonl").read_text(encoding="utf-8").splitlines()]
    kinds = [record["record"] for record in records]
    assert (kinds.count("scenario"), kinds.count("turn"), kinds.count("check")) == (1, 1, printed["checks"])
    assert {key: records[0][key] for key in ("scenarios", "turns", "checks")} == {
        key: printed[key] for key in ("scenarios", "turns", "checks")
    }
    assert sum(not record["passed"] for record in records if record["record"] == "check") == len(printed["reds"])


def test_the_record_can_be_put_elsewhere(folder: Path) -> None:
    scenario(folder, GREEN)
    run("--output", "a/b.jsonl")
    assert files(folder) == {"x.scenario.yaml", "small.machine.yaml", "a/b.jsonl"}


def test_the_place_of_the_record_is_noted_unless_it_is_to_be_quiet(folder: Path) -> None:
    scenario(folder, GREEN)
    assert (run().stderr, run("--quiet").stderr) == ("record: .marg/run.jsonl\n", "")


def test_a_record_that_cannot_be_written_is_told_with_exit_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario(folder, GREEN)
    (folder / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["marg", "replay", "--output", "file/run.jsonl"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("marg: the run record 'file/run.jsonl' cannot be written: ")


def test_hostile_text_is_shown_as_it_is_written_and_steers_no_terminal(folder: Path) -> None:
    scenario(folder, '  - say: "hello \\e[31m[/b] [bold]x \\0 :smile: \\u202e"\n    expect: {reading: plain_yes}\n')
    found = run()
    assert "user     hello \\x1b[31m[/b] [bold]x \\x00 :smile: \\u202e" in found.stdout
    assert {code for code in map(ord, found.stdout) if code < 0x20} == {0x0A}


def test_hostile_names_are_shown_as_they_are_written(folder: Path) -> None:
    path = scenario(folder, RED)
    path.write_text(path.read_text(encoding="utf-8").replace("a small one", '"a [/b]\\e[2J\\n\\0b"'), encoding="utf-8")
    found = run()
    assert "a [/b]\\x1b[2J\\x0a\\x00b" in found.stdout
    assert {code for code in map(ord, found.stdout) if code < 0x20} == {0x0A}


def test_an_undeclared_situation_is_a_red_that_names_state_input_and_nearest_transition(folder: Path) -> None:
    scenario(folder, "  - say: what\n")
    found = run()
    assert found.exit_code == 1
    for part in ("check undeclared, owner model", "state 'a'", "the user said 'what'", "Nearest is the transition at"):
        assert part in found.stdout


def test_folders_and_files_can_be_named_together(folder: Path) -> None:
    (folder / "sub").mkdir()
    scenario(folder / "sub", GREEN, name="b.scenario.yaml")
    scenario(folder, GREEN, name="a.scenario.yaml")
    printed = json.loads(run("sub", "a.scenario.yaml", "--json").stdout)
    assert printed["scenarios"] == 2


def test_a_folder_of_the_name_of_a_shipped_domain_is_the_folder(folder: Path) -> None:
    (folder / "support_intake").mkdir()
    scenario(folder / "support_intake", GREEN)
    assert json.loads(run("support_intake", "--json").stdout)["scenarios"] == 1
