"""What a run takes from outside its workspace: the packages that are installed, and Marg itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from marg_runtime.canonical import digest

MARG = ("marg_harness", "marg_mock_model", "marg_reports", "marg_runtime", "marg_scenarios")
"""The packages that replay; the corpora are not asked."""
_METADATA = ("*.dist-info", "*.egg-info")  # each named after its package and version


@cache
def installed(repository: Path) -> str:
    """The digest of it: another one means that the same workspace may give another run.

    Packages count by name and version, Marg by what is in its files, since one that is installed from a checkout keeps
    its version while it changes. What lies in the repository counts for none: its workspaces have it.
    """
    outside = (place for place in map(package_folder, MARG) if not place.is_relative_to(repository))
    return digest([packages(sys.path), [tree(place) for place in outside]])


def packages(path: Iterable[str]) -> list[str]:
    """The packages that these folders of an import path have, with their versions, in order."""
    folders = {Path(entry or ".").resolve() for entry in path}
    return sorted({found.name for folder in folders for kind in _METADATA for found in folder.glob(kind)})


def tree(root: Path) -> str:
    """The digest of the files below a folder, names and contents, without what Python compiled of them."""
    whole = sha256()
    for file in sorted(file for file in root.rglob("*") if "__pycache__" not in file.parts and file.is_file()):
        content = file.read_bytes()
        whole.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def package_folder(name: str) -> Path:
    """Where an installed package lies."""
    spec = find_spec(name)
    assert spec is not None, name
    assert spec.submodule_search_locations, name
    return Path(spec.submodule_search_locations[0]).resolve()
