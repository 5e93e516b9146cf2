"""Enumeration: a sum over all tables, by SciPy's distributions and the inference of `compare`."""

from __future__ import annotations

from typing import Any

import pytest
from scipy import stats

import deadheat
from deadheat.inference import binary
from deadheat.inference.result import Counts
from deadheat.replays import Replays
from deadheat.replays.outcomes import outcome_of
from deadheat.settings import Settings

SEED_TWO = {"items": 500, "baseline": 0.72, "candidate": 0.76, "correlation": 0.36}


def replayed(**options: Any) -> Replays:
    found = deadheat.simulate(**options).replays
    assert found is not None
    return found


def test_seed_two_is_enumerated() -> None:
    """Coverage 95.4% and a power of .357 at a latent correlation of .36."""
    found = replayed(**SEED_TWO, replays=1)
    assert found.exact
    assert found.n is None
    assert found.coverage.value == pytest.approx(0.954, abs=5e-4)
    assert found.interval_power.value == pytest.approx(0.357, abs=5e-4)
    assert found.test_power.value == pytest.approx(0.339, abs=5e-4)
    assert found.holds
    other = replayed(**(SEED_TWO | {"correlation": 0.6}), replays=1)
    assert other.interval_power.value == pytest.approx(0.436, abs=5e-4)


def enumerated_by_hand(n: int, p: float, q: float, rho: float, **options: Any) -> dict[str, float]:
    """Every table of n items, weighed by SciPy's multinomial, through the inference of compare."""
    judge = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]])
    both = judge.cdf([stats.norm.ppf(p), stats.norm.ppf(q)])
    only = (p - both, q - both)
    settings, gap = Settings(**options), q - p
    found = dict.fromkeys(
        ("covered", "below", "above", "width", "excluded", "rejected", "wrong", "size"), 0.0
    )
    codes = dict.fromkeys(("resolved", "unresolved", "borderline", "degenerate"), 0.0)
    for b in range(n + 1):
        for c in range(n + 1 - b):
            mass = stats.multinomial.pmf((b, c, n - b - c), n, (*only, 1 - sum(only)))
            if mass < 1e-10:
                continue  # 1,431 tables at most
            table = Counts(both=0, only_baseline=b, only_candidate=c, neither=n - b - c)
            one = outcome_of(binary.paired(table, settings), n, settings)
            found["below"] += mass * (one.high < gap - 1e-12)
            found["above"] += mass * (one.low > gap + 1e-12)
            found["width"] += mass * (one.high - one.low)
            found["excluded"] += mass * (one.high < 0 or one.low > 0)
            found["rejected"] += mass * (one.p_value <= settings.alpha)
            codes[one.code] += mass
            if one.code == "resolved":
                found["wrong"] += mass * (one.estimate * gap < 0)
                found["size"] += mass * abs(one.estimate)
    found["covered"] = 1 - found["below"] - found["above"]
    found["wrong"] /= codes["resolved"]
    found["size"] /= codes["resolved"] * abs(gap)
    return found | codes


@pytest.mark.parametrize(
    ("n", "p", "q", "rho", "options"),
    [
        (20, 0.6, 0.9, 0.3, {}),
        (20, 0.6, 0.9, 0.3, {"method": "percentile", "test": "midp"}),
        (20, 0.3, 0.2, -0.4, {"method": "wald", "test": "chi2", "confidence_level": 0.8}),
        (14, 0.1, 0.9, 0.0, {"method": "bca", "test": "chi2_cc"}),
        (52, 0.7, 0.85, 0.5, {}),
        (5, 0.05, 0.95, 0.0, {"method": "percentile", "confidence_level": 0.8}),
    ],
)
def test_enumeration_is_a_sum_over_all_tables(
    n: int, p: float, q: float, rho: float, options: dict[str, Any]
) -> None:
    wanted = enumerated_by_hand(n, p, q, rho, **options)
    given = {"items": n, "baseline": p, "candidate": q, "correlation": rho, "replays": 1}
    found = replayed(**given, **options)
    assert found.exact
    for value, name in [
        (found.coverage.value, "covered"),
        (found.below, "below"),
        (found.above, "above"),
        (found.width, "width"),
        (found.interval_power.value, "excluded"),
        (found.test_power.value, "rejected"),
        (found.wrong_sign, "wrong"),
        (found.exaggeration, "size"),
        *((share, code) for code, share in found.readings.items()),
    ]:
        # SciPy's bivariate normal is good to about 1e-6.
        assert value == pytest.approx(wanted[name], rel=1e-4, abs=1e-6), name
    assert sum(found.readings.values()) == pytest.approx(1.0, abs=1e-9)


def test_a_pilot_of_zeros_and_ones_is_enumerated() -> None:
    """Its shares are the chances of the four outcomes."""
    pilot = {"a": [1] * 60 + [0] * 20 + [1] * 8 + [0] * 12, "b": [1] * 60 + [1] * 20 + [0] * 20}
    found = replayed(pilot=pilot, items=80, replays=1)
    assert found.exact
    assert found.gap == pytest.approx(0.12)
    wanted = enumerated_by_hand_of_shares(80, 0.08, 0.20)
    assert found.coverage.value == pytest.approx(wanted, abs=1e-9)


def enumerated_by_hand_of_shares(n: int, only_baseline: float, only_candidate: float) -> float:
    settings, gap, covered = Settings(), only_candidate - only_baseline, 0.0
    shares = (only_baseline, only_candidate, 1 - only_baseline - only_candidate)
    for b in range(30):
        for c in range(50):
            if b + c > n:
                continue
            mass = stats.multinomial.pmf((b, c, n - b - c), n, shares)
            if mass < 5e-13:
                continue  # 1,500 tables at most
            table = Counts(both=0, only_baseline=b, only_candidate=c, neither=n - b - c)
            covered += mass * (not binary.paired(table, settings).interval.excludes(gap))
    return covered


@pytest.mark.parametrize(
    "options",
    [
        {"drawn": True, "n_resamples": 199},
        {"cluster_size": 5, "icc": 0.1},
        {"runs": 2, "answer_correlation": 0.5},
        {"method": "newcombe", "items": 3_000},
        {"method": "studentized", "n_resamples": 99},
        {"test": "t"},
        {"scores": "graded", "levels": 3},
    ],
    ids=str,
)
def test_what_is_not_enumerated_is_replayed(options: dict[str, Any]) -> None:
    found = replayed(**({**SEED_TWO, "items": 100} | options), replays=3)
    assert (found.n, found.exact) == (3, False)
