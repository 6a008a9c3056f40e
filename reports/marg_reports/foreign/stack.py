"""Where a test failed, from the stack that its runner printed: files and lines, and none of the words around them.

Lines of the code under test move between two commits, so only those of the test's own file count, which is the same on
both sides or is no evidence; of the frame that raised, the file alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

_PYTHON: Final = re.compile(
    r"^(?P<file>[^\s:][^:\n]*\.py):(?P<line>\d+):(?: (?P<raised>[A-Za-z_][\w.]*)?| in .*)?$", re.MULTILINE
)
_JAVA: Final = re.compile(
    r"^[ \t]*at (?:[\w.@-]*/)*(?P<owner>[\w.$]+)\.[\w$<>]+"
    r"\((?P<file>[\w$]+\.(?:java|kt|scala|groovy)):(?P<line>\d+)\)[ \t\r]*$",
    re.MULTILINE,
)
_SCRIPT: Final = re.compile(
    r"^[ \t]*at (?:[^\n]*\()?(?P<file>[^()\s]+\.[cm]?[jt]sx?):(?P<line>\d+):\d+\)?[ \t\r]*$", re.MULTILINE
)
_SCRIPT_TEST: Final = re.compile(r"\.(?:test|spec)\.[cm]?[jt]sx?\Z|(?:\A|/)__tests__/")
MOST_TEXT = 200_000
"""Characters of a failure's text in which frames are looked for: a stack stands at its start or at its end."""


@dataclass(frozen=True, kw_only=True)
class _Frame:
    file: str
    line: int
    owner: str = ""
    raised: str = ""


@dataclass(frozen=True, kw_only=True)
class FailedAt:
    """Where a test failed. at: for the signature, empty where the stack shows no frame of the test's own file.

    file, line: the innermost frame in the test's own file. raised: the type of the error, where the stack names it.
    """

    at: str = ""
    file: str = ""
    line: int = 0
    raised: str = ""


def failed_at(text: str, *, suite: str, path: str = "") -> FailedAt:
    """Where the stack in a failure's text says that a test of this suite (and file) failed."""
    if len(text) > MOST_TEXT:
        text = f"{text[: MOST_TEXT // 2]}\n{text[-MOST_TEXT // 2 :]}"
    frames = _inwards(text)
    own = [frame for frame in frames if _is_own(frame, suite=suite, path=path)]
    raised = frames[-1].raised if frames else ""
    if not own:
        return FailedAt(raised=raised)
    places = [f"{PurePosixPath(frame.file).name}:{frame.line}" for frame in own]
    innermost = PurePosixPath(frames[-1].file).name
    return FailedAt(at=" ".join([*places, f"in {innermost}"]), file=own[-1].file, line=own[-1].line, raised=raised)


def _inwards(text: str) -> list[_Frame]:
    """The frames of a stack, the innermost last."""
    frames = list(_found(_PYTHON, text))
    if frames:
        return frames
    return [*_found(_JAVA, text)][::-1] or [*_found(_SCRIPT, text)][::-1]


def _found(pattern: re.Pattern[str], text: str) -> Iterator[_Frame]:
    for match in pattern.finditer(text):
        parts = match.groupdict()
        yield _Frame(
            file=parts["file"].replace("\\", "/").removeprefix("./"),
            line=int(parts["line"]),
            owner=parts.get("owner") or "",
            raised=parts.get("raised") or "",
        )


def _is_own(frame: _Frame, *, suite: str, path: str) -> bool:
    if frame.owner:
        return frame.owner == suite or frame.owner.startswith(f"{suite}$")
    if path and f"/{frame.file}".endswith(f"/{path}"):
        return True
    if not frame.file.endswith(".py"):
        return bool(_SCRIPT_TEST.search(frame.file))
    return f".{_dotted(frame.file)}".endswith(f".{_module(suite)}") if suite else False


def _dotted(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def _module(suite: str) -> str:
    """The module of a suite: pytest's `tests.test_a.TestB` is of `tests.test_a`, and `tests/test_a.py` too."""
    parts = _dotted(suite).split(".")
    while len(parts) > 1 and parts[-1][:1].isupper():
        parts.pop()
    return ".".join(parts)
