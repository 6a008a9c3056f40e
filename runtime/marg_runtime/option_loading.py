"""Finding the options of a step: its coroutines are run with the read tools of the domain, and every call is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from marg_runtime.canonical import Json, canonical_json, is_json, plain, well_formed
from marg_runtime.domain import Domain, SlotStep
from marg_runtime.effects import LoadOptions, OptionsLoaded, StepCall
from marg_runtime.errors import ToolError
from marg_runtime.events.turn import PinnedTool
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.multi_chips import MultiChipsStep
from marg_runtime.steps.option import Option, alike
from marg_runtime.steps.picker import PickerStep
from marg_runtime.surroundings import pin
from marg_runtime.tools.tool import ToolName, ToolOutcome, Tools


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What a step found."""

    options: tuple[Option, ...] = ()
    fields: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    more: bool = False


async def load_options(effect: LoadOptions, *, domain: Domain, tools: Tools) -> OptionsLoaded:
    """Find the options of a step. A tool that refuses or breaks is an error in the result; a step's bug is raised."""
    step = domain.step(effect.step)
    context = _StepTools(
        domain=domain, tools=tools, pinned=effect.pinned, draft=effect.draft, query=effect.query, page=effect.page
    )
    found, error = _Found(), None
    try:
        found = await _found(step, context)
    except ToolError as broken:
        error = str(broken)
    return OptionsLoaded(
        step=effect.step,
        options=found.options,
        calls=tuple(context.calls),
        error=error,
        fields=found.fields,
        query=effect.query,
        page=effect.page,
        more=found.more,
    )


async def _found(step: SlotStep | None, context: _StepTools) -> _Found:
    match step:
        case ChipsStep() | MultiChipsStep() if callable(step.options):
            return _Found(options=_told_apart(await step.options(context), step, context.domain))
        case PickerStep():
            page = await step.search(context)
            return _Found(options=_told_apart(page.options, step, context.domain), more=page.more)
        case FormStep():
            found = {
                one.slot: _once_each(await one.options(context), one.slot)
                for one in step.fields
                if callable(one.options)
            }
            for slot, options in found.items():
                if not options:
                    raise ToolError(f"there is nothing to choose from for {slot!r}")
            return _Found(fields=found)
    raise ToolError("the step has no options to find")


def _told_apart(options: Sequence[Option], step: SlotStep, domain: Domain) -> tuple[Option, ...]:
    return _once_each(options, step.key, beside=() if step.required else (domain.lines.skip_label,))


def _once_each(options: Sequence[Option], whose: str, *, beside: tuple[str, ...] = ()) -> tuple[Option, ...]:
    """The options, one that comes twice once. Raises ToolError where two of different values have one label.

    Nobody could tell them apart on the block, nor on the summary, which shows labels.
    """
    each: dict[tuple[str, str], Option] = {}
    for option in options:
        each.setdefault((option.label, canonical_json(option.value)), option)
    twice = alike((*(option.label for option in each.values()), *beside))
    if twice is not None:
        raise ToolError(f"two options of {whose!r} have the label {twice!r}; nobody could tell them apart")
    return tuple(each.values())


def kept(outcome: ToolOutcome) -> ToolOutcome:
    """An outcome as a ledger can hold it: text without half characters, data only where it is JSON of some depth."""
    data = plain(outcome.data) if is_json(outcome.data) else None
    return ToolOutcome(text=well_formed(outcome.text), data=data, is_error=outcome.is_error)


@dataclass(kw_only=True)
class _StepTools:
    """The read tools of a domain for a step's options; remembers every call."""

    domain: Domain
    tools: Tools
    pinned: tuple[PinnedTool, ...]
    draft: Mapping[str, Json]
    query: str = ""
    page: int = 1
    calls: list[StepCall] = field(default_factory=list)

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        tool = self._read_tool(name)
        await self._check(tool)
        outcome = kept(await self.tools.call(tool, arguments))
        self.calls.append(StepCall(tool=tool, arguments=arguments, outcome=outcome))
        if outcome.is_error:
            raise ToolError(f"{tool!s} refused: {outcome.text}")
        return outcome

    async def _check(self, tool: ToolName) -> None:
        """A tool that is not the one that the session opened with is not known to read (rule G7)."""
        listed = [pin(spec) for spec in await self.tools.list() if spec.tool == tool]
        if not listed or listed[0] not in self.pinned:
            raise ToolError(f"{tool!s} is not the tool that the session opened with; nothing was sent", sent=False)

    def _read_tool(self, name: str) -> ToolName:
        """A read tool by its name, or by `server/name`. Every other tool is a write, and no step writes."""
        found = [tool for tool in self.domain.read_tools if name in (tool.name, str(tool))]
        if len(found) != 1:
            known = ", ".join(sorted(str(tool) for tool in self.domain.read_tools)) or "none"
            raise ToolError(f"{name!r} is not one read tool of the domain {self.domain.name!r}; it has {known}")
        return found[0]
