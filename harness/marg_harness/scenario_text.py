"""A scenario's tree as the text of a file: what reads it again gives the same tree.

Keys of the file and of turns stand one a line, what is below them in braces, as people write it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from marg_mock_model import Plain
from marg_mock_model.plain import resolve

# A text that needs no quotes anywhere: it begins with a letter and has nothing in it that YAML could mean something by.
_BARE = re.compile(r"[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_./-])?")
_WORDS = frozenset({"true", "false", "null"})
# What JSON leaves as it is and YAML takes for a line break, or for no character at all.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def scenario_text(root: Mapping[str, Any], *, head: Sequence[str] = ()) -> str:
    """The text of a scenario's file. head: lines of a comment above it.

    Numbers, truth values and None stand without quotes, as does a `Plain` that is one of them; any other text is quoted
    where it could be taken for something else.
    """
    lines = [f"# {line}".rstrip() for line in head]
    for key, node in root.items():
        if key == "turns":
            lines.append("turns:")
            lines += [line for turn in node for line in _turn(turn)]
        else:
            lines.append(f"{key_text(key)}: {flow_text(node)}")
    return "\n".join(lines) + "\n"


def flow_text(node: Any) -> str:
    """A node on one line: mappings and lists in brackets, a text bare where it can be."""
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{key_text(key)}: {flow_text(below)}" for key, below in node.items()) + "}"
    if isinstance(node, list | tuple):
        return "[" + ", ".join(flow_text(below) for below in node) + "]"
    if isinstance(node, Plain) and not isinstance(resolve(node), str):
        return str(node)
    if isinstance(node, str):
        return node if _BARE.fullmatch(node) and node.casefold() not in _WORDS else _quoted(node)
    return json.dumps(node)


def key_text(key: str) -> str:
    """A key: it is text, whatever it looks like."""
    return key if _BARE.fullmatch(key) else _quoted(key)


def _turn(turn: Mapping[str, Any]) -> Iterator[str]:
    """A turn, a key a line; its checks one a line below `expect`."""
    mark = "  - "
    for key, node in turn.items():
        if key == "expect" and node:
            yield f"{mark}expect:"
            yield from (f"      {key_text(kind)}: {flow_text(wanted)}" for kind, wanted in node.items())
        elif key == "concurrent" and isinstance(node, list):
            yield f"{mark}concurrent:"
            yield from (f"      - {flow_text(part)}" for part in node)
        else:
            yield f"{mark}{key_text(key)}: {flow_text(node)}"
        mark = "    "


def _quoted(text: str) -> str:
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
