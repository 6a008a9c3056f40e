"""What lies behind an exception: its groups, causes and contexts, and what their types say of the wire.

The SDKs wrap some errors of the connection and let others through, and what they wrap hides in causes; so all of the
chain is looked at, by the names of its types. Names, since the types belong to packages that need not be installed.
"""

from __future__ import annotations

from collections.abc import Iterator

from marg_runtime.wire import WireKind

MOST_CAUSES = 16

_NAMES: dict[WireKind, str] = {
    "timeout": "ConnectTimeout ReadTimeout WriteTimeout PoolTimeout TimeoutException TimeoutError APITimeoutError",
    "connect": "ConnectError ProxyError ConnectionRefusedError gaierror SSLError",
    "reset": "ReadError WriteError CloseError ConnectionResetError ConnectionAbortedError BrokenPipeError "
    "EndOfStream ClosedResourceError BrokenResourceError",
    "protocol": "DecodingError JSONDecodeError UnicodeDecodeError LocalProtocolError APIResponseValidationError "
    "TooManyRedirects",
}
_KINDS: dict[str, WireKind] = {name: kind for kind, names in _NAMES.items() for name in names.split()}
# A wait that ended before the request was on its way.
_UNSENT = frozenset({"ConnectTimeout", "PoolTimeout"})
# The parser of HTTP/1.1. Where it is the one that complained, something came and it was no HTTP.
_PARSER = "h11"


def chain_of(error: BaseException) -> tuple[BaseException, ...]:
    """The exception, what is in it where it is a group, then what it came from; each once, at most `MOST_CAUSES`."""
    seen: dict[int, BaseException] = {}
    for one in _walk(error, seen):
        seen[id(one)] = one
        if len(seen) == MOST_CAUSES:
            break
    return tuple(seen.values())


def _walk(error: BaseException | None, seen: dict[int, BaseException]) -> Iterator[BaseException]:
    while error is not None and id(error) not in seen:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _walk(inner, seen)
        # Also a context that somebody suppressed: httpcore2 hides what its parser says.
        error = error.__cause__ or error.__context__


def names_of(chain: tuple[BaseException, ...]) -> tuple[str, ...]:
    """The types of a chain as `package.Name`, without their texts, which may hold anything."""
    return tuple(f"{_package(one)}.{type(one).__name__}".removeprefix("builtins.") for one in chain)


def kind_of_chain(chain: tuple[BaseException, ...], *, began: bool) -> WireKind | None:
    """How the connection broke, by the first type of the chain that says so; None where none does.

    `began` is whether the head of an answer had come. What breaks off behind it was reset; what came instead of it and
    is no HTTP is `protocol`.
    """
    for one in chain:
        names = _names(one)
        if "RemoteProtocolError" in names:
            garbled = not began and any(_package(other) == _PARSER for other in chain)
            return "protocol" if garbled else "reset"
        kind = next((_KINDS[name] for name in names if name in _KINDS), None)
        if kind is not None:
            return kind
    return None


def was_unsent(chain: tuple[BaseException, ...]) -> bool:
    """Whether a timeout came before the request was on its way."""
    return any(type(one).__name__ in _UNSENT for one in chain)


def _names(error: BaseException) -> list[str]:
    return [kind.__name__ for kind in type(error).__mro__]


def _package(error: BaseException) -> str:
    return type(error).__module__.partition(".")[0]
