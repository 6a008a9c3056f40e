"""What would change in the files of scenarios so that their reds were green: data first, applied by somebody else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marg_harness.shrink import NO_CHECK
from marg_harness.update.edit import Edit, Written
from marg_harness.update.rerecording import rerecorded
from marg_harness.update.spans import spans_of
from marg_mock_model import Document, NodePath, read_document
from marg_reports import CheckRecord, RunRecord
from marg_reports.record import Owner
from marg_runtime.canonical import canonical_json
from marg_runtime.errors import UsageError
from marg_runtime.scrub import own_secrets, scrub_json

_PARAMETER = re.compile(r"\{\w+\}")


@dataclass(frozen=True, kw_only=True)
class Change:
    """A check's value, as it is written and as it would be. line: of its key; reds: the ids of those that it ends."""

    file: Path
    line: int
    kind: str
    owner: Owner
    old: Any
    new: Any
    reds: tuple[str, ...]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, kw_only=True)
class Left:
    """A check whose reds stay, by file:line, and why."""

    file: Path
    line: int
    kind: str
    reds: tuple[str, ...]
    because: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All changes, and all that stays as it is, in the order of files and lines."""

    changes: tuple[Change, ...]
    left: tuple[Left, ...]


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """One evaluation of a check, and the id of its red."""

    red: str
    scenario: str
    check: CheckRecord


def plan_of(run: RunRecord, *, chosen: Collection[str], force: bool) -> Plan:
    """What to change for the reds of a run, which has every scenario that shares a check with one of them.

    chosen: the ids of the reds that are to end. force: checks of the runtime's as well. Nothing is written.
    """
    changes: list[Change] = []
    left: list[Left] = []
    files: dict[Path, Document] = {}
    for (file, line, kind), seen in sorted(_by_place(run).items()):
        reds = tuple(one.red for one in seen if not one.check.passed)
        if not reds:
            continue
        try:
            if not set(reds) & set(chosen):
                raise UsageError("its scenario was not chosen")
            document = files.setdefault(file, read_document(file))
            changes.append(_change(document, file, line, kind, seen, reds, force=force))
        except UsageError as error:
            left.append(Left(file=file, line=line, kind=kind, reds=reds, because=str(error)))
    return Plan(changes=tuple(changes), left=tuple(left))


def text_of(file: Path) -> str:
    """What a file holds, its line ends as they are."""
    return file.read_bytes().decode("utf-8")


def _by_place(run: RunRecord) -> Mapping[tuple[Path, int, str], list[_Seen]]:
    """Every evaluation by where its check is written: a fixture's checks are evaluated for all who use it."""
    found: dict[tuple[Path, int, str], list[_Seen]] = {}
    for scenario in run.scenarios:
        for turn in scenario.turns:
            for check in turn.checks:
                place = (Path(check.file or scenario.path), check.line, check.kind)
                red = f"{scenario.path}::{scenario.title}::{turn.id}::{check.id}"
                found.setdefault(place, []).append(_Seen(red=red, scenario=scenario.title, check=check))
    return found


def _change(
    document: Document, file: Path, line: int, kind: str, seen: Sequence[_Seen], reds: tuple[str, ...], *, force: bool
) -> Change:
    """The change of one check; raises UsageError, with the reason, where there is none to make."""
    check = next(one.check for one in seen if not one.check.passed)
    if kind in NO_CHECK:
        raise UsageError("no check was written for it; mend the scenario, the machine or the runtime")
    if check.owner == "runtime" and not force:
        raise UsageError("the runtime owns it, whatever the model says; if the runtime was meant to change, --force")
    place = _place(document, line, kind)
    old = _node(document, place)
    if _names_parameters(document, place, old):
        raise UsageError("its value comes from a parameter; change the row, or where the fixture is used, by hand")
    new = _agreed(kind, old, seen)
    if scrub_json(new, secrets=own_secrets()) != new:
        raise UsageError("what was seen has a secret in it, which belongs into no file; look at it by hand")
    text = text_of(file)
    edits = tuple(Written(text=text, spans=spans_of(text)).edits(place, old, _braced(new, document, place)))
    if not edits:
        raise UsageError("what was seen is what is written, and the check is red all the same; look at it by hand")
    return Change(file=file, line=line, kind=kind, owner=check.owner, old=old, new=new, reds=reds, edits=edits)


def _place(document: Document, line: int, kind: str) -> NodePath:
    """Where the check of this kind at this line is written."""
    found = [path for path, at in document.lines.items() if at == line and path[-2:] == ("expect", kind)]
    if len(found) != 1:
        raise UsageError(f"the line has {len(found)} checks of this kind; write each on a line of its own")
    return found[0]


def _node(document: Document, place: NodePath) -> Any:
    node: Any = document.root
    for key in place:
        node = node[key]
    return node


def _agreed(kind: str, old: Any, seen: Sequence[_Seen]) -> Any:
    """What all who share the check saw; a green one saw what is written."""
    proposals = {one.red: old if one.check.passed else rerecorded(kind, old, one.check.got) for one in seen}
    if any(proposal is None for proposal in proposals.values()):
        raise UsageError("what it would expect cannot be told from what was seen; write it by hand")
    distinct = {canonical_json(proposal): one for one, proposal in proposals.items()}
    if len(distinct) > 1:
        places = len({one.scenario for one in seen})
        raise UsageError(f"{places} scenarios or rows share it, and they do not agree on what it should be")
    return next(iter(proposals.values()))


def _names_parameters(document: Document, place: NodePath, node: Any) -> bool:
    return _filled(document, place) and any(_PARAMETER.search(text) for text in _leaves(node))


def _filled(document: Document, place: NodePath) -> bool:
    """Whether texts at this place have braces for parameters."""
    if place[0] == "fixtures":
        fixture = _node(document, place[:2])
        return isinstance(fixture, Mapping) and bool(fixture.get("parameters"))
    return bool(document.root.get("rows") or document.root.get("parameters"))


def _braced(new: Any, document: Document, place: NodePath) -> Any:
    """A value to be written where single braces name parameters."""
    if not _filled(document, place):
        return new
    if isinstance(new, Mapping):
        return {key: _braced(below, document, place) for key, below in new.items()}
    if isinstance(new, list | tuple):
        return [_braced(below, document, place) for below in new]
    return new.replace("{", "{{").replace("}", "}}") if isinstance(new, str) else new


def _leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for below in node.values():
            yield from _leaves(below)
    else:
        for below in node:
            yield from _leaves(below)
