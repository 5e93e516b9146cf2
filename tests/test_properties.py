"""What must hold of a comparison as a whole, whatever the data are."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deadheat
from generated import (
    ALTERNATIVES,
    BINARY,
    FEW,
    MIRRORED,
    Data,
    any_scores,
    drawn,
    labels,
    mirrored,
    numbers,
    p_values,
    scores,
    some_labels,
)

# -- exchanging the two sides ---------------------------------------------------------------------


@FEW
@given(
    data=st.sampled_from(["binary", "graded"]).flatmap(scores),
    alternative=st.sampled_from(ALTERNATIVES),
    paired=st.booleans(),
)
def test_swap_negates_exactly(data: Data, alternative: str, paired: bool) -> None:
    there = deadheat.compare(data, alternative=alternative, paired=paired)
    back = deadheat.compare(
        data, baseline="b", candidate="a", alternative=MIRRORED[alternative], paired=paired
    )
    # Tails that are sums of many terms round in the order of the terms.
    mirrored(there, back, p=1e-12)


@settings(max_examples=10)
@given(data=scores("real"), alternative=st.sampled_from(ALTERNATIVES))
def test_swap_negates_means_of_real_scores(data: Data, alternative: str) -> None:
    there = deadheat.compare(data, alternative=alternative)
    back = deadheat.compare(data, baseline="b", candidate="a", alternative=MIRRORED[alternative])
    assume(there.difference.exact)
    # Sums of a mirrored series may round in another order.
    scale = max(1.0, *map(abs, data["a"]), *map(abs, data["b"]))
    mirrored(there, back, ends=1e-12 * scale, p=1e-9)


def rare_wins(n: int) -> Data:
    """A few real differences among zeros: no lattice, and too few to invert."""
    rng = np.random.default_rng(0)
    return {"a": [0.0] * n, "b": (rng.standard_exponential(n) * (rng.random(n) < 0.2)).tolist()}


@pytest.mark.parametrize(
    ("method", "paired"), [("percentile", True), ("studentized", True), ("percentile", False)]
)
def test_swap_negates_drawn_means(method: str, paired: bool) -> None:
    options: dict[str, Any] = {"method": method, "paired": paired, "n_resamples": 499}
    there = deadheat.compare(rare_wins(40), **options)
    assert not there.difference.exact
    mirrored(there, deadheat.compare(rare_wins(40), baseline="b", candidate="a", **options))


@FEW
@given(case=labels(), metric=st.sampled_from(["macro_f1", "mcc", "balanced_accuracy"]))
def test_swap_negates_drawn_numbers(case: tuple[Data, list[str]], metric: str) -> None:
    data, references = case
    for paired in (True, False):
        there = drawn(data, references, metric=metric, paired=paired)
        back = drawn(data, references, metric=metric, paired=paired, baseline="b", candidate="a")
        mirrored(there, back)


@pytest.mark.parametrize("method", BINARY)
@settings(max_examples=8)
@given(data=scores("binary"))
def test_swap_negates_every_method_for_0_1_scores(method: str, data: Data) -> None:
    there = deadheat.compare(data, method=method)
    back = deadheat.compare(data, method=method, baseline="b", candidate="a")
    mirrored(there, back, ends=1e-12, p=1e-9)


# -- which way ------------------------------------------------------------------------------------


@FEW
@given(data=any_scores, paired=st.booleans())
def test_difference_is_candidate_minus_baseline(data: Data, paired: bool) -> None:
    found = deadheat.compare(data, paired=paired)
    assert found.baseline.value == pytest.approx(np.mean(data["a"]), abs=1e-9)
    assert found.candidate.value == pytest.approx(np.mean(data["b"]), abs=1e-9)
    assert found.difference.estimate == pytest.approx(
        np.mean(data["b"]) - np.mean(data["a"]), abs=1e-9
    )


@pytest.mark.parametrize("kind", ["binary", "graded", "real"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_candidate_that_wins_everywhere_is_greater(kind: str, alternative: str) -> None:
    gains = {"binary": [1.0] * 15, "graded": [0.25, 0.5, 0.75] * 5, "real": np.linspace(1, 2, 15)}
    found = deadheat.compare(
        {"a": [0.0] * 15, "b": list(gains[kind])}, metric="mean", alternative=alternative
    )
    interval = found.difference.interval
    assert interval.excludes(0.0) == (alternative != "less")
    assert interval.high > 0.0
    rejected = {test.name for test in found.difference.tests if test.p_value < 0.05}
    assert bool(rejected) == (alternative != "less")


# -- orders that must not matter ------------------------------------------------------------------


@FEW
@given(data=any_scores, seed=st.integers(0, 2**32 - 1))
def test_order_of_array_items_changes_no_number(data: Data, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(data["a"]))
    shuffled = {name: np.asarray(column)[order] for name, column in data.items()}
    one, two = deadheat.compare(data), deadheat.compare(shuffled)
    assert one.to_dict()["difference"] == two.to_dict()["difference"]
    assert one.baseline.interval == two.baseline.interval
    # Sums over items as they stand may round in the order of the items.
    nearly = {"rel": 1e-9, "abs": 1e-12, "nan_ok": True}
    assert one.baseline.value == pytest.approx(two.baseline.value, **nearly)
    assert p_values(one) == pytest.approx(p_values(two), **nearly)


@FEW
@given(data=any_scores, seed=st.integers(0, 2**32 - 1))
def test_order_of_identified_rows_changes_no_bit(data: Data, seed: int) -> None:
    table = pl.DataFrame({"item": [f"q{i:02}" for i in range(len(data["a"]))], **data})
    options: dict[str, Any] = {"systems": ("a", "b")}
    one = deadheat.compare(table, **options).to_dict()
    two = deadheat.compare(table.sample(fraction=1.0, shuffle=True, seed=seed), **options)
    assert two.to_dict() == one


@settings(max_examples=15)
@given(case=labels(), seed=st.integers(0, 2**32 - 1))
def test_order_of_items_changes_no_drawn_bit(case: tuple[Data, list[str]], seed: int) -> None:
    data, references = case
    order = np.random.default_rng(seed).permutation(len(references))
    shuffled = {name: np.asarray(column)[order] for name, column in data.items()}
    one = drawn(data, references)
    two = drawn(shuffled, np.asarray(references)[order].tolist())
    assert numbers(one) == numbers(two)


@settings(max_examples=15)
@given(case=labels(), paired=st.booleans())
def test_order_of_systems_changes_no_drawn_bit(case: tuple[Data, list[str]], paired: bool) -> None:
    data, references = case
    sides = {"baseline": "a", "candidate": "b", "paired": paired}
    one = drawn({"a": data["a"], "b": data["b"]}, references, **sides)
    two = drawn({"b": data["b"], "a": data["a"]}, references, **sides)
    assert numbers(one) == numbers(two)


@settings(max_examples=15)
@given(case=labels())
def test_threads_change_no_bit(case: tuple[Data, list[str]]) -> None:
    data, references = case
    one = drawn(data, references, n_resamples=700, threads=1)
    two = drawn(data, references, n_resamples=700, threads=2)
    assert numbers(one) == numbers(two)


# -- more of the same data ------------------------------------------------------------------------


@FEW
@given(data=any_scores)
def test_duplicated_items_halve_the_variance(data: Data) -> None:
    once = deadheat.compare(data)
    twice = deadheat.compare({name: column * 2 for name, column in data.items()})
    n = once.items.n
    assert twice.items.n == 2 * n
    scale = max(1.0, *map(abs, data["a"]), *map(abs, data["b"]))
    assert twice.difference.estimate == pytest.approx(once.difference.estimate, abs=1e-12 * scale)
    if once.difference.varies:
        assert twice.difference.standard_error < once.difference.standard_error
        # The variance of a mean is sum of squares / (n (n - 1)): the sum doubles.
        shrunk = ((2 * n * (n - 1)) / (2 * n * (2 * n - 1))) ** 0.5
        assert twice.difference.standard_error == pytest.approx(
            once.difference.standard_error * shrunk, rel=1e-6
        )


def test_duplicated_items_shrink_a_drawn_standard_error() -> None:
    data, references = some_labels(60)
    once = drawn(data, references, n_resamples=1_999)
    twice = drawn(
        {name: column * 2 for name, column in data.items()}, references * 2, n_resamples=1_999
    )
    assert twice.items.n == 2 * once.items.n
    assert twice.difference.estimate == pytest.approx(once.difference.estimate, abs=1e-15)
    ratio = twice.difference.standard_error / once.difference.standard_error
    assert ratio == pytest.approx(0.5**0.5, rel=0.08)


# -- systems that do the same ---------------------------------------------------------------------


@FEW
@given(data=any_scores)
def test_identical_scores_differ_by_nothing(data: Data) -> None:
    found = deadheat.compare({"a": data["a"], "b": list(data["a"])})
    assert found.difference.estimate == 0.0
    assert found.reading.code == "degenerate"
    assert all(p == 1.0 for p in p_values(found) if not np.isnan(p))
    assert found.difference.tests[0].p_value == 1.0


@settings(max_examples=15)
@given(case=labels())
def test_identical_outputs_differ_by_nothing(case: tuple[Data, list[str]]) -> None:
    data, references = case
    found = drawn({"a": data["a"], "b": list(data["a"])}, references)
    assert found.difference.estimate == 0.0
    assert found.reading.code == "degenerate"
    assert p_values(found) == [1.0, 1.0]


# -- seeds ----------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(data=st.sampled_from(["binary", "graded"]).flatmap(scores))
def test_seed_is_nothing_to_exact_numbers(data: Data) -> None:
    assert deadheat.compare(data, rng=1).to_dict() == deadheat.compare(data, rng=2).to_dict()


def test_seed_changes_drawn_numbers_within_their_error() -> None:
    data, references = some_labels(80)
    one = drawn(data, references, rng=1, n_resamples=1_999).to_dict()
    two = drawn(data, references, rng=2, n_resamples=1_999).to_dict()
    ends = [told["difference"]["interval"] for told in (one, two)]
    assert (ends[0]["low"], ends[0]["high"]) != (ends[1]["low"], ends[1]["high"])
    error = ends[0]["monte_carlo_error"] + ends[1]["monte_carlo_error"]
    assert abs(ends[0]["low"] - ends[1]["low"]) <= 1.5 * error
    assert abs(ends[0]["high"] - ends[1]["high"]) <= 1.5 * error
    assert (one["resampling"]["seed"], two["resampling"]["seed"]) == (1, 2)
    for path in ("metric", "items", "unit", "counts", "comparisons", "pairing"):
        assert one[path] == two[path]
    assert one["difference"]["estimate"] == two["difference"]["estimate"]
    for side in ("baseline", "candidate"):
        assert one[side]["value"] == two[side]["value"]
        assert one[side]["hash"] == two[side]["hash"]


def test_seed_is_stated_where_only_a_test_was_drawn() -> None:
    """A number that was drawn cannot be recomputed from a line that says only `exact`."""
    rng = np.random.default_rng(0)
    heavy = np.exp(3 * rng.normal(size=60)) * rng.choice([-1, 1], 60)
    found = deadheat.compare(np.zeros(60), heavy, method="student_t", n_resamples=499)
    assert found.difference.exact
    assert found.difference.tests[0].n_resamples == 499
    assert "499/seed:0" in found.signature
    assert found.to_dict()["resampling"]["seed"] == 0
