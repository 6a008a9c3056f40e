"""How often the model was called, what it was sent, and what of its words was cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.claims import Claim
from marg_runtime.conversation import FactsMessage, Message, UserMessage
from marg_runtime.events.model import ClaimCut, QuestionCut
from marg_scenarios.checks.check import Check, Verdict, as_list, as_mapping, as_texts, equal, lacking, same
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class ModelCallsCheck(Check):
    """How often the model was called in the turn."""

    kind: ClassVar[str] = "model_calls"
    expected: int

    def look(self, observation: Observation) -> Json:
        """The number of requests that the model itself received."""
        return len(observation.requests)

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)


@dataclass(frozen=True, kw_only=True)
class ReceivedCheck(Check):
    """What the model received in the turn: these new facts and no others, these words of the user, the rule.

    None: not looked at. rule: whether every request of the turn carried the skill's rule. tools, no_tools: what it was,
    and was not, offered in the last request; contains, lacks: parts of the messages of that. Where the model received
    nothing, there is no request that could carry the rule, or offer or lack anything: those fail then.
    """

    kind: ClassVar[str] = "received"
    facts: tuple[str, ...] | None = None
    user: str | None = None
    rule: bool | None = None
    tools: tuple[str, ...] = ()
    no_tools: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def look(self, observation: Observation) -> Json:
        """The requests as the model got them, as far as they are looked at."""
        last = observation.requests[-1] if observation.requests else None
        messages = last.messages if last else ()
        users = [message.text for message in messages if isinstance(message, UserMessage)]
        carried = [observation.rule in request.system for request in observation.requests]
        got: dict[str, Json] = {}
        if self.facts is not None:
            got["facts"] = list(observation.facts_received())
        if self.user is not None:
            got["user"] = users[-1] if users else None
        if self.rule is not None:
            got["rule"] = all(carried) if carried else None
        if self.tools or self.no_tools:
            got["tools"] = [tool.name for tool in last.tools] if last else None
        if self.contains or self.lacks:
            got["texts"] = [text for message in messages for text in _texts_of(message)] if last else None
        return got

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare each part, and look for tools and texts."""
        parts = as_mapping(got)
        named: dict[str, Json] = {"facts": self.facts, "user": self.user, "rule": self.rule}
        expected = {name: part for name, part in named.items() if part is not None}
        tools, texts = as_texts(parts.get("tools")), as_texts(parts.get("texts"))
        passed = (
            same(expected, {name: part for name, part in parts.items() if name in named}, form=form)
            and set(self.tools) <= set(tools)
            and not set(self.no_tools) & set(tools)
            and not lacking(self.contains, texts, form=form)
            and len(lacking(self.lacks, texts, form=form)) == len(self.lacks)
            and all(parts[name] is not None for name in ("tools", "texts") if name in parts)
        )
        looked: dict[str, Json] = {
            "tools": self.tools,
            "not offered": self.no_tools,
            "contains": self.contains,
            "lacks": self.lacks,
        }
        return Verdict(passed=passed, expected={**expected, **{k: v for k, v in looked.items() if v}}, got=got)


def _texts_of(message: Message) -> tuple[str, ...]:
    return message.facts if isinstance(message, FactsMessage) else (message.text,)


CLAIMS: Mapping[Claim, str] = {"created": "claim_created", "not_created": "claim_not_created"}
"""How a scenario names a claim that was cut; no step of a domain should have such a key."""


def _cut(cut: QuestionCut | ClaimCut) -> str:
    return cut.step if isinstance(cut, QuestionCut) else CLAIMS[cut.claim]


@dataclass(frozen=True, kw_only=True)
class CutCheck(Check):
    """The sentences of the model's that were removed, all of them, in order: the steps that own their questions, and
    what claims said (one of CLAIMS)."""

    kind: ClassVar[str] = "cut"
    expected: tuple[str, ...]

    def look(self, observation: Observation) -> Json:
        """The cuts in the ledger: the step or the claim, and the sentence."""
        cuts = (entry.event for entry in observation.entries)
        return [{_cut(cut): cut.sentence} for cut in cuts if isinstance(cut, QuestionCut | ClaimCut)]

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare the steps and the claims."""
        steps = [step for cut in as_list(got) for step in as_mapping(cut)]
        return Verdict(passed=same(self.expected, steps, form=form), expected=self.expected, got=got)
