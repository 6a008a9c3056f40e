"""The page: the template filled in, with its own style and script and a policy that lets nothing else run."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from marg_reports.page.chart import class_chart, scenario_chart
from marg_reports.page.data import page_data
from marg_reports.report import CLASSES, TriageReport
from marg_runtime.numbers import count, of, plural


def html_page(report: TriageReport) -> str:
    """The whole page; the same report gives the same bytes."""
    script, style = _file("page.js"), _file("page.css")
    passed = len(report.checks) - len(report.reds) - report.invalid
    # Everything that is marked as safe is ours or was escaped where it was made; the rest the template escapes.
    return _template().render(
        policy=Markup(f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'"),
        style=Markup(style),
        script=Markup(script),
        data=Markup(page_data(report)),
        class_chart=Markup(class_chart(report)),
        scenario_chart=Markup(scenario_chart(report)),
        classes=[(name, name.replace("_", " "), count(report.counts()[name])) for name in CLASSES],
        reds=plural(len(report.reds), "reds"),
        scenarios=plural(report.scenarios, "scenarios"),
        passed=of(passed, len(report.checks)),
        invalid=count(report.invalid),
        head=report.head,
        base=report.base,
        version=report.version,
    )


def style_sheet() -> str:
    """The style sheet of the page, for other pages of the same look."""
    return _file("page.css")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_file("page.html.jinja"))


@cache
def _file(name: str) -> str:
    return files("marg_reports.page").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
