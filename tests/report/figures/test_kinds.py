"""Every kind of figure holds numbers that another way of computing gives."""

from __future__ import annotations

import copy
import math
import pickle
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

import deadheat
from deadheat.report import svg
from deadheat.report.figure import Boxes, Figure, Line, Points, Rule, Spans
from deadheat.report.figures import figures_of
from deadheat.report.figures.axes import ticks
from report import results


def named(result: Any, name: str) -> Figure:
    return next(figure for figure in figures_of(result) if figure.name == name)


def bars(figure: Figure) -> list[tuple[float, float, float, float, str]]:
    """Left, right, bottom, top and role of every box, from left to right."""
    return sorted(
        (left, right, bottom, top, mark.role)
        for mark in figure.marks
        if isinstance(mark, Boxes)
        for left, right, bottom, top in zip(
            mark.left, mark.right, mark.bottom, mark.top, strict=True
        )
    )


@cache
def graded() -> deadheat.Comparison:
    draw = random.Random(1)
    first = [round(draw.random(), 4) for _ in range(90)]
    second = [round(x + draw.gauss(0.05, 0.2), 4) for x in first]
    return comparison({"a": first, "b": second})


def comparison(*sources: Any, **options: Any) -> deadheat.Comparison:
    found = deadheat.compare(*sources, **options)
    assert isinstance(found, deadheat.Comparison)
    return found


@cache
def of_runs() -> deadheat.Comparison:
    draw = random.Random(2)
    rows = [
        {"item": item, "system": system, "run": run, "score": float(draw.random() < p + 0.05 * run)}
        for system, p in (("base", 0.5), ("cand", 0.6))
        for run in range(3)
        for item in range(40)
    ]
    return comparison(pl.DataFrame(rows), runs="random")


@cache
def calibrated() -> deadheat.Comparison:
    draw = random.Random(3)
    given = {name: [draw.random() for _ in range(200)] for name in ("a", "b")}
    references = [int(draw.random() < p) for p in given["a"]]
    return comparison(given, references=references, metric="ece", n_resamples=499, bins=5)


@cache
def plan() -> deadheat.Plan:
    return deadheat.plan(baseline=0.7, gap=0.05, discordance=0.25, items=400)


@cache
def many() -> deadheat.Leaderboard:
    draw = random.Random(4)
    hard = [draw.gauss(0.0, 1.0) for _ in range(150)]
    found = deadheat.rank(
        {
            f"system-{at}": [int(draw.gauss(0.15 * at, 0.7) > item) for item in hard]
            for at in range(15)
        },
        n_resamples=499,
        threads=1,
    )
    assert isinstance(found, deadheat.Leaderboard)
    return found


def test_bars_of_an_exact_distribution_are_sums_of_its_probabilities() -> None:
    figure = named(results.unresolved(), "distribution")
    pmf = np.ones(1)
    for _ in range(500):
        pmf = np.convolve(pmf, [67 / 500, 348 / 500, 85 / 500])
    points = np.arange(-500, 501) / 500
    found = bars(figure)
    for left, right, bottom, top, _ in found:
        assert bottom == 0.0
        assert top == pytest.approx(pmf[(points > left) & (points <= right)].sum(), abs=1e-12)
    # What is left out on both sides is next to nothing.
    assert sum(top for _, _, _, top, _ in found) == pytest.approx(1.0, abs=1e-4)
    assert sorted({round((right - left) * 500) for left, right, _, _, _ in found}) == [2]
    table = dict(figure.table.rows)
    assert table["at or below zero"] == f"{pmf[:501].sum():.2%}"
    assert table["2.5% lie at or below"] == "-1.2 points"
    assert table["2.5% lie at or above"] == "+8.4 points"


def test_bars_within_the_interval_are_told_from_those_outside() -> None:
    interval = graded().difference.interval
    for left, right, _, _, role in bars(named(graded(), "distribution")):
        inside = interval.low <= (left + right) / 2.0 <= interval.high
        assert role == ("plain" if inside else "muted")


def test_bars_of_drawn_points_on_a_lattice_show_no_comb() -> None:
    # Means of 60 and of 12 items, averaged: all differences are multiples of 1/120.
    steps = [
        (120.0 * left, 120.0 * right)
        for left, right, *_ in bars(named(results.stratified(), "distribution"))
    ]
    assert {round(right - left) for left, right in steps} == {3}
    assert {round(left % 1.0, 6) for left, _ in steps} == {0.5}


def test_methods_that_use_no_distribution_have_no_figure_of_one() -> None:
    names = [figure.name for figure in figures_of(comparison(results.outcomes(20, 2, 8, 10)))]
    assert "distribution" not in names
    assert "agreement" in names


def test_areas_of_agreement_are_the_shares_of_the_items() -> None:
    found = bars(named(results.unresolved(), "agreement"))
    areas = {role: (right - left) * (top - bottom) for left, right, bottom, top, role in found}
    assert areas == pytest.approx(
        {"muted": 289 / 500, "behind": 67 / 500, "ahead": 85 / 500, "open": 59 / 500}
    )


def test_each_item_has_a_bar_in_order_of_its_difference() -> None:
    first, second = [1.0, 3.0, 2.0, 5.0], [2.5, 1.0, 2.0, 6.0]
    figure = named(comparison({"a": first, "b": second}), "items")
    assert bars(figure) == [
        (-0.5, 0.5, -2.0, 0.0, "behind"),
        (1.5, 2.5, 0.0, 1.0, "ahead"),
        (2.5, 3.5, 0.0, 1.5, "ahead"),
    ]
    assert "better on 2, worse on 1 and equal on 1 of 4 items" in figure.description


def test_of_many_items_bars_count_those_that_differ() -> None:
    # 100 equal, 100 gain 0.5, 50 gain 1, 50 lose 1: edges belong to the bar towards zero.
    gaps = [0.0] * 100 + [0.5] * 100 + [1.0] * 50 + [-1.0] * 50
    result = comparison({"a": [1.0] * 300, "b": [1.0 + gap for gap in gaps]}, metric="mean")
    found = bars(named(result, "items"))
    assert [(right, top) for _, right, _, top, role in found if role == "ahead"] == [
        pytest.approx((0.5, 100.0)),
        pytest.approx((1.0, 50.0)),
    ]
    assert [(left, top) for left, _, _, top, role in found if role == "behind"] == [
        pytest.approx((-1.0, 50.0))
    ]


def test_a_stratum_has_the_interval_of_a_comparison_of_it_alone() -> None:
    figure = named(results.stratified(), "strata")
    assert [name for _, name in figure.y.ticks] == ["law (60)", "maths (12)", "all (72)"]
    ends = spans(figure)
    for row, counts in ((0, (20, 14, 2, 24)), (1, (3, 0, 5, 4))):
        alone = comparison(results.outcomes(*counts), method="tango").difference.interval
        assert ends[row][:2] == pytest.approx((alone.low, alone.high))
    assert [role for _, _, role in ends] == ["behind", "ahead", "open"]


def test_strata_of_graded_scores_have_intervals_of_t() -> None:
    draw = random.Random(5)
    first = [draw.random() for _ in range(60)]
    second = [draw.random() for _ in range(60)]
    frame = pl.DataFrame(
        {"item": range(60), "task": ["x"] * 25 + ["y"] * 35, "a": first, "b": second}
    )
    figure = named(comparison(frame, metric="mean"), "strata")
    gaps = np.array(second) - np.array(first)
    for row, own in enumerate((gaps[:25], gaps[25:])):
        expected = stats.ttest_1samp(own, 0.0).confidence_interval(0.95)
        assert spans(figure)[row][:2] == pytest.approx((expected.low, expected.high))


def spans(figure: Figure) -> list[tuple[float, float, str]]:
    """Ends and role of intervals, from the first row on."""
    rows = sorted(
        (y, low, high, mark.role)
        for mark in figure.marks
        if isinstance(mark, Spans)
        for low, high, y in zip(mark.low, mark.high, mark.y, strict=True)
    )
    return [(low, high, role) for _, low, high, role in rows]


def test_runs_are_at_their_means() -> None:
    figure = named(of_runs(), "runs")
    draw = random.Random(2)
    expected = [
        sum(draw.random() < p + 0.05 * run for _ in range(40)) / 40
        for p in (0.5, 0.6)
        for run in range(3)
    ]
    drawn = [x for mark in figure.marks if isinstance(mark, Points) for x in mark.x]
    assert drawn == pytest.approx(expected)
    shares = bars(named(of_runs(), "variance"))
    assert sum(right - left for left, right, *_ in shares) == pytest.approx(1.0)


def test_reliability_is_the_share_right_by_confidence() -> None:
    draw = random.Random(3)
    given = {name: [draw.random() for _ in range(200)] for name in ("a", "b")}
    references = [int(draw.random() < p) for p in given["a"]]
    figure = named(calibrated(), "reliability")
    points = [mark for mark in figure.marks if isinstance(mark, Points)]
    for mark, confidences in zip(points, given.values(), strict=True):
        for at in range(5):
            own = [
                (p, right)
                for p, right in zip(confidences, references, strict=True)
                if at / 5 < p <= (at + 1) / 5
            ]
            assert mark.x[at] == pytest.approx(sum(p for p, _ in own) / len(own))
            assert mark.y[at] == pytest.approx(sum(right for _, right in own) / len(own))


def test_four_times_the_items_halve_the_interval() -> None:
    figure = named(results.unresolved(), "precision")
    (line,) = [mark for mark in figure.marks if isinstance(mark, Line)]
    widths = {round(10.0**x): y for x, y in zip(line.x, line.y, strict=True)}
    # The standard error of a mean of -1, 0 and 1.
    spread = math.sqrt((67 + 85) / 500 - (18 / 500) ** 2) / math.sqrt(499)
    assert widths[500] == pytest.approx(1.959964 * spread, rel=1e-6)
    assert widths[2000] == pytest.approx(widths[500] / 2.0)
    assert dict(row[:2] for row in figure.table.rows)["2,000"] == "2.4 points"


def test_power_is_that_of_the_plan() -> None:
    figure = named(plan(), "power")
    (line,) = [mark for mark in figure.marks if isinstance(mark, Line)]
    assert list(line.y) == [point.power for point in plan().curve]
    labels = [mark.label for mark in figure.marks if isinstance(mark, Rule)]
    assert f"needed: {plan().items:,}" in labels
    assert "given: 400" in labels
    crossing = np.interp(plan().items or 0, line.x, line.y)
    assert crossing == pytest.approx(0.8, abs=0.01)


def test_ranks_and_bands_are_those_of_the_board() -> None:
    result = results.board()
    figure = named(result, "ranks")
    assert [(low, high) for low, high, _ in spans(figure)] == [
        row.rank_interval for row in result.systems
    ]
    assert [text for _, text in figure.beside] == [row.band for row in result.systems]


def test_a_cell_is_the_row_minus_the_column() -> None:
    result = results.board()
    figure = named(result, "pairs")
    cells = {
        (round((bottom + top) / 2.0), round((left + right) / 2.0)): text
        for mark in figure.marks
        if isinstance(mark, Boxes)
        for left, right, bottom, top, text in zip(
            mark.left, mark.right, mark.bottom, mark.top, mark.texts, strict=True
        )
    }
    shares = sorted((sum(scores) / 2.0 for scores in results.OF_FIVE.values()), reverse=True)
    assert cells == {
        (row, column): f"{shares[row] - shares[column]:+.1f}"
        for row in range(5)
        for column in range(row + 1, 5)
    }


def test_cells_of_many_systems_say_the_same_as_the_pairs() -> None:
    figure = named(many(), "pairs")
    (gaps,) = {
        id(mark.gaps): mark.gaps for mark in figure.marks if isinstance(mark, Boxes)
    }.values()
    assert gaps is not None
    values = {row.system: row.value for row in many().systems}
    first, last = many().systems[0].system, many().systems[-1].system
    gap = 100.0 * (values[first] - values[last])
    assert gaps.said(0, 14) == f"{first} - {last}: {gap:+.2f} points"


def test_a_board_with_a_baseline_has_the_differences_to_it() -> None:
    result = results.board_of_few_clusters()
    figure = named(result, "differences")
    shares = {name: sum(scores) / 200 for name, scores in results.OF_FIVE.items()}
    drawn = sorted(
        (y, x)
        for mark in figure.marks
        if isinstance(mark, Points)
        for x, y in zip(mark.x, mark.y, strict=True)
    )
    expected = sorted((share - shares["cat"] for n, share in shares.items() if n != "cat"))
    assert [x for _, x in drawn] == pytest.approx(expected[::-1])


KINDS = {
    "difference": results.one_sided,
    "values": results.scorecard,
    "distribution": results.unresolved,
    "agreement": results.unresolved,
    "items": graded,
    "strata": results.stratified,
    "runs": of_runs,
    "variance": of_runs,
    "reliability": calibrated,
    "precision": results.unresolved,
    "power": plan,
    "ranks": results.board,
    "differences": results.board_of_few_clusters,
    "pairs": results.board,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_drawing_of_each_kind(name: str, snapshot: SnapshotAssertion) -> None:
    text = svg.draw(named(KINDS[name](), name), interactive=True)
    assert text.replace("><", ">\n<") == snapshot


@pytest.mark.parametrize("make", [*results.COMPARISONS.values(), *results.BOARDS.values()])
def test_every_figure_has_words_and_a_table_and_no_number_that_is_none(make: Any) -> None:
    found = figures_of(make())
    assert len({figure.name for figure in found}) == len(found)
    for figure in found:
        assert figure.description.endswith(".")
        assert figure.table.rows
        assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)
        assert figure.x.low < figure.x.high
        assert figure.y.low != figure.y.high
        assert "nan" not in svg.draw(figure)


@pytest.mark.parametrize("kind", ["mean", "accuracy", "clusters"])
def test_a_table_counted_in_passing_has_the_figures_of_one_that_is_held(
    kind: str, tmp_path: Path
) -> None:
    n, draw = 60_000, np.random.default_rng(6)
    most = 2 if kind == "accuracy" else 5
    columns = {name: draw.integers(0, most, n) / (most - 1) for name in ("x", "y")}
    frame = pl.DataFrame({"item": np.arange(n), **columns})
    if kind == "clusters":
        frame = frame.with_columns(cluster=pl.int_range(n) % 60)
    frame.write_csv(tmp_path / "scores.csv")
    metric = "mean" if kind == "clusters" else kind
    held, passed = (
        comparison(str(tmp_path / "scores.csv"), metric=metric, n_resamples=99, memory=memory)
        for memory in ("1GB", "1MB")
    )
    assert "counted_in_passing" in {note.code for note in passed.notes}
    wanted = "agreement" if kind == "accuracy" else "items"
    assert wanted in {figure.name for figure in figures_of(passed)}
    assert figures_of(passed) == figures_of(held)


@pytest.mark.parametrize(
    "make", [results.corpus, results.clustered, results.stratified, results.board]
)
def test_results_can_be_sent_elsewhere(make: Any) -> None:
    result = make()
    sent = pickle.loads(pickle.dumps(result))
    assert sent.part is None
    assert sent.to_dict() == result.to_dict()
    assert copy.deepcopy(result).part is result.part


@pytest.mark.parametrize(
    ("low", "high"),
    [(-3e-9, 8e-9), (0.0, 3.3e12), (-1e-290, 1e-290), (5.0, 5.0000001), (1e15, 1e15 + 8.0)],
)
def test_ticks_of_any_size_are_apart_and_say_their_number(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 3 <= len(found) <= 8
    texts = [text for _, text in found]
    assert len(set(texts)) == len(texts)
    assert max(map(len, texts)) <= 16
    for value, text in found:
        assert float(text.replace(",", "")) == pytest.approx(
            value, rel=1e-9, abs=1e-3 * (high - low)
        )


@pytest.mark.parametrize("size", [1e-99, 1e-13, 1e-9, 1e9, 1e99])
def test_scores_of_any_size_are_drawn(size: float) -> None:
    draw = random.Random(8)
    data = {name: [size * draw.random() for _ in range(40)] for name in ("a", "b")}
    found = figures_of(comparison(data, metric="mean"))
    assert {"values", "items"} <= {figure.name for figure in found}
    for figure in found:
        assert "nan" not in svg.draw(figure)
