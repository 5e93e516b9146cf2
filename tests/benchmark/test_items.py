"""Items, discrimination, upsets, reliability and the table of items, against other code."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

import deadheat
from benchmark.boards import (
    CLUSTERS,
    GRADED,
    ITEMS,
    NAMES,
    RIGHT,
    M,
    N,
    checked,
    codes,
    found,
    frame,
    messages,
)
from deadheat.health import cronbach_alpha, random_halves


def psych(scores: np.ndarray, at: int) -> tuple[float, float]:
    """Correlations of an item with the total and the rest by scipy, NaN where it is constant."""
    total = scores.sum(axis=0)
    if np.ptp(scores[at]) == 0:
        return math.nan, math.nan
    return (
        float(stats.pearsonr(scores[at], total).statistic),
        float(stats.pearsonr(scores[at], total - scores[at]).statistic),
    )


def test_counts_of_items() -> None:
    result = checked()
    rows = RIGHT.sum(axis=1)
    wrong = [item for item, n in zip(ITEMS, rows, strict=True) if n == 0]
    assert result.items.n == N
    assert result.items.informative == int(((rows > 0) & (rows < M)).sum())
    assert result.items.all_right == int((rows == M).sum()) >= 1
    assert result.items.all_wrong == len(wrong) >= 1
    assert result.items.unsolved == tuple(wrong[:10])


def test_the_table_of_items() -> None:
    table = checked().items_frame()
    assert table.columns == ["item", "n_right", "difficulty", "r_total", "r_rest", "flags"]
    assert table["item"].to_list() == ITEMS
    assert table["n_right"].to_list() == RIGHT.sum(axis=1).astype(int).tolist()
    assert table["difficulty"].to_list() == pytest.approx(RIGHT.mean(axis=1).tolist())
    wanted = [psych(RIGHT, at) for at in range(N)]
    for name, column in zip(("r_total", "r_rest"), zip(*wanted, strict=True), strict=True):
        got = [math.nan if r is None else r for r in table[name].to_list()]
        assert got == pytest.approx(list(column), abs=1e-9, nan_ok=True)
    flags = [set(text.split(";")) if text else set() for text in table["flags"].to_list()]
    for at, (own, (_, r)) in enumerate(zip(flags, wanted, strict=True)):
        assert ("negative" in own) == (r < 0)
        assert ("weak" in own) == (0 <= r < 0.1)
        assert ("constant" in own) == math.isnan(r)
        assert ("all_right" in own) == (RIGHT[at].min() == 1)
        assert ("all_wrong" in own) == (RIGHT[at].max() == 0)


def test_suspects_are_the_most_negative_items() -> None:
    result = deadheat.check(frame(), suspects=3)
    part = result.discrimination
    assert part is not None
    r = np.array([psych(RIGHT, at)[1] for at in range(N)])
    order = np.argsort(r)
    assert part.negative == int((r < 0).sum()) > 3
    assert part.weak == int(((r >= 0) & (r < 0.1)).sum())
    assert part.mean_r_rest == pytest.approx(np.nanmean(r))
    assert [row.item for row in part.suspects] == [ITEMS[at] for at in order[:3]]
    assert part.suspects[0].item == "q011"
    assert part.suspects[0].r_rest == pytest.approx(r[11])
    told = found("suspects", result)
    assert f"and {part.negative - 3} more" in told.found
    # 1/sqrt(13), the standard error of a correlation over 14 systems.
    assert "0.3" in told.why


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_as_many_are_listed_as_asked_for(n: int) -> None:
    result = deadheat.check(frame(), suspects=n)
    assert result.discrimination is not None
    assert len(result.discrimination.suspects) == min(n, result.discrimination.negative)
    assert len(result.items.unsolved) == min(n, result.items.all_wrong or 0)


@pytest.mark.parametrize("m", [2, 9, 10])
def test_ten_systems_are_needed_for_correlations(m: int) -> None:
    result = deadheat.check(frame(RIGHT[:, :m]))
    table = result.items_frame()
    assert (result.discrimination is None) == (m < 10)
    assert (table["r_rest"].null_count() == N) == (m < 10)
    assert table["difficulty"].to_list() == pytest.approx(RIGHT[:, :m].mean(axis=1).tolist())
    assert ("few_systems" in codes(result)) == (m < 10)
    said = [message for message in messages(result).get("not_computed", []) if "too few" in message]
    assert bool(said) == (m < 10)


def test_upsets_by_hand() -> None:
    """Four strong and four weak of 16 systems; items 0 and 1 are solved by weak ones alone."""
    right = np.zeros((10, 16))
    for system in range(16):
        right[2 : 10 - system // 2, system] = 1.0
    right[0, 13:] = 1.0
    right[1, 15] = 1.0
    systems = {f"s{k:02}": right[:, k] for k in range(16)}
    result = deadheat.check(systems)
    part = result.upsets
    assert part is not None
    values = right.mean(axis=0)
    order = sorted(range(16), key=lambda k: (-values[k], f"s{k:02}"))
    assert part.strong == tuple(f"s{k:02}" for k in order[:4])
    assert part.weak == tuple(f"s{k:02}" for k in order[-4:])
    assert (part.n, part.n_open) == (2, 2)
    assert [(row.item, row.n_weak) for row in part.items] == [("1", 3), ("2", 1)]
    assert {row.system: row.n for row in part.systems} == {
        name: int(right[:2, int(name[1:])].sum()) for name in part.weak
    }
    assert "no proof" in found("upsets", result).why
    flags = result.items_frame()["flags"].to_list()
    assert [("upset" in (flag or "")) for flag in flags] == [True, True] + [False] * 8


def test_graded_scores_have_no_upsets() -> None:
    result = deadheat.check(frame(GRADED))
    assert result.upsets is None
    assert result.discrimination is not None
    assert result.items_frame()["n_right"].null_count() == N
    assert result.discrimination.suspects[0].n_right is None


# -- reliability -----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [RIGHT, GRADED], ids=["0/1", "graded"])
def test_reliability_by_scipy(table: np.ndarray) -> None:
    part = deadheat.check(frame(table), rng=3).reliability
    assert part is not None
    items = table.var(axis=1, ddof=1).sum()
    alpha = N / (N - 1) * (1 - items / table.sum(axis=0).var(ddof=1))
    assert part.alpha.value == pytest.approx(alpha)
    r, tau = [], []
    for half in random_halves(N, part.n_splits, seed=3):
        a, b = table[half].mean(axis=0), table[~half].mean(axis=0)
        r.append(stats.pearsonr(a, b).statistic)
        # As many decimals as scores have: equal means are equal.
        tau.append(stats.kendalltau(a.round(9), b.round(9)).statistic)
    assert part.n_splits == 500
    assert part.correlation == pytest.approx(np.mean(r))
    assert part.split_half.value == pytest.approx(2 * np.mean(r) / (1 + np.mean(r)))
    assert part.kendall.value == pytest.approx(np.mean(tau))
    for estimate in (part.alpha, part.split_half, part.kendall):
        assert estimate.low < estimate.value < estimate.high


def test_interval_over_resampled_systems() -> None:
    """The percentile interval of alpha, drawn again by numpy's own generator."""
    part = checked().reliability
    assert part is not None
    rng = np.random.default_rng(0)
    drawn = [cronbach_alpha(RIGHT[:, rng.integers(0, M, M)]) for _ in range(4_000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert (part.alpha.low, part.alpha.high) == pytest.approx((low, high), abs=0.01)


def test_alpha_of_clusters_is_that_of_their_totals() -> None:
    part = deadheat.check(frame(cluster=CLUSTERS), rng=1).reliability
    assert part is not None
    totals = RIGHT.reshape(40, 4, M).sum(axis=1)
    assert part.alpha.value == pytest.approx(cronbach_alpha(totals))
    r = [
        stats.pearsonr(totals[half].sum(axis=0), totals[~half].sum(axis=0)).statistic
        for half in random_halves(40, part.n_splits, seed=1)
    ]
    assert part.correlation == pytest.approx(np.mean(r))


def test_alpha_of_clusters_of_several_sizes() -> None:
    sizes = [100, 30, 20, 10]
    clusters = [name for name, n in zip("wxyz", sizes, strict=True) for _ in range(n)]
    part = deadheat.check(frame(cluster=clusters)).reliability
    assert part is not None
    totals = np.add.reduceat(RIGHT, np.cumsum([0, *sizes[:-1]]), axis=0)
    raju = (1 - totals.var(axis=1).sum() / totals.sum(axis=0).var()) / (
        1 - sum((n / 160) ** 2 for n in sizes)
    )
    assert part.alpha.value == pytest.approx(raju)


@pytest.mark.parametrize(
    ("m", "known", "interval"),
    [(2, False, False), (3, True, False), (4, True, False), (5, True, True)],
)
def test_few_systems(m: int, known: bool, interval: bool) -> None:
    part = deadheat.check(frame(RIGHT[:, 4 : 4 + m])).reliability
    assert (part is not None) == known
    if part is not None:
        assert math.isnan(part.alpha.low) != interval
        assert "rough" in found("reliability", deadheat.check(frame(RIGHT[:, 4 : 4 + m]))).found


def test_unreliable_and_reliable_sets() -> None:
    rng = np.random.default_rng(2)
    equal = {f"s{k:02}": rng.integers(0, 2, 60) for k in range(12)}
    assert found("reliability", deadheat.check(equal)).severity == "warning"
    assert found("reliability", checked()).severity in ("ok", "notice")
    alpha = checked().reliability.alpha.value  # type: ignore[union-attr]
    assert (found("reliability", checked()).severity == "ok") == (alpha >= 0.9)


# -- nothing depends on order ----------------------------------------------------------------------


def test_order_of_systems_and_items_changes_nothing() -> None:
    table = frame(cluster=CLUSTERS)
    turned = table.select(["item", "cluster", *reversed(table.columns[2:])]).sample(
        fraction=1.0, shuffle=True, seed=1
    )
    one, other = deadheat.check(table, n_resamples=499), deadheat.check(turned, n_resamples=499)
    assert one.findings == other.findings
    assert one.items_frame().equals(other.items_frame())
    for name in ("reliability", "discrimination", "upsets", "spread", "resolution"):
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(threads: int) -> None:
    one, other = (
        deadheat.check(frame(), n_resamples=600),
        deadheat.check(frame(), n_resamples=600, threads=threads),
    )
    assert one.to_dict() == other.to_dict()


def test_seeds_move_what_is_drawn_and_nothing_else() -> None:
    one, other = (deadheat.check(frame(), rng=seed) for seed in (0, 1))
    assert one.discrimination == other.discrimination
    assert one.resolution == other.resolution
    assert one.reliability != other.reliability
    assert one.reliability.alpha.value == other.reliability.alpha.value  # type: ignore[union-attr]


def test_arrays_have_rows_for_names() -> None:
    result = deadheat.check({name: RIGHT[:, k] for k, name in enumerate(NAMES)}, suspects=1)
    assert result.items_frame()["item"].to_list() == list(range(1, N + 1))
    assert result.discrimination is not None
    assert result.discrimination.suspects[0].item == "12"


def test_a_metric_of_the_whole_set_has_no_table() -> None:
    truth = [0, 1, 2] * 20
    systems = {
        f"s{k}": [(t + (i % (k + 2) == 0)) % 3 for i, t in enumerate(truth)] for k in range(4)
    }
    result = deadheat.check(systems, references=truth, metric="macro_f1", n_resamples=199)
    assert result.items_frame().height == 0
    assert isinstance(result.items_frame(), pl.DataFrame)
    assert result.items.informative is None
    assert result.spread is not None
    assert result.resolution is not None
    for part in ("discrimination", "upsets", "reliability"):
        assert any(m.startswith(f"{part}:") for m in messages(result)["not_computed"])
