"""A scenario from its file, checked against its domain before anything runs."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from pathlib import Path

from marg_mock_model import Document, load_machine, nearest, read_document
from marg_runtime.errors import UsageError
from marg_scenarios.checks import checks_of
from marg_scenarios.errors import KitError
from marg_scenarios.forms.scenario_form import ScenarioForm
from marg_scenarios.forms.turn_form import ACTS, TapForm, TurnForm
from marg_scenarios.kit import Kit
from marg_scenarios.kit_finder import find_kit
from marg_scenarios.names import check_machine, check_names
from marg_scenarios.scenario import SCENARIO_SUFFIX, Scenario
from marg_scenarios.turn import ReloadTurn, SayTurn, ScriptedAct, SubmitTurn, TapTurn, Turn

SEEN_WORDS = ("latest", "previous", "absent")
SLUG_WORDS = 6  # of a turn's text, in the id that is made from it


def load_scenario(path: Path | str) -> Scenario:
    """Read a scenario's file.

    Raises UsageError, with file and line where there is one: for a key that is not known, a value that does not fit,
    a domain or a machine that is not there, a name that the domain does not have.
    """
    document = read_document(path)
    form = document.validate(ScenarioForm)
    kit = _kit(document, form, Path(path))
    machine = kit.machine if form.machine is None else Path(path).parent / form.machine
    if not machine.is_file():
        whose = "'machine'" if form.machine is not None else f"the machine of the domain {kit.domain.name!r}"
        raise document.error(f"{whose} is {str(machine)!r}, which is no file; correct the path.", "machine")
    played = load_machine(machine)
    check_machine(played, domain=kit.domain)
    turns = _turns(document, form, kit)
    return Scenario(
        name=form.scenario,
        about=form.about,
        kit=kit,
        machine=played,
        tags=tuple(form.tags),
        in_order=form.in_order,
        turns=turns,
        path=Path(path),
        line=document.line("scenario"),
    )


def _kit(document: Document, form: ScenarioForm, path: Path) -> Kit:
    try:
        return find_kit(form.domain, beside=path.resolve().parent)
    except KitError as error:
        raise document.error(str(error), "domain") from error


def _turns(document: Document, form: ScenarioForm, kit: Kit) -> tuple[Turn, ...]:
    ids = _turn_ids(document, form)
    turns = []
    for number, turn in enumerate(form.turns):
        where = ("turns", number)
        _check_seen(document, turn, number, ids)
        check_names(document, turn, where, domain=kit.domain)
        turns.append(
            Turn(
                id=ids[number],
                act=_act(document, turn, number, ids),
                seen=turn.seen,
                checks=checks_of(turn.expect, line=partial(document.line, *where, "expect")),
                line=document.line(*where),
            )
        )
    return tuple(turns)


def _turn_ids(document: Document, form: ScenarioForm) -> list[str]:
    """Each turn's id: declared, or made from its act; a second turn of the same act gets `-2`."""
    declared = Counter(turn.id for turn in form.turns if turn.id)
    seen: Counter[str] = Counter()
    ids = []
    for number, turn in enumerate(form.turns):
        if turn.id is not None:
            if turn.id in SEEN_WORDS:
                raise document.error(f"'id' is {turn.id!r}, a word of 'seen'; choose another.", "turns", number, "id")
            if declared[turn.id] > 1:
                raise document.error(f"'id' is {turn.id!r}, which two turns have; rename one.", "turns", number, "id")
            ids.append(turn.id)
            continue
        slug = _slug(turn)
        seen[slug] += 1
        ids.append(_free_id(slug, seen[slug], taken={*declared, *ids}))
    return ids


def _free_id(slug: str, number: int, *, taken: set[str]) -> str:
    made = slug if number == 1 else f"{slug}-{number}"
    return made if made not in taken else _free_id(slug, number + 1, taken=taken)


def _slug(turn: TurnForm) -> str:
    if turn.say is not None:
        name, text = "say", turn.say
    elif turn.tap is not None:
        name, text = "tap", turn.tap.option if isinstance(turn.tap, TapForm) else turn.tap
    elif turn.submit is not None:
        name, text = "submit", " ".join(turn.submit.values)
    else:
        name, text = "reload", ""
    words = re.findall(r"[a-z0-9]+", text.casefold())[:SLUG_WORDS]
    return "-".join((name, *words))


def _act(document: Document, turn: TurnForm, number: int, ids: list[str]) -> ScriptedAct:
    given = [name for name in ACTS if getattr(turn, name) is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise document.error(f"a turn has exactly one of {', '.join(ACTS)}; this one has {found}.", "turns", number)
    if turn.say is not None:
        return SayTurn(text=turn.say)
    if turn.tap is not None:
        tap = turn.tap if isinstance(turn.tap, TapForm) else TapForm(option=turn.tap)
        return TapTurn(option=tap.option, of=_earlier(document, tap.of, ids, number, "tap", "of"))
    if turn.submit is not None:
        of = _earlier(document, turn.submit.of, ids, number, "submit", "of")
        return SubmitTurn(values=turn.submit.values, of=of)
    return ReloadTurn()


def _check_seen(document: Document, turn: TurnForm, number: int, ids: list[str]) -> None:
    if turn.seen not in SEEN_WORDS:
        _earlier(document, turn.seen, ids, number, "seen")


def _earlier(document: Document, name: str | None, ids: list[str], number: int, *key: str) -> str | None:
    """The id of an earlier turn; raises LocatedError for any other name."""
    if name is None or name in ids[:number]:
        return name
    known = (*ids[:number], *(SEEN_WORDS if key == ("seen",) else ()))
    hint = nearest(name, known) if known else "there is none."
    raise document.error(f"{key[-1]!r} is {name!r}, which is no earlier turn; {hint}", "turns", number, *key)


def find_scenarios(path: Path) -> tuple[Path, ...]:
    """The scenario files of a path: the file itself, or all below a folder, in order; hidden folders are left out.

    Raises UsageError where there is none.
    """
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise UsageError(f"{str(path)!r} is neither a file nor a folder; check the path.")
    found = sorted(
        found
        for found in path.rglob(f"*{SCENARIO_SUFFIX}")
        if not any(part.startswith(".") for part in found.relative_to(path).parts)
    )
    if not found:
        raise UsageError(f"{str(path)!r} holds no {'*' + SCENARIO_SUFFIX!r} file; name a folder that does.")
    return tuple(found)
