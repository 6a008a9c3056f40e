"""The probe itself: a good record for real, then one case after the other, and what the backend made of each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.domain import CONFIRMED, IDEMPOTENCY_KEY
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.probe.case import WHOLE, Case, Did, Says, cases_of, completed, says_of, takes
from marg_runtime.probe.flag import write_flag
from marg_runtime.probe.report import ProbeReport, ProbeRow
from marg_runtime.probe.target import ProbeTarget
from marg_runtime.scrub import scrub_cut
from marg_runtime.tools.mcp import TIMEOUT_SECONDS, McpTools
from marg_runtime.tools.tool import ToolName, ToolSpec

SHOWN_CHARACTERS = 40  # of a value, in a note


async def probe(
    target: ProbeTarget,
    *,
    run: str,
    timeout: float = TIMEOUT_SECONDS,
    on_case: Callable[[int, int], None] | None = None,
) -> ProbeReport:
    """Probe a backend. `run` is a text of this run alone: idempotency keys are made from it. `on_case` is told how many
    cases of how many are done. `timeout` in seconds, for each call.

    The server is connected to without the write flag first; only one that says itself that it is for development is
    connected to again with the flag on. Raises NotADevBackend for any other, UsageError for a tool that is not there
    and for a record that the backend refuses, ToolError where the server breaks on the good record.
    """
    target.check_ours()
    rows: list[ProbeRow] = []
    with write_flag(None):
        async with _opened(target, run=run, timeout=timeout) as prober:
            if target.owned:
                rows.append(await prober.flag_off())
            before = prober.made
    with write_flag("true" if target.owned else None):
        async with _opened(target, run=run, timeout=timeout) as prober:
            prober.made = before
            rows += await prober.run_all(on_case or _ignore)
            deleted = await prober.delete_all()
    return ProbeReport(
        tool=target.tool,
        server=prober.spec.identity,
        schema=prober.spec.input_schema,
        record=target.record,
        closed=tuple(sorted(target.closed)),
        rows=tuple(rows),
        made=tuple(dict.fromkeys(name for name, _ in prober.made)),
        deleted=deleted,
        discarded=target.throwaway,
    )


@asynccontextmanager
async def _opened(target: ProbeTarget, *, run: str, timeout: float) -> AsyncIterator[_Prober]:
    server = target.tool.server
    async with McpTools({server: target.source}, timeout=timeout) as tools:
        specs = await tools.list()
        spec = next((spec for spec in specs if spec.tool == target.tool), None)
        if spec is None:
            known = ", ".join(str(one.tool) for one in specs) or "none"
            raise UsageError(f"the server lists no tool {str(target.tool)!r}; it has {known}")
        target.check_theirs(await tools.meta(target.tool))
        yield _Prober(target=target, tools=tools, spec=spec, run=run)


@dataclass(frozen=True, kw_only=True)
class _Tried:
    """What came of one call. name: the record's, where one was given; data: its receipt."""

    did: Did
    name: str = ""
    data: Json = None
    note: str = ""
    text: str = ""


@dataclass(kw_only=True)
class _Prober:
    target: ProbeTarget
    tools: McpTools
    spec: ToolSpec
    run: str
    made: list[tuple[str, Json]] = field(default_factory=list)
    calls: int = 0
    vary: str | None = None

    async def flag_off(self) -> ProbeRow:
        """The good record with the write flag unset: layer 2 of the gate on the server's own side."""
        tried = await self._try(completed(self.spec.input_schema, self.target.record, key=self._key("off")))
        return self._row(WHOLE, f"{WRITE_FLAG} unset", "silent", tried, must=True)

    async def run_all(self, on_case: Callable[[int, int], None]) -> list[ProbeRow]:
        cases = cases_of(self.spec.input_schema, self.target.record, closed=self.target.closed)
        good = await self._good()
        rows = [*await self._once(good), *await self._confirmations()]
        for number, case in enumerate(cases):
            on_case(number, len(cases))
            rows.append(await self._case(case))
        on_case(len(cases), len(cases))
        return rows

    # The good record, and the same again

    async def _good(self) -> _Tried:
        tried = await self._try(self._whole(self.target.record, key="good"))
        if tried.did == "broke":
            raise ToolError(f"{self.target.tool}: the known-good record: {tried.note}")
        if tried.did != "accepted":
            hint = "" if self.target.owned else f" (a server of its own needs {WRITE_FLAG}=true in its environment)"
            raise UsageError(
                f"the backend of {str(self.target.tool)!r} refuses the known-good record: {tried.text!r}; "
                f"give a record that it takes{hint}"
            )
        return tried

    async def _once(self, good: _Tried) -> list[ProbeRow]:
        """Duplicates: with the same key, with another, and the same key for another record."""
        keyed = takes(self.spec.input_schema, IDEMPOTENCY_KEY)
        untried = _Tried(did="not tried", note=f"the tool takes no {IDEMPOTENCY_KEY}")
        again = await self._try(self._whole(self.target.record, key="good")) if keyed else untried
        other = await self._try(self._whole(self.target.record, key="other"))
        if other.did in ("refused", "same record"):
            self.vary = await self._varied()
        changed = {**self.target.record, **self._change()}
        conflict = await self._try(self._whole(changed, key="good")) if keyed else untried
        if conflict.did == "same record":
            # The change was lost without a word: whoever sent it believes that it stands.
            conflict = replace(conflict, did="accepted", note="gave the earlier record, without the change")
        return [
            self._row(WHOLE, "same record, same key", "silent", again, must=True),
            self._row(WHOLE, "same record, another key" if keyed else "same record again", "silent", other),
            self._row(WHOLE, "another record, same key", "silent", conflict, must=True),
        ]

    async def _varied(self) -> str:
        """A text field that makes a record another one, for a backend that takes the same record only once."""
        for name, value in self.target.record.items():
            if isinstance(value, str):
                tried = await self._try(self._whole({**self.target.record, name: f"{value} (2)"}, key=f"vary-{name}"))
                if tried.did == "accepted":
                    return name
        raise UsageError(
            f"the backend of {str(self.target.tool)!r} takes a record only once, and no text field makes it another: "
            "the cases could not be told from repetitions"
        )

    def _change(self) -> dict[str, Json]:
        name = self.vary or next((name for name, value in self.target.record.items() if isinstance(value, str)), None)
        return {} if name is None else {name: f"{self.target.record[name]} (changed)"}

    async def _confirmations(self) -> list[ProbeRow]:
        """The argument that only the guard sets: missing, false, and its text."""
        rows: list[ProbeRow] = []
        for name, value in (("missing", None), ("false", False), ("the text 'true'", "true")):
            arguments = self._whole(self._fresh(self.target.record), key=f"confirmed-{name}")
            if CONFIRMED not in arguments:
                tried = _Tried(did="not tried", note=f"the tool takes no {CONFIRMED}")
            else:
                arguments |= {CONFIRMED: value}
                if value is None:
                    del arguments[CONFIRMED]
                tried = await self._try(arguments)
            rows.append(self._row(CONFIRMED, name, "silent", tried, must=True))
        return rows

    # One case

    async def _case(self, case: Case) -> ProbeRow:
        arguments = self._whole(self._fresh(case.arguments, but=case.field), key=f"{case.field}-{case.name}")
        tried = await self._try(arguments)
        says = says_of(self.spec.input_schema, arguments)
        if tried.did == "accepted" and case.field != WHOLE:
            tried = replace(tried, note=tried.note or _kept(case, tried.data))
        return self._row(case.field, case.name, says, tried)

    def _fresh(self, arguments: Mapping[str, Json], *, but: str = "") -> dict[str, Json]:
        """The arguments, made another record where the backend takes one only once."""
        if self.vary is None or self.vary == but or not isinstance(arguments.get(self.vary), str):
            return dict(arguments)
        return {**arguments, self.vary: f"{arguments[self.vary]} ({self.calls})"}

    def _whole(self, arguments: Mapping[str, Json], *, key: str) -> dict[str, Json]:
        return completed(self.spec.input_schema, arguments, key=self._key(key))

    def _key(self, name: str) -> str:
        return f"{self.run}-{name}"

    async def _try(self, arguments: Mapping[str, Json]) -> _Tried:
        self.calls += 1
        before = self.target.writes() if self.target.writes else None
        try:
            outcome = await self.tools.call(self.target.tool, arguments)
        except ToolError as error:
            return _Tried(did="broke", note=f"{error.kind or 'no JSON'}", text=str(error))
        wrote = self.target.writes() - before if self.target.writes and before is not None else None
        if outcome.is_error and not wrote:
            return _Tried(did="refused", text=outcome.text)
        name = self.target.identify(outcome.data if outcome.data is not None else outcome.text)
        if name in [earlier for earlier, _ in self.made] and not wrote:
            return _Tried(did="same record", name=name, data=outcome.data)
        self.made.append((name, outcome.data))
        note = "says that it refused, and wrote" if outcome.is_error else ""
        if wrote == 0:
            note = "gives a receipt, and its own count says that nothing was written"
        return _Tried(did="accepted", name=name, data=outcome.data, note=note)

    def _row(self, field: str, case: str, says: Says, tried: _Tried, *, must: bool = False) -> ProbeRow:
        return ProbeRow(field=field, case=case, says=says, did=tried.did, must=must, note=tried.note)

    async def delete_all(self) -> int:
        """Delete what was made, where there is a tool for it; gives how many it deleted."""
        delete, deleted = self.target.delete, 0
        for _, data in self.made if delete is not None else ():
            identity = data.get("id") if isinstance(data, Mapping) else None
            if delete is None or identity is None:
                continue
            try:
                tool = ToolName(server=self.target.tool.server, name=delete.name)
                outcome = await self.tools.call(tool, {delete.argument: identity})
            except ToolError:
                continue
            deleted += not outcome.is_error
        return deleted


def _kept(case: Case, data: Json) -> str:
    """What the receipt says became of a value that was accepted: changed, filled in, or nothing worth a note."""
    if not isinstance(data, Mapping) or case.field not in data:
        return ""
    kept = data[case.field]
    if case.field not in case.arguments:
        return "" if kept is None else f"filled in with {_short(kept)}"
    sent = case.arguments[case.field]
    return "" if canonical_json(kept) == canonical_json(sent) else f"kept as {_short(kept)}"


def _short(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{scrub_cut(text, SHOWN_CHARACTERS)}..."


def _ignore(done: int, total: int) -> None:
    """Take the place of whoever counts the cases."""


def run_probe(
    target: ProbeTarget,
    *,
    run: str,
    timeout: float = TIMEOUT_SECONDS,
    on_case: Callable[[int, int], None] | None = None,
) -> ProbeReport:
    """`probe` in an event loop of its own, for callers that have none."""
    return asyncio.run(probe(target, run=run, timeout=timeout, on_case=on_case))
