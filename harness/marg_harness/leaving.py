"""What ends a process or a task and is no error: `sys.exit()` of a kit's or a target's own, and a cancelled task.

A replay that let these through would end with the exit code that somebody else chose, 0 too, and with no record.
"""

from __future__ import annotations

import asyncio

LEAVING = (SystemExit, asyncio.CancelledError)


def raise_if_ours(error: BaseException) -> None:
    """Raise the error again where it is the end of this very task, which whoever runs it asked for."""
    task = asyncio.current_task()
    if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
        raise error
