"""What a test asks of an endpoint over the wire: journal, verdict and coverage; other faults; a fresh start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from marg_mock_model.endpoint.desk import Desk
from marg_mock_model.endpoint.fault import Faults
from marg_mock_model.endpoint.fault_file import parse_faults
from marg_mock_model.endpoint.journal import Exchange
from marg_mock_model.endpoint.response import Response, json_response
from marg_mock_model.endpoint.verdict import judge
from marg_runtime.errors import UsageError

ADMIN = "/_marg/"


class Administered(Protocol):
    """What is administered: an endpoint's application."""

    desk: Desk
    faults: Faults

    def reset(self, *, faults: Faults | None = None) -> None:
        """Forget everything that was heard; with other faults from now on where there are any."""
        ...


def admin_response(app: Administered, exchange: Exchange) -> Response:
    """The response to a request under `/_marg/`."""
    asked = f"{exchange.method} {exchange.path}"
    if asked in _READS:
        return json_response(_READS[asked](app))
    if asked == "POST /_marg/reset":
        app.reset()
        return json_response({"reset": True})
    if asked == "POST /_marg/faults":
        return _set_faults(app, exchange)
    known = ", ".join((*_READS, "POST /_marg/faults", "POST /_marg/reset"))
    return json_response({"error": f"there is no {asked}; known are {known}"}, status=404)


def _set_faults(app: Administered, exchange: Exchange) -> Response:
    """Other faults, as the one line of the command: `{"faults": "rate_limit@1", "seed": 0}`. Counts begin anew."""
    body = exchange.parsed()
    given = body if isinstance(body, dict) else {}
    try:
        faults = parse_faults(str(given.get("faults", "")), seed=int(given.get("seed", 0)))
    except (UsageError, TypeError, ValueError) as error:
        return json_response({"error": str(error)}, status=400)
    app.reset(faults=faults)
    return json_response({"faults": [str(fault) for fault in faults.faults]})


def _journal(app: Administered) -> dict[str, Any]:
    return {"exchanges": [e.record() for e in app.desk.journal.exchanges if not e.path.startswith(ADMIN)]}


def _verdict(app: Administered) -> dict[str, Any]:
    return judge(tuple(app.desk.journal.exchanges), machine=app.desk.machine).record()


_READS: Mapping[str, Callable[[Administered], Any]] = {
    "GET /_marg/journal": _journal,
    "GET /_marg/verdict": _verdict,
    "GET /_marg/coverage": lambda app: app.desk.coverage.record(),
}
