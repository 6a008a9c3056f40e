"""`marg probe`: its exit codes, its files, and the example backend told from one that accepts stripped records."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.whole_files import write_whole
from marg_runtime.errors import NotADevBackend, UsageError
from marg_scenarios.contract_file import load_contract
from marg_scenarios.support_intake.kit import KIT
from marg_scenarios.support_intake.tickets import Desk

LAX = "marg_scenarios.support_intake.kit:LAX_KIT"
SERVER = "marg_scenarios.support_intake.server"
FLAG = "MARG_ALLOW_WRITES"


def run(*arguments: str) -> Result:
    """The command in this process; an error raised on purpose is raised."""
    return CliRunner().invoke(marg, ["probe", *arguments], catch_exceptions=False)


def rows(result: Result) -> dict[tuple[str, str], Mapping[str, Any]]:
    return {(row["field"], row["case"]): row for row in json.loads(result.stdout)["rows"]}


def record(folder: Path) -> str:
    path = folder / "record.json"
    path.write_text(json.dumps(dict(KIT.record)), encoding="utf-8")
    return str(path)


@dataclass(frozen=True, kw_only=True)
class Probed:
    """One run, and what it wrote."""

    result: Result
    md: Path
    report: Path
    contract: Path


def probed(target: str, folder: Path) -> Probed:
    """A run that writes all its files. With a contract to write, the kit's own is not held against the backend."""
    md, report, contract = (folder / name for name in ("table.md", "report.json", "contract.yaml"))
    files = ("--md", str(md), "--json-file", str(report), "--contract", str(contract))
    return Probed(result=run(target, *files, "--json"), md=md, report=report, contract=contract)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Probed:
    return probed("support_intake", tmp_path_factory.mktemp("strict"))


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Probed:
    return probed("support_intake", tmp_path_factory.mktemp("again"))


@pytest.fixture(scope="module")
def lax(tmp_path_factory: pytest.TempPathFactory) -> Probed:
    return probed(LAX, tmp_path_factory.mktemp("lax"))


# The example and the copy


def test_the_example_backend_does_what_its_schema_says(strict: Probed) -> None:
    assert (strict.result.exit_code, json.loads(strict.result.stdout)["findings"]) == (0, 0)


def test_a_copy_that_accepts_stripped_records_is_exit_1(lax: Probed) -> None:
    assert (lax.result.exit_code, json.loads(lax.result.stdout)["findings"]) == (1, 13)


def test_the_two_differ_in_what_they_do_with_every_field_stripped(strict: Probed, lax: Probed) -> None:
    stripped = ("*", "everything stripped")
    assert [rows(one.result)[stripped]["verdict"] for one in (strict, lax)] == ["enforced", "schema lies"]


def test_the_two_have_one_schema(strict: Probed, lax: Probed) -> None:
    says = [{case: row["says"] for case, row in rows(one.result).items()} for one in (strict, lax)]
    assert says[0] == says[1]


def test_the_example_backend_is_as_its_contract_says() -> None:
    result = run("support_intake")
    assert (result.exit_code, "contract.yaml: all as agreed." in result.stdout) == (0, True)


def test_the_copy_is_held_to_the_contract_of_the_example_and_has_drifted() -> None:
    result = run(LAX)
    assert result.exit_code == 1
    assert "Drift: title, stripped: backend accepted; agreed: refused" in result.stdout


def test_a_contract_that_agrees_on_a_lax_backend_is_kept(lax: Probed) -> None:
    assert run(LAX, "--check", str(lax.contract)).exit_code == 0


# Files


def test_the_table_the_report_and_the_contract_are_written(strict: Probed) -> None:
    assert "| title | stripped | refuses | refused | enforced |" in strict.md.read_text(encoding="utf-8")
    assert json.loads(strict.report.read_text(encoding="utf-8")) == json.loads(strict.result.stdout)
    assert load_contract(strict.contract).record == KIT.record


def test_two_runs_write_the_same_bytes(strict: Probed, again: Probed) -> None:
    files = [[path.read_bytes() for path in (one.md, one.report, one.contract)] for one in (strict, again)]
    assert files[0] == files[1]


def test_the_shipped_contract_is_what_a_probe_writes(strict: Probed) -> None:
    assert KIT.contract is not None
    assert strict.contract.read_bytes() == KIT.contract.read_bytes()


def test_a_file_in_a_folder_that_is_not_there_is_bad_input_before_anything_is_probed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        run("support_intake", "--md", str(tmp_path / "none" / "table.md"))


def test_where_one_file_cannot_be_written_none_is(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("old", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        write_whole({tmp_path / "old.md": "new", tmp_path / "none" / "b.json": "{}"})
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("old.md", "old")]


# Bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["suport_intake"], "did you mean 'support_intake'"),
        (["support_intake", "--tool", "make"], "no tool 'desk/make'; it has"),
        (["support_intake", "--closed", "colour"], "'colour' is no field of the record"),
        (["support_intake", "--check", "none.yaml"], "cannot be read"),
        (["http://127.0.0.1:1/mcp"], "name its tool that writes"),
        (["http://127.0.0.1:1/mcp", "--tool", "create"], "no known-good record"),
        (["stdio:", "--tool", "create"], "is no command"),
        (["stdio:'", "--tool", "create", "--record", "{record}"], "is no command"),
        (["https://desk.example/mcp", "--tool", "create", "--record", "{record}"], "--dev-host desk.example"),
    ],
)
def test_bad_input_is_named(arguments: list[str], words: str, tmp_path: Path) -> None:
    filled = [argument.format(record=record(tmp_path)) for argument in arguments]
    with pytest.raises(UsageError, match=words):
        run(*filled)


def test_a_kit_that_is_not_marked_is_refused_with_exit_2(tmp_path: Path) -> None:
    (tmp_path / "kit_unmarked.py").write_text(
        "from dataclasses import replace\n"
        "from marg_scenarios.support_intake.kit import KIT as OWN\n"
        "KIT = replace(OWN, dev=False)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-c", "from marg_harness.cli import main; main()", "probe", "kit_unmarked:KIT"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "is not marked as one for development" in done.stderr


# A child and a server over HTTP


def command(database: Path, *, dev: bool = True) -> str:
    mark = " --dev" if dev else ""
    return f"stdio:'{sys.executable}' -m {SERVER}{mark} --database '{database}'"


def test_a_child_that_is_marked_is_probed_with_the_flag_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FLAG, raising=False)
    assert KIT.contract is not None
    result = run(command(tmp_path / "desk.db"), "--tool", "desk/create_ticket", "--check", str(KIT.contract), "--json")
    with closing(Desk(tmp_path / "desk.db")) as desk:
        made = desk.counts().writes
    assert (result.exit_code, len(json.loads(result.stdout)["made"])) == (0, made)
    assert FLAG not in os.environ


def test_a_child_that_is_not_marked_is_refused_and_has_written_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotADevBackend, match="nothing was sent"):
        run(command(tmp_path / "desk.db", dev=False), "--tool", "create_ticket", "--record", record(tmp_path))
    with closing(Desk(tmp_path / "desk.db")) as desk:
        assert desk.counts().create_calls == 0


HTTP_SERVER = f"""
import sys, uvicorn
from {SERVER} import build_server
from marg_scenarios.support_intake.tickets import Desk
app = build_server(Desk(sys.argv[1]), dev=True).streamable_http_app()
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", ws="none")
"""


@contextmanager
def http_desk(database: Path, **environment: str) -> Iterator[str]:
    """The address of a desk in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if name != FLAG}
    arguments = [sys.executable, "-c", HTTP_SERVER, str(database), str(port)]
    with subprocess.Popen(arguments, env={**kept, **environment}) as process:
        try:
            while process.poll() is None and not _listens(port):
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_server_over_http_with_its_own_flag_is_probed_and_its_records_are_named(tmp_path: Path) -> None:
    assert KIT.contract is not None
    with http_desk(tmp_path / "desk.db", **{FLAG: "true"}) as url:
        result = run(url, "--tool", "desk/create_ticket", "--record", record(tmp_path), "--closed", "priority")
    assert result.exit_code == 0
    assert (
        "9 records made, 9 records left behind: delete them, or reset the dev backend. Made: T-1007, T-1008"
        in result.stdout
    )


def test_a_server_over_http_whose_flag_is_off_is_bad_input_that_says_so(tmp_path: Path) -> None:
    with http_desk(tmp_path / "desk.db") as url, pytest.raises(UsageError, match=f"needs {FLAG}=true"):
        run(url, "--tool", "desk/create_ticket", "--record", record(tmp_path))
