"""GitLab's code quality report: each red at its scenario's line, in the merge request's changes."""

from __future__ import annotations

import json
from hashlib import sha256

from marg_reports.render.body import headline, message
from marg_reports.render.plain_text import visible
from marg_reports.report import TriagedRed, TriageReport
from marg_reports.triage.words import RedClass

_SEVERITIES: dict[RedClass, str] = {
    "regression": "blocker",
    "unclassified": "critical",
    "pre_existing": "minor",
    "brittle_check": "minor",
    "model_flake": "info",
    "transport": "info",
}


def code_quality_json(report: TriageReport) -> str:
    """The JSON list; fingerprints derive from the red's id, so that GitLab joins a red across runs."""
    return json.dumps([_issue(red) for red in report.reds], ensure_ascii=False, sort_keys=True) + "\n"


def _issue(red: TriagedRed) -> dict[str, object]:
    return {
        "description": f"{headline(red)}: {message(red)}",
        "check_name": f"red.{red.red_class}",
        "fingerprint": sha256(red.place.id.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": _SEVERITIES[red.red_class],
        # GitLab takes no issue without a path; a test whose file is unknown has its suite's name in its place.
        "location": {"path": visible(red.place.source or red.place.suite), "lines": {"begin": max(1, red.place.line)}},
    }
