"""A page that is served within the test, and what it takes to use it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from local_page import Page, opened


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    with opened() as found:
        yield found
