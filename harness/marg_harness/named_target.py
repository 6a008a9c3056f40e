"""The target that a command line names: `http://HOST:PORT`, or `package.module:attribute`."""

from __future__ import annotations

from ipaddress import ip_address

from marg_harness.agent_target import AgentTarget, OpensAgent
from marg_harness.http_agent import URL_STARTS, host_of, http_opener
from marg_harness.python_agent import SECONDS, python_opener


def opener(name: str, *, seconds: float = SECONDS) -> OpensAgent:
    """What opens the target of a name. Raises UsageError for what is none."""
    if name.startswith(URL_STARTS):
        return http_opener(name, seconds=seconds)
    return python_opener(name, seconds=seconds)


def named_target(name: str, *, seconds: float = SECONDS) -> AgentTarget:
    """The target of a name, to replay against. Raises UsageError for what is none."""
    return AgentTarget(opener(name, seconds=seconds), host=beyond_loopback(name))


def beyond_loopback(name: str) -> str | None:
    """The host of a URL that is not on this machine, which has to be let through; None where there is none."""
    if not name.startswith(URL_STARTS):
        return None
    host = host_of(name)
    return None if host == "localhost" or _is_loopback(host) else host


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
