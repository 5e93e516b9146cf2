"""What must hold of a comparison as a whole, whatever the data are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import deadheat
from deadheat import Comparison

Data = dict[str, list[Any]]

FEW = settings(max_examples=20)
BINARY = ("auto", "percentile", "tango", "newcombe", "bonett_price", "agresti_min", "wald", "bca")
MEANS = ("auto", "percentile", "basic", "normal", "expanded", "bca", "bca_t", "student_t")
CORPUS = ("auto", "percentile", "basic", "normal", "expanded", "bca")
ALTERNATIVES = ("two-sided", "less", "greater")
MIRRORED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}

VALUES: dict[str, st.SearchStrategy[float]] = {
    "binary": st.sampled_from([0.0, 1.0]),
    "graded": st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    "real": st.floats(-100.0, 100.0, allow_subnormal=False),
}


@st.composite
def scores(draw: st.DrawFn, kind: str, least: int = 2, most: int = 60) -> Data:
    """Two systems, often the same on an item, as evaluated systems are."""
    if kind == "real" and most > 24:
        # Long lists of real numbers are slow to draw one by one; a seed stands for them.
        most = 24
    n = draw(st.integers(least, most))
    a = draw(st.lists(VALUES[kind], min_size=n, max_size=n))
    b = draw(st.lists(st.none() | VALUES[kind], min_size=n, max_size=n))
    return {"a": a, "b": [x if y is None else y for x, y in zip(a, b, strict=True)]}


@st.composite
def labels(draw: st.DrawFn, least: int = 2, most: int = 40) -> tuple[Data, list[str]]:
    """Outputs of two systems and references; a system may put out labels of its own."""
    n = draw(st.integers(least, most))
    references, a, b = (
        draw(st.lists(st.sampled_from(letters), min_size=n, max_size=n))
        for letters in ("xy", "xyz", "xyw")
    )
    return {"a": a, "b": b}, references


any_scores = st.sampled_from(sorted(VALUES)).flatmap(scores)


def drawn(data: Data, references: list[str], **options: Any) -> Comparison:
    """Compare by a metric of the whole set, which has no exact distribution."""
    given_ = {"metric": "macro_f1", "n_resamples": 199, "method": "percentile", "threads": 1}
    return deadheat.compare(data, references=references, **(given_ | options))


def numbers(found: Comparison) -> dict[str, Any]:
    """Everything that is computed, without hashes and prose."""
    told = found.to_dict()
    kept = ("difference", "tests", "counts", "resampling", "planning")
    return {name: told[name] for name in kept} | {
        side: {name: told[side][name] for name in ("system", "value", "interval")}
        for side in ("baseline", "candidate")
    }


def p_values(found: Comparison) -> list[float]:
    return [found.inference.p_value, *(test.p_value for test in found.inference.tests)]


def mirrored(one: Comparison, two: Comparison, *, ends: float = 0.0, p: float = 0.0) -> None:
    """Hold a comparison against the same one with the sides exchanged, within tolerances."""
    there, back = one.inference, two.inference
    exactly = {"rel": ends, "abs": ends, "nan_ok": True}
    assert back.estimate == pytest.approx(-there.estimate, **exactly)
    assert (back.interval.low, back.interval.high) == pytest.approx(
        (-there.interval.high, -there.interval.low), **exactly
    )
    assert p_values(two) == pytest.approx(p_values(one), rel=p, abs=p, nan_ok=True)
    assert (two.baseline, two.candidate) == (one.candidate, one.baseline)
    assert two.reading.code == one.reading.code


# -- exchanging the two sides ------------------------------------------------------------------


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
    back = deadheat.compare(
        data, baseline="b", candidate="a", alternative=MIRRORED[alternative]
    )
    assume(there.inference.exact)
    # Sums of a mirrored series may round in another order.
    scale = max(1.0, *map(abs, data["a"]), *map(abs, data["b"]))
    mirrored(there, back, ends=1e-12 * scale, p=1e-9)


def rare_wins(n: int) -> Data:
    """A few real differences among zeros: no lattice, and too few to invert."""
    rng = np.random.default_rng(0)
    return {"a": [0.0] * n, "b": (rng.standard_exponential(n) * (rng.random(n) < 0.2)).tolist()}


@pytest.mark.parametrize("paired", [True, False])
def test_swap_negates_drawn_means(paired: bool) -> None:
    options: dict[str, Any] = {"method": "percentile", "paired": paired, "n_resamples": 499}
    there = deadheat.compare(rare_wins(40), **options)
    assert not there.inference.exact
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


# -- orders that must not matter -----------------------------------------------------------------


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
def test_order_of_systems_changes_no_drawn_bit(
    case: tuple[Data, list[str]], paired: bool
) -> None:
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


# -- more of the same data -------------------------------------------------------------------------


@FEW
@given(data=any_scores)
def test_duplicated_items_halve_the_variance(data: Data) -> None:
    once = deadheat.compare(data)
    twice = deadheat.compare({name: column * 2 for name, column in data.items()})
    n = once.items.n
    assert twice.items.n == 2 * n
    scale = max(1.0, *map(abs, data["a"]), *map(abs, data["b"]))
    assert twice.inference.estimate == pytest.approx(once.inference.estimate, abs=1e-12 * scale)
    if once.inference.varies:
        assert twice.inference.standard_error < once.inference.standard_error
        # The variance of a mean is sum of squares / (n (n - 1)): the sum doubles.
        shrunk = ((2 * n * (n - 1)) / (2 * n * (2 * n - 1))) ** 0.5
        assert twice.inference.standard_error == pytest.approx(
            once.inference.standard_error * shrunk, rel=1e-6
        )


def test_duplicated_items_shrink_a_drawn_standard_error() -> None:
    data, references = some_labels(60)
    once = drawn(data, references, n_resamples=1_999)
    twice = drawn(
        {name: column * 2 for name, column in data.items()}, references * 2, n_resamples=1_999
    )
    assert twice.items.n == 2 * once.items.n
    assert twice.inference.estimate == pytest.approx(once.inference.estimate, abs=1e-15)
    ratio = twice.inference.standard_error / once.inference.standard_error
    assert ratio == pytest.approx(0.5**0.5, rel=0.08)


# -- intervals ---------------------------------------------------------------------------------------


def nested(intervals: list[Any]) -> bool:
    return all(
        outer.low - 1e-12 <= inner.low and inner.high <= outer.high + 1e-12
        for inner, outer in zip(intervals, intervals[1:], strict=False)
        if inner.defined and outer.defined
    )


def at_levels(**options: Any) -> list[Any]:
    sources = options.pop("sources")
    return [
        deadheat.compare(sources, confidence_level=level, **options).inference.interval
        for level in (0.90, 0.95, 0.99)
    ]


@pytest.mark.parametrize("method", BINARY)
@settings(max_examples=8)
@given(data=scores("binary"), alternative=st.sampled_from(ALTERNATIVES))
def test_levels_nest_for_0_1_scores(method: str, data: Data, alternative: str) -> None:
    assert nested(at_levels(sources=data, method=method, alternative=alternative))


@pytest.mark.parametrize("method", MEANS)
@settings(max_examples=8)
@given(data=scores("graded"), alternative=st.sampled_from(ALTERNATIVES))
def test_levels_nest_for_means(method: str, data: Data, alternative: str) -> None:
    assert nested(
        at_levels(sources=data, metric="mean", method=method, alternative=alternative)
    )


@pytest.mark.parametrize("method", CORPUS)
@settings(max_examples=5)
@given(case=labels(least=10))
def test_levels_nest_for_drawn_numbers(method: str, case: tuple[Data, list[str]]) -> None:
    data, references = case
    intervals = [
        drawn(
            data, references, method=method, confidence_level=level, n_resamples=999
        ).inference.interval
        for level in (0.90, 0.95, 0.99)
    ]
    assert nested(intervals)


def dual(found: Comparison) -> bool:
    """Whether the interval excludes zero exactly when the p-value beside it says so."""
    inference, alpha = found.inference, found.settings.alpha
    if not inference.interval.defined:
        return bool(np.isnan(inference.p_value))
    reached = inference.p_value < alpha if inference.exact else inference.p_value <= alpha
    return inference.interval.excludes(0.0) == reached


@pytest.mark.parametrize("method", BINARY)
@settings(max_examples=12)
@given(
    data=scores("binary"),
    alternative=st.sampled_from(ALTERNATIVES),
    level=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_duality_for_0_1_scores(method: str, data: Data, alternative: str, level: float) -> None:
    found = deadheat.compare(
        data, method=method, alternative=alternative, confidence_level=level
    )
    # At a p-value of alpha itself rounding decides, and may.
    assume(abs(found.inference.p_value - found.settings.alpha) > 1e-9)
    assert dual(found)


@pytest.mark.parametrize("method", MEANS)
@settings(max_examples=12)
@given(
    data=scores("graded"),
    alternative=st.sampled_from(ALTERNATIVES),
    level=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_duality_for_means(method: str, data: Data, alternative: str, level: float) -> None:
    found = deadheat.compare(
        data, metric="mean", method=method, alternative=alternative, confidence_level=level
    )
    assume(abs(found.inference.p_value - found.settings.alpha) > 1e-9)
    assert dual(found)


@pytest.mark.parametrize("method", CORPUS)
@settings(max_examples=8)
@given(
    case=labels(least=5),
    alternative=st.sampled_from(ALTERNATIVES),
    level=st.sampled_from([0.8, 0.9]),
)
def test_duality_for_drawn_numbers(
    method: str, case: tuple[Data, list[str]], alternative: str, level: float
) -> None:
    data, references = case
    assert dual(
        drawn(
            data,
            references,
            method=method,
            alternative=alternative,
            confidence_level=level,
            n_resamples=399,
        )
    )


@FEW
@given(data=any_scores, paired=st.booleans())
def test_intervals_are_finite_where_anything_varies(data: Data, paired: bool) -> None:
    found = deadheat.compare(data, paired=paired)
    interval = found.inference.interval
    if found.inference.varies:
        assert np.isfinite([interval.low, interval.high]).all()
        assert interval.low <= interval.high
        assert 0.0 < found.inference.p_value <= 1.0
    assert all(0.0 < p <= 1.0 for p in p_values(found) if not np.isnan(p))


@settings(max_examples=15)
@given(case=labels(), metric=st.sampled_from(["macro_f1", "mcc", "cohen_kappa"]))
def test_drawn_intervals_are_finite_where_anything_varies(
    case: tuple[Data, list[str]], metric: str
) -> None:
    data, references = case
    found = drawn(data, references, metric=metric, method="auto", n_resamples=999)
    interval = found.inference.interval
    if found.inference.varies and np.isfinite(found.inference.estimate):
        assert np.isfinite([interval.low, interval.high]).all()
        assert interval.low <= interval.high


# -- systems that do the same ---------------------------------------------------------------------


@FEW
@given(data=any_scores)
def test_identical_scores_differ_by_nothing(data: Data) -> None:
    found = deadheat.compare({"a": data["a"], "b": list(data["a"])})
    assert found.inference.estimate == 0.0
    assert found.reading.code == "degenerate"
    assert all(p == 1.0 for p in p_values(found) if not np.isnan(p))
    assert found.inference.tests[0].p_value == 1.0


@settings(max_examples=15)
@given(case=labels())
def test_identical_outputs_differ_by_nothing(case: tuple[Data, list[str]]) -> None:
    data, references = case
    found = drawn({"a": data["a"], "b": list(data["a"])}, references)
    assert found.inference.estimate == 0.0
    assert found.reading.code == "degenerate"
    assert p_values(found) == [1.0, 1.0]


# -- seeds ---------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("n", [22, 30, 45])
def test_seed_is_stated_wherever_a_number_was_drawn(n: int) -> None:
    """A test that was drawn cannot be recomputed from a line that says only `exact`."""
    rng = np.random.default_rng(n)
    differences = np.where(rng.random(n) < 0.5, 0.0, rng.standard_exponential(n))
    found = deadheat.compare(np.zeros(n), differences, method="student_t", n_resamples=499)
    tests_drawn = any(test.n_resamples for test in found.inference.tests)
    if tests_drawn or not found.inference.exact:
        assert "seed:0" in found.signature
        assert found.to_dict()["resampling"]["seed"] == 0


# -- against brute force ---------------------------------------------------------------------------------


def some_labels(n: int, seed: int = 5) -> tuple[Data, list[str]]:
    rng = np.random.default_rng(seed)
    references = rng.choice(list("abc"), n, p=[0.5, 0.3, 0.2])
    data = {
        name: np.where(rng.random(n) < right, references, rng.choice(list("abc"), n)).tolist()
        for name, right in (("a", 0.5), ("b", 0.65))
    }
    return data, references.tolist()


def tables(references: NDArray[Any], outputs: NDArray[Any]) -> NDArray[np.float64]:
    """Count references by outputs, shape (..., 3, 3), for labels a, b, c along the last axis."""
    cells = [
        [((references == x) & (outputs == y)).sum(axis=-1) for y in "abc"] for x in "abc"
    ]
    return np.moveaxis(np.array(cells, dtype=float), (0, 1), (-2, -1))


def macro_f1(references: NDArray[Any], outputs: NDArray[Any]) -> NDArray[np.float64]:
    table = tables(references, outputs)
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    both = table.sum(axis=-1) + table.sum(axis=-2)
    return np.divide(2 * hits, both, out=np.zeros_like(hits), where=both > 0).mean(axis=-1)


def mcc(references: NDArray[Any], outputs: NDArray[Any]) -> NDArray[np.float64]:
    """Gorodkin (2004): the correlation of two indicator matrices."""
    table = tables(references, outputs)
    n = table.sum(axis=(-1, -2))
    t, p = table.sum(axis=-1), table.sum(axis=-2)
    covariance = n * np.trace(table, axis1=-2, axis2=-1) - (t * p).sum(axis=-1)
    spread = np.sqrt((n**2 - (t**2).sum(axis=-1)) * (n**2 - (p**2).sum(axis=-1)))
    return np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > 0)


@pytest.mark.parametrize(
    ("name", "metric"), [("macro_f1", macro_f1), ("mcc", mcc)], ids=["macro_f1", "mcc"]
)
@pytest.mark.parametrize("n", [25, 90])
def test_types_have_the_law_of_items(
    name: str, metric: Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]], n: int
) -> None:
    """Draws over types against scipy's draws over items, which know nothing of types."""
    data, references = some_labels(n)
    columns = tuple(np.array(c) for c in (references, data["a"], data["b"]))

    def difference(r: Any, a: Any, b: Any, axis: int = -1) -> NDArray[np.float64]:
        return metric(r, b) - metric(r, a)

    judge = stats.bootstrap(
        columns,
        difference,
        paired=True,
        vectorized=True,
        n_resamples=2_999,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    found = drawn(data, references, metric=name, n_resamples=9_999).inference
    assert found.estimate == pytest.approx(float(difference(*columns)), abs=1e-12)
    # Standard error of a standard deviation from R draws is about sd / sqrt(2 R).
    assert found.standard_error == pytest.approx(judge.standard_error, rel=4 / (2 * 2_999) ** 0.5)
    error = found.interval.monte_carlo_error
    assert error is not None
    # scipy's ends come from fewer draws, and its errors are larger by the root of that.
    slack = error * (1 + (9_999 / 2_999) ** 0.5) + 1e-12
    assert found.interval.low == pytest.approx(judge.confidence_interval.low, abs=slack)
    assert found.interval.high == pytest.approx(judge.confidence_interval.high, abs=slack)
