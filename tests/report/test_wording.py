"""Small words that go with numbers."""

from __future__ import annotations

import re

import pytest

import deadheat
from report.results import COMPARISONS, one_item, outcomes

FORMS = ("to_text", "to_markdown")


@pytest.mark.parametrize("form", FORMS)
def test_one_item_is_singular(form: str) -> None:
    shown = getattr(one_item(), form)()
    assert not re.search(r"\b1 items", shown)


@pytest.mark.parametrize("form", FORMS)
def test_undefined_has_no_unit(form: str) -> None:
    assert not re.search(r"undefined (points|%)", getattr(one_item(), form)())


@pytest.mark.parametrize("form", FORMS)
def test_undefined_interval_was_not_found_exactly(form: str) -> None:
    assert "exact (no Monte Carlo)" not in getattr(one_item(), form)()


@pytest.mark.parametrize("name", COMPARISONS)
def test_nothing_is_called_significant(name: str) -> None:
    found = COMPARISONS[name]()
    for shown in (found.to_text(), found.to_markdown(), found.to_json()):
        assert "significan" not in shown.lower()


@pytest.mark.parametrize("name", COMPARISONS)
def test_what_every_output_says(name: str) -> None:
    """DESIGN.md 7: metric, policies with counts, rows, unit, method, draws, comparisons, limits."""
    found = COMPARISONS[name]()
    shown = " ".join(found.to_text().split())
    for part in (
        found.reading.code,
        found.metric_signature,
        found.difference.interval.method,
        found.pairing,
        "null outputs",
        "missing items or scores",
        "dropped",
        "unit of resampling",
        "comparisons",
        "contamination, label errors or distribution shift",
        "difference:candidate-baseline",
        found.items.hash,
    ):
        assert part in shown, part
    assert ("exact" in shown) if found.difference.exact else ("999, seed 0" in shown)


@pytest.mark.parametrize("form", FORMS)
def test_signature_stands_on_one_line(form: str) -> None:
    found = COMPARISONS["unresolved"]()
    assert any(found.signature in line for line in getattr(found, form)().split("\n"))


def test_fields_that_nobody_gave_are_listed() -> None:
    found = deadheat.compare(outcomes(5, 2, 3, 1), about={"a": {"seed": "7", "date": "2026-01-02"}})
    shown = " ".join(found.to_text().split())
    assert "about a" in shown
    assert "seed 7, date 2026-01-02" in shown
    (note,) = [note for note in found.notes if note.code == "not_stated"]
    said_of_a, said_of_b = re.findall(r"[ab]: ([^;.]*)", note.message)
    assert "seed" not in said_of_a
    assert "checkpoint" in said_of_a
    assert "seed" in said_of_b


def test_equal_shares_of_unlike_numbers_of_items_show_their_decimals() -> None:
    """One item is 1/N: no more decimals than that, and enough to tell one item."""
    few = deadheat.compare(outcomes(5, 2, 3, 0)).to_text()
    many = deadheat.compare(outcomes(5_000, 2_000, 3_000, 0)).to_text()
    assert "70%" in few
    assert "70.00%" in many
