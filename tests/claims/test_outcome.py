"""Intervals and p-values of two counts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from claims.exactly import bootstrap_p, mcnemar, percentile, shares
from deadheat.claims.outcome import Outcome
from vectors import close, vectors

PAIRED = [v for v in vectors("intervals.exact_bootstrap") if v["function"] == "exact_boot_paired"]


def outcome(n: int, only_baseline: int, only_candidate: int, level: float = 0.95) -> Outcome:
    net, discordant = only_candidate - only_baseline, only_candidate + only_baseline
    return Outcome.of(n, net, discordant, level)


@pytest.mark.parametrize("vector", PAIRED, ids=lambda v: v["name"])
def test_vectors_of_the_exact_bootstrap(vector: dict[str, Any]) -> None:
    given = vector["input"]
    found = outcome(given["n"], given["a_only"], given["b_only"], given["conf"])
    interval = found.interval("percentile")
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)
    assert close(vector, "p_value", found.p_value("bootstrap"))
    assert close(vector, "share_le0", 1.0 - found.ahead[0])
    assert close(vector, "share_ge0", found.ahead[1])


@pytest.mark.parametrize("vector", vectors("pvalues.mcnemar"), ids=lambda v: v["name"])
def test_vectors_of_mcnemar(vector: dict[str, Any]) -> None:
    given = vector["input"]
    discordant = given["a_only"] + given["b_only"]
    found = outcome(max(discordant, 1), given["a_only"], given["b_only"])
    assert close(vector, "p_value", found.p_value(given["method"]))


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int, int]:
    n = draw(st.integers(2, 40))
    only_baseline = draw(st.integers(0, n))
    return n, only_baseline, draw(st.integers(0, n - only_baseline))


@given(counts())
def test_fractions_give_the_same(given: tuple[int, int, int]) -> None:
    _, only_baseline, only_candidate = given
    found = outcome(*given)
    if found.discordant > 0:
        interval = found.interval("percentile")
        low, high = percentile(*given)
        assert (100 * interval.low, 100 * interval.high) == pytest.approx(
            (float(low), float(high)), abs=1e-9
        )
    assert found.p_value("bootstrap") == pytest.approx(float(bootstrap_p(*given)), rel=1e-9)
    below, above = shares(*given)
    assert found.ahead == pytest.approx((float(1 - below), float(above)), abs=1e-12)
    assert found.p_value() == pytest.approx(float(mcnemar(only_baseline, only_candidate)), rel=1e-9)
    if found.discordant:
        judged = stats.binomtest(only_candidate, found.discordant).pvalue
        assert found.p_value() == pytest.approx(judged, rel=1e-9)


def test_far_tails_keep_their_digits() -> None:
    found = outcome(60, 0, 40)
    assert found.p_value("bootstrap") == pytest.approx(float(bootstrap_p(60, 0, 40)), rel=1e-9)
    assert found.p_value("bootstrap") == pytest.approx(float(2 * Fraction(1, 3) ** 60), rel=1e-9)


@pytest.mark.parametrize(
    ("n", "only_baseline", "only_candidate", "code"),
    [
        (1000, 30, 60, "resolved"),  # exact p .00206, [+1.2, +4.9]
        (1000, 43, 47, "unresolved"),  # exact p .752, [-1.5, +2.3]
        (400, 1, 7, "borderline"),  # exact p .070, and the interval excludes zero
        (1000, 4, 0, "borderline"),  # exact p .125
        (100, 0, 0, "unresolved"),
        (1, 0, 1, "unresolved"),
    ],
)
def test_codes(n: int, only_baseline: int, only_candidate: int, code: str) -> None:
    assert outcome(n, only_baseline, only_candidate).code == code
