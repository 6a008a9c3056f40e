"""Whether a target speaks the protocol: a fixed list of requirements, each passed, failed or not asked, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from marg_harness.agent_target import OpensAgent
from marg_harness.errors import RequirementFailed, RequirementUnasked
from marg_harness.stop import error_text
from marg_runtime.errors import MargError, TargetRefused
from marg_runtime.gateway.agent import Agent
from marg_runtime.gateway.protocol import Description, Opened, Opening, ReloadForm, Report, SayForm, Sent

AT = 1_767_225_600_000  # 2026-01-01T00:00:00Z in milliseconds
Verdict = Literal["pass", "fail", "not asked"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was found of one requirement; `because` is why it failed, or was not asked."""

    requirement: str
    verdict: Verdict
    because: str = ""


@dataclass(kw_only=True)
class _Talk:
    """What is known of the target, from requirement to requirement."""

    agent: Agent
    domain: str | None
    say: str
    description: Description | None = None
    opened: list[Opened] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)

    @property
    def domain_name(self) -> str:
        """The domain that conversations are opened of."""
        named = self.description.domains if self.description else None
        return self.domain or (named[0] if named else "any")

    def opening(self) -> Opening:
        """A conversation of it, with a name that the target gives."""
        return Opening(domain=self.domain_name, at=AT, in_order=True)


Requirement = Callable[[_Talk], Awaitable[None]]


async def _describes(talk: _Talk) -> None:
    talk.description = await talk.agent.describe()


async def _opens(talk: _Talk) -> None:
    talk.opened.append(await talk.agent.open(talk.opening()))


async def _opens_apart(talk: _Talk) -> None:
    talk.opened.append(await talk.agent.open(talk.opening()))
    if talk.opened[0].id == talk.opened[1].id:
        raise RequirementFailed(f"two conversations have the id {talk.opened[0].id!r}")


async def _takes_the_id(talk: _Talk) -> None:
    name = "conformance-of-an-id"
    opened = await talk.agent.open(talk.opening().model_copy(update={"id": name}))
    await talk.agent.close(opened.id)
    if opened.id != name:
        raise RequirementFailed(f"a conversation was to be called {name!r} and is {opened.id!r}")


async def _answers(talk: _Talk) -> None:
    await _act(talk, SayForm(kind="say", text=talk.say, at=AT + 1_000))
    if not talk.reports[0].texts and talk.reports[0].block is None:
        raise RequirementFailed("the report of a message has neither a text nor a block")


async def _reports_what_it_says(talk: _Talk) -> None:
    _needs_report(talk)
    assert talk.description is not None
    lacking = sorted(set(talk.description.reports) - talk.reports[0].reported())
    if lacking:
        raise RequirementFailed(f"it says that it reports {', '.join(lacking)}, and the report has none of it")


async def _says_what_it_reports(talk: _Talk) -> None:
    _needs_report(talk)
    assert talk.description is not None
    more = sorted(talk.reports[0].reported() - set(talk.description.reports))
    if more:
        raise RequirementFailed(f"it reports {', '.join(more)}, and does not say so")


async def _reloads(talk: _Talk) -> None:
    _needs_report(talk)
    before = talk.reports[-1]
    after = await _act(talk, ReloadForm(kind="reload", at=AT + 2_000, seen=before.revision))
    if before.block is None or not before.block.question:
        raise RequirementUnasked("no report has a block with a question; where it draws one, --say what makes it")
    if after.block != before.block:
        raise RequirementFailed("a reload shows another block than the one that was open")


async def _goes_on(talk: _Talk) -> None:
    _needs_report(talk)
    before = talk.reports[-1].revision
    after = (await _act(talk, ReloadForm(kind="reload", at=AT + 3_000, seen=before))).revision
    if after < before:
        raise RequirementFailed(f"the revision of its answers fell from {before!r} to {after!r}")


async def _counts_up(talk: _Talk) -> None:
    _needs_report(talk)
    counts = [report.writes for report in talk.reports if report.writes is not None]
    if not counts:
        raise RequirementUnasked("it does not report the count of its writes")
    if counts != sorted(counts):
        raise RequirementFailed(f"its count of writes fell: {counts!r}")


async def _keeps_apart(talk: _Talk) -> None:
    if len(talk.opened) < 2:
        raise RequirementUnasked("no second conversation was opened")
    (report,) = await _sent(talk, talk.opened[1].id, ReloadForm(kind="reload", at=AT + 4_000))
    if report.writes:
        raise RequirementFailed(f"a conversation in which nothing was said counts {report.writes!r} writes")
    if report.draft is not None and report.draft.values:
        slots = sorted(report.draft.values)
        raise RequirementFailed(f"a conversation in which nothing was said has a draft of {slots!r}")
    if not any(one.writes or (one.draft is not None and one.draft.values) for one in talk.reports):
        raise RequirementUnasked(
            "the first has no write and no value in its reports, so a mix-up would not show; --say what brings one"
        )


async def _refuses_the_unknown(talk: _Talk) -> None:
    try:
        await talk.agent.act("conformance-of-nobody", Sent(acts=(ReloadForm(kind="reload", at=AT),)))
    except TargetRefused as error:
        if error.kind != "unknown":
            raise RequirementFailed(f"a conversation that is not open is refused as {error.kind!r}") from None
    else:
        raise RequirementFailed("it answers in a conversation that was never opened")


async def _closes(talk: _Talk) -> None:
    if not talk.opened:
        raise RequirementUnasked("no conversation was opened")
    for opened in talk.opened:
        await talk.agent.close(opened.id)


async def _restarts(talk: _Talk) -> None:
    if talk.description is None or "restart" not in talk.description.able:
        raise RequirementUnasked("it does not say that it is able to")
    _needs_report(talk)
    before = talk.reports[-1]
    await talk.agent.restart(talk.opened[0].id)
    after = await _act(talk, ReloadForm(kind="reload", at=AT + 5_000, seen=before.revision))
    if before.draft != after.draft:
        raise RequirementFailed("after a restart the draft is another")


REQUIREMENTS: Final[dict[str, Requirement]] = {
    "describes itself": _describes,
    "opens a conversation": _opens,
    "gives each conversation an id of its own": _opens_apart,
    "takes the id that it is given": _takes_the_id,
    "answers a message": _answers,
    "reports what it says that it reports": _reports_what_it_says,
    "says what it reports": _says_what_it_reports,
    "shows what is open on a reload": _reloads,
    "goes on after a turn": _goes_on,
    "counts its writes upwards": _counts_up,
    "keeps conversations apart": _keeps_apart,
    "goes on after a restart": _restarts,
    "refuses a conversation that is not open": _refuses_the_unknown,
    "closes a conversation": _closes,
}
"""In the order in which they are tried; each stands on those before it."""


def check_target(opens: OpensAgent, *, domain: str | None = None, say: str = "Hello") -> tuple[Finding, ...]:
    """What was found of every requirement, in their order."""
    return asyncio.run(_check(opens, domain, say))


async def _check(opens: OpensAgent, domain: str | None, say: str) -> tuple[Finding, ...]:
    async with opens() as agent:
        talk = _Talk(agent=agent, domain=domain, say=say)
        return tuple([await _found(name, requirement, talk) for name, requirement in REQUIREMENTS.items()])


async def _found(name: str, requirement: Requirement, talk: _Talk) -> Finding:
    try:
        await requirement(talk)
    except RequirementUnasked as error:
        return Finding(requirement=name, verdict="not asked", because=str(error))
    except TargetRefused as error:
        # A mock machine that was not written for these words says nothing about the program around it.
        verdict: Verdict = "not asked" if error.kind == "undeclared" else "fail"
        return Finding(requirement=name, verdict=verdict, because=f"{error.kind}: {error}")
    except (RequirementFailed, MargError) as error:
        return Finding(requirement=name, verdict="fail", because=str(error))
    except Exception as error:
        return Finding(requirement=name, verdict="fail", because=error_text(error))
    return Finding(requirement=name, verdict="pass")


def _needs_report(talk: _Talk) -> None:
    if not talk.reports or talk.description is None:
        raise RequirementUnasked("it has not answered a message")


async def _act(talk: _Talk, form: SayForm | ReloadForm) -> Report:
    if not talk.opened:
        raise RequirementUnasked("no conversation was opened")
    (report,) = await _sent(talk, talk.opened[0].id, form)
    talk.reports.append(report)
    return report


async def _sent(talk: _Talk, conversation: str, form: SayForm | ReloadForm) -> tuple[Report]:
    reports = (await talk.agent.act(conversation, Sent(acts=(form,)))).reports
    if len(reports) != 1:
        raise RequirementFailed(f"it was sent one act and reports {len(reports)!r}")
    return (reports[0],)
