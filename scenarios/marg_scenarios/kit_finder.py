"""Finding the kit that a scenario names."""

from __future__ import annotations

import importlib
import sys
import sysconfig
import traceback
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

from marg_runtime import errors as runtime_errors
from marg_scenarios.errors import KitError
from marg_scenarios.kit import Kit

# Where an error of a user's own module is not: Python's library, and the floors below.
_NOT_THEIRS = (sysconfig.get_path("stdlib"), str(Path(runtime_errors.__file__).parent))

SHIPPED_KITS = {
    "support_intake": "marg_scenarios.support_intake.kit:KIT",
    "room_booking": "marg_scenarios.room_booking.kit:KIT",
}


def find_kit(name: str, *, beside: Path | None = None) -> Kit:
    """The kit of a shipped domain's name, of `package.module:attribute`, or of `:attribute` in the nearest `kit.py`.

    A module is looked for where Python looks, then in `beside`, the scenario's folder, and the folders above it, then
    in the present one; `kit.py` in the same folders. Raises KitError, with the nearest known name.
    """
    target = SHIPPED_KITS.get(name, name)
    module_name, colon, attribute = target.partition(":")
    if not colon or not attribute:
        near = get_close_matches(name, SHIPPED_KITS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"shipped: {', '.join(SHIPPED_KITS)}."
        raise KitError(f"no domain {name!r}; {hint} A domain of your own is named 'package.module:attribute'.")
    folders = _folders(beside)
    if not module_name:
        nearest = _nearest_kit(name, folders)
        module_name, folders = nearest.module, (nearest.root, *folders)
    return _kit_in(_module(module_name, name=name, folders=folders), attribute, name=name)


def _folders(beside: Path | None) -> tuple[Path, ...]:
    """Where modules and `kit.py` are looked for, the nearest first."""
    above = (beside.resolve(), *beside.resolve().parents) if beside is not None else ()
    return tuple(dict.fromkeys((*above[:-1], Path.cwd())))


@dataclass(frozen=True, kw_only=True)
class _NearestKit:
    """A `kit.py` by its module's name, and the folder that the name is counted from."""

    module: str
    root: Path


def _nearest_kit(name: str, folders: tuple[Path, ...]) -> _NearestKit:
    for folder in folders:
        if (folder / "kit.py").is_file():
            # In a package the module has the package's name, so that its relative imports work.
            parts, root = ["kit"], folder
            while (root / "__init__.py").is_file():
                parts.insert(0, root.name)
                root = root.parent
            return _NearestKit(module=".".join(parts), root=root)
    raise KitError(
        f"domain {name!r}: no 'kit.py' in {str(folders[0])!r} or a folder above it; write one, or name a domain"
    )


def _kit_in(module: ModuleType, attribute: str, *, name: str) -> Kit:
    found = getattr(module, attribute, None)
    if isinstance(found, Kit):
        return found
    if module.__file__ is None:
        raise KitError(
            f"domain {name!r}: {module.__name__!r} is a folder and no module; name the module in it, "
            f"such as '{module.__name__}.kit:{attribute}'"
        )
    kits = [other for other, value in vars(module).items() if isinstance(value, Kit)]
    near = f"; it has the kit {kits[0]!r}" if kits else "; it has no kit"
    what = f"is {found!r}, no Kit" if hasattr(module, attribute) else "is not there"
    raise KitError(f"domain {name!r}: {attribute!r} in {module.__file__!r} {what}{near}")


def _module(module_name: str, *, name: str, folders: tuple[Path, ...]) -> ModuleType:
    before = list(sys.path)
    sys.path.extend(str(folder) for folder in folders if str(folder) not in before)
    try:
        module = importlib.import_module(module_name)
        _check_origin(module_name, name=name)
        return module
    except ModuleNotFoundError as error:
        raise KitError(
            f"domain {name!r}: no module {error.name!r}; looked where Python looks, from {str(folders[0])!r} upwards "
            f"and in {str(Path.cwd())!r}"
        ) from error
    except KitError:
        raise
    except (Exception, SystemExit) as error:
        raise KitError(
            f"domain {name!r}: its module raised {type(error).__name__}: {error} at {_where(error)}"
        ) from error
    finally:
        sys.path[:] = before


def _where(error: BaseException) -> str:
    """The innermost place outside Python's own and Marg's code; a syntax error names its own."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(("<", *_NOT_THEIRS))]
    frame = (theirs or frames)[-1]
    return f"{frame.filename}:{frame.lineno}"


def _check_origin(module_name: str, *, name: str) -> None:
    """Two folders with a module of one name: Python hands out whichever was imported first, without a word."""
    top = module_name.partition(".")[0]
    loaded, fresh = sys.modules[top].__spec__, PathFinder.find_spec(top)
    if loaded and fresh and loaded.origin and fresh.origin and loaded.origin != fresh.origin:
        raise KitError(
            f"domain {name!r}: {top!r} is already imported from {loaded.origin!r}, and {fresh.origin!r} has the same "
            "name; rename one of them"
        )
