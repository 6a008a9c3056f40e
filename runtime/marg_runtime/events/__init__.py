"""The events of a session's ledger, by noun: turn, step, model, write."""

from marg_runtime.events.event import EVENTS, Event

__all__ = ["EVENTS", "Event"]
