"""Running effects: the only place where the model and the tools are called."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from marg_runtime.canonical import Json, is_json, well_formed
from marg_runtime.conversation import ModelCall
from marg_runtime.cutter import Cut, Cutter, feed, finish
from marg_runtime.domain import Domain
from marg_runtime.effects import (
    CallModel,
    CallTool,
    DispatchWrite,
    Effect,
    LoadOptions,
    ModelBroke,
    ModelFinished,
    OptionsLoaded,
    StepCall,
    Stimulus,
    ToolFinished,
    WriteBroke,
    WriteFinished,
)
from marg_runtime.errors import ModelError, ToolError
from marg_runtime.models.model import CallDelta, Finish, FinishReason, Model, TextDelta
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.tools.tool import ToolName, ToolOutcome, Tools

OnText: TypeAlias = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Runner:
    """Runs what `decide` asked for, and says what came of it."""

    domain: Domain
    model: Model
    tools: Tools

    async def run(self, effect: Effect, *, on_text: OnText | None) -> Stimulus:
        """Run one effect. What breaks on the other side is a result; errors of our own code are raised."""
        match effect:
            case CallModel():
                return await self._call_model(effect, on_text)
            case CallTool():
                return await self._call_tool(effect)
            case LoadOptions():
                return await self._load_options(effect)
            case DispatchWrite():
                return await self._write(effect)

    async def _call_model(self, effect: CallModel, on_text: OnText | None) -> Stimulus:
        hearing = _Hearing(cutter=effect.cutter, on_text=on_text)
        deltas = self.model.stream(effect.request)
        try:
            async for delta in deltas:
                match delta:
                    case TextDelta():
                        await hearing.text(well_formed(delta.text))
                    case CallDelta():
                        hearing.calls.append(delta.call)
                    case Finish():
                        hearing.reason = delta.reason
        except ModelError as error:
            return await hearing.broken(str(error))
        finally:
            # A listener that hung up leaves the stream in the middle, with its connection open.
            if isinstance(deltas, AsyncGenerator):
                await deltas.aclose()
        if hearing.reason is None:
            return await hearing.broken("the reply ended without its end")
        return await hearing.whole(hearing.reason)

    async def _call_tool(self, effect: CallTool) -> ToolFinished:
        try:
            outcome = _kept(await self.tools.call(effect.tool, effect.arguments))
        except ToolError as error:
            outcome = ToolOutcome(text=f"The tool did not answer: {error}", is_error=True)
        return ToolFinished(call=effect.call, tool=effect.tool, outcome=outcome)

    async def _load_options(self, effect: LoadOptions) -> OptionsLoaded:
        step = self.domain.step(effect.step)
        context = _StepTools(domain=self.domain, tools=self.tools, draft=effect.draft)
        if not isinstance(step, ChipsStep) or not callable(step.options):
            return OptionsLoaded(step=effect.step, options=(), calls=(), error="the step has no options to find")
        try:
            options = tuple(await step.options(context))
        except ToolError as error:
            return OptionsLoaded(step=effect.step, options=(), calls=tuple(context.calls), error=str(error))
        return OptionsLoaded(step=effect.step, options=options, calls=tuple(context.calls))

    async def _write(self, effect: DispatchWrite) -> Stimulus:
        try:
            outcome = _kept(await self.tools.call(effect.tool, effect.arguments))
        except ToolError as error:
            return WriteBroke(key=effect.key, error=str(error), sent=error.sent)
        return WriteFinished(key=effect.key, outcome=outcome)


def _kept(outcome: ToolOutcome) -> ToolOutcome:
    """An outcome as a ledger can hold it: text without half characters, data only where it is JSON."""
    data = outcome.data if is_json(outcome.data) else None
    return ToolOutcome(text=well_formed(outcome.text), data=data, is_error=outcome.is_error)


@dataclass(kw_only=True)
class _Hearing:
    """A model's reply as it comes in, and what of it was shown."""

    cutter: Cutter
    on_text: OnText | None
    raw: str = ""
    shown: str = ""
    cuts: list[Cut] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    reason: FinishReason | None = None

    async def text(self, piece: str) -> None:
        self.raw += piece
        fed = feed(self.cutter, piece)
        self.cutter = fed.cutter
        await self._show(fed.shown, fed.cuts)

    async def _show(self, shown: str, cuts: tuple[Cut, ...]) -> None:
        self.cuts.extend(cuts)
        self.shown += shown
        if shown and self.on_text is not None:
            await self.on_text(shown)

    async def whole(self, reason: FinishReason) -> ModelFinished:
        fed = finish(self.cutter)
        await self._show(fed.shown, fed.cuts)
        return ModelFinished(
            raw=self.raw, shown=self.shown, cuts=tuple(self.cuts), calls=tuple(self.calls), finish=reason
        )

    async def broken(self, error: str) -> ModelBroke:
        # The sentence that was held has no end, so it is not shown.
        return ModelBroke(raw=self.raw, shown=self.shown, cuts=tuple(self.cuts), error=error)


@dataclass(kw_only=True)
class _StepTools:
    """The read tools of a domain for a step's options; remembers every call."""

    domain: Domain
    tools: Tools
    draft: Mapping[str, Json]
    calls: list[StepCall] = field(default_factory=list)

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        tool = self._read_tool(name)
        outcome = _kept(await self.tools.call(tool, arguments))
        self.calls.append(StepCall(tool=tool, arguments=arguments, outcome=outcome))
        if outcome.is_error:
            raise ToolError(f"{tool!s} refused: {outcome.text}")
        return outcome

    def _read_tool(self, name: str) -> ToolName:
        """A read tool by its name, or by `server/name`. Every other tool is a write, and no step writes."""
        found = [tool for tool in self.domain.read_tools if name in (tool.name, str(tool))]
        if len(found) != 1:
            known = ", ".join(sorted(str(tool) for tool in self.domain.read_tools)) or "none"
            raise ToolError(f"{name!r} is not one read tool of the domain {self.domain.name!r}; it has {known}")
        return found[0]
