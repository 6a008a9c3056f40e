"""The errors of the mock model.

MargError
├── UndeclaredSituation   the machine declares no transition for what the model was shown
├── BadRequest            a client's request is none that the API takes (the endpoint answers with status 400)
└── Doubt                 a part of a machine's file may fit or not; its form is asked, and nobody hears of it
"""

from __future__ import annotations

from marg_runtime.errors import MargError


class UndeclaredSituation(MargError):
    """The machine declares no transition for what the model was shown; it never guesses.

    Not a `ModelError`: nothing broke on the wire, the script is incomplete. `path` and `line` are the state's;
    `situation` is what the model was shown, in words.
    """

    def __init__(self, message: str, *, path: str, line: int, state: str, situation: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.state = state
        self.situation = situation


class BadRequest(MargError):
    """A client's request is none that the API takes; `param` is the field at fault, as the APIs name it."""

    def __init__(self, message: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.param = param
        self.code = code


class Doubt(MargError):
    """A part of a machine's file is not beyond doubt what its form takes."""
