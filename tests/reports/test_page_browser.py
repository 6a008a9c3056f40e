"""The page in a real browser, opened from a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from marg_reports.page import html_page
from marg_reports.report import TriagedRed, TriageReport

MakeRed = Callable[..., TriagedRed]
MakeReport = Callable[..., TriageReport]
Open = Callable[[TriageReport], Page]

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        message = "no chromium here; install Debian's package of that name"
        if os.environ.get("MARG_REQUIRE") == "1":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        # As root, as CI runs, Chromium has no sandbox; the page is a file of this test's own.
        yield playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    troubles: list[str] = []
    asked: list[str] = []

    def opened(report: TriageReport) -> Page:
        file = tmp_path / "report.html"
        file.write_text(html_page(report), encoding="utf-8")
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        return page

    yield opened
    context.close()
    assert troubles == []
    assert [url for url in asked if not url.startswith("file:")] == []


def test_each_class_is_a_column_with_its_count_and_its_reds(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    for name in ("regression", "unclassified", "pre_existing", "brittle_check", "model_flake", "transport"):
        column = page.locator(f".column[data-class={name}]")
        expect(column.locator(".number")).to_have_text("1")
        expect(column.locator(".card")).to_have_count(1)


def test_a_red_opens_with_its_evidence_its_talk_and_its_difference(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.locator(".column[data-class=regression] .card").click()
    detail = page.locator("#detail")
    expect(detail.locator(".square")).to_have_count(2)
    expect(detail.locator(".talk li")).to_have_count(2)
    expect(detail.locator("table").first).to_contain_text("got")


def test_search_narrows_what_is_shown_and_says_how_many(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.locator("#search").fill("transport")
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator("#found")).to_have_text("1 of 6 reds")


def test_the_owner_filters(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.locator("#owner").select_option("model")
    expect(page.locator(".card .name")).to_have_text(["model_flake.wording"])


def test_the_keyboard_alone_moves_opens_and_closes(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.keyboard.press("j")
    expect(page.locator("#detail h2")).to_contain_text("regression")
    page.keyboard.press("j")
    expect(page.locator("#detail h2")).to_contain_text("unclassified")
    page.keyboard.press("k")
    expect(page.locator("#detail h2")).to_contain_text("regression")
    page.keyboard.press("Escape")
    expect(page.locator("#detail")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()


def test_the_command_that_would_decide_can_be_copied(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.locator(".column[data-class=unclassified] .card").click()
    expect(page.locator(".command code")).to_have_text("marg triage run.jsonl --base REV")
    page.locator(".command .copy").click()
    expect(page.locator(".command .copy")).to_have_text("Copied")


def test_dark_mode_changes_the_ground(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)

    def ground() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = ground()
    page.locator("#theme").click()
    assert ground() != light


def test_hostile_text_is_shown_as_it_is(show: Open, red: MakeRed, report: MakeReport) -> None:
    text = "<script>alert(1)</script> [/b] \x1b[31m"
    page = show(report([red(1, text=text)]))
    page.locator(".card").click()
    expect(page.locator(".talk .text").first).to_have_text("<script>alert(1)</script> [/b] \\x1b[31m")


ATTACKS = (
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<svg/onload=window.ran=1>",
    "</script><script>window.ran = 1</script>",
    "<!--<script>window.ran = 1",
    "javascript:window.ran=1",
    "'\"><iframe srcdoc='<script>parent.ran = 1</script>'>",
    "{{ 7 * 7 }} ${window.ran = 1}",
)


def test_no_script_of_a_reports_content_runs_in_any_place_of_the_page(
    show: Open, red: MakeRed, report: MakeReport
) -> None:
    attacked = [red(number, text=text) for number, text in enumerate(ATTACKS, start=1)]
    everywhere = [
        replace(
            one,
            place=replace(one.place, path=f"{text}.yaml", turn=text, check=text, file=text),
            verdict=replace(one.verdict, command=text, nearest=text),
            squares=tuple(replace(square, says=f"same {text}", command=text) for square in one.squares),
        )
        for one, text in zip(attacked, ATTACKS, strict=True)
    ]
    page = show(report(everywhere))
    for _ in ATTACKS:
        page.keyboard.press("j")
        expect(page.locator("#detail")).to_be_visible()
    page.locator("#search").fill("<script>")
    page.reload()
    assert page.evaluate("window.ran") is None
    assert page.locator("img, iframe, body script").count() == 2  # the data and the page's own


def test_ten_thousand_reds_can_be_searched(show: Open, ten_thousand: TriageReport) -> None:
    page = show(ten_thousand)
    expect(page.locator("#found")).to_have_text("10,000 of 10,000 reds")
    expect(page.locator(".card")).to_have_count(50)
    page.locator("#search").fill("scenarios/04321.yaml")
    expect(page.locator("#found")).to_have_text("1 of 10,000 reds")


def test_a_link_to_a_red_opens_it(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.locator(".column[data-class=transport] .card").click()
    page.reload()
    expect(page.locator("#detail h2")).to_contain_text("transport")


def test_on_paper_the_filters_are_gone(show: Open, every_class: TriageReport) -> None:
    page = show(every_class)
    page.emulate_media(media="print")
    expect(page.locator("#filters")).to_be_hidden()
