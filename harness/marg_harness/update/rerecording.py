"""From what a check is written as and what it saw to how it would be written now, as little changed as can be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from marg_runtime.canonical import Json

NONE = "none"
LAYERS = ("trigger", "skill", "schema", "guard")
COUNTS = ("attempted", "performed", "rehearsed", "ended")


def rerecorded(kind: str, written: Any, got: Json) -> Any:
    """What a check of this kind would expect now; None where only a person can say."""
    build = _BUILDERS.get(kind)
    return None if build is None else build(written, got)


def _as_seen(written: Any, got: Json) -> Any:
    return got


def _word(written: Any, got: Json) -> Any:
    return got if isinstance(got, str) else None


def _provenance(written: Any, got: Any) -> Any:
    return got if all(got.values()) else None


def _block(written: Any, got: Any) -> Any:
    if not isinstance(got, Mapping):
        return got
    if not isinstance(written, Mapping):
        return got.get("step")
    kept = {key: got.get(key, node if key == "only_rows" else None) for key, node in written.items()}
    kept = {key: _settled(part) for key, part in kept.items()}
    return {"step": got.get("step"), **{key: part for key, part in kept.items() if part not in (None, {})}}


def _settled(part: Any) -> Any:
    """A mapping without what the block does not have."""
    return {key: below for key, below in part.items() if below is not None} if isinstance(part, Mapping) else part


def _cut(written: Any, got: Any) -> Any:
    return [step for cut in got for step in cut]


def _calls(written: Any, got: Any) -> Any:
    names = [item if isinstance(item, str) else item.get("tool", next(iter(item))) for item in written]
    whole = any("/" in str(name) for name in names)
    calls = [(call["tool"] if whole else call["tool"].rpartition("/")[2], call["arguments"]) for call in got]
    if all(isinstance(item, str) for item in written):
        return [tool for tool, _ in calls]
    return [{tool: arguments} for tool, arguments in calls]


def _some_calls(written: Any, got: Any) -> Any:
    return _calls(written, got) or None


def _not_called(written: Any, got: Any) -> Any:
    reached = {name for call in got for name in (call["tool"], call["tool"].rpartition("/")[2])}
    return [name for name in written if name not in reached] or None


def _gate(written: Any, got: Any) -> Any:
    if not got:
        return NONE
    forms = [] if isinstance(written, str) else [written] if isinstance(written, Mapping) else list(written)
    keys = list(dict.fromkeys(key for form in forms for key in form)) or list(LAYERS)
    seen = [{key: _layer(key, decision) for key in keys if key in decision} for decision in got]
    return seen[0] if len(seen) == 1 and not isinstance(written, Sequence) else seen


def _layer(key: str, decision: Mapping[str, str]) -> str:
    return re.escape(decision[key]) if key == "because" else decision[key]


def _write(written: Any, got: Any) -> Any:
    if not isinstance(written, Mapping):
        return None
    attempts = got.get("arguments", ())
    if "arguments" in written and len(attempts) != 1:
        return None
    counts = {key: got[key] for key in COUNTS if got.get(key) and (key in written or key != "ended")}
    zeros = {key: got[key] for key in COUNTS if key in written and got.get(key) == 0}
    carried = {slot: attempts[0].get(slot) for slot in written["arguments"]} if "arguments" in written else {}
    fresh = {**counts, **zeros, **({"arguments": carried} if carried else {})}
    return {**{key: fresh[key] for key in written if key in fresh}, **fresh}


def _texts(written: Any, got: Any) -> Any:
    if not got:
        return NONE
    if not isinstance(written, Mapping):
        return {"contains": list(got)}
    fresh = {
        "contains": _contained(written.get("contains", ()), got),
        "lacks": [part for part in written.get("lacks", ()) if not any(part in text for text in got)],
    }
    pattern = written.get("matches")
    if pattern is not None and any(re.search(pattern, text) for text in got):
        fresh["matches"] = pattern
    elif pattern is not None:
        fresh["contains"] = list(got)
    ordered = {key: fresh[key] for key in (*written, "contains") if fresh.get(key)}
    return ordered or {"contains": list(got)}


def _contained(parts: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The parts, where all of them are there still; else the whole texts."""
    return list(parts) if all(any(part in text for text in texts) for part in parts) else list(texts)


def _events(written: Any, got: Any) -> Any:
    fresh = {
        "has": [name for name in written.get("has", ()) if name in got],
        "lacks": [name for name in written.get("lacks", ()) if name not in got],
        "sequence": [name for name in got if name in written.get("sequence", ())],
        "exactly": list(got),
    }
    return {key: fresh[key] for key in written if fresh[key]} or None


def _received(written: Any, got: Any) -> Any:
    fresh = {key: got.get(key, node) for key, node in written.items()}
    return {key: part for key, part in fresh.items() if part is not None} or None


_BUILDERS: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("reading", "outcome"), _word),
    **dict.fromkeys(
        ("question", "redraws", "model_calls", "facts", "overridden", "drawn", "draft", "draft_is"), _as_seen
    ),
    **dict.fromkeys(("tools_called", "tools_in_order"), _some_calls),
    **dict.fromkeys(("text", "line"), _texts),
    "block": _block,
    "provenance": _provenance,
    "draft_unchanged": lambda written, got: got["before"] == got["after"],
    "tools_only": _calls,
    "tools_not_called": _not_called,
    "cut": _cut,
    "gate": _gate,
    "write": _write,
    "events": _events,
    "received": _received,
}
