"""Why a target does not do what it is asked, in a word, and the HTTP status that goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

RefusalKind = Literal["bad_request", "unknown", "not_able", "undeclared", "crash"]
"""`bad_request`: the form is wrong. `unknown`: no such conversation or domain. `not_able`: it cannot do this.
`undeclared`: its mock machine has no answer. `crash`: something broke."""

STATUS: Final[Mapping[RefusalKind, int]] = {
    "bad_request": 400,
    "unknown": 404,
    "not_able": 501,
    "undeclared": 422,
    "crash": 500,
}
"""The HTTP status of each."""
