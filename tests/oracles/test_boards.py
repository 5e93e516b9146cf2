"""Boards against plain loops, matrices, and resamples that are drawn and scored elsewhere."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import linalg, stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.multitest import multipletests

import deadheat
from deadheat.inference.board import drawn_values
from deadheat.measuring import measured
from deadheat.metrics import metrics_of
from deadheat.recipe import READING
from deadheat.settings import Settings

Floats = NDArray[np.float64]
Pair = tuple[str, str]

N_RESAMPLES = 999


def graded(n: int, m: int, seed: int, gap: float = 0.15) -> pl.DataFrame:
    """Systems s0, s1, ... on the same items, each better than the one before."""
    rng = np.random.default_rng([seed, n, m])
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, m)) + gap * np.arange(m)
    return pl.DataFrame(
        {"item": [f"q{i:03}" for i in range(n)], **{f"s{k}": scores[:, k] for k in range(m)}}
    )


def draws_of(data: pl.DataFrame, n_resamples: int = N_RESAMPLES) -> Floats:
    """Return the values of all systems on the resamples that the board rests on."""
    (part,) = measured(
        [data],
        dict.fromkeys(READING),
        metrics_of("mean"),
        lambda found: [found],
        missing="error",
        unparseable="wrong",
    )
    values, _ = drawn_values(part.scores[0], Settings(n_resamples=n_resamples, threads=1))
    return values


def pairs_of(found: Any) -> dict[Pair, dict[str, Any]]:
    return {(p["baseline"], p["candidate"]): p for p in found.to_dict()["pairs"]}


def normal_of(t: float, n: int) -> float:
    """The normal value with the tail of a t statistic whose error was sqrt((n - 1) / n) short."""
    return float(stats.norm.isf(stats.t.sf(t * math.sqrt((n - 1) / n), n - 1)))


def t_of(z: float, n: int) -> float:
    return float(stats.t.isf(stats.norm.sf(z), n - 1)) * math.sqrt(n / (n - 1))


@pytest.mark.parametrize("n", [12, 60])
def test_pairs_by_plain_loops(n: int) -> None:
    """Single-step intervals and step-down p-values, one pair and one resample at a time."""
    data, m = graded(n, 5, 1), 5
    draws, values = draws_of(data), data.drop("item").mean().to_numpy()[0]
    family = list(itertools.combinations(range(m), 2))
    gap = {(i, j): values[j] - values[i] for i, j in family}
    error = {(i, j): float(np.std(draws[:, j] - draws[:, i], ddof=1)) for i, j in family}
    drawn = {
        (i, j): [abs(row[j] - row[i] - gap[i, j]) / error[i, j] for row in draws.tolist()]
        for i, j in family
    }
    reached = {pair: normal_of(abs(gap[pair]) / error[pair], n) for pair in family}
    largest = sorted(max(drawn[pair][r] for pair in family) for r in range(N_RESAMPLES))
    critical = t_of(largest[N_RESAMPLES - 50], n)
    found = deadheat.rank(data, n_resamples=N_RESAMPLES)
    assert found.critical_value == pytest.approx(critical, rel=1e-9)
    highest = 0.0
    for at, pair in enumerate(sorted(family, key=lambda p: -reached[p])):
        left = sorted(family, key=lambda p: -reached[p])[at:]
        count = sum(
            max(drawn[other][r] for other in left) >= reached[pair] for r in range(N_RESAMPLES)
        )
        highest = max(highest, (1 + count) / (N_RESAMPLES + 1))
        row = pairs_of(found)[f"s{pair[0]}", f"s{pair[1]}"]
        assert row["p_adjusted"] == pytest.approx(highest)
        half = critical * error[pair]
        assert (row["interval"]["low"], row["interval"]["high"]) == pytest.approx(
            (gap[pair] - half, gap[pair] + half)
        )


def test_rank_sets_by_plain_loops() -> None:
    """Ordered pairs, one-sided, step-down: settle, drop what is settled, look again."""
    n, m = 80, 6
    data = graded(n, m, 2, gap=0.22)
    draws, values = draws_of(data), data.drop("item").mean().to_numpy()[0]
    left, ahead = set(itertools.permutations(range(m), 2)), set()
    error = {(i, j): float(np.std(draws[:, i] - draws[:, j], ddof=1)) for i, j in left}
    while True:
        largest = np.max(
            [(draws[:, i] - draws[:, j] - values[i] + values[j]) / error[i, j] for i, j in left],
            axis=0,
        )
        critical = np.sort(largest)[N_RESAMPLES - 50]
        settled = {
            (i, j)
            for i, j in left
            if values[i] > values[j]
            and normal_of((values[i] - values[j]) / error[i, j], n) > critical
        }
        if not settled:
            break
        ahead |= settled
        left -= settled
    found = deadheat.rank(data, n_resamples=N_RESAMPLES)
    sets = {row.system: row.rank_interval for row in found.systems}
    assert 0 < len(ahead) < 15
    for i in range(m):
        beaten_by = sum((k, i) in ahead for k in range(m))
        beats = sum((i, k) in ahead for k in range(m))
        assert sets[f"s{i}"] == (1 + beaten_by, m - beats)
    assert set(found.best_set) == {name for name, (low, _) in sets.items() if low == 1}


def test_what_is_descriptive_by_plain_loops() -> None:
    data, m = graded(40, 4, 3), 4
    draws = draws_of(data)
    found = deadheat.rank(data, n_resamples=N_RESAMPLES, descriptive=True, arena=True)
    first, excess = np.zeros(m), 0.0
    values = data.drop("item").mean().to_numpy()[0]
    for row in draws:
        winners = np.flatnonzero(row == row.max())
        first[winners] += 1 / len(winners)
        excess += row.max() - values[winners].mean()
    by_name = {row.system: row for row in found.systems}
    for k in range(m):
        assert by_name[f"s{k}"].best_share == pytest.approx(first[k] / N_RESAMPLES)
    assert found.optimism == pytest.approx(excess / N_RESAMPLES)
    for row in found.systems:
        above = sum(other.interval.low > row.interval.high for other in found.systems)
        assert row.arena_rank == 1 + above


def test_two_systems_on_few_items_have_a_yardstick_as_long_as_student_t() -> None:
    """With draws as spread as normal ones it would be 1.96; 5% of such boards would be too many."""
    n = 12
    found = deadheat.rank(graded(n, 2, 4), n_resamples=9_999)
    right = stats.t.ppf(0.975, n - 1) * math.sqrt(n / (n - 1))
    assert found.critical_value == pytest.approx(right, rel=0.04)


def test_equal_systems_on_few_items_are_rarely_put_in_order() -> None:
    """5 systems, 12 items, all equal; without the t expansion 15% of boards put a pair in order."""
    wrong = sum(
        bool(deadheat.rank(graded(12, 5, 1000 + i, gap=0.0), n_resamples=199).pairs.separated.any())
        for i in range(120)
    )
    assert wrong <= stats.binom.ppf(0.999, 120, 0.06)


def test_resamples_drawn_and_scored_elsewhere() -> None:
    """AUROC by scikit-learn on resamples of NumPy's: the same errors and critical value."""
    rng = np.random.default_rng(5)
    n, m = 90, 4
    y = rng.integers(0, 2, n)
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, m)) + y[:, None] * np.linspace(0.5, 2, m)
    data = pl.DataFrame(
        {"item": range(n), "reference": y, **{f"s{k}": scores[:, k] for k in range(m)}}
    )
    names = [f"s{k}" for k in range(m)]
    found = deadheat.rank(data, metric="auroc", systems=names, n_resamples=4_999)
    values = np.array([roc_auc_score(y, scores[:, k]) for k in range(m)])
    assert {row.system: row.value for row in found.systems} == pytest.approx(
        dict(zip(names, values.tolist(), strict=True))
    )
    draws = []
    while len(draws) < 800:
        own = rng.integers(0, n, n)
        if 0 < y[own].sum() < n:
            draws.append([roc_auc_score(y[own], scores[own, k]) for k in range(m)])
    centred = np.array(draws) - values
    first, second = np.array(list(itertools.combinations(range(m), 2))).T
    gaps = centred[:, second] - centred[:, first]
    errors = gaps.std(axis=0, ddof=1)
    listed = [pairs_of(found)[names[i], names[j]] for i, j in zip(first, second, strict=True)]
    assert [row["standard_error"] for row in listed] == pytest.approx(errors, rel=0.1)
    critical = np.quantile(np.abs(gaps / errors).max(axis=1), 0.95)
    assert found.critical_value == pytest.approx(t_of(critical, n), rel=0.06)


# -- few clusters ----------------------------------------------------------------------------------


def clustered(sizes: tuple[int, ...], m: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    hard = rng.normal(size=(len(sizes), 1))[codes] + 0.4 * rng.normal(size=(len(sizes), m))[codes]
    right = hard + rng.normal(size=(len(codes), m)) < np.linspace(-0.8, 1.4, m)
    return pl.DataFrame(
        {
            "item": [f"q{i:03}" for i in range(len(codes))],
            "cluster": [f"c{c:02}" for c in codes],
            **{f"s{k}": right[:, k].astype(int) for k in range(m)},
        }
    )


def cr2(y: Floats, codes: NDArray[Any]) -> tuple[float, float]:
    """The error and degrees of freedom of a mean, by matrices of size items x items."""
    n = len(y)
    maker = np.eye(n) - np.full((n, n), 1 / n)
    variance, columns = 0.0, []
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        weights = linalg.inv(linalg.sqrtm(maker[np.ix_(own, own)]).real).sum(axis=0) / n
        variance += float(weights @ (y - y.mean())[own]) ** 2
        columns.append(maker[:, own] @ weights)
    form = np.array(columns) @ np.array(columns).T
    return math.sqrt(variance), float(np.trace(form) ** 2 / (form**2).sum())


@pytest.mark.parametrize("sizes", [(5,) * 14, (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 40)])
def test_few_clusters_by_matrices(sizes: tuple[int, ...]) -> None:
    m = 5
    data = clustered(sizes, m, 6)
    codes = data["cluster"].to_numpy()
    family = list(itertools.combinations(range(m), 2))
    gaps = [(data[f"s{j}"] - data[f"s{i}"]).to_numpy().astype(float) for i, j in family]
    parts = [cr2(gap, codes) for gap in gaps]
    p_values = [
        2 * stats.t.sf(abs(gap.mean()) / error, df)
        for gap, (error, df) in zip(gaps, parts, strict=True)
    ]
    adjusted = multipletests(p_values, method="holm")[1]
    found = deadheat.rank(data)
    ahead = set()
    for pair, gap, (error, df), p, holm in zip(
        family, gaps, parts, p_values, adjusted, strict=True
    ):
        row = pairs_of(found)[f"s{pair[0]}", f"s{pair[1]}"]
        reach = stats.t.isf(0.025 / len(family), df) * error
        low, high = gap.mean() - reach, gap.mean() + reach
        assert (row["interval"]["low"], row["interval"]["high"]) == pytest.approx((low, high))
        assert row["p_value"] == pytest.approx(p, rel=1e-8)
        assert row["p_adjusted"] == pytest.approx(holm, rel=1e-8)
        if low > 0:
            ahead.add((pair[1], pair[0]))
        elif high < 0:
            ahead.add(pair)
    rows = {row.system: row for row in found.systems}
    for i, j in family:
        shared = set(rows[f"s{i}"].band) & set(rows[f"s{j}"].band)
        assert bool(shared) == ((i, j) not in ahead and (j, i) not in ahead)
    for i in range(m):
        low = 1 + sum((k, i) in ahead for k in range(m))
        assert rows[f"s{i}"].rank_interval == (low, m - sum((i, k) in ahead for k in range(m)))


def test_what_rests_on_draws_is_said_to_be_left_out() -> None:
    data = clustered((5,) * 14, 3, 7)
    asked = deadheat.rank(data, descriptive=True, confidence_set=True)
    plain = deadheat.rank(data)
    assert "not_drawn" in {note.code for note in asked.notes}
    assert "not_drawn" not in {note.code for note in plain.notes}
    assert all(row.best_share is None for row in asked.systems)


def test_design_effects_are_said() -> None:
    """The least and the greatest of the systems, by CR2 over the usual standard error."""
    data = clustered((5,) * 14, 4, 8)
    codes = data["cluster"].to_numpy()
    effects = []
    for k in range(4):
        x = data[f"s{k}"].to_numpy().astype(float)
        effects.append(cr2(x, codes)[0] ** 2 / (x.var(ddof=1) / len(x)))
    said = {n.code: n.message for n in deadheat.rank(data).notes}["design_effect"]
    assert f"{min(effects):.2f} to {max(effects):.2f}" in said


@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_an_unknown_cost_is_not_none(missing: Any) -> None:
    """The item is left out of the costs of all systems, not of their values."""
    data = pl.DataFrame(
        {
            "item": ["q1", "q2", "q3"] * 2,
            "system": ["a"] * 3 + ["b"] * 3,
            "score": [1, 0, 1, 0, 1, 1],
            "usd": [0.5, 0.5, 1.0, None, 0.2, 0.4],
        }
    )
    found = deadheat.rank(data, cost="usd", missing=missing)
    assert {row.system: row.cost for row in found.systems} == pytest.approx({"a": 0.75, "b": 0.3})
    assert [row.value for row in found.systems] == pytest.approx([2 / 3, 2 / 3])
    said = {note.code: note.message for note in found.notes}["items_dropped"]
    assert said.startswith("Costs: 1 of 3 items")
    with pytest.raises(deadheat.DeadheatError, match="q1"):
        deadheat.rank(data, cost="usd")
