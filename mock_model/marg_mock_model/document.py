"""A YAML file read so that every node knows its line, every scalar is text, and every error is `file:line`.

The subset is what a person writes: one document, a mapping at the root, text keys, no anchors, aliases, tags or
duplicate keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import yaml

from marg_mock_model.instead import file_bytes
from marg_mock_model.tree import Node, NodePath, Tree
from marg_runtime.errors import LocatedError, UsageError

if TYPE_CHECKING:
    from pydantic import BaseModel

ModelT = TypeVar("ModelT", bound="BaseModel")

VALIDATION = "marg_mock_model.validation"
"""The module that reads a document as a model; imported with pydantic at the first such reading."""

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A file's tree of text, lists and mappings; unquoted scalars are `Plain`. Made by `read_document`.

    files: where a tree was put together from several files, the file of each part that is not of `path` itself.
    """

    path: str
    root: Mapping[str, Node]
    lines: Mapping[NodePath, int]
    files: Mapping[NodePath, str] = field(default_factory=dict)

    def line(self, *path: str | int) -> int:
        """The line, from 1, of the node at a path: its key's line in a mapping, its own first line in a list.

        For a path that the file does not have, the line of its nearest parent.
        """
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]

    def file(self, *path: str | int) -> str:
        """The file in which the node at a path is written."""
        while path and path not in self.files:
            path = path[:-1]
        return self.files.get(path, self.path)

    def error(self, message: str, *path: str | int) -> LocatedError:
        """The error to raise about the node at a path."""
        return LocatedError(message, path=self.file(*path), line=self.line(*path))

    def validate(self, model: type[ModelT]) -> ModelT:
        """The document as a pydantic model.

        Raises one LocatedError that names each complaint with its line, the value, and the nearest known key.
        """
        fitted: ModelT = import_module(VALIDATION).validated(self, model)
        return fitted


def read_document(path: Path | str) -> Document:
    """Read a file.

    Raises UsageError for a file that cannot be opened, LocatedError for one that is not a document.
    """
    return parse_document(read_text(path), path=str(path))


def read_text(path: Path | str) -> str:
    """The text of a file; raises UsageError for one that cannot be opened, LocatedError for one that is not UTF-8."""
    try:
        data = file_bytes(Path(path))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}; check the path.") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        bad = data[error.start : error.start + 1]
        raise LocatedError(
            f"the byte {bad!r} is not UTF-8; save the file as UTF-8.", path=str(path), line=line
        ) from None


def parse_document(text: str, *, path: str) -> Document:
    """Parse a file's text; `path` is what errors and records name. Raises LocatedError."""
    bad = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if bad is not None:
        line = text.count("\n", 0, bad.start()) + 1
        raise LocatedError(f"the character {bad[0]!r} is not allowed; remove it.", path=path, line=line)
    tree = Tree(path=path)
    for event in _events(text, path=path):
        tree.take(event)
    return Document(path=path, root=tree.mapping(), lines=tree.lines)


def _events(text: str, *, path: str) -> Iterator[yaml.Event]:
    """The events of a text, with YAML's errors as LocatedError."""
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        line = min(mark.line, text.count("\n")) + 1 if mark else 1
        raise LocatedError(_explain(error, text=text, line=line), path=path, line=line) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        # Only the pure-Python loader gets here: an escape such as "\\U00110000", or thousands of brackets.
        raise LocatedError(f"not YAML: {error}", path=path, line=1) from None


def _explain(error: yaml.MarkedYAMLError, *, text: str, line: int) -> str:
    problem = " ".join(str(part) for part in (error.context, error.problem) if part)
    written = text.split("\n")[line - 1]
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return f"a tab at the start of {written.strip()!r}; indent with spaces."
    return f"not YAML: {problem}, at {written.strip()!r}; quote a text that has special characters."
