"""From the turns of a document's form to turns, each held against those before it and against its domain."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from marg_mock_model import Document, Machine, NodePath, nearest
from marg_runtime.probe.contract import Contract
from marg_scenarios.checks import checks_of
from marg_scenarios.contract_file import load_contract
from marg_scenarios.forms import ScenarioForm, TurnForm
from marg_scenarios.forms.override_form import TOOL_FAULTS, ReplyForm, ToolForm
from marg_scenarios.forms.turn_form import ACTS, USER_ACTS, ActForm, SearchForm, TapForm
from marg_scenarios.kit import Kit
from marg_scenarios.names import check_names, check_overrides
from marg_scenarios.override import ScriptedCall, ScriptedReply, ToolFault
from marg_scenarios.turn import (
    ConcurrentTurn,
    ForgeTurn,
    ReloadTurn,
    RestartTurn,
    SayTurn,
    ScriptedAct,
    SearchTurn,
    SubmitTurn,
    TapTurn,
    Turn,
    WaitTurn,
)
from marg_scenarios.turn_ids import SEEN_WORDS, is_revision


class TurnList:
    """The turns of one document, made in order: a turn can refer to those before it."""

    def __init__(self, *, document: Document, form: ScenarioForm, kit: Kit, machine: Machine) -> None:
        self._document = document
        self._form = form
        self._kit = kit
        self._machine = machine
        self._ids: list[str] = []
        self._agreed: Contract | None = None

    def turns(self) -> tuple[Turn, ...]:
        """All turns; raises LocatedError for the first that does not hold together."""
        return tuple(self._turn(form, ("turns", number)) for number, form in enumerate(self._form.turns))

    def _turn(self, form: TurnForm, where: NodePath) -> Turn:
        self._check_one_act(form, ACTS, where)
        self._check_bare(form, where)
        check_overrides(
            self._document, form, where, domain=self._kit.domain, machine=self._machine, rehearse=self._form.rehearse
        )
        replies = [form.model] if isinstance(form.model, ReplyForm) else form.model or []
        faults = {name: _fault(fault) for name, fault in (form.tools or {}).items()}
        turn = self._made(
            form,
            where,
            act=self._act(form, where),
            replies=tuple(_reply(reply) for reply in replies),
            faults=faults,
        )
        if not isinstance(turn.act, (WaitTurn, RestartTurn)):
            self._ids += [part.id for part in turn.parts]
        return turn

    def _made(
        self,
        form: ActForm,
        where: NodePath,
        *,
        act: ScriptedAct,
        replies: tuple[ScriptedReply, ...] = (),
        faults: Mapping[str, ToolFault] | None = None,
    ) -> Turn:
        if form.seen not in SEEN_WORDS and not is_revision(form.seen):
            self._earlier(form.seen, *where, "seen")
        check_names(self._document, form, where, domain=self._kit.domain, custom=self._kit.checks)
        file = self._document.file(*where)
        other = file if file != self._document.path else None
        assert form.id is not None, "every turn has been given an id"
        return Turn(
            id=form.id,
            act=act,
            seen=form.seen,
            checks=checks_of(
                form.expect,
                line=partial(self._document.line, *where, "expect"),
                file=other,
                custom=self._kit.checks,
                contract=self._contract(where) if form.expect.contract else None,
            ),
            replies=replies,
            faults=faults or {},
            line=self._document.line(*where),
            file=other,
        )

    def _contract(self, where: NodePath) -> Contract:
        """The kit's contract, read once."""
        if self._kit.contract is None:
            raise self._document.error(
                f"the domain {self._kit.domain.name!r} has no contract; write one with `marg probe --contract FILE` "
                "and name it in the kit.",
                *where,
                "expect",
                "contract",
            )
        if self._agreed is None:
            self._agreed = load_contract(self._kit.contract)
        return self._agreed

    def _check_one_act(self, form: ActForm, acts: tuple[str, ...], where: NodePath) -> None:
        given = [name for name in acts if getattr(form, name) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none"
            raise self._document.error(f"a turn has exactly one of {', '.join(acts)}; this one has {found}.", *where)

    def _check_bare(self, form: TurnForm, where: NodePath) -> None:
        """What is no act of a user's has no answer that could be looked at."""
        act = next(name for name in ACTS if getattr(form, name) is not None)
        if act in USER_ACTS:
            return
        both, place = ("seen", "expect"), "each act" if act == "concurrent" else "the turn that follows"
        for key in both if act == "concurrent" else (*both, "model", "tools"):
            if key in form.model_fields_set:
                raise self._document.error(f"{key!r} stands beside {act!r}; put it on {place}.", *where, key)

    def _act(self, form: TurnForm, where: NodePath) -> ScriptedAct:
        if form.wait is not None:
            return WaitTurn(milliseconds=form.wait)
        if form.restart is not None:
            return RestartTurn()
        if form.concurrent is not None:
            parts = [self._part(part, (*where, "concurrent", number)) for number, part in enumerate(form.concurrent)]
            return ConcurrentTurn(turns=tuple(parts))
        return self._user_act(form, where)

    def _part(self, form: ActForm, where: NodePath) -> Turn:
        # Acts that are sent at once can answer only what was there before them all.
        self._check_one_act(form, USER_ACTS, where)
        return self._made(form, where, act=self._user_act(form, where))

    def _user_act(self, form: ActForm, where: NodePath) -> ScriptedAct:
        if form.say is not None:
            return SayTurn(text=form.say)
        if form.tap is not None:
            tap = form.tap if isinstance(form.tap, TapForm) else TapForm(option=form.tap)
            return TapTurn(option=tap.option, of=self._earlier(tap.of, *where, "tap", "of"))
        if form.submit is not None:
            return SubmitTurn(
                values=form.submit.values or {},
                choose=tuple(form.submit.choose or ()),
                of=self._earlier(form.submit.of, *where, "submit", "of"),
            )
        if form.search is not None:
            search = form.search if isinstance(form.search, SearchForm) else SearchForm(query=form.search)
            of = self._earlier(search.of, *where, "search", "of")
            return SearchTurn(query=search.query, page=search.page, of=of)
        if form.forge is not None:
            forged = form.forge
            return ForgeTurn(
                question=forged.question,
                revision=forged.revision,
                option=forged.option,
                values=forged.values,
                of=self._earlier(forged.of, *where, "forge", "of"),
            )
        return ReloadTurn()

    def _earlier(self, name: str | None, *place: str | int) -> str | None:
        """The id of an earlier turn; raises LocatedError for any other name."""
        if name is None or name in self._ids:
            return name
        known = (*self._ids, *(SEEN_WORDS if place[-1] == "seen" else ()))
        hint = nearest(name, known) if known else "there is none."
        raise self._document.error(f"{place[-1]!r} is {name!r}, which is no earlier turn; {hint}", *place)


def _reply(form: ReplyForm) -> ScriptedReply:
    calls = [ScriptedCall(tool=tool, arguments=arguments) for call in form.calls for tool, arguments in call.items()]
    return ScriptedReply(
        text=form.text,
        calls=tuple(calls),
        broken=form.broken,
        crashes=bool(form.crashes),
        finish=form.finish or ("tool_calls" if calls else "stop"),
        to=form.to,
        slip=form.slip,
    )


def _fault(form: ToolForm) -> ToolFault:
    kind = next(name for name in TOOL_FAULTS if getattr(form, name) is not None)
    if form.answers is not None:
        return ToolFault(kind="answers", text=form.answers.text, data=form.answers.data)
    if form.changes is not None:
        changes = form.changes
        return ToolFault(
            kind="changes",
            description=changes.description,
            identity=changes.identity,
            arguments=changes.arguments or {},
        )
    ran = (form.breaks or form.hangs or form.crashes) == "after"
    return ToolFault(kind=kind, text=form.refuses or "", ran=ran)
