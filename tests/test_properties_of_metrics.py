"""What must hold of a comparison by any metric, whatever it takes."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat
from deadheat import Comparison
from deadheat.metrics import metric
from deadheat.resampling import exchange
from generated import mirrored, numbers, p_values
from oracles.made import ASKED, FAMILIES, table

CORPUS = tuple(name for name in ASKED if not getattr(metric(name), "is_mean", False))
MEANS = tuple(name for name in ASKED if name not in CORPUS)

COMPANIES = tuple(family[:: max(1, len(family) // 5)] for family in FAMILIES if len(family) > 1)
"""Some of the metrics that can be asked for in one call."""


@pytest.fixture(autouse=True)
def soon_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw exchanges where enumerating them takes long; of few items all are enumerated still."""
    monkeypatch.setattr(exchange, "MOST_OUTCOMES", 1_000)


every_metric = pytest.mark.parametrize("name", ASKED)


def compared(data: pl.DataFrame, name: Any, **options: Any) -> Any:
    usual = {"baseline": "a", "candidate": "b", "n_resamples": 299, "threads": 1}
    return deadheat.compare(data, metric=name, **(usual | {"method": "percentile"} | options))


@cache
def usual(name: str, n: int = 24) -> tuple[pl.DataFrame, Comparison]:
    """Return a table of a few items, enough that exchanges have to be drawn, and what it says."""
    data = table(name, n, seed=5)
    return data, compared(data, name)


def held_mirrored(name: str, there: Comparison, back: Comparison) -> None:
    """Drawn and enumerated numbers mirror to the bit, inverted and convolved ones to rounding."""
    if name in CORPUS:
        mirrored(there, back)
    else:
        mirrored(there, back, ends=1e-10, p=1e-9)
    assert back.difference.estimate == -there.difference.estimate


# -- exchanging the two sides ---------------------------------------------------------------------


@every_metric
def test_swap_mirrors(name: str) -> None:
    data, there = usual(name)
    held_mirrored(name, there, compared(data, name, baseline="b", candidate="a"))


@settings(max_examples=40)
@given(
    name=st.sampled_from(ASKED),
    n=st.integers(1, 9),
    seed=st.integers(0, 2**20),
    alternative=st.sampled_from(["less", "greater"]),
)
def test_swap_mirrors_one_sided_questions_on_few_items(
    name: str, n: int, seed: int, alternative: str
) -> None:
    data = table(name, n, seed)
    there = compared(data, name, alternative=alternative)
    other = {"less": "greater", "greater": "less"}[alternative]
    back = compared(data, name, alternative=other, baseline="b", candidate="a")
    mirrored(there, back, ends=1e-10, p=1e-9)


@every_metric
def test_swap_mirrors_the_automatic_interval(name: str) -> None:
    data = table(name, 7, seed=3)
    there = compared(data, name, method="auto")
    back = compared(data, name, method="auto", baseline="b", candidate="a")
    # The p-value of a BCa interval goes through normal quantiles, which round unlike their mirror.
    mirrored(there, back, ends=0.0 if name in CORPUS else 1e-10, p=1e-9)


# -- orders and company that must not matter ------------------------------------------------------


@every_metric
def test_order_of_rows_and_further_systems_change_nothing(name: str) -> None:
    """Rows have ids; a third system in the same table is none of the two's business."""
    three = table(name, 24, seed=5, systems=("a", "b", "c"))
    alone = compared(three.filter(pl.col("system") != "c"), name)
    shuffled = three.sample(fraction=1.0, shuffle=True, seed=1)
    assert compared(shuffled, name).to_dict() == alone.to_dict()


@pytest.mark.parametrize("name", CORPUS)
def test_threads_change_no_bit(name: str) -> None:
    """Blocks are of 256 resamples, so that three threads have one each."""
    data, _ = usual(name)
    one, two, three = (
        numbers(compared(data, name, n_resamples=700, threads=threads)) for threads in (1, 2, 3)
    )
    assert one == two == three


@pytest.mark.parametrize("family", COMPANIES, ids=lambda family: family[0])
def test_a_metric_says_the_same_in_company(family: tuple[str, ...]) -> None:
    """Estimates and exact intervals to the bit; drawn ends within their Monte Carlo errors."""
    data = table(family[0], 40, seed=2)
    together = compared(data, list(family), n_resamples=1_999)
    assert [found.metric for found in together] == list(family)
    for name, found in zip(family, together, strict=True):
        alone = compared(data, name, n_resamples=1_999)
        one, two = alone.difference, found.difference
        assert one.estimate == two.estimate
        assert (alone.baseline.value, alone.candidate.value) == (
            found.baseline.value,
            found.candidate.value,
        )
        assert one.exact == two.exact
        if one.exact:
            assert numbers(alone) == numbers(found) | {"planning": numbers(alone)["planning"]}
            continue
        error = 1.5 * (one.interval.monte_carlo_error + two.interval.monte_carlo_error)
        assert two.interval.low == pytest.approx(one.interval.low, abs=error), name
        assert two.interval.high == pytest.approx(one.interval.high, abs=error), name
        # Standard errors from R draws vary by 1 / sqrt(2 R) of themselves, more with long tails.
        assert two.standard_error == pytest.approx(one.standard_error, rel=0.12), name


# -- more of the same -----------------------------------------------------------------------------


@every_metric
def test_every_item_twice_keeps_the_value(name: str) -> None:
    data, once = usual(name)
    again = data.with_columns(pl.col("item") + " again")
    twice = compared(pl.concat([data, again]), name)
    assert twice.items.n == 2 * once.items.n
    for side in ("baseline", "candidate"):
        assert getattr(twice, side).value == pytest.approx(getattr(once, side).value, rel=1e-12)
    assert twice.difference.estimate == pytest.approx(once.difference.estimate, abs=1e-11)
    # Metrics of sums and of weights alike settle with the root of the number of items.
    ratio = twice.difference.standard_error / once.difference.standard_error
    assert 0.5 < ratio < 0.9


@every_metric
def test_identical_systems_differ_by_nothing(name: str) -> None:
    data, _ = usual(name)
    first = data.filter(pl.col("system") == "a")
    found = compared(pl.concat([first, first.with_columns(system=pl.lit("b"))]), name)
    assert found.difference.estimate == 0.0
    assert found.difference.standard_error == 0.0
    assert found.reading.code in ("degenerate", "unresolved")
    assert found.difference.interval.low <= 0.0 <= found.difference.interval.high
    assert found.difference.tests[0].p_value == 1.0
    assert {p for p in p_values(found) if not math.isnan(p)} == {1.0}


# -- one system on its own ------------------------------------------------------------------------


@every_metric
def test_score_agrees_with_compare(name: str) -> None:
    """The value to the bit; its interval around it, from draws of one system's types alone."""
    data, there = usual(name)
    card = deadheat.score(data, metric=name, n_resamples=299, threads=1)
    values = {row.system: row.value for row in card.systems}
    assert values == {"a": there.baseline.value, "b": there.candidate.value}
    for row in card.systems:
        assert row.interval.low <= row.value <= row.interval.high


# -- sides that are not paired --------------------------------------------------------------------


@every_metric
def test_unpaired_swap_mirrors(name: str) -> None:
    data, there = usual(name, 12)
    apart = compared(data, name, paired=False)
    assert apart.difference.estimate == pytest.approx(there.difference.estimate, abs=1e-12)
    back = compared(data, name, paired=False, baseline="b", candidate="a")
    mirrored(apart, back, ends=0.0 if name in CORPUS else 1e-10, p=1e-9)
    # The two sides are the same items, whatever was done with their runs.
    assert apart.items.matched == 12
    assert "pairing_discarded" in {note.code for note in apart.notes}
