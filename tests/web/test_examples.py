"""Worked examples of the page: what they show is known from elsewhere."""

from __future__ import annotations

import pytest

from deadheat.web.examples import EXAMPLES, example
from local_page import CATALOGUE, Page


def test_the_example_of_compare_has_the_figures_it_is_made_for(page: Page) -> None:
    """110 and 94 of 120 right, 24 against 8 (STATISTICS.md 12, seed 1).

    McNemar's exact p is 2 * P(X <= 8), X binomial with 32 trials and 1/2.
    """
    found = page.numbers(page.result("compare", text=example("compare")["text"]))
    assert found["items"]["n"] == 120
    assert found["baseline"]["value"] == 94 / 120
    assert found["candidate"]["value"] == 110 / 120
    assert found["counts"] == {"both": 86, "only_baseline": 8, "only_candidate": 24, "neither": 2}
    interval = found["difference"]["interval"]
    assert (interval["low"], interval["high"]) == (5 / 120, 27 / 120)
    assert found["difference"]["p_value"] == pytest.approx(0.0042, abs=5e-5)
    assert found["resampling"]["exact"]
    assert found["tests"][0]["p_value"] == pytest.approx(0.0070, abs=5e-5)
    references = [line.split(",")[1] for line in example("compare")["text"].splitlines()[1:]]
    assert {references.count(label) for label in set(references)} == {40}


def test_the_example_of_claim_cannot_be_true(page: Page) -> None:
    """No counts of 400 items give the interval from 1.1 to 1.9 (STATISTICS.md 12, seed 0)."""
    found = page.numbers(page.result("claim", example("claim")["options"]))
    assert found["reading"]["code"] == "inconsistent"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_page_shows_its_example(page: Page, name: str) -> None:
    found = example(name)
    shown = page.client.get(f"/{name}")
    assert shown.status_code == 200
    assert found["title"] in shown.text
    sent = {"text": found["text"]} if "text" in found else {}
    result = page.result(name, found["options"], **sent)
    assert result["title"]
    assert result["html"].startswith("<")


def test_pages_are_those_of_the_commands(page: Page) -> None:
    assert set(EXAMPLES) == set(CATALOGUE) - {"inspect"}
    assert page.client.get("/").headers["location"] == "/compare"
    assert page.client.get("/board").headers["location"] == "/rank"
    for other in ("/inspect", "/check", "/nothing", "/api", "/static"):
        assert page.client.get(other).status_code == 404
