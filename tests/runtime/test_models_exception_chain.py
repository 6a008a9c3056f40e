"""What is behind an exception is found in groups, causes and contexts, and told by its types alone."""

from __future__ import annotations

import json
import ssl

import httpx2
import pytest

from marg_runtime.models.exception_chain import MOST_CAUSES, chain_of, kind_of_chain, names_of, was_unsent
from marg_runtime.wire import WireKind


def behind(outer: Exception, *inner: Exception) -> Exception:
    """The first exception, raised from the second, raised from the third, and so on."""
    last: Exception = outer
    for one in inner:
        last.__cause__ = one
        last = one
    return outer


def kind_of(error: BaseException, *, began: bool = False) -> WireKind | None:
    return kind_of_chain(chain_of(error), began=began)


def test_groups_causes_and_contexts_are_looked_into() -> None:
    hidden = OSError("context")
    inner = ValueError("suppressed")
    inner.__context__, inner.__suppress_context__ = hidden, True
    group = ExceptionGroup("group", [KeyError("first"), behind(RuntimeError("second"), inner)])
    assert names_of(chain_of(group)) == ("ExceptionGroup", "KeyError", "RuntimeError", "ValueError", "OSError")


def test_a_chain_that_comes_back_to_itself_ends() -> None:
    first, second = ValueError("a"), KeyError("b")
    first.__cause__, second.__cause__ = second, first
    assert names_of(chain_of(first)) == ("ValueError", "KeyError")


def test_a_long_chain_is_cut() -> None:
    assert len(chain_of(behind(*[ValueError(str(n)) for n in range(99)]))) == MOST_CAUSES


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ReadTimeout("x"), "timeout"),
        (httpx2.ConnectTimeout("x"), "timeout"),
        (httpx2.PoolTimeout("x"), "timeout"),
        (TimeoutError(), "timeout"),
        (httpx2.ConnectError("x"), "connect"),
        (behind(httpx2.ConnectError("x"), TimeoutError(110, "timed out")), "connect"),
        (behind(RuntimeError(), ConnectionRefusedError()), "connect"),
        (ssl.SSLCertVerificationError(), "connect"),
        (httpx2.ReadError("x"), "reset"),
        (behind(RuntimeError(), ConnectionResetError()), "reset"),
        (BrokenPipeError(), "reset"),
        (httpx2.DecodingError("x"), "protocol"),
        (json.JSONDecodeError("x", "", 0), "protocol"),
        (UnicodeDecodeError("utf-8", b"", 0, 0, "x"), "protocol"),
        (ExceptionGroup("g", [ValueError("x"), httpx2.ReadError("x")]), "reset"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_type_says_how_the_connection_broke(error: BaseException, kind: WireKind) -> None:
    assert kind_of(error) == kind


@pytest.mark.parametrize("error", [ValueError("timeout"), OSError("connection reset"), KeyError("429")])
def test_a_text_says_nothing(error: Exception) -> None:
    assert kind_of(error) is None


def test_a_peer_that_left_before_its_answer_reset_it() -> None:
    assert kind_of(httpx2.RemoteProtocolError("x")) == "reset"


@pytest.mark.parametrize(("began", "kind"), [(False, "protocol"), (True, "reset")])
def test_what_the_parser_of_http_refuses_is_no_http_only_before_an_answer_began(began: bool, kind: WireKind) -> None:
    parser = type("RemoteProtocolError", (Exception,), {"__module__": "h11._util"})
    assert kind_of(behind(httpx2.RemoteProtocolError("x"), parser()), began=began) == kind


@pytest.mark.parametrize(
    ("error", "unsent"),
    [(httpx2.ConnectTimeout("x"), True), (httpx2.PoolTimeout("x"), True), (httpx2.ReadTimeout("x"), False)],
)
def test_a_timeout_before_the_request_left_is_known(error: Exception, unsent: bool) -> None:
    assert was_unsent(chain_of(behind(RuntimeError(), error))) is unsent
