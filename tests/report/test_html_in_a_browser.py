"""HTML reports in Chromium: accessible in light and dark and on a phone, printed, pointed at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from report.results import BOARDS, COMPARISONS, scorecard

MAKERS: dict[str, Any] = {
    "unresolved": COMPARISONS["unresolved"],
    "mean": COMPARISONS["mean"],
    "board": BOARDS["board"],
    "boards": BOARDS["boards"],
    "scorecard": scorecard,
}


def opened(browser: Browser, folder: Path, name: str, **options: Any) -> tuple[Page, list[str]]:
    """Open a report; what the console says and what is asked for is kept."""
    file = folder / f"{name}.html"
    file.write_text(MAKERS[name]().to_html(), encoding="utf-8")
    page = browser.new_context(**options).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url))
    page.goto(file.as_uri())
    assert said.pop(0) == file.as_uri()
    return page, said


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1000, 375])
@pytest.mark.parametrize("name", MAKERS)
def test_axe_finds_no_fault(
    name: str, width: int, scheme: str, browser: Browser, tmp_path: Path
) -> None:
    page, said = opened(
        browser,
        tmp_path,
        name,
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
        bypass_csp=True,
    )
    found = Axe().run(page).response["violations"]
    assert not [(fault["id"], fault["impact"], fault["nodes"][0]["html"]) for fault in found]
    # Nothing but the boxes of tables and figures is wider than the screen.
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert said == []
    page.context.close()


def test_pointing_at_a_mark_shows_its_numbers(browser: Browser, tmp_path: Path) -> None:
    page, said = opened(browser, tmp_path, "board")
    mark = page.locator(".dh-hit").first
    mark.hover()
    tip = page.locator(".dh-tip")
    assert tip.is_visible()
    assert tip.inner_text() == mark.get_attribute("aria-label")
    assert "owl" in tip.inner_text()
    page.mouse.move(2, 2)
    assert not tip.is_visible()
    mark.focus()
    assert tip.is_visible()
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    assert said == []
    page.context.close()


def test_it_prints_on_paper(browser: Browser, tmp_path: Path) -> None:
    page, said = opened(browser, tmp_path, "unresolved", color_scheme="dark")
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    page.emulate_media(media="print")
    ink, paper = (
        page.evaluate(f"getComputedStyle(document.querySelector('.deadheat')).{part}")
        for part in ("color", "backgroundColor")
    )
    assert paper == "rgb(255, 255, 255)"
    assert max(int(part) for part in ink[4:-1].split(",")) < 80
    assert said == []
    page.context.close()
