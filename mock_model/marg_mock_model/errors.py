"""The errors of the mock model.

MargError
└── UndeclaredSituation   the machine declares no transition for what the model was shown
"""

from __future__ import annotations

from marg_runtime.errors import MargError


class UndeclaredSituation(MargError):
    """The machine declares no transition for what the model was shown; it never guesses.

    Not a `ModelError`: nothing broke on the wire, the script is incomplete. `path` and `line` are the state's.
    """

    def __init__(self, message: str, *, path: str, line: int, state: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.state = state
