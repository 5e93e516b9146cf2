"""Someone in front of a page of the local page, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

SHOTS = Path(__file__).parents[1] / "build" / "screenshots"
"""Kept as output of the check, to be looked at."""


class Visitor:
    """Someone in front of one page.

    Attributes
    ----------
    page : Page
    complaints : list of str
        Errors of the console and of scripts.
    hosts : set of str
        That were asked for something.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        page.set_default_timeout(20_000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.complaints.append(said.text)

    def __getitem__(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def answered(self, reading: str | re.Pattern[str] = "") -> Locator:
        """Wait until the page has answered all that was asked; its reading."""
        expect(self["#state"]).to_have_text(re.compile(r"^Done"))
        found = self["#result"]
        expect(found).to_contain_text(reading)
        expect(found).to_have_attribute("aria-busy", "false")
        return found

    def refused(self, words: str | re.Pattern[str]) -> Locator:
        """Wait until the page says why it does not answer."""
        problem = self["#problem"]
        expect(problem).to_contain_text(words)
        return problem

    def paste(self, text: str) -> None:
        self["#text"].fill(text)

    def option(self, name: str, value: str) -> None:
        """Fill in an option; where it is folded away, unfold it."""
        field = self[f'[data-kind][name="{name}"]']
        field.evaluate("field => { const d = field.closest('details'); if (d) d.open = true; }")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)

    def drop(self, *paths: Path) -> None:
        """Drop files or folders onto the page, as the system does."""
        session = self.page.context.new_cdp_session(self.page)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            session.send(
                "Input.dispatchDragEvent", {"type": kind, "x": 100, "y": 300, "data": data}
            )

    def download(self, name: str) -> str:
        """Download a file by its link; what it holds."""
        with self.page.expect_download() as waited:
            self[f'#downloads a[download="{name}"]'].click()
        assert waited.value.suggested_filename == name
        return Path(waited.value.path()).read_text(encoding="utf-8")

    def shot(self, name: str) -> None:
        """Keep a picture of the whole page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


Visit = Callable[..., Visitor]
"""Open a page by its name."""
