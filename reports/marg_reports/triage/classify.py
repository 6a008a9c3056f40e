"""The classifier: evidence in, verdict out. Pure; it reads no message text and knows no history."""

from __future__ import annotations

from collections.abc import Sequence

from marg_reports.triage.cell import IntentCell, LiveCell
from marg_reports.triage.deciding import deciding
from marg_reports.triage.evidence import Evidence
from marg_reports.triage.findings import About, Findings, findings
from marg_reports.triage.rule import Rule
from marg_reports.triage.rules import RULES
from marg_reports.triage.verdict import Tried, Verdict
from marg_reports.triage.words import Confidence

_STATISTICAL = frozenset({"R6", "R6b"})


def classify(evidence: Evidence) -> Verdict:
    """The class of a red: of the first rule that the evidence meets, or unclassified with the command that decides."""
    found = findings(evidence)
    trace = tuple(_tried(rule, found, evidence) for rule in RULES)
    met = [rule for rule in RULES if rule.met(found)]
    nearest = _nearest(found, evidence)
    if not met:
        open_question = deciding(evidence, found)
        return Verdict(
            red_class="unclassified",
            sub=open_question.reason,
            confidence="none",
            rule="R8",
            reason=open_question.reason,
            command=open_question.command,
            nearest=nearest,
            trace=trace,
        )
    rule = min(met, key=lambda other: other.red_class != "regression")
    return Verdict(
        red_class=rule.red_class,
        sub=_sub(rule, evidence),
        confidence=_confidence(rule),
        rule=rule.name,
        statistics=_statistics(rule, evidence),
        also=_also(rule, met, evidence),
        nearest=nearest,
        trace=trace,
    )


def _sub(rule: Rule, evidence: Evidence) -> str:
    """The sub-class, where the rule leaves it to the evidence."""
    intent = evidence.cell("intent")
    if rule.sub == "form" and isinstance(intent, IntentCell):
        return intent.satisfied_by or rule.sub
    if rule.red_class == "transport":
        return evidence.red.wire_kind or ""
    if rule.red_class == "model_flake":
        return evidence.red.flake
    return rule.sub


def _name(rule: Rule, evidence: Evidence) -> str:
    sub = _sub(rule, evidence)
    return f"{rule.red_class}.{sub}" if sub else rule.red_class


def _also(primary: Rule, met: Sequence[Rule], evidence: Evidence) -> tuple[str, ...]:
    names = dict.fromkeys(_name(rule, evidence) for rule in met)
    return tuple(name for name in names if name != _name(primary, evidence))


def _confidence(rule: Rule) -> Confidence:
    return "statistical" if rule.name in _STATISTICAL else "proven"


def _statistics(rule: Rule, evidence: Evidence) -> str:
    live = evidence.cell("live")
    if rule.name not in _STATISTICAL or not isinstance(live, LiveCell):
        return ""
    invalid = f", {live.invalid} invalid" if live.invalid else ""
    return f"head {live.head.hits}/{live.head.of}, base {live.base.hits}/{live.base.of}{invalid}"


def _tried(rule: Rule, found: Findings, evidence: Evidence) -> Tried:
    return Tried(
        rule=rule.name,
        would_be=_name(rule, evidence),
        met=rule.met(found),
        missing=rule.missing(found),
        contradicted_by=tuple(_said(about, found) for about in rule.contradictions(found)),
    )


def _said(about: About, found: Findings) -> str:
    what = about.cell if about.dimension == "outcome" else f"{about.cell} {about.dimension}"
    return f"{what} is {found[about]}"


def _nearest(found: Findings, evidence: Evidence) -> str:
    """The class that one finding keeps away: `would be transport if clean_wire were pass`."""
    for rule in RULES:
        against = rule.contradictions(found)
        if len(against) == 1 and not rule.missing(found):
            about, words = against[0], sorted(rule.needs[against[0]])
            what = about.cell if about.dimension == "outcome" else f"{about.cell} {about.dimension}"
            return f"would be {_name(rule, evidence)} if {what} were {' or '.join(words)}"
    return ""
