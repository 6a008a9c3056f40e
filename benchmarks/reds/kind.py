"""A kind of fault: what is changed where, and what every red of it is, known before anything runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from marg_reports.triage import RedClass
from marg_runtime.canonical import Json
from marg_runtime.errors import UsageError

Of = Literal["runtime", "kit", "scenario", "machine", "fixtures"]
On = Literal["head", "base", "both", "start"]
Missing = Literal["shallow_clone", "broken_base", "no_replies", "cut_record", "no_live", "few_live"]


@dataclass(frozen=True, kw_only=True)
class Patch:
    """A change of one file.

    of: which part of the repository. file: in it; `*` is each of the kind's scenarios. on: the sides that have it. Of
    `replace` each text stands exactly once in the file; `pattern` is a regular expression whose first match, or all,
    become `new`; `write` is a whole file, `append` comes at the end. fault: whether it belongs to the fault, so that
    the repository without it is green.
    """

    of: Of
    file: str
    on: On = "head"
    replace: Mapping[str, str] = field(default_factory=dict)
    pattern: str | None = None
    new: str = ""
    every: bool = False
    write: str | None = None
    append: str = ""
    fault: bool = True
    place: str = ""

    @property
    def slips(self) -> bool:
        """Whether it has the mock model slip."""
        return "slips:" in f"{self.write or ''}{self.append}{self.new}{self.replace}"

    def applied(self, text: str) -> str:
        """The text with the change. Raises UsageError where what is to be changed does not stand in it."""
        if self.write is not None:
            return self.write
        for old, new in self.replace.items():
            if text.count(old) != 1:
                raise UsageError(f"{self.place}: {old!r} stands {text.count(old)} times in {self.file!r}, not once")
            text = text.replace(old, new)
        if self.pattern is not None:
            text, changed = re.subn(self.pattern, self.new, text, count=0 if self.every else 1)
            if not changed:
                raise UsageError(f"{self.place}: nothing in {self.file!r} matches {self.pattern!r}")
        return text + self.append


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of fault.

    truth: the class of each of its reds. sub: what else it should be called, which is shown and not scored. scenarios:
    names of files of the domain, without `.scenario.yaml`, those that it adds among them. draw: how many of them a seed
    takes; split: each seed takes its own part of them. seeds: of the runs. tries: how many more seeds are tried for one
    that shows no red. run: the settings of the head's run, as `marg replay` takes them. isolated: False where the
    scenarios are replayed in one process, one after another. live: runs a side that the triage may draw of the model.
    missing: what evidence is withheld, where the truth is `unclassified`; then: what its printed command shows in the
    end.
    """

    name: str
    family: str
    truth: RedClass
    about: str
    domain: str
    scenarios: tuple[str, ...]
    patches: tuple[Patch, ...]
    sub: str = ""
    draw: int | None = None
    split: bool = False
    seeds: tuple[int, ...] = (1, 2, 3)
    tries: int = 0
    run: Mapping[str, Json] = field(default_factory=dict)
    isolated: bool = True
    live: int = 0
    missing: Missing | None = None
    then: RedClass | None = None
    place: str = ""

    @property
    def slips(self) -> bool:
        """Whether the mock model slips."""
        return any(patch.slips for patch in self.patches)

    @property
    def slips_beside(self) -> bool:
        """Whether it slips on the ground of the fault, which is another thing."""
        return any(patch.slips and not patch.fault for patch in self.patches)

    @property
    def drawn(self) -> bool:
        """Whether a seed has a say: the mock model slips, or the wire has faults at a rate."""
        return self.slips or any("%" in str(value) or "rate:" in str(value) for value in self.run.values())
