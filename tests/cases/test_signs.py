"""Class D of the faults of other tools, rows 32 to 36: signs, shares and undefined p-values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import deadheat
from cases.data import cells, discordant, the_test
from cases.sides import F1, GRADED, SIDED, compared, labels_of
from processes import Run, refused

SIGNED: list[tuple[str, dict[str, Any]]] = [
    ("tens and twenties", {"sources": ([10.0] * 100, [20.0] * 100)}),
    ("nearly", {"sources": ([10.0] * 100, [20.0 + i % 2 for i in range(100)])}),
    ("all wrong and all right", {"sources": ([0] * 50, [1] * 50)}),
    *SIDED,
]


@pytest.mark.parametrize(("name", "case"), SIGNED, ids=[name for name, _ in SIGNED])
@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
def test_exchanging_the_systems_flips_the_sign_and_keeps_p(
    name: str, case: dict[str, Any], paired: bool
) -> None:
    """Row 32: difference = candidate - baseline, whichever way round."""
    there = compared(case, names=("x", "y"), paired=paired)
    back = compared({**case, "sources": case["sources"][::-1]}, names=("y", "x"), paired=paired)
    one, other = there["difference"], back["difference"]
    assert one["estimate"] > 0
    assert one["estimate"] == pytest.approx(
        there["candidate"]["value"] - there["baseline"]["value"]
    )
    assert other["estimate"] == pytest.approx(-one["estimate"], rel=1e-12)
    if one["interval"]["low"] is not None:
        assert other["interval"]["low"] == pytest.approx(-one["interval"]["high"], rel=1e-9)
        assert other["interval"]["high"] == pytest.approx(-one["interval"]["low"], rel=1e-9)
    answers = zip((other, *back["tests"]), (one, *there["tests"]), strict=True)
    for mirrored, answer in answers:
        if answer["p_value"] is None:
            assert mirrored["p_value"] is None
        else:
            assert mirrored["p_value"] == pytest.approx(answer["p_value"], rel=1e-9)


@pytest.mark.parametrize(("name", "case"), SIGNED, ids=[name for name, _ in SIGNED])
def test_the_better_system_is_named(name: str, case: dict[str, Any]) -> None:
    """Row 32: with greater values better, the words name the one with the greater values."""
    names = ("Poor", "Rich")
    for order in (1, -1):
        found = compared({**case, "sources": case["sources"][::order]}, names=names[::order])
        if found["reading"]["code"] in ("resolved", "degenerate"):
            text = found["reading"]["text"]
            assert "Rich" in text
            assert "Poor is ahead" not in text


@pytest.mark.parametrize("n", [50, 60])
def test_winning_on_every_item_is_resolved(n: int) -> None:
    """Row 32: right on all items against wrong on all is neither p = 1 nor "nothing varies"."""
    found = compared({"sources": ([0] * n, [1] * n)})
    assert found["reading"]["code"] == "resolved"
    assert the_test(found, "mcnemar", "exact")["p_value"] == pytest.approx(2.0 ** (1 - n), rel=1e-9)


@pytest.mark.parametrize("table", [(30, 5, 9, 16), (0, 0, 0, 20), (20, 0, 0, 0), (7, 8, 0, 3)])
def test_wins_losses_and_ties_add_up(table: tuple[int, int, int, int]) -> None:
    """Row 33: ties are counted apart from losses, and the four cells are all items."""
    counts = compared({"sources": cells(*table)})["counts"]
    assert tuple(counts.values()) == table
    assert list(counts) == ["both", "only_baseline", "only_candidate", "neither"]
    test = the_test(compared({"sources": cells(*table)}), "mcnemar", "exact")
    assert (test["only_baseline"], test["only_candidate"]) == table[1:3]


CLEAR: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {"sources": discordant(10, 60, 200)}),
    ("graded", {"sources": (GRADED[0], GRADED[0] + 1.0 + 0.1 * GRADED[1])}),
    ("f1", {"sources": (labels_of(0.3), labels_of(0.95)), **F1}),
]


@pytest.mark.parametrize(("name", "case"), CLEAR, ids=[name for name, _ in CLEAR])
@pytest.mark.parametrize("test", ["auto", "bootstrap", "shift"])
def test_a_clear_effect_has_a_small_p(name: str, case: dict[str, Any], test: str) -> None:
    """Row 34: a distribution that is not centred gives about 0.5 whatever the effect."""
    if name == "accuracy" and test == "shift":
        test = "auto"
    found = compared(case, test=test)
    assert found["difference"]["p_value"] < 0.01
    assert all(t["p_value"] < 0.01 for t in found["tests"])


@pytest.mark.parametrize("n_resamples", [-1, 0, 1])
def test_fewer_than_two_resamples_are_refused(n_resamples: int) -> None:
    """Row 35: one draw has no spread; also where the distribution would be exact."""
    for case in (SIDED[0][1], SIDED[2][1]):
        with pytest.raises(deadheat.DeadheatError, match="resamples"):
            compared(case, n_resamples=n_resamples)


@pytest.mark.parametrize("n_resamples", [2, 10, 38])
@pytest.mark.parametrize("method", ["percentile", "bca", "bca_t", "expanded", "basic"])
def test_too_few_resamples_never_give_a_p_beside_no_interval(n_resamples: int, method: str) -> None:
    """Row 35: either an error that says so, or interval and p-value are both there or both not."""
    try:
        found = compared(SIDED[2][1], n_resamples=n_resamples, method=method)["difference"]
    except deadheat.DeadheatError as error:
        assert "resamples" in str(error)  # noqa: PT017
        return
    assert (found["p_value"] is None) == (found["interval"]["low"] is None)
    assert found["p_value"] is None or found["p_value"] >= 1 / (n_resamples + 1)


@pytest.mark.parametrize(
    ("name", "case"), [*SIDED, *SIGNED[:2]], ids=[name for name, _ in [*SIDED, *SIGNED[:2]]]
)
def test_no_p_value_where_the_standard_error_is_nothing(name: str, case: dict[str, Any]) -> None:
    """Row 35: without a standard error above 0 there is no dual p-value.

    STATISTICS 2.2 and 2.7 make one exception: a difference of 0 on every item has p = 1.
    """
    difference = compared(case)["difference"]
    if not difference["standard_error"]:
        assert difference["p_value"] is None
    else:
        assert 0.0 < difference["p_value"] <= 1.0


@pytest.mark.parametrize("n", [1, 5, 10, 40])
def test_signed_ranks_of_identical_series(n: int) -> None:
    """Row 36: no crash, no NaN, no 0.043: p = 1."""
    series = np.linspace(0.1, 0.9, n)
    test = deadheat.compare(series, series, test="wilcoxon").difference.tests[0]
    assert test.name == "wilcoxon"
    assert test.p_value == 1.0


def test_signed_ranks_beside_zeros() -> None:
    """Row 36: zeros are dropped, and what is left is tested exactly, ties and all."""
    differences = np.array([0, 0, 0, 0, 1, 2, 3, 4, 5.5, 6])
    test = deadheat.compare(np.zeros(10), differences, test="wilcoxon").difference.tests[0]
    assert test.p_value == pytest.approx(stats.wilcoxon(differences[4:]).pvalue, rel=1e-9)


def test_an_impossible_request_is_refused_by_the_command(run: Run, tmp_path: Any) -> None:
    """Row 35: the same at the command line: exit 2."""
    table = tmp_path / "t.csv"
    table.write_text("item,a,b\n1,1,0\n2,0,1\n3,1,1\n", encoding="utf-8")
    assert "resamples" in refused(run("compare", table, "--resamples", "1"))
