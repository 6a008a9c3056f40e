"""The example domain: support tickets. Copy this folder to begin a domain of your own.

`server` runs as a program and needs the extra `mcp`, so it is not imported here.
"""

from marg_scenarios.backend import BackendCounts, Refusal

from .tickets import Desk, NewTicket, Ticket

__all__ = ["BackendCounts", "Desk", "NewTicket", "Refusal", "Ticket"]
