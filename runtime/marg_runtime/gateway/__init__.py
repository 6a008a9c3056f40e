"""The gateway: the protocol that targets speak, the runtime as one of them, and the same over HTTP."""

from marg_runtime.gateway.agent import Agent
from marg_runtime.gateway.protocol import (
    PROTOCOL,
    Closed,
    Description,
    Opened,
    Opening,
    Report,
    Reports,
    Sent,
)
from marg_runtime.gateway.session_agent import SessionAgent

__all__ = [
    "PROTOCOL",
    "Agent",
    "Closed",
    "Description",
    "Opened",
    "Opening",
    "Report",
    "Reports",
    "Sent",
    "SessionAgent",
]
