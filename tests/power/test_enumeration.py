"""All outcomes: a published table of coverage, the tool itself on every outcome, plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError, UsageError
from deadheat.inference import binary
from deadheat.inference.result import Counts
from deadheat.intervals import bonett_price, newcombe, student_t, tango, wald
from deadheat.power import Cells, Enumerated, cells, enumerated, of_normal
from deadheat.power.enumeration import METHODS, by_percentile
from deadheat.power.mcnemar import TESTS
from deadheat.settings import Settings
from power.trinomial import ideal_ends, outcomes

DESIGNS = st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1)).map(lambda x: cells(*x))

few = settings(max_examples=30)


def of_shares(only_candidate: float, only_baseline: float) -> Cells:
    return Cells(
        both=1.0 - only_candidate - only_baseline,
        only_baseline=only_baseline,
        only_candidate=only_candidate,
        neither=0.0,
    )


def called(ends: Callable[..., object]) -> Callable[..., tuple[float, float]]:
    """Ends of a closed form of `deadheat.intervals`."""

    def pair(both: int, lost: int, won: int, neither: int) -> tuple[float, float]:
        interval = ends(both, lost, won, neither)
        return interval.low, interval.high

    return pair


def by_tool(method: str) -> Callable[..., tuple[float, float]]:
    """Ends as `compare --method` finds them."""

    def pair(both: int, lost: int, won: int, neither: int) -> tuple[float, float]:
        counts = Counts(both=both, only_baseline=lost, only_candidate=won, neither=neither)
        interval = binary.paired(counts, Settings(method=method)).interval
        return interval.low, interval.high

    return pair


def by_t(both: int, lost: int, won: int, neither: int) -> tuple[float, float]:
    if lost + won == 0:
        # Where nothing varies the table counts a point, and the tool no interval.
        return 0.0, 0.0
    found = student_t.one_mean([-1.0, 0.0, 1.0], [lost, both + neither, won])
    return found.low, found.high


OTHERS = {
    "wald": called(wald.paired_proportions),
    "t": by_t,
    "bonett_price": called(bonett_price.paired_proportions),
    "bca": by_tool("bca"),
}


@pytest.mark.parametrize(
    ("n", "won", "lost", "row"),
    [
        (20, 0.10, 0.10, (0.949, 0.956, 0.983, 0.956, 0.956, 0.904, 0.956)),
        (20, 0.10, 0.05, (0.858, 0.918, 0.996, 0.982, 0.859, 0.859, 0.982)),
        (50, 0.05, 0.05, (0.940, 0.953, 0.987, 0.953, 0.953, 0.906, 0.953)),
        (50, 0.10, 0.05, (0.942, 0.949, 0.973, 0.955, 0.931, 0.912, 0.952)),
        (100, 0.10, 0.00, (0.932, 0.932, 0.938, 0.936, 0.966, 0.972, None)),
        (100, 0.15, 0.05, (0.947, 0.949, 0.957, 0.952, 0.956, 0.953, 0.956)),
        (200, 0.10, 0.05, (0.946, 0.951, 0.954, 0.951, 0.958, 0.954, 0.958)),
    ],
)
def test_table_of_coverage(n: int, won: float, lost: float, row: tuple[float | None, ...]) -> None:
    """STATISTICS 0.3, item 1."""
    found = of_shares(won, lost)
    columns = ("wald", "t", "bonett_price", "tango", "percentile", "bca", "auto")
    for method, expected in zip(columns, row, strict=True):
        if expected is not None:
            judge = enumerated(n, found, method=method, ends=OTHERS.get(method), split=False)
            assert judge.coverage == pytest.approx(expected, abs=5.1e-4), method


def test_the_design_of_seed_2() -> None:
    """STATISTICS 7.3 and 7.5; .357 and .339 are powers at 500 items."""
    found = enumerated(500, cells(0.72, 0.76, 0.36), method="percentile")
    assert found.coverage == pytest.approx(0.954, abs=5e-4)
    assert found.interval_power == pytest.approx(0.3568819123684437, abs=1e-7)
    assert found.test_power == pytest.approx(0.339, abs=5e-4)
    assert found.left_out < 1e-12
    # One in three resolved: those that are show a gap two thirds too large.
    assert found.exaggeration == pytest.approx(1.66, abs=0.01)


def looped(n: int, cells: Cells, method: str, test: str, level: float) -> dict[str, float]:
    """What the tool itself says of every outcome, added up in a plain loop."""
    sums = dict.fromkeys(
        ("coverage", "below", "above", "width", "interval_power", "test_power", "power"), 0.0
    )
    wrong = shown = 0.0
    for lost, won, mass in outcomes(n, cells):
        counts = Counts(both=n - lost - won, only_baseline=lost, only_candidate=won, neither=0)
        found = binary.paired(counts, Settings(method=method, test=test, confidence_level=level))
        interval = found.interval
        excluded, rejected = interval.excludes(0.0), found.tests[0].p_value <= 1.0 - level
        resolved = excluded and rejected and interval.low < interval.high
        sums["coverage"] += mass * (not interval.excludes(cells.gap))
        sums["below"] += mass * (interval.high < cells.gap - 1e-9)
        sums["above"] += mass * (interval.low > cells.gap + 1e-9)
        sums["width"] += mass * (interval.high - interval.low)
        sums["interval_power"] += mass * excluded
        sums["test_power"] += mass * rejected
        sums["power"] += mass * resolved
        wrong += mass * (resolved and (won - lost) * cells.gap < 0.0)
        shown += mass * resolved * abs(won - lost) / n
    power = sums["power"]
    return sums | {
        "wrong_sign": wrong / power if power else math.nan,
        "exaggeration": shown / power / abs(cells.gap) if power else math.nan,
    }


@pytest.mark.parametrize(
    ("n", "found", "method", "test", "level"),
    [
        (2, cells(0.3, 0.9, 0.2), "auto", "exact", 0.75),
        (12, cells(0.6, 0.8, 0.5), "auto", "midp", 0.95),
        (12, cells(0.6, 0.8, 0.5), "percentile", "exact", 0.9),
        (12, cells(0.1, 0.95, -0.3), "percentile", "chi2", 0.95),
        (12, cells(0.9, 0.3, 0.8), "tango", "chi2_cc", 0.8),
        (51, of_shares(0.2, 0.1), "auto", "midp", 0.95),
        (50, of_shares(0.95, 0.05), "auto", "exact", 0.99),
    ],
)
def test_the_tool_on_every_outcome(
    n: int, found: Cells, method: str, test: str, level: float
) -> None:
    judge = asdict(enumerated(n, found, method=method, test=test, confidence_level=level))
    for field, expected in looped(n, found, method, test, level).items():
        assert judge[field] == pytest.approx(expected, abs=1e-10, rel=1e-9, nan_ok=True), field


@pytest.mark.parametrize("n", [5, 11])
@pytest.mark.parametrize("found", [cells(0.5, 0.7, 0.3), cells(0.8, 0.75, 0.9)])
def test_the_percentile_interval_in_whole_numbers(n: int, found: Cells) -> None:
    gap = Fraction(round(found.gap * 100), 100)
    coverage = width = 0.0
    for lost, won, mass in outcomes(n, found):
        low, high = ideal_ends(lost, won, n, Fraction(1, 40))
        coverage += mass * (Fraction(low, n) <= gap <= Fraction(high, n))
        width += mass * (high - low) / n
    judge = enumerated(n, found, method="percentile")
    assert judge.coverage == pytest.approx(coverage, abs=1e-12)
    assert judge.width == pytest.approx(width, abs=1e-12)


def test_ends_on_the_truth_hold_it() -> None:
    """0.04 of 500 items is 20 items, although 0.76 - 0.72 is not 0.04 in binary fractions."""
    found = cells(0.72, 0.76, 0.36)
    judge = enumerated(
        500,
        found,
        method="exactly",
        ends=lambda both, lost, won, neither: (20 / 500, 20 / 500),
        split=False,
    )
    assert judge.coverage == pytest.approx(1.0, abs=2e-9)


@given(n=st.integers(2, 150), found=DESIGNS)
def test_the_automatic_method_is_that_of_compare(n: int, found: Cells) -> None:
    lost = round(n * found.only_baseline)
    won = min(round(n * found.only_candidate), n - lost)
    counts = Counts(both=n - lost - won, only_baseline=lost, only_candidate=won, neither=0)
    drawn = bool(by_percentile(np.array([lost + won]), n)[0]) and n not in (lost, won)
    assert binary.chosen(counts)[0] == ("percentile" if drawn else "tango")


@few
@given(
    n=st.integers(2, 100),
    found=DESIGNS,
    method=st.sampled_from(METHODS),
    test=st.sampled_from(TESTS),
)
def test_swapping_the_systems_mirrors_everything(
    n: int, found: Cells, method: str, test: str
) -> None:
    swapped = Cells(
        both=found.both,
        only_baseline=found.only_candidate,
        only_candidate=found.only_baseline,
        neither=found.neither,
    )
    one = enumerated(n, found, method=method, test=test)
    other = enumerated(n, swapped, method=method, test=test)
    assert (one.below, one.above) == pytest.approx((other.above, other.below), abs=1e-12)
    for field in ("coverage", "width", "interval_power", "test_power", "power"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), abs=1e-12)


@few
@given(n=st.integers(2, 150), found=DESIGNS, method=st.sampled_from(METHODS))
def test_parts_add_up(n: int, found: Cells, method: str) -> None:
    judge = enumerated(n, found, method=method)
    assert judge.coverage + judge.below + judge.above == pytest.approx(1.0, abs=1e-12)
    assert 0.0 <= judge.left_out < 2e-13
    assert judge.power <= min(judge.interval_power, judge.test_power) + 1e-15
    assert judge.undefined == 0.0


@few
@given(
    n=st.integers(2, 100),
    found=DESIGNS,
    method=st.sampled_from(METHODS),
    levels=st.tuples(st.floats(0.5, 0.999), st.floats(0.5, 0.999)),
)
def test_higher_levels_cover_more_and_resolve_less(
    n: int, found: Cells, method: str, levels: tuple[float, float]
) -> None:
    low, high = (
        enumerated(n, found, method=method, confidence_level=level) for level in sorted(levels)
    )
    assert low.coverage <= high.coverage + 1e-13
    assert low.width <= high.width + 1e-13
    assert low.power >= high.power - 1e-13


def four_counts(n: int, found: Cells) -> list[tuple[float, tuple[int, int, int, int]]]:
    chances = (found.both, found.only_baseline, found.only_candidate, found.neither)
    law = stats.multinomial(n, chances)
    return [
        (float(law.pmf(counts)), counts)
        for both in range(n + 1)
        for lost in range(n + 1 - both)
        for won in range(n + 1 - both - lost)
        for counts in [(both, lost, won, n - both - lost - won)]
    ]


def test_methods_that_split_the_rest() -> None:
    """Newcombe's interval depends on how the items that separate nobody fall."""
    found, ends = cells(0.5, 0.8, 0.4), called(newcombe.paired_proportions)
    truth = 0.3
    coverage = width = 0.0
    for mass, counts in four_counts(9, found):
        low, high = ends(*counts)
        coverage += mass * (low <= truth <= high)
        width += mass * (high - low)
    judge = enumerated(9, found, method="newcombe", ends=ends)
    assert judge.coverage == pytest.approx(coverage, abs=3e-9)
    assert judge.width == pytest.approx(width, abs=3e-9)
    assert enumerated(9, found, method="newcombe", ends=ends, split=False).width != judge.width


@pytest.mark.parametrize("split", [True, False])
def test_a_built_in_method_by_calls(split: bool) -> None:
    found = cells(0.6, 0.7, 0.3)
    ends = called(tango.paired_proportions)
    one = enumerated(40, found, method="tango")
    other = enumerated(40, found, method="tango", ends=ends, split=split)
    for field in ("coverage", "below", "above", "width", "power", "wrong_sign", "exaggeration"):
        assert getattr(other, field) == pytest.approx(getattr(one, field), abs=1e-8)


def test_intervals_without_ends_hold_nothing() -> None:
    found = of_shares(0.2, 0.1)

    def ends(both: int, lost: int, won: int, neither: int) -> tuple[float, float]:
        return (math.nan, math.nan) if won == 0 else (-1.0, 1.0)

    judge = enumerated(10, found, method="own", ends=ends, split=False)
    assert judge.undefined == pytest.approx(0.8**10, abs=2e-9)
    assert judge.coverage == pytest.approx(1.0 - 0.8**10, abs=2e-9)
    assert judge.width == pytest.approx(2.0)


def test_errors_come_near_those_of_the_normal_law() -> None:
    found = cells(0.72, 0.76, 0.36)
    judge = enumerated(2_000, found, method="tango", test="chi2")
    wrong_sign, exaggeration = of_normal(found.gap, found.sd / math.sqrt(2_000))
    assert judge.exaggeration == pytest.approx(exaggeration, rel=1e-3)
    assert judge.wrong_sign == pytest.approx(wrong_sign, abs=1e-6)


def test_no_gap_has_no_sign() -> None:
    judge = enumerated(200, cells(0.7, 0.7, 0.3))
    assert math.isnan(judge.wrong_sign)
    assert math.isnan(judge.exaggeration)
    # What excludes 0 misses the truth.
    assert judge.interval_power == pytest.approx(1.0 - judge.coverage, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_systems_that_never_differ(method: str) -> None:
    """Tango's interval is z^2 / (n + z^2) either way (Tango 1998); the percentile's is a point."""
    judge = enumerated(100, cells(0.8, 0.8, 1.0), method=method)
    z2 = stats.norm.isf(0.025) ** 2
    width = 0.0 if method == "percentile" else 2.0 * z2 / (100 + z2)
    assert judge.width == pytest.approx(width, abs=1e-14)
    assert (judge.coverage, judge.power, judge.left_out) == (1.0, 0.0, 0.0)


def test_the_same_on_every_item() -> None:
    found = cells(0.0, 1.0, 0.0)
    automatic, points = enumerated(60, found), enumerated(60, found, method="percentile")
    assert (automatic.power, automatic.wrong_sign, automatic.exaggeration) == (1.0, 0.0, 1.0)
    assert (points.interval_power, points.power, points.width) == (1.0, 0.0, 0.0)
    assert math.isnan(points.wrong_sign)


def test_many_items() -> None:
    """At this size all intervals are the normal one."""
    judge = enumerated(20_000, of_shares(0.11, 0.10))
    assert judge.coverage == pytest.approx(0.95, abs=1e-3)
    sd = math.sqrt(0.21 - 0.01**2)
    assert judge.width == pytest.approx(2 * 1.959964 * sd / math.sqrt(20_000), rel=1e-3)


def test_bad_numbers_are_refused() -> None:
    found = cells(0.7, 0.8, 0.1)
    for n in (1, 0, -2, 2.5, math.nan, True, "50"):
        with pytest.raises(InferenceError, match=r"there are .* items"):
            enumerated(n, found)
    with pytest.raises(InferenceError, match=r"more than 100,000\. Take the power alone"):
        enumerated(100_001, found)
    for level in (0.0, 1.0, 95, math.nan, True, "0.95"):
        with pytest.raises(InferenceError, match="the confidence level is"):
            enumerated(50, found, confidence_level=level)
    with pytest.raises(InferenceError, match="too far out"):
        enumerated(50, found, confidence_level=1.0 - 1e-11)
    with pytest.raises(UsageError, match=r"the method is 'wald'\. Known: auto, percentile, tango"):
        enumerated(50, found, method="wald")
    with pytest.raises(UsageError, match="the test is 'sign'"):
        enumerated(50, found, test="sign")


@pytest.mark.parametrize(("n", "split"), [(5_000, False), (300, True), (20_000, True)])
def test_too_many_calls_are_refused(n: int, split: bool) -> None:
    def ends(*counts: int) -> tuple[float, float]:
        raise AssertionError("the method was called")

    with pytest.raises(InferenceError, match="Up to 50,000 are enumerated"):
        enumerated(n, cells(0.7, 0.8, 0.1), method="own", ends=ends, split=split)


def test_results_are_frozen() -> None:
    judge = enumerated(10, cells(0.7, 0.8, 0.1))
    assert isinstance(judge, Enumerated)
    with pytest.raises(AttributeError):
        judge.coverage = 1.0
