"""What is probed: a server, a tool that writes, one known-good record; and whether it may be probed at all.

A probe makes records. So two marks are needed, one of each side. The server's own: its write tool carries
`{"marg/dev": true}` in its `_meta`, which a production server does not. Ours: the kit says `dev=True`, or the caller
names a command to start; a URL is on this machine, or the caller names its very host again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from marg_runtime.canonical import Json, canonical_json, is_json
from marg_runtime.domain import RESERVED_SLOTS
from marg_runtime.errors import NotADevBackend, UsageError
from marg_runtime.tools.tool import ToolName

if TYPE_CHECKING:
    from marg_runtime.tools.source import Source

DEV_MARK = "marg/dev"


def called_by_id(data: Json) -> str:
    """What a record is called: its receipt's `id` where it has one, else the whole receipt."""
    identity = data.get("id") if isinstance(data, Mapping) else None
    return str(identity) if identity is not None else canonical_json(data)


@dataclass(frozen=True, kw_only=True)
class DeleteTool:
    """A tool that deletes a record: `argument` takes the `id` of its receipt."""

    name: str
    argument: str = "id"


@dataclass(frozen=True, kw_only=True)
class ProbeTarget:
    """A tool to probe. Raises UsageError for a record that could not be sent.

    source: the server, as `McpTools` takes one. record: known-good arguments, without those of the runtime's own
    (`confirmed`, `idempotency_key`). dev: the caller's word that the backend is for development (a kit's `dev=True`).
    dev_host: the host that may be written to, for a URL that is not on this machine. closed: fields that take a value
    of a list. identify: what a record is called, from its receipt's data. writes: the backend's own count of its
    writes. throwaway: the backend is made for this probe and is gone with it.
    """

    source: Source
    tool: ToolName
    record: Mapping[str, Json]
    dev: bool = False
    dev_host: str | None = None
    closed: frozenset[str] = frozenset()
    identify: Callable[[Json], str] = field(default=called_by_id)
    writes: Callable[[], int] | None = None
    delete: DeleteTool | None = None
    throwaway: bool = False

    def __post_init__(self) -> None:
        reserved = sorted(RESERVED_SLOTS & self.record.keys())
        if reserved:
            raise UsageError(f"the record has {reserved[0]!r}, which is the runtime's own argument; leave it out")
        if not self.record or not is_json(dict(self.record)):
            raise UsageError(f"the record {dict(self.record)!r} is no JSON object with a field; give one good record")
        unknown = sorted(self.closed - self.record.keys())
        if unknown:
            raise UsageError(f"{unknown[0]!r} is no field of the record; it has {', '.join(self.record)}")

    @property
    def owned(self) -> bool:
        """Whether the probe starts the server itself, so that it has the write flag of this process."""
        return not isinstance(self.source, str)

    def check_ours(self) -> None:
        """Raise NotADevBackend where our own mark is missing; nothing has been connected to yet."""
        if isinstance(self.source, str):
            host = urlsplit(self.source).hostname or ""
            if not _on_this_machine(host) and self.dev_host != host:
                raise NotADevBackend(
                    f"{self.source!r} is not on this machine, and a probe makes records: if {host!r} serves a dev "
                    f"backend, name it again with --dev-host {host}"
                )
        elif not self.dev:
            raise NotADevBackend(
                f"the backend of {str(self.tool)!r} is not marked as one for development, and a probe makes records: "
                "a kit says so with dev=True"
            )

    def check_theirs(self, meta: Mapping[str, Json]) -> None:
        """Raise NotADevBackend where the server's mark is missing from what it says of its tool."""
        if meta.get(DEV_MARK) is not True:
            raise NotADevBackend(
                f"the server of {str(self.tool)!r} does not say that it is one for development, and a probe makes "
                f"records: its tool's _meta needs {{{DEV_MARK!r}: true}}, which no production server has; nothing was "
                "sent"
            )


def _on_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
