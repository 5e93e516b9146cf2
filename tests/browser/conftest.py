"""A real browser on a page that is served within the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from local_page import opened
from visitor import Visit, Visitor


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with opened() as served:
        yield str(served.client.base_url).rstrip("/")


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Open pages; at the end nothing was complained of, and no other host was asked."""
    visitors: list[Visitor] = []

    def visited(name: str = "compare", *, wide: int = 1280, **settings: Any) -> Visitor:
        context = browser.new_context(viewport={"width": wide, "height": 900}, **settings)
        visitors.append(Visitor(context.new_page()))
        visitors[-1].page.goto(f"{address}/{name}")
        return visitors[-1]

    yield visited
    for visitor in visitors:
        visitor.page.context.close()
        assert visitor.complaints == []
        # What is made within the page, such as a file to save, has no host.
        assert visitor.hosts <= {urlsplit(address).netloc, ""}
