"""From what `marg probe` is given to what is probed: a kit, a URL, or a command to start."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.errors import NotADevBackend, UsageError
from marg_runtime.probe.contract import Contract
from marg_runtime.probe.target import DeleteTool, ProbeTarget
from marg_runtime.scrub import REMOVED
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.tools.source import StdioServer
from marg_runtime.tools.tool import ToolName
from marg_scenarios import Kit, find_kit

URL_STARTS = ("http://", "https://")
COMMAND_START = "stdio:"
SERVER = "server"  # what a server is called that has no name of its own here


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the command line was given. `tool` may be `server/name` or a name alone."""

    target: str
    tool: str | None = None
    record: Mapping[str, Json] | None = None
    closed: tuple[str, ...] = ()
    delete: str | None = None
    dev_host: str | None = None


def is_server(target: str) -> bool:
    """Whether a target is a server, not a kit."""
    return target.startswith((*URL_STARTS, COMMAND_START))


def kit_contract(target: str) -> Path | None:
    """The contract of the kit that a target names, or None."""
    return None if is_server(target) else find_kit(target, beside=Path.cwd()).contract


@contextmanager
def opened_target(asked: Asked, *, contract: Contract | None) -> Iterator[ProbeTarget]:
    """The target, with a fresh backend of the kit's for as long as the block runs.

    The record is the one given, the contract's, or the kit's own. Raises UsageError where one is missing.
    """
    if is_server(asked.target):
        yield _server_target(asked, contract)
        return
    kit = find_kit(asked.target, beside=Path.cwd())
    if not kit.dev:
        raise NotADevBackend(
            f"the kit {asked.target!r} is not marked as one for development, and a probe makes records: "
            "it says so with dev=True"
        )
    backend = kit.backend()
    try:
        tool = _kit_tool(asked, kit)
        if tool.server not in backend.sources:
            raise UsageError(f"no tool server {tool.server!r} in the kit; it has {', '.join(sorted(backend.sources))}")
        source = backend.sources[tool.server]
        yield ProbeTarget(
            source=source,
            tool=tool,
            record=_record(asked, contract, kit.record),
            dev=True,
            dev_host=asked.dev_host,
            closed=_closed(asked, contract, _choices(kit) if tool == kit.domain.write_tool else ()),
            identify=kit.domain.receipt,
            writes=backend.writes,
            delete=_delete(asked.delete),
            throwaway=not isinstance(source, str | StdioServer),
        )
    finally:
        backend.close()


def _server_target(asked: Asked, contract: Contract | None) -> ProbeTarget:
    if asked.tool is None and contract is None:
        raise UsageError(f"{asked.target!r} is a server: name its tool that writes with --tool NAME")
    tool = contract.tool if asked.tool is None and contract is not None else _tool(asked.tool or "", server=SERVER)
    return ProbeTarget(
        source=asked.target if asked.target.startswith(URL_STARTS) else _command(asked.target),
        tool=tool,
        record=_record(asked, contract, {}),
        dev=True,
        dev_host=asked.dev_host,
        closed=_closed(asked, contract, ()),
        delete=_delete(asked.delete),
    )


def _command(target: str) -> StdioServer:
    try:
        command, *arguments = shlex.split(target.removeprefix(COMMAND_START))
    except ValueError as error:
        raise UsageError(f"{target!r} is no command: {error or 'it is empty'}; write stdio:COMMAND") from error
    return StdioServer(command=command, args=tuple(arguments))


def _kit_tool(asked: Asked, kit: Kit) -> ToolName:
    return kit.domain.write_tool if asked.tool is None else _tool(asked.tool, server=kit.domain.write_tool.server)


def _tool(written: str, *, server: str) -> ToolName:
    before, slash, name = written.rpartition("/")
    if not name or (slash and not before):
        raise UsageError(f"{written!r} names no tool; write --tool NAME or --tool SERVER/NAME")
    return ToolName(server=before or server, name=name)


def _record(asked: Asked, contract: Contract | None, own: Mapping[str, Json]) -> Mapping[str, Json]:
    record = asked.record if asked.record is not None else contract.record if contract is not None else own
    if not record:
        raise UsageError(
            f"{asked.target!r} has no known-good record: give one with --record FILE, or in the kit with record={{...}}"
        )
    if asked.record is None and REMOVED in canonical_json(record):
        raise UsageError("the contract keeps no secrets, and its record had some; give that one with --record FILE")
    return record


def _closed(asked: Asked, contract: Contract | None, own: tuple[str, ...]) -> frozenset[str]:
    return frozenset(asked.closed or (contract.closed if contract is not None else own))


def _choices(kit: Kit) -> tuple[str, ...]:
    """The slots that a person fills by choosing: their values come from a list, whatever the schema says."""
    return tuple(
        slot
        for step in kit.domain.steps
        if isinstance(step, ChipsStep) and isinstance(slot := step.slot, str) and slot in kit.record
    )


def _delete(written: str | None) -> DeleteTool | None:
    if written is None:
        return None
    name, _, argument = written.partition(":")
    if not name:
        raise UsageError(f"{written!r} names no tool that deletes; write --delete TOOL or --delete TOOL:ARGUMENT")
    return DeleteTool(name=name, argument=argument or "id")
