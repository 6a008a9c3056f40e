"""Putting a changed source in the place of a module that is imported already: the code of its functions is swapped.

Whoever imported a function holds the same object, so it runs the changed code too. What a module does while it is
imported (a constant, a default, a decorator) cannot be changed that way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any


def swap(module: ModuleType, sound: str, changed: str) -> bool:
    """Swap the code of every function that the changed source has otherwise; False, with nothing done, where something
    else than functions differs."""
    file = str(module.__file__)
    before, after = (compile(text, file, "exec", dont_inherit=True) for text in (sound, changed))
    if list(_outline(before)) != list(_outline(after)):
        return False
    old, new = dict(_functions(before)), dict(_functions(after))
    differing = [name for name in new if new[name] != old.get(name)]
    found = {name: _find(module, name) for name in differing}
    if any(function is None for function in found.values()):
        return False
    for name, function in found.items():
        assert function is not None
        function.__code__ = new[name]
    return True


def _functions(code: CodeType, place: str = "") -> Iterator[tuple[str, CodeType]]:
    """The functions of a module and the methods of its classes by qualified name; functions within them go along."""
    for part in code.co_consts:
        if not isinstance(part, CodeType):
            continue
        name = f"{place}{part.co_name}"
        # The body of a class is no function: it does not make a scope of fast locals.
        if part.co_flags & 0x2:
            yield name, part
        else:
            yield from _functions(part, f"{name}.")


def _outline(code: CodeType) -> Iterator[object]:
    """What a module and the bodies of its classes do while it is imported."""
    yield code.co_code, code.co_names, tuple(part for part in code.co_consts if not isinstance(part, CodeType))
    for part in code.co_consts:
        if isinstance(part, CodeType) and not part.co_flags & 0x2:
            yield from _outline(part)


def _find(module: ModuleType, name: str) -> FunctionType | None:
    """The function of a qualified name, out of whatever wraps it."""
    found: Any = module
    for part in name.split("."):
        members: Mapping[str, Any] = vars(found) if isinstance(found, (ModuleType, type)) else {}
        found = members.get(part)
    for wrapper in ("__wrapped__", "fget", "func", "__func__"):
        found = getattr(found, wrapper, found)
    return found if isinstance(found, FunctionType) else None
