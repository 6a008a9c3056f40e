"""Somebody's agent in Python as a target: an object whose methods take and give the protocol's JSON."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from marg_harness.errors import TargetError
from marg_harness.import_path import on_path
from marg_harness.leaving import LEAVING, raise_if_ours
from marg_harness.own_thread import in_own_thread
from marg_harness.stop import error_text
from marg_harness.writes_off import writes_off
from marg_runtime.errors import TargetRefused, UsageError
from marg_runtime.gateway.protocol import Closed, Description, Form, Opened, Opening, RefusalForm, Report, Reports, Sent
from marg_runtime.runner import OnText

_F = TypeVar("_F", bound=Form)
METHODS = ("describe", "open", "act", "close")
SECONDS = 30.0
"""How long a target may take for one exchange."""


class PythonAgent:
    """An object with the methods `describe`, `open`, `act`, `close` and, where it is able to, `restart`; each of them
    may be `async`. One that is not is called in a thread, so that it can be given up on.

    seconds: how long one of them may take.
    """

    def __init__(self, target: Any, *, seconds: float) -> None:
        self._target = target
        self._seconds = seconds

    async def describe(self) -> Description:
        """What it is."""
        return await self._ask(Description, "describe")

    async def open(self, opening: Opening) -> Opened:
        """Begin a conversation."""
        return await self._ask(Opened, "open", opening.as_json())

    async def act(self, conversation: str, sent: Sent, *, on_text: OnText | None = None) -> Reports:
        """Do the acts; such a target gives its texts at the end."""
        del on_text
        return await self._ask(Reports, "act", conversation, sent.as_json())

    async def restart(self, conversation: str) -> Report:
        """Start it anew."""
        return await self._ask(Report, "restart", conversation)

    async def close(self, conversation: str) -> Closed:
        """End a conversation."""
        return await self._ask(Closed, "close", conversation)

    async def _ask(self, form: type[_F], method: str, *arguments: Any) -> _F:
        """Call a method, and its answer in a form. What it raises is raised; TargetError for the rest."""
        function = getattr(self._target, method, None)
        if not callable(function):
            raise TargetError(f"the target {self._target!r} has no method {method!r}")
        try:
            async with asyncio.timeout(self._seconds) as timeout:
                answer = await _called(function, arguments)
        except TimeoutError:
            if timeout.expired():
                raise TargetError(f"the target's {method!r} gave no answer within {self._seconds:g} s") from None
            raise
        except LEAVING as error:
            raise_if_ours(error)
            raise TargetError(f"the target's {method!r} answered by leaving: {error_text(error)}") from error
        _check_refusal(answer)
        return checked(form, answer, what=f"the target's {method!r}")


def checked(form: type[_F], answer: Any, *, what: str) -> _F:
    """An answer in its form. Raises TargetError, which names the place, for one that is not."""
    try:
        return answer if isinstance(answer, form) else form.model_validate(answer)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"]) or "all of it"
        raise TargetError(f"{what} gave what is no {form.__name__}: {place}: {problem['msg']}") from None


def _check_refusal(answer: Any) -> None:
    """Raise TargetRefused for an answer that is a refusal: the same JSON as over HTTP."""
    if not isinstance(answer, Mapping) or "error" not in answer:
        return
    refusal = checked(RefusalForm, answer, what="the target refused, and").error
    raise TargetRefused(refusal.message, kind=refusal.kind, path=refusal.path, line=refusal.line)


async def _called(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    answer = await in_own_thread(function, *arguments)
    return await answer if inspect.isawaitable(answer) else answer


def python_opener(name: str, *, seconds: float) -> Callable[[], Any]:
    """What opens the target of `package.module:attribute`: an object, or a class or function that makes one for every
    conversation. Raises UsageError where there is none, or its module breaks; opening it raises TargetError where it
    cannot be made."""
    made = _attribute(name)
    if not callable(made):
        _check_methods(made, name)
    return opener_of(made, name=name, seconds=seconds)


def opener_of(made: Any, *, name: str = "", seconds: float = SECONDS) -> Callable[[], Any]:
    """What opens a target that is at hand: an object, or a class or function that makes one for every conversation."""

    @asynccontextmanager
    async def opens() -> AsyncIterator[PythonAgent]:
        target = _made(made, name) if callable(made) else made
        _check_methods(target, name or repr(made))
        yield PythonAgent(target, seconds=seconds)

    return opens


def _made(make: Callable[[], Any], name: str) -> Any:
    try:
        return make()
    except UsageError:
        raise
    except (Exception, *LEAVING) as error:
        raise TargetError(f"target {name or repr(make)!r} could not be made: {error_text(error)}") from error


def _attribute(name: str) -> Any:
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise UsageError(f"{name!r} is no target; write package.module:attribute, or http://HOST:PORT")
    try:
        with on_path(Path.cwd()), writes_off():
            module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise UsageError(f"target {name!r}: no module {error.name!r}; looked where Python looks, and here") from None
    except (Exception, *LEAVING) as error:
        raise UsageError(f"target {name!r}: its module broke as it was imported: {error_text(error)}") from error
    found = getattr(module, attribute, None)
    if found is None:
        raise UsageError(f"target {name!r}: the module {module_name!r} has no {attribute!r}")
    return found


def _check_methods(target: Any, name: str) -> None:
    lacking = [method for method in METHODS if not callable(getattr(target, method, None))]
    if lacking:
        raise UsageError(
            f"target {name!r} is {target!r}, which has no method {', '.join(map(repr, lacking))}; "
            f"a target has {', '.join(METHODS)}"
        )
