"""A conversation with a target that speaks the protocol of `docs/targets.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from marg_harness.errors import NotMeasured, TargetError
from marg_harness.reference_conversation import STARTED_AT, TICK
from marg_harness.reported import Before, draft_of, observation_of
from marg_mock_model import UndeclaredSituation
from marg_runtime.acts import Act
from marg_runtime.block import Block
from marg_runtime.draft import Draft
from marg_runtime.errors import TargetRefused
from marg_runtime.gateway.act_forms import form_of
from marg_runtime.gateway.agent import Agent
from marg_runtime.gateway.protocol import Opened, Opening, Report, ScenarioName, Script, Sent
from marg_scenarios import Observation, Scenario, Turn
from marg_scenarios.observation import facts_of


class AgentConversation:
    """A conversation, and what is remembered between its turns. Made by `begin`."""

    def __init__(self, scenario: Scenario, agent: Agent, opened: Opened) -> None:
        self._scenario = scenario
        self._agent = agent
        self._id = opened.id
        self._acts = 0
        self._waited = 0
        self._script: Script | None = None
        self._unused: tuple[str, ...] = ()
        self._shown: Block | None = None
        self._draft = Draft(id="") if opened.draft is None else draft_of(opened.draft)
        self._writes: int | None = None
        self._rehearsed = 0
        self._told = 0

    @classmethod
    async def begin(cls, scenario: Scenario, agent: Agent) -> AgentConversation:
        """Open a conversation. Raises NotMeasured where the target does not hold one of this domain."""
        opening = Opening(
            domain=scenario.kit.domain.name,
            at=STARTED_AT + TICK,
            in_order=scenario.in_order,
            rehearse=scenario.rehearse,
            scenario=ScenarioName(file=scenario.path.name, title=scenario.title),
        )
        try:
            return cls(scenario, agent, await agent.open(opening))
        except TargetRefused as error:
            raise _in_place(error) from error

    @property
    def now(self) -> int:
        """The time of the next act."""
        return STARTED_AT + TICK * (self._acts + 1) + self._waited

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self._waited += milliseconds

    def direct(self, turn: Turn) -> None:
        """Send the scripted replies and faults of a turn with its acts."""
        self._unused = ()
        self._script = _script(turn)

    def unused(self) -> tuple[str, ...]:
        """What the target says that the turn had no use for."""
        return self._unused

    async def act(self, act: Act) -> Observation:
        """Send one act."""
        (seen,) = await self.act_together((act,))
        return seen

    async def act_together(self, acts: Sequence[Act]) -> tuple[Observation, ...]:
        """Send acts at once. Raises TargetError for an answer that does not fit the acts."""
        forms = tuple(form_of(act) for act in acts)
        script = {} if self._script is None else {"script": self._script}
        try:
            reports = (await self._agent.act(self._id, Sent(acts=forms, **script))).reports
        except TargetRefused as error:
            raise _in_place(error) from error
        if len(reports) != len(acts):
            raise TargetError(f"the target was sent {len(acts)!r} acts and reports {len(reports)!r}")
        self._acts += len(acts)
        return tuple(self._seen(act, report) for act, report in zip(acts, reports, strict=True))

    async def restart(self) -> None:
        """Have the target start anew."""
        try:
            await self._agent.restart(self._id)
        except TargetRefused as error:
            raise _in_place(error) from error

    async def close(self) -> None:
        """Tell the target that the conversation is over."""
        closed = await self._agent.close(self._id)
        self._writes = self._writes if closed.writes is None else closed.writes

    def writes(self) -> int | None:
        """The backend's own count, as the target reported it last."""
        return self._writes

    def last_writes(self) -> int | None:
        """The same once the conversation is closed, where the target may count them again or only then."""
        return self._writes

    def _seen(self, act: Act, report: Report) -> Observation:
        before = Before(
            shown=self._shown,
            draft=self._draft,
            writes=self._writes or 0,
            rehearsed=self._rehearsed,
            told=self._told,
            rule=self._scenario.kit.domain.rule,
        )
        seen = observation_of(report, act, before)
        self._shown = seen.answer.block or self._shown
        self._draft = seen.draft
        self._writes = self._writes if report.writes is None else report.writes
        self._rehearsed = report.rehearsed or 0
        self._unused = (*self._unused, *report.unused)
        if seen.requests:
            self._told = len(facts_of(seen.requests[-1]))
        return seen


def _script(turn: Turn) -> Script | None:
    if not turn.replies and not turn.faults:
        return None
    replies = tuple(asdict(reply) for reply in turn.replies)
    faults: Mapping[str, Any] = {name: asdict(fault) for name, fault in turn.faults.items()}
    return Script(replies=replies, faults=faults)


def _in_place(error: TargetRefused) -> Exception:
    """What a refusal means for a replay."""
    if error.kind in ("not_able", "unknown"):
        return NotMeasured(f"the target says: {error}")
    if error.kind == "undeclared":
        said = str(error)
        found = UndeclaredSituation(said, path=error.path, line=error.line, state="", situation=said)
        if not error.path:
            # Somebody's agent need not have a machine in a file: there is no place to name.
            found.args = (f"the target says: {said}",)
        return found
    return error
