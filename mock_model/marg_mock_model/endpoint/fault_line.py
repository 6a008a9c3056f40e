"""A schedule of faults in one line, `KIND@1,2-4:name=value; KIND%0.1`, as the text of a file that says the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from marg_mock_model.hint import nearest
from marg_runtime.errors import UsageError

_PART = re.compile(r"(?P<kind>\w+)(?:@(?P<at>[\d,-]+)|%(?P<rate>[\d.]+))?(?P<options>(?::\w+=[^:;]+)*)")


def faults_text(line: str, *, kinds: Collection[str], names: Mapping[str, str]) -> str:
    """The line as YAML, a list under `faults`. names: other words for some of the kinds; raises UsageError."""
    entries = [_entry(part.strip(), line, kinds, names) for part in line.split(";") if part.strip()]
    return "faults:" + ("".join(f"\n- {entry}" for entry in entries) if entries else " []")


def _entry(part: str, line: str, kinds: Collection[str], names: Mapping[str, str]) -> str:
    """One part of a line as an entry of a file."""
    match = _PART.fullmatch(part)
    if match is None:
        raise UsageError(f"the fault {part!r} in {line!r} is not KIND, KIND@1,2-4 or KIND%0.1, then any :name=value.")
    kind = names.get(match["kind"], match["kind"])
    if kind not in kinds:
        raise UsageError(f"there is no fault {kind!r}; {nearest(kind, list(kinds))}")
    fields = [f"fault: {kind}"]
    if match["at"]:
        fields.append(f"at: [{', '.join(map(str, _numbers(match['at'], part)))}]")
    if match["rate"]:
        fields.append(f"rate: {match['rate']}")
    fields += [option.replace("=", ": ", 1) for option in match["options"].split(":") if option]
    return "{" + ", ".join(fields) + "}"


def _numbers(text: str, part: str) -> list[int]:
    found: list[int] = []
    for piece in text.split(","):
        ends = re.fullmatch(r"(\d+)(?:-(\d+))?", piece)
        if ends is None:
            raise UsageError(f"{piece!r} in the fault {part!r} is no request's number, nor a range such as 2-4.")
        numbers = range(int(ends[1]), int(ends[2] or ends[1]) + 1)
        if not numbers:
            raise UsageError(f"the range {piece!r} in the fault {part!r} runs backwards; begin with the lesser.")
        found += numbers
    return found
