"""A scenario from its file, checked against its domain before anything runs."""

from __future__ import annotations

from pathlib import Path

from marg_mock_model import Document, load_machine, nearest, read_document
from marg_runtime.errors import UsageError
from marg_scenarios.errors import KitError
from marg_scenarios.expansion import Row, expand
from marg_scenarios.forms import ScenarioForm
from marg_scenarios.kit import Kit
from marg_scenarios.kit_finder import find_kit
from marg_scenarios.names import check_machine
from marg_scenarios.scenario import SCENARIO_SUFFIX, Scenario, files_below
from marg_scenarios.turn_list import TurnList


def load_scenarios(path: Path | str) -> tuple[Scenario, ...]:
    """Read a scenario's file: one scenario a row, or one where it has no rows.

    Raises UsageError, with file and line where there is one: for a key that is not known, a value that does not fit,
    a domain, a machine or a fixture that is not there, a name that the domain does not have.
    """
    return build_scenarios(read_document(path), path=Path(path))


def load_scenario(path: Path | str, *, row: str | None = None) -> Scenario:
    """Read a scenario's file that has no rows, or one row of it; raises UsageError as `load_scenarios` does."""
    found = load_scenarios(path)
    if row is None and len(found) == 1:
        return found[0]
    ids = tuple(scenario.row for scenario in found if scenario.row is not None)
    for scenario in found:
        if scenario.row == row and row is not None:
            return scenario
    hint = nearest(row or "", ids) if ids else "it has no rows."
    raise UsageError(f"{path}: the row {row!r} is not there; {hint}")


def build_scenarios(document: Document, *, path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a document that was written at `path`; raises UsageError as `load_scenarios` does."""
    return tuple(_scenario(row, path) for row in expand(document))


def _scenario(row: Row, path: Path) -> Scenario:
    document = row.document
    form = document.validate(ScenarioForm)
    kit = _kit(document, form, path)
    machine = kit.machine if form.machine is None else path.parent / form.machine
    if not machine.is_file():
        whose = "'machine'" if form.machine is not None else f"the machine of the domain {kit.domain.name!r}"
        raise document.error(f"{whose} is {str(machine)!r}, which is no file; correct the path.", "machine")
    played = load_machine(machine)
    check_machine(played, domain=kit.domain)
    return Scenario(
        name=form.scenario,
        about=form.about,
        kit=kit,
        machine=played,
        tags=tuple(form.tags),
        in_order=form.in_order,
        turns=TurnList(document=document, form=form, kit=kit, machine=played).turns(),
        path=path,
        line=document.line("scenario"),
        row=row.id,
        on_red=form.on_red,
        rehearse=bool(form.rehearse),
    )


def _kit(document: Document, form: ScenarioForm, path: Path) -> Kit:
    try:
        return find_kit(form.domain, beside=path.resolve().parent)
    except KitError as error:
        raise document.error(str(error), "domain") from error


def find_scenarios(path: Path) -> tuple[Path, ...]:
    """The scenario files of a path: the file itself, or all below a folder, in order; hidden folders are left out.

    Raises UsageError where there is none.
    """
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise UsageError(f"{str(path)!r} is neither a file nor a folder; check the path.")
    found = files_below(path, SCENARIO_SUFFIX)
    if not found:
        raise UsageError(f"{str(path)!r} holds no {'*' + SCENARIO_SUFFIX!r} file; name a folder that does.")
    return found
