"""Reading kinds of faults from their files, `*.kind.yaml`; docs/reds_benchmark.md describes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from benchmarks.reds.kind import Kind, Missing, Of, On, Patch
from benchmarks.reds.site import ROOT, target_folder, target_scenario
from marg_harness.tool_wire import parse_tool_faults
from marg_mock_model import Document, read_document
from marg_mock_model.endpoint import load_faults
from marg_mock_model.form import Absent, Form
from marg_reports.triage import RedClass
from marg_runtime.canonical import Json
from marg_runtime.errors import UsageError

KINDS = Path(__file__).with_name("kinds")
SUFFIX = ".kind.yaml"
SCENARIO = ".scenario.yaml"


class ReplaceForm(Form):
    """A text that stands in the file once, and what comes in its place."""

    old: str
    new: str


class PatchForm(Form):
    """A change of one file: exactly one of `replace`, `pattern`, `write` and `append`."""

    of: Of
    file: str = ""
    on: On = "head"
    replace: tuple[ReplaceForm, ...] = ()
    pattern: str | Absent = None
    new: str = ""
    every: bool = False
    write: str | Absent = None
    append: str = ""
    fault: bool = True


class RunForm(Form):
    """How the head is replayed: as the options of `marg replay` are called."""

    over: Literal["openai_chat", "openai_responses", "anthropic_messages"] | Absent = None
    faults: str | Absent = None
    read: float | Absent = None
    retries: int | Absent = None
    tool_faults: str | Absent = None
    tool_timeout: float | Absent = None
    slips: bool | Absent = None


class KindForm(Form):
    """A kind of fault, as it is written."""

    kind: str
    family: str
    truth: RedClass
    about: str
    sub: str = ""
    domain: str = "support_intake"
    scenarios: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    add_on: Literal["start", "head"] = "start"
    draw: Annotated[int, Field(ge=1)] | Absent = None
    split: bool = False
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (1, 2, 3)
    tries: Annotated[int, Field(ge=0)] = 0
    run: RunForm = RunForm()
    isolated: bool = True
    patches: tuple[PatchForm, ...] = ()
    live: Annotated[int, Field(ge=0)] = 0
    missing: Missing | Absent = None
    then: RedClass | Absent = None


def load_kinds(folder: Path) -> tuple[Kind, ...]:
    """All kinds of a folder and those below it, by the order of their paths.

    Raises UsageError, with file and line, for a file that is none, for two kinds of one name and where there are none.
    """
    if not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is no folder; name one with files *{SUFFIX}")
    kinds = tuple(load_kind(path) for path in sorted(folder.rglob(f"*{SUFFIX}")))
    if not kinds:
        raise UsageError(f"no file *{SUFFIX} in {str(folder)!r}")
    check_names(kinds)
    return kinds


def check_names(kinds: tuple[Kind, ...]) -> None:
    """Raise UsageError for the first name that two kinds have."""
    places: dict[str, str] = {}
    for kind in kinds:
        if kind.name in places:
            raise UsageError(f"{kind.place}: the kind {kind.name!r} is also in {places[kind.name]}; rename one")
        places[kind.name] = kind.place


def load_kind(path: Path) -> Kind:
    """The kind of a file; raises UsageError, with file and line."""
    document = read_document(path)
    form = document.validate(KindForm)
    added = tuple(_added(document, name, number, form.add_on) for number, name in enumerate(form.add))
    patches = (*added, *(_patch(document, one, number) for number, one in enumerate(form.patches)))
    if not form.scenarios and not added:
        raise document.error("there are no scenarios; name some of the domain's, or add files.")
    if form.split and len(form.scenarios) + len(added) < len(form.seeds):
        raise document.error("'split' is true, and there are fewer scenarios than seeds.", "split")
    _check_truth(document, form)
    _check_scenarios(document, form)
    _check_run(document, form.run)
    settings: dict[str, Json] = {name: value for name, value in form.run.model_dump().items() if value is not None}
    return Kind(
        name=form.kind,
        family=form.family,
        truth=form.truth,
        about=form.about,
        sub=form.sub,
        domain=form.domain,
        scenarios=(*form.scenarios, *(patch.file for patch in added)),
        draw=form.draw,
        split=form.split,
        seeds=form.seeds,
        tries=form.tries,
        run=settings,
        isolated=form.isolated,
        patches=patches,
        live=form.live,
        missing=form.missing,
        then=form.then,
        place=_place(document),
    )


def _place(document: Document, *path: str | int) -> str:
    return f"{document.path}:{document.line(*path)}"


def _patch(document: Document, form: PatchForm, number: int) -> Patch:
    here = ("patches", number)
    ways = bool(form.replace) + (form.pattern is not None) + (form.write is not None) + bool(form.append)
    if ways != 1:
        raise document.error(f"a patch has one of replace, pattern, write and append; this has {ways}.", *here)
    if not form.file and form.of not in ("machine",):
        raise document.error(f"the key 'file' is missing; a patch of {form.of!r} needs it.", *here)
    if Path(form.file).is_absolute() or ".." in Path(form.file).parts:
        raise document.error(f"'file' is {form.file!r}; name it from the folder of the part.", *here, "file")
    if form.pattern is not None:
        try:
            re.compile(form.pattern)
        except re.error as error:
            raise document.error(f"'pattern' is no regular expression: {error}.", *here, "pattern") from error
    return Patch(
        of=form.of,
        file=form.file,
        on=form.on,
        replace={one.old: one.new for one in form.replace},
        pattern=form.pattern,
        new=form.new,
        every=form.every,
        write=form.write,
        append=form.append,
        fault=form.fault,
        place=_place(document, *here),
    )


def _added(document: Document, name: str, number: int, on: On) -> Patch:
    path = Path(document.path).parent / name
    if not name.endswith(SCENARIO) or not path.is_file():
        raise document.error(f"{name!r} is no file *{SCENARIO} beside the kind.", "add", number)
    text = path.read_text(encoding="utf-8")
    file = path.name.removesuffix(SCENARIO)
    return Patch(of="scenario", file=file, on=on, write=text, fault=False, place=_place(document, "add", number))


def _check_scenarios(document: Document, form: KindForm) -> None:
    """Raise UsageError for a domain that there is not, and a scenario that neither it nor a patch has."""
    here = ROOT / target_folder(form.domain)
    if not here.is_dir():
        raise document.error(f"there is no domain {form.domain!r}.", "domain")
    written = {patch.file for patch in form.patches if patch.of == "scenario" and patch.write is not None}
    for number, name in enumerate(form.scenarios):
        if name not in written and not (ROOT / target_scenario(form.domain, name)).is_file():
            raise document.error(f"the domain {form.domain!r} has no scenario {name!r}.", "scenarios", number)


def _check_run(document: Document, run: RunForm) -> None:
    """Raise UsageError for a wire that is not there and for a schedule of faults that is none."""
    for name in ("faults", "read", "retries"):
        if getattr(run, name) is not None and run.over is None:
            raise document.error(f"{name!r} needs a wire; name its API with 'over'.", "run", name)
    if run.tool_timeout is not None and run.tool_faults is None:
        raise document.error("'tool_timeout' needs a wire to the tools; name 'tool_faults'.", "run", "tool_timeout")
    try:
        load_faults(run.faults or "")
        parse_tool_faults(run.tool_faults or "")
    except UsageError as error:
        raise document.error(f"{error}.", "run") from error


_CODE = ("runtime", "kit")


def _check_truth(document: Document, form: KindForm) -> None:
    """Raise UsageError where the changes cannot be of the class: the truth lies in how a kind is made."""
    faults = [patch for patch in form.patches if patch.fault]
    wire = form.run.faults is not None or form.run.tool_faults is not None
    code = {patch.on for patch in faults if patch.of in _CODE}
    wrong = {
        "regression": "head" not in code and "a regression changes the runtime or the kit on the head",
        "pre_existing": "head" in code and "what is older than the change is on both sides, or the base's",
        "brittle_check": not faults and "a brittle check needs a change of the head's",
        "transport": not wire and "transport needs faults of the wire: run.faults or run.tool_faults",
        "model_flake": bool(wire) and "a model's flake has no faults of the wire",
        "unclassified": (form.missing is None or form.then is None)
        and "what stays unclassified says what is missing, and what is the case then",
    }[form.truth]
    if wrong:
        raise document.error(f"the truth {form.truth!r} does not hold by construction: {wrong}.", "truth")
