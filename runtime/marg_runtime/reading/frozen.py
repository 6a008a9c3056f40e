"""Records that do not change, made without `dataclasses`: importing that costs more than importing `marg_runtime` may.

To a type checker `record` is what `dataclass(frozen=True, slots=True, kw_only=True)` is.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker takes this name for true; the module that has it need not be imported
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self, TypeVar, dataclass_transform

    _T = TypeVar("_T")
else:

    def dataclass_transform(**options):
        return lambda decorator: decorator


class Frozen:
    """What every record has: its fields by keyword, equality, a hash, a repr, and no way to change it."""

    __slots__: tuple[str, ...] = ()
    _defaults: Mapping[str, Any] = {}

    def __init__(self, **given: Any) -> None:
        for name in self.__slots__:
            if name in given:
                object.__setattr__(self, name, given.pop(name))
            elif name in self._defaults:
                object.__setattr__(self, name, self._defaults[name])
            else:
                raise TypeError(f"{type(self).__name__} needs {name!r}")
        if given:
            raise TypeError(f"{type(self).__name__} has no {next(iter(given))!r}")
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check the fields; does nothing unless a record says otherwise."""

    def as_dict(self) -> dict[str, Any]:
        """The fields by name; records within are left as they are."""
        return {name: getattr(self, name) for name in self.__slots__}

    def replaced(self, **changed: Any) -> Self:
        """The same record with some fields changed."""
        return type(self)(**{**self.as_dict(), **changed})

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in self.__slots__)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change; {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change; {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (type(self), self.as_dict()))


def _again(kind: type[Frozen], fields: dict[str, Any]) -> Frozen:
    """Put a pickled or copied record together again."""
    return kind(**fields)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=True)
def record(kind: type[_T]) -> type[_T]:
    """Make a class below `Frozen` with annotated fields, and defaults, a record with slots."""
    fields = tuple(kind.__annotations__)
    defaults = {name: kind.__dict__[name] for name in fields if name in kind.__dict__}
    own = {name: value for name, value in kind.__dict__.items() if name not in defaults and name != "__dict__"}
    own.pop("__weakref__", None)
    made: type[_T] = type(kind.__name__, kind.__bases__, {**own, "__slots__": fields, "_defaults": defaults})
    return made
