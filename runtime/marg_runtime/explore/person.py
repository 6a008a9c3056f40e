"""The person's letters: every act that a client can send, made of what it displays and has displayed.

Blocks are taken as they are drawn: whatever has options is tapped, whatever has fields is submitted. So a new kind of
block needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from marg_runtime.acts import Act, PageMove, Reload, Say, Search, Submit, Tap
from marg_runtime.block import Block
from marg_runtime.events.step import QuestionDrawn
from marg_runtime.explore.breadth import Breadth
from marg_runtime.explore.client import Client
from marg_runtime.explore.move import Move
from marg_runtime.explore.words import Words

Seen = Literal["latest", "older", "absent", "future"]
SEEN: tuple[Seen, ...] = ("latest", "older", "absent", "future")
ROWS = ("chips", "multi_chips", "picker")  # kinds of block whose options are the step's values
FAR = 1000  # revisions that do not exist yet
NO_OPTION = "o99"
SAMPLES = {"integer": "1", "number": "1", "boolean": "true", "date": "2026-01-05", "email": "a@example.org"}


@dataclass(frozen=True, kw_only=True)
class Sending:
    """Fields and options that are submitted together."""

    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Person:
    """Makes the acts. slots: of each step. thorough: every option of every row; usual: the first, and of the steps
    in `twice` the second; narrow: the first.

    The options of a row are data to the runtime, and none is told from another: two stand for all, so that a value can
    change, and one row with two stands for the rows of other steps. The options of any other block (a summary, a text
    with a way to skip it) are all tapped.
    """

    words: Words
    slots: Mapping[str, tuple[str, ...]]
    twice: frozenset[str] = frozenset()
    breadth: Breadth = "usual"

    @property
    def thorough(self) -> bool:
        """Everything is played."""
        return self.breadth == "thorough"

    @property
    def narrow(self) -> bool:
        """One act is played for each thing that an act can do."""
        return self.breadth == "narrow"

    def moves(self, client: Client, *, revision: int, at: int) -> Iterator[Move]:
        """Every act on what this client displays; `revision` is where the ledger stands, `at` the time."""
        yield from self._says(client, revision, at)
        if client.block is not None:
            yield from self._taps(client.block, client, revision, at)
        if client.block is not None and not (self.narrow and client.block.options and not client.block.selection):
            yield from self._submits(client.block, client, at)
        for _, block in client.stale():
            yield from self._stale(block, client, at)
        yield _move("reload", "", Reload(at=at, seen=client.latest))
        yield from self._together(client, at)

    def _says(self, client: Client, revision: int, at: int) -> Iterator[Move]:
        words, usual = self.words, SEEN if not self.narrow else SEEN[:2]
        spoken: list[tuple[str, str, tuple[Seen, ...]]] = [
            ("a plain yes", words.yes, usual),
            ("a plain no", words.no, {"thorough": SEEN, "usual": SEEN[:2], "narrow": SEEN[:1]}[self.breadth]),
            ("a yes with a new value", words.change, ("latest",)),
            ("words that could be a value", words.value, usual),
            ("cancel", words.cancel, ("latest",)),
        ]
        if not self.narrow:
            spoken += [("a question", words.question, ("latest",)), ("skip", words.skip, ("latest",))]
        labels = self._labels(client.block)
        for number, label in enumerate(labels if self.thorough else labels[:1]):
            # To an older answer a label says what any words do that were no yes.
            spoken.append(("an option's label", label, usual if number == 0 and not self.narrow else ("latest",)))
        for name, text, displayed in spoken:
            if text == words.change and not self.thorough and client.block is not None and client.block.kind == "text":
                continue  # at a text it is one more value
            for seen in displayed:
                yield _move(f"say {name}, seen {seen}", text, Say(text=text, at=at, seen=_seen(seen, client, revision)))

    def _labels(self, block: Block | None) -> list[str]:
        if block is None:
            return []
        return [option.label for option in block.options if option.id in self._options(block)]

    def _options(self, block: Block) -> list[str]:
        """The ids that are tapped: of an ordinary row the first two and the last; of a summary all."""
        ids = [option.id for option in block.options]
        if self.thorough or block.kind not in ROWS:
            return ids
        return ids[: 2 if block.step in self.twice and not self.narrow else 1]

    def _taps(self, block: Block, client: Client, revision: int, at: int) -> Iterator[Move]:
        chosen = self._options(block)
        for number, option in enumerate(chosen):
            seens = SEEN if self.thorough else ("latest",)
            if block.kind == "summary" and number == 0:
                seens = SEEN[:2] if self.narrow else SEEN
            for seen in seens:
                yield _tap(f"tap a fresh option, seen {seen}", block, option, at, _seen(seen, client, revision))
        if chosen and not self.narrow:
            yield _tap("tap what is no option", block, NO_OPTION, at, client.latest)
            yield _tap("tap under an older revision", block, chosen[0], at, client.latest, shift=-1)
        if block.page is not None:
            yield from _searches(block, self.words.value, at, client.latest)

    def _submits(self, block: Block, client: Client, at: int) -> Iterator[Move]:
        for sent in self.sendings(block):
            act = self.submit(block, sent.values, sent.options, at, client.latest)
            yield _move(f"submit {sent.name}", _told(sent.values, sent.options), act)

    def sendings(self, block: Block) -> Iterator[Sending]:
        """What can be submitted on a block, the good first."""
        good = good_values(block, _field_slots(block, self.slots), self.words.value)
        if good:
            yield Sending(name="good fields", values=good)
            yield Sending(name="empty fields", values=dict.fromkeys(good, ""))
        if block.selection is not None:
            yield Sending(name="chosen options", options=tuple(option.id for option in block.options[:1]))
            yield Sending(name="no options")
            yield Sending(name="what are no options", options=(NO_OPTION,))
        yield Sending(name="fields that are not asked", values={"confirmed": "true"})

    @staticmethod
    def submit(block: Block, values: Mapping[str, str], options: tuple[str, ...], at: int, seen: int | None) -> Submit:
        """The act that sends them."""
        return Submit(
            question=block.question, revision=block.revision, values=values, options=options, at=at, seen=seen
        )

    def _stale(self, block: Block, client: Client, at: int) -> Iterator[Move]:
        for option in self._options(block)[: 1 if self.narrow else None]:
            yield _tap("tap a stale option", block, option, at, client.latest)
        values = good_values(block, _field_slots(block, self.slots), self.words.value)
        if values and not self.narrow:
            yield _move("submit good fields, stale", "", self.submit(block, values, (), at, client.latest))

    def _together(self, client: Client, at: int) -> Iterator[Move]:
        """Two acts at once: both are queued before the first is served.

        Thorough: every two of a yes, a change and the likely answer; else each of them twice, and a yes behind each.
        """
        likely = self._likely(client, at)
        for one in likely:
            for two in likely:
                if self.thorough or one == two or (two == likely[0] and not self.narrow):
                    told = f"{_act_text(one)} and {_act_text(two)}"
                    yield Move(who="person", letter="two acts at once", detail=told, act=one, second=two)

    def _likely(self, client: Client, at: int) -> list[Act]:
        latest, block = client.latest, client.block
        found: list[Act] = [
            Say(text=self.words.yes, at=at, seen=latest),
            Say(text=self.words.change, at=at, seen=latest),
        ]
        if block is not None and block.options:
            tapped = block.options[0].id
            found.append(Tap(question=block.question, revision=block.revision, option=tapped, at=at, seen=latest))
        elif block is not None and block.kind != "receipt":
            found.append(Say(text=self.words.value, at=at, seen=latest))
        return found

    def late(self, drawn: QuestionDrawn, *, revision: int, at: int) -> Iterator[Move]:
        """An act that comes when a question is drawn and not yet delivered, from a client that says it displays it."""
        labels = {"summary": self.words.yes, "text": self.words.value}
        text = labels.get(drawn.kind) or (drawn.options[0].label if drawn.options else self.words.value)
        act = Say(text=text, at=at, seen=revision + 1)
        yield Move(who="person", letter="say before the delivery", detail=text, act=act, late=True)


def good_values(block: Block, slots: tuple[str, ...], text: str) -> dict[str, str]:
    """A value for every field of a block, by its type; none for a block without fields."""
    found: dict[str, str] = {}
    fields = {field.slot: field for field in block.fields}
    for slot in slots:
        field = fields.get(slot)
        if field is None:
            found[slot] = text
        elif field.options:
            found[slot] = field.options[0].id
        else:
            found[slot] = field.minimum or SAMPLES.get(field.type, text)
    return found


def _field_slots(block: Block, slots: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    declared = tuple(field.slot for field in block.fields)
    if declared:
        return declared
    return slots.get(block.step, ()) if block.kind == "text" else ()


def _seen(seen: Seen, client: Client, revision: int) -> int | None:
    return {"latest": client.latest, "older": client.older(), "absent": None, "future": revision + FAR}[seen]


def _move(letter: str, detail: str, act: Act) -> Move:
    return Move(who="person", letter=letter, detail=detail, act=act)


def _tap(letter: str, block: Block, option: str, at: int, seen: int | None, *, shift: int = 0) -> Move:
    label = next((shown.label for shown in block.options if shown.id == option), option)
    act = Tap(question=block.question, revision=block.revision + shift, option=option, at=at, seen=seen)
    return _move(letter, f"{label} at {block.step}", act)


def _told(values: Mapping[str, str], options: tuple[str, ...]) -> str:
    return ", ".join([*(f"{slot}={value!r}" for slot, value in values.items()), *options])


def _act_text(act: Act) -> str:
    return f"say {act.text!r}" if isinstance(act, Say) else f"tap {getattr(act, 'option', '')}"


def _searches(block: Block, text: str, at: int, seen: int | None) -> Iterator[Move]:
    pages: tuple[PageMove, ...] = ("first", "next", "previous")
    for page in pages:
        found = Search(question=block.question, revision=block.revision, query=text, page=page, at=at, seen=seen)
        yield _move("search a picker", f"{text!r}, {page} page", found)
