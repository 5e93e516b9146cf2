"""Metrics of the whole set: the exchange test asks about the difference that is reported."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import f1_score

import deadheat


def stray_label() -> tuple[list[str], list[str], list[str]]:
    """Only the candidate gives a label that no reference has."""
    references = ["a"] * 40 + ["b"] * 20
    baseline, candidate = references[:], references[:]
    baseline[:12] = ["b"] * 12
    candidate[:6] = ["c"] * 6
    return references, baseline, candidate


def test_statistic_of_the_exchange_is_the_estimate() -> None:
    references, baseline, candidate = stray_label()
    found = deadheat.compare(baseline, candidate, references=references, metric="macro_f1")
    judged = [f1_score(references, given, average="macro") for given in (baseline, candidate)]
    assert found.difference.estimate == pytest.approx(judged[1] - judged[0], abs=1e-14)
    (swap,) = found.difference.tests
    assert swap.statistic == pytest.approx(found.difference.estimate, abs=1e-14)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_exchange_against_all_exchanges_scored_by_scikit_learn(alternative: str) -> None:
    """Every one of the 2^9 exchanges, scored as a system of its own, stray labels and all."""
    references = list("aaabbbbaa")
    systems = np.array([list("aabbbbaaa"), list("acabbcbab")])
    estimates = []
    for pattern in product((0, 1), repeat=9):
        mask = np.array(pattern)
        sides = [np.where(mask == k, systems[0], systems[1]) for k in (0, 1)]
        scores = [f1_score(references, side, average="macro", zero_division=0) for side in sides]
        estimates.append(scores[1] - scores[0])
    null = np.array(estimates)
    observed = null[0]
    at_least = np.mean(null >= observed - 1e-12)
    at_most = np.mean(null <= observed + 1e-12)
    expected = {
        "greater": at_least,
        "less": at_most,
        "two-sided": np.mean(np.abs(null) >= abs(observed) - 1e-12),
    }[alternative]
    found = deadheat.compare(
        *systems.tolist(), references=references, metric="macro_f1", alternative=alternative
    )
    assert found.difference.estimate == pytest.approx(observed, abs=1e-14)
    assert found.difference.tests[0].exact
    assert found.difference.tests[0].p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "method", "why"),
    [
        (99, "expanded", "small n: 99 items"),
        (100, "bca_t", "100 items"),
    ],
)
def test_the_automatic_interval_of_a_difference_and_its_reason(
    n: int, method: str, why: str
) -> None:
    rng = np.random.default_rng(n)
    references, baseline, candidate = rng.integers(0, 2, (3, n))
    found = deadheat.compare(
        np.where(baseline, references, 0),
        np.where(candidate, references, 0),
        references=references,
        metric="macro_f1",
        n_resamples=199,
    ).difference
    assert found.interval.method == method
    (note,) = [note.message for note in found.notes if note.code == "auto_method"]
    assert note == f"interval: {method} (auto: {why})"


def test_means_within_strata_are_as_before_however_few_the_items() -> None:
    rng = np.random.default_rng(3)
    table = pl.DataFrame(
        {
            "item": [f"i{at}" for at in range(40)],
            "a": rng.exponential(size=40),
            "b": rng.exponential(size=40),
            "stratum": ["s", "t"] * 20,
        }
    )
    found = deadheat.compare(table, stratum="stratum", n_resamples=199).difference
    assert found.interval.method == "bca_t"


@pytest.mark.parametrize(
    ("n", "n_resamples", "method"),
    [(2, 9_999, "bca_t"), (3, 9_999, "bca_t"), (4, 9_999, "expanded"), (4, 999, "bca_t")],
)
def test_levels_that_no_draw_lies_beyond_are_not_chosen(
    n: int, n_resamples: int, method: str
) -> None:
    """By hand: Phi(sqrt(4/3) t) is 1.2 draws of 10,000 at n = 4, with t = -3.182 (df 3)."""
    references = (["a", "b"] * n)[:n]
    wrong = ["b", *references[1:]]
    found = deadheat.compare(
        wrong, references, references=references, metric="macro_f1", n_resamples=n_resamples
    )
    assert found.difference.interval.method == method
