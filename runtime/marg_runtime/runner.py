"""Running effects: the only place where the model and the tools are called."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from marg_runtime.canonical import well_formed
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
    Stimulus,
    ToolFinished,
    WriteBroke,
    WriteFinished,
)
from marg_runtime.errors import ModelError, ToolError
from marg_runtime.model import CallDelta, Finish, FinishReason, Model, TextDelta
from marg_runtime.option_loading import kept, load_options
from marg_runtime.sentences import closing_marks
from marg_runtime.tools.tool import ToolOutcome, Tools
from marg_runtime.wire import WireKind

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
                return await load_options(effect, domain=self.domain, tools=self.tools)
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
            return await hearing.broken(str(error), kind=error.kind)
        finally:
            # A listener that hung up leaves the stream in the middle, with its connection open.
            if isinstance(deltas, AsyncGenerator):
                await deltas.aclose()
        if hearing.reason is None:
            return await hearing.broken("the reply ended without its end", kind="truncated")
        return await hearing.whole(hearing.reason)

    async def _call_tool(self, effect: CallTool) -> ToolFinished:
        try:
            outcome = kept(await self.tools.call(effect.tool, effect.arguments))
        except ToolError as error:
            outcome = ToolOutcome(text=f"The tool did not answer: {error}", is_error=True)
        return ToolFinished(call=effect.call, tool=effect.tool, outcome=outcome)

    async def _write(self, effect: DispatchWrite) -> Stimulus:
        try:
            outcome = kept(await self.tools.call(effect.tool, effect.arguments))
        except ToolError as error:
            return WriteBroke(key=effect.key, error=str(error), sent=error.sent)
        return WriteFinished(key=effect.key, outcome=outcome)


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
        if self._has_end(reason):
            fed = finish(self.cutter)
            await self._show(fed.shown, fed.cuts)
        return ModelFinished(
            raw=self.raw, shown=self.shown, cuts=tuple(self.cuts), calls=tuple(self.calls), finish=reason
        )

    def _has_end(self, reason: FinishReason) -> bool:
        """Whether the last sentence is a whole one. At a limit it may be half of a question that no pattern knows; a
        refusal is the model's own words, or a reply that a filter cut off."""
        if reason == "refusal":
            return self.cutter.held.rstrip().endswith(tuple(closing_marks()))
        return reason in ("stop", "tool_calls")

    async def broken(self, error: str, *, kind: WireKind | None) -> ModelBroke:
        # The sentence that was held has no end, so it is not shown.
        return ModelBroke(raw=self.raw, shown=self.shown, cuts=tuple(self.cuts), error=error, kind=kind)
