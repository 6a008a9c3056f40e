"""The page as a file: one document, nothing from outside, hostile text as text, and small enough."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from marg_reports.page import html_page
from marg_reports.report import TriagedRed, TriageReport

MakeRed = Callable[..., TriagedRed]
MakeReport = Callable[..., TriageReport]


class Elements(HTMLParser):
    """Every element of a document with its attributes, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def data_of(page: str) -> list[dict[str, object]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    reds: list[dict[str, object]] = json.loads(found[1])["reds"]
    return reds


def test_nothing_on_the_page_comes_from_outside(every_class: TriageReport) -> None:
    attributes = [value for _, found in Elements(html_page(every_class)).found for value in found.values() if value]
    assert not [value for value in attributes if re.match(r"(https?:)?//", value)]


def test_the_policy_lets_only_the_pages_own_style_and_script_run(every_class: TriageReport) -> None:
    policy = next(found["content"] for tag, found in Elements(html_page(every_class)).found if "http-equiv" in found)
    assert re.fullmatch(
        r"default-src 'none'; img-src data:; style-src 'sha256-\S+'; script-src 'sha256-\S+'", policy or ""
    )


@pytest.mark.parametrize(
    "text", ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!--", "a\x00"]
)
def test_hostile_text_adds_no_element(text: str, red: MakeRed, report: MakeReport) -> None:
    plain, hostile = (Elements(html_page(report([red(1, text=one)]))).found for one in ("x", text))
    assert [tag for tag, _ in hostile] == [tag for tag, _ in plain]


def test_the_class_of_every_red_is_in_its_data(every_class: TriageReport) -> None:
    assert [red["class"] for red in data_of(html_page(every_class))] == [red.red_class for red in every_class.reds]


def test_ten_thousand_reds_are_less_than_five_megabytes_and_all_there(ten_thousand: TriageReport) -> None:
    page = html_page(ten_thousand)
    assert len(page.encode()) < 5_000_000
    assert len(data_of(page)) == 10_000


def test_a_few_reds_keep_all_of_their_talk(red: MakeRed, report: MakeReport) -> None:
    assert data_of(html_page(report([red(1)])))[0]["talk"] == [
        [1, "user", "Shall I create this?"],
        [1, "model", "Noted."],
    ]


def test_the_same_report_gives_the_same_bytes(every_class: TriageReport) -> None:
    assert html_page(every_class) == html_page(every_class)
