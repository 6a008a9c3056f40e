"""What answers the protocol of `docs/targets.md`: the runtime itself, or anybody's agent."""

from __future__ import annotations

from typing import Protocol

from marg_runtime.gateway.protocol import Closed, Description, Opened, Opening, Report, Reports, Sent
from marg_runtime.runner import OnText


class Agent(Protocol):
    """A program that holds conversations. All raise `marg_runtime.errors.TargetRefused` for what they do not do."""

    async def describe(self) -> Description:
        """What it is and what it reports."""
        ...

    async def open(self, opening: Opening) -> Opened:
        """Begin a conversation, or go on with the one of that id."""
        ...

    async def act(self, conversation: str, sent: Sent, *, on_text: OnText | None = None) -> Reports:
        """Do the acts; `on_text` is handed the model's text as it is let through, where there is one act."""
        ...

    async def restart(self, conversation: str) -> Report:
        """Start the program anew; the conversation goes on from what is kept of it. Only `writes` is looked at."""
        ...

    async def close(self, conversation: str) -> Closed:
        """The conversation is over for now."""
        ...
