"""Figures by matplotlib: artists hold the numbers, and nothing of its state is changed."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from scipy import stats

import deadheat
from deadheat import errors
from deadheat.report.figures import figures_of
from report import results

MAKERS = (results.one_sided, results.stratified, results.mean, results.board, results.scorecard)


@pytest.fixture(autouse=True)
def _without_a_screen() -> Iterator[None]:
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.mark.parametrize("make", MAKERS)
def test_every_figure_of_a_result_is_drawn(make: Callable[[], Any]) -> None:
    result = make()
    for figure in figures_of(result):
        axes = result.plot(figure=figure.name)
        assert axes.get_title(loc="left") == figure.title
        assert axes.get_xlim() == pytest.approx((figure.x.low, figure.x.high))
        assert [text.get_text() for text in axes.get_yticklabels()] == [
            text for _, text in figure.y.ticks
        ]
        plt.close("all")


def test_dots_and_ends_are_the_numbers() -> None:
    axes = results.unresolved().plot(figure="values")
    drawn = [line for line in axes.lines if isinstance(line, Line2D)]
    dots = [line for line in drawn if line.get_marker() in ("s", "o")]
    assert [float(line.get_xdata()[0]) for line in dots] == [356 / 500, 374 / 500]  # type: ignore[index]
    ends = [line.get_xdata() for line in drawn if line.get_marker() == "|"]
    for found, k in zip(ends, (356, 374), strict=True):
        expected = stats.binomtest(k, 500).proportion_ci(method="wilson")
        assert list(found) == pytest.approx([expected.low, expected.high])


def test_four_areas_are_as_large_as_the_counts() -> None:
    axes = results.unresolved().plot(figure="agreement")
    areas = [
        patch.get_width() * patch.get_height()
        for patch in axes.patches
        if isinstance(patch, Rectangle)
    ]
    assert sorted(areas) == pytest.approx(sorted(count / 500 for count in (289, 67, 85, 59)))


def test_axes_that_are_given_are_drawn_on_and_returned() -> None:
    canvas = Canvas()
    axes = canvas.add_subplot()
    before = plt.get_fignums()
    assert results.unresolved().plot(axes) is axes
    assert plt.get_fignums() == before
    assert axes.lines


def test_the_state_of_matplotlib_and_of_generators_is_left_alone() -> None:
    before = dict(mpl.rcParams)
    np.random.seed(1)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    results.board().plot(figure="pairs")
    assert dict(mpl.rcParams) == before
    assert np.random.random() == expected  # noqa: NPY002
    assert len(plt.get_fignums()) == 1


def test_fonts_are_within_a_file_for_papers() -> None:
    file = io.BytesIO()
    results.unresolved().plot().figure.savefig(file, format="pdf")
    fonts = file.getvalue()
    assert b"/FontDescriptor" in fonts
    assert b"/CharProcs" in fonts or b"/FontFile2" in fonts


def test_names_are_no_formulas() -> None:
    name = "$\\frac{1}$"
    result = deadheat.score({name: [1, 0, 1], "b_{": [0, 0, 1]})
    axes = result.plot()
    axes.figure.savefig(io.BytesIO())
    assert axes.get_yticklabels()[0].get_text() == name


def test_a_name_that_there_is_not_is_answered_by_those_that_there_are() -> None:
    with pytest.raises(errors.UsageError, match="no figure 'forest'") as raised:
        results.unresolved().plot(figure="forest")
    for name in ("difference", "values", "distribution", "agreement", "precision"):
        assert name in str(raised.value)


def test_a_result_without_figures_says_so() -> None:
    with pytest.raises(errors.UsageError, match="has no figures"):
        results.adjustment().plot()


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(errors.UsageError, match=r"pip install 'deadheat\[plot\]'"):
        results.unresolved().plot()
