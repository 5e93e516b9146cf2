"""Forests: the numbers in the marks are those of an independent source."""

from __future__ import annotations

import pytest
from scipy import stats

import deadheat
from deadheat.report.figure import Figure, Points, Spans
from deadheat.report.figures import figures_of
from report import results


def named(result: object, name: str) -> Figure:
    return next(figure for figure in figures_of(result) if figure.name == name)


def test_values_are_shares_with_wilson_intervals() -> None:
    figure = named(results.unresolved(), "values")
    points = [mark for mark in figure.marks if isinstance(mark, Points)]
    spans = [mark for mark in figure.marks if isinstance(mark, Spans)]
    assert [mark.x for mark in points] == [(356 / 500,), (374 / 500,)]
    assert [mark.role for mark in points] == ["baseline", "candidate"]
    for mark, k in zip(spans, (356, 374), strict=True):
        expected = stats.binomtest(k, 500).proportion_ci(method="wilson")
        assert (mark.low[0], mark.high[0]) == pytest.approx((expected.low, expected.high))


def test_the_difference_of_the_simulation_is_not_settled() -> None:
    figure = named(results.unresolved(), "difference")
    (span,) = [mark for mark in figure.marks if isinstance(mark, Spans)]
    # The ideal percentile interval of 67 against 85 of 500.
    assert (span.low[0], span.high[0]) == pytest.approx((-0.012, 0.084))
    assert span.role == "open"


def test_a_lower_error_of_the_candidate_is_ahead() -> None:
    found = deadheat.compare(
        {
            "a": [float(at % 5) for at in range(60)],
            "b": [at % 5 - 1.0 + at % 3 for at in range(60)],
        },
        metric="mean",
        greater_is_better=True,
    )
    worse = deadheat.compare(
        {
            "a": [float(at % 5) for at in range(60)],
            "b": [at % 5 - 3.0 + at % 3 for at in range(60)],
        },
        metric="mean",
        greater_is_better=False,
    )
    roles = [
        mark.role
        for result in (found, worse)
        for mark in named(result, "difference").marks
        if isinstance(mark, Spans)
    ]
    # The first gains nothing on average; the second loses two of an error.
    assert roles == ["open", "ahead"]


def test_a_board_is_drawn_from_best_to_worst() -> None:
    result = results.board()
    figure = named(result, "values")
    assert [name for _, name in figure.y.ticks] == [row.system for row in result.systems]
    rows = sorted(
        (y, x)
        for mark in figure.marks
        if isinstance(mark, Points)
        for x, y in zip(mark.x, mark.y, strict=True)
    )
    shares = {name: sum(scores) / 200 for name, scores in results.OF_FIVE.items()}
    assert [x for _, x in rows] == pytest.approx(sorted(shares.values(), reverse=True))


def test_what_is_undefined_has_no_figure_of_a_difference() -> None:
    assert [figure.name for figure in figures_of(results.one_item())] == [
        "values",
        "agreement",
    ]


def test_results_of_several_metrics_have_figures_of_each() -> None:
    names = [figure.name for figure in figures_of(results.boards())]
    assert "values-accuracy" in names
    assert "values-macro-f1" in names
    assert len(names) == len(set(names))


def test_the_parts_of_a_result_are_kept_out_of_what_is_written() -> None:
    result = results.unresolved()
    assert result.part is not None
    assert result.difference.distribution is not None
    assert "part=" not in repr(result)
    assert "distribution" not in result.to_dict()["difference"]
    assert "part" not in result.to_dict()


def test_words_of_the_difference_are_those_of_the_reading() -> None:
    said = {
        make.__name__: (named(make(), "difference").legend, named(make(), "difference").description)
        for make in (
            results.resolved,
            results.unresolved,
            results.borderline,
            results.equivalent,
        )
    }
    assert {name: legend for name, (legend, _) in said.items()} == {
        "resolved": (("ahead", "candidate better"),),
        "unresolved": (("open", "not settled"),),
        "borderline": (("open", "borderline"),),
        "equivalent": (("open", "within the margin"),),
    }
    assert "do not settle" in said["unresolved"][1]
    assert "disagrees" in said["borderline"][1]
    assert "do not settle" not in said["equivalent"][1]
