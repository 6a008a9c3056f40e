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
_PARAMETER = re.compile(r"\{[A-Za-z_]\w*\}")
BRACE = "brace"
"""The parameter whose value is an opening brace."""
_WORDS = frozenset({"true", "false", "null"})
# What JSON leaves as it is and YAML takes for a line break, or for no character at all.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def scenario_text(root: Mapping[str, Any], *, head: Sequence[str] = ()) -> str:
    """The text of a scenario's file. head: lines of a comment above it.

    Numbers, truth values and None stand without quotes, as does a `Plain` that is one of them; any other text is quoted
    where it could be taken for something else. A tree whose turns have a text that is `{name}` and nothing else, and
    which has no parameters, gets one that stands for the brace: read again, its turns have that text.
    """
    lines = [f"# {line}".rstrip() for line in head]
    for key, node in _without_parameters(root).items():
        if key == "turns":
            lines.append("turns:")
            lines += [line for turn in node for line in _turn(turn)]
        else:
            lines.append(f"{key_text(key)}: {flow_text(node)}")
    return "\n".join(lines) + "\n"


def _without_parameters(root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A tree in which no text of a turn is taken for a parameter."""
    if {"parameters", "rows"} & set(root) or not any(map(_PARAMETER.fullmatch, _texts(root.get("turns", ())))):
        return root
    head = {key: node for key, node in root.items() if key != "turns"}
    return {**head, "parameters": {BRACE: "{"}, "turns": _braced(root["turns"])}


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping | list | tuple):
        for below in node.values() if isinstance(node, Mapping) else node:
            yield from _texts(below)


def _braced(node: Any) -> Any:
    """A node as it is written where there are parameters."""
    if isinstance(node, Mapping):
        return {key: _braced(below) for key, below in node.items()}
    if isinstance(node, list | tuple):
        return [_braced(below) for below in node]
    if not isinstance(node, str) or not ("{" in node or "}" in node):
        return node
    doubled = node.replace("{", "{{").replace("}", "}}")
    return f"{{{BRACE}}}{doubled[2:]}" if _PARAMETER.fullmatch(node) else doubled


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
