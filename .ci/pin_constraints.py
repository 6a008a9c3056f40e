"""Writes constraints.txt from environments that hold `.[all,dev]`, one for each Python that is supported.

    python .ci/pin_constraints.py VENV... > constraints.txt

Where the environments disagree on a version, each gets a line of its own with a marker, and the newest Python's holds
for later ones too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

LEFT_OUT = {"marg", "pip"}  # this project, and what installs it


def _installed(venv: Path) -> tuple[tuple[int, int], dict[str, str]]:
    """The Python of an environment, and the version of each distribution in it by its normalised name."""
    python = venv / "bin" / "python"
    code = "import sys, json; print(json.dumps(sys.version_info[:2]))"
    major, minor = json.loads(subprocess.run([python, "-c", code], check=True, capture_output=True).stdout)
    listing = subprocess.run([python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True).stdout
    versions = {re.sub(r"[-_.]+", "-", entry["name"]).lower(): entry["version"] for entry in json.loads(listing)}
    return (major, minor), {name: version for name, version in versions.items() if name not in LEFT_OUT}


def _lines(name: str, versions: dict[tuple[int, int], str]) -> list[str]:
    """The lines of one distribution: one when all agree, else one for each older Python."""
    pythons = sorted(versions)
    newest = versions[pythons[-1]]
    older = [python for python in pythons if versions[python] != newest]
    if not older:
        return [f"{name}=={newest}"]
    first = pythons[pythons.index(older[-1]) + 1]
    lines = [
        f'{name}=={versions[python]}; python_version == "{_dotted(python)}"' for python in pythons if python < first
    ]
    return [*lines, f'{name}=={newest}; python_version >= "{_dotted(first)}"']


def _dotted(python: tuple[int, int]) -> str:
    return f"{python[0]}.{python[1]}"


def main(venvs: list[str]) -> None:
    """Print the constraints."""
    environments = dict(_installed(Path(venv)) for venv in venvs)
    print("# Every distribution that the extras bring, on each supported Python. Written by .ci/pin_constraints.py.")
    for name in sorted({name for installed in environments.values() for name in installed}):
        versions = {python: installed[name] for python, installed in environments.items() if name in installed}
        print("\n".join(_lines(name, versions)))


if __name__ == "__main__":
    main(sys.argv[1:])
