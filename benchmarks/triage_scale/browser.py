"""The page of ten thousand reds in Debian's Chromium, from a file: when it can be used, and how soon it answers.

Times are of the page's own clock, from what a person does until the page has been laid out with its answer.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

_ANSWER = """
async ([selector, value, key]) => {
  const began = performance.now();
  if (selector) {
    const field = document.querySelector(selector);
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", {bubbles: true}));
  } else {
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  }
  document.body.getBoundingClientRect();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - began;
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageUse:
    """Milliseconds: until the page was loaded and drawn, and until it had answered a search, a filter and a key.

    found: what it then said of the search. troubles: errors of its script; asked: requests beyond the file.
    """

    load: float
    search: float
    filter: float
    key: float
    found: str
    opened: str
    troubles: tuple[str, ...]
    asked: tuple[str, ...]
    heap_bytes: int


def page_use(file: Path, *, search: str, screenshot: Path | None = None) -> PageUse | None:
    """Open a page and use it; None where there is no Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        troubles: list[str] = []
        asked: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith("file:") else asked.append(request.url))
        page.goto(file.as_uri())
        load = float(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        answered = _answered(page, search)
        if screenshot is not None:
            page.screenshot(path=str(screenshot))
        heap = int(page.evaluate("performance.memory.usedJSHeapSize"))
        browser.close()
    return replace(answered, load=load, troubles=tuple(troubles), asked=tuple(asked), heap_bytes=heap)


def _answered(page: Page, search: str) -> PageUse:
    """Search, filter and press a key; what the page answered and how soon, the rest still empty."""

    def answer(selector: str, value: str, key: str) -> float:
        return float(page.evaluate(_ANSWER, [selector, value, key]))

    searched = answer("#search", search, "")
    found = page.locator("#found").inner_text()
    answer("#search", "", "")
    filtered = answer("#owner", "model", "")
    answer("#owner", "", "")
    key = answer("", "", "j")
    opened = page.locator("#detail h2").inner_text()
    return PageUse(
        load=0.0,
        search=searched,
        filter=filtered,
        key=key,
        found=found,
        opened=opened,
        troubles=(),
        asked=(),
        heap_bytes=0,
    )
