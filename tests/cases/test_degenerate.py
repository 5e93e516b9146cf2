"""Class A of the faults of other tools, rows 1, 2, 4 and 5: data that do not vary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deadheat
from cases.data import Answer, Write, csv
from cases.sides import compared

RIGHT = [1, 0, 1, 1, 0, 1, 0, 1, 1, 1]
RESAMPLED = ["percentile", "basic", "normal", "expanded", "bca", "bca_t"]
CLOSED = ["tango", "newcombe", "bonett_price", "agresti_min"]

IDENTICAL: list[tuple[str, dict[str, Any]]] = [
    ("right or wrong", {"sources": (RIGHT, RIGHT)}),
    ("all right", {"sources": ([1] * 60, [1] * 60)}),
    ("graded", {"sources": ([0.1, 0.25, 0.7] * 8, [0.1, 0.25, 0.7] * 8)}),
    (
        "labels",
        {
            "sources": (list("abcab") * 12,) * 2,
            "references": list("abcba") * 12,
            "metric": "macro_f1",
            "n_resamples": 999,
        },
    ),
]


@pytest.mark.parametrize(("name", "case"), IDENTICAL, ids=[name for name, _ in IDENTICAL])
@pytest.mark.parametrize("method", ["auto", *RESAMPLED])
def test_identical_systems_are_degenerate_and_the_method_used_is_named(
    name: str, case: dict[str, Any], method: str
) -> None:
    """Row 1: no crash and no flood of warnings (here an error); difference 0, p 1, one reason."""
    found = compared(case, method=method)
    difference = found["difference"]
    assert found["reading"]["code"] == "degenerate"
    assert difference["estimate"] == 0.0
    assert difference["standard_error"] == 0.0
    assert difference["p_value"] in (1.0, None)
    interval = difference["interval"]
    if interval["low"] is None:
        assert interval["high"] is None
        assert interval["note"]
    elif interval["low"] == interval["high"]:
        assert interval["method"] == "degenerate"
        assert interval["note"]
    codes = [note["code"] for note in found["notes"]]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("method", ["auto", *CLOSED, "percentile", "bca", "wald", "student_t"])
@pytest.mark.parametrize("scores", [RIGHT, [1] * 60], ids=["mixed", "ceiling"])
def test_identical_systems_are_not_called_equal(scores: list[int], method: str) -> None:
    """Row 1: what no item separates is bounded by z^2 / (n + z^2), never by nothing at all."""
    text = deadheat.compare(scores, scores, method=method).reading.text
    assert "no proof that the systems are equal" in text
    assert "at most 0 points" not in text
    assert "undefined" not in text


@pytest.mark.parametrize("n", [50, 100])
def test_identical_systems_have_tango_s_interval(n: int) -> None:
    """Row 1: Tango's score interval without a discordant item is +/- z^2 / (n + z^2)."""
    z = stats.norm.ppf(0.975)
    interval = deadheat.compare([1] * n, [1] * n).difference.interval
    assert interval.method == "tango"
    assert (interval.low, interval.high) == pytest.approx(
        (-(z**2) / (n + z**2), z**2 / (n + z**2)), abs=1e-9
    )


CONSTANT = [0.1, -0.1, 1e-3, 1e6]


@pytest.mark.parametrize("shift", CONSTANT)
@pytest.mark.parametrize("method", ["auto", *RESAMPLED, "student_t", "studentized"])
def test_a_constant_difference_is_degenerate_within_rounding(shift: float, method: str) -> None:
    """Row 2: zero variance up to rounding gives neither an interval of some width nor a p-value.

    The interval is the point itself (method "degenerate") or undefined with a reason, as
    STATISTICS 1.5 and 2.7 have it.
    """
    baseline = np.linspace(0.0, 0.37, 30)
    found = deadheat.compare(baseline, baseline + shift, method=method).to_dict()
    difference = found["difference"]
    assert found["reading"]["code"] == "degenerate"
    assert difference["estimate"] == pytest.approx(shift, rel=1e-12)
    assert difference["p_value"] is None
    interval = difference["interval"]
    assert interval["note"]
    if interval["low"] is not None:
        assert interval["method"] == "degenerate"
        assert interval["low"] == interval["high"] == difference["estimate"]
    assert all(test["p_value"] is None for test in found["tests"] if test["name"] == "t")


@pytest.mark.parametrize("shift", CONSTANT)
def test_rounding_is_no_standard_error(shift: float) -> None:
    """Row 2: the standard error of a constant is 0, and its digits are not those of rounding."""
    baseline = np.linspace(0.0, 0.37, 30)
    found = deadheat.compare(baseline, baseline + shift)
    assert found.difference.standard_error == 0.0
    assert found.scale.decimals <= 4


def test_a_constant_difference_has_the_honest_p_value_of_the_sign_flip_test() -> None:
    """Row 2: of 2^10 sign patterns two are as extreme; a t test would say 4.5e-140."""
    baseline = np.array(RIGHT, dtype=float) * 0.37
    found = deadheat.compare(baseline, baseline + 0.1)
    assert found.difference.tests[0].name == "sign_flip"
    assert found.difference.tests[0].p_value == pytest.approx(2 / 1024, rel=1e-9)


def test_a_tiny_variance_that_is_real_is_not_taken_for_rounding() -> None:
    """Row 2: the tolerance is for rounding; a spread of one part in a million is data."""
    baseline = np.linspace(0.0, 0.37, 40)
    wobble = np.tile([1e-6, -1e-6], 20)
    found = deadheat.compare(baseline, baseline + 0.1 + wobble)
    assert found.reading.code == "resolved"
    assert found.difference.standard_error == pytest.approx(1e-6 / math.sqrt(39), rel=1e-6)


@pytest.mark.parametrize("constant", [0, 1])
def test_the_boundary_interval_depends_on_the_number_of_items(constant: int) -> None:
    """Row 4: all wrong on 25 items and on 5,000 are not the same knowledge."""
    widths = []
    for n in (25, 5_000):
        interval = deadheat.score([constant] * n).systems[0].interval
        z2 = stats.norm.ppf(0.975) ** 2
        assert interval.high - interval.low == pytest.approx(z2 / (n + z2), rel=1e-9)
        widths.append(interval.high - interval.low)
    assert widths[0] > 100 * widths[1]


@pytest.mark.parametrize("constant", [0.5, 0.25, 7.0, -1.0])
@pytest.mark.parametrize("n", [10, 25, 400])
def test_constant_scores_that_are_not_right_or_wrong_have_no_wilson_interval(
    constant: float, n: int
) -> None:
    """Row 4: a constant 0.5 is degenerate but not a proportion."""
    row = deadheat.score([constant] * n).to_dict()["systems"][0]
    assert row["interval"]["method"] != "wilson"
    assert row["interval"]["note"]
    assert row["interval"]["low"] == row["interval"]["high"]
    assert row["interval"]["low"] in (constant, None)


@pytest.mark.parametrize("constant", [0.5, 7.0])
def test_the_printed_report_says_that_constant_scores_do_not_vary(constant: float) -> None:
    """Row 4: a width of nought on the page must carry its reason on the page."""
    card = deadheat.score([constant] * 25)
    reason = card.systems[0].interval.note
    assert reason
    assert reason in " ".join(card.to_text().split())
    assert reason in card.to_markdown()


def test_partial_credit_is_never_given_a_wilson_interval() -> None:
    """Row 4: Wilson is for 0/1 scores; for others it is refused, not computed."""
    with pytest.raises(deadheat.DeadheatError, match="wilson"):
        deadheat.score([0.5, 1, 0, 0.25] * 10, method="wilson")


ONE = [
    ("right", (1.0,), (0.0,)),
    ("same", (1.0,), (1.0,)),
    ("graded", (0.3,), (0.6667,)),
]


@pytest.mark.parametrize(("name", "a", "b"), ONE, ids=[name for name, *_ in ONE])
@pytest.mark.parametrize("method", ["auto", *RESAMPLED, "student_t"])
@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
def test_one_item_has_no_interval_and_no_p_value_and_says_why(
    name: str, a: tuple[float], b: tuple[float], method: str, paired: bool
) -> None:
    """Row 5: one unit gives null ends with a reason: not the point, not [0, 1]."""
    if method == "student_t" and not paired:
        method = "auto"
    found = deadheat.compare(a, b, method=method, paired=paired).to_dict()
    difference = found["difference"]
    assert difference["estimate"] == b[0] - a[0]
    assert difference["standard_error"] is None
    assert (difference["interval"]["low"], difference["interval"]["high"]) == (None, None)
    assert "one item" in difference["interval"]["note"]
    assert difference["p_value"] is None
    assert found["reading"]["code"] == "degenerate"


@pytest.mark.parametrize(("name", "a", "b"), ONE, ids=[name for name, *_ in ONE])
@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
def test_one_item_is_evidence_by_no_test(
    name: str, a: tuple[float], b: tuple[float], paired: bool
) -> None:
    """Row 5: a test that is defined for one item can at most say 1/2 (mid-p), none 1e-12."""
    tests = deadheat.compare(a, b, paired=paired).difference.tests
    assert [test.p_value for test in tests if test.p_value < 0.1] == []


@pytest.mark.parametrize("other", [[0.0], [1.0], [1.0, 0.0, 1.0], [0.3, 0.9]], ids=str)
@pytest.mark.parametrize("swapped", [False, True], ids=["baseline", "candidate"])
def test_one_item_on_a_side_is_not_called_agreement(other: list[float], swapped: bool) -> None:
    """Row 5: unpaired, one item on a side: the words say one item, not that items agree."""
    sources = ([1.0], other)[:: -1 if swapped else 1]
    text = deadheat.compare(*sources, paired=False).reading.text
    assert "one item" in text.lower()
    assert "agree" not in text


def test_one_item_is_no_error(answer: Answer, run: Any, write: Write) -> None:
    """Row 5: exit 0, null in JSON, the reason in text and Markdown."""
    table = write("t.csv", csv("item,a,b", (1, 1, 0)))
    interval = answer("compare", table)["difference"]["interval"]
    assert (interval["low"], interval["high"]) == (None, None)
    for form in ("text", "markdown"):
        done = run("compare", table, "--format", form)
        assert done.returncode == 0
        assert "One item was compared" in " ".join(done.stdout.split())


def test_one_item_with_a_graded_score_has_its_reason_on_the_page(run: Any, write: Write) -> None:
    """Row 5: `score` prints "undefined" and, beside it or below, why."""
    table = write("t.csv", csv("item,score", (1, 0.6667)))
    done = run("score", table)
    assert done.returncode == 0
    assert "undefined" in done.stdout
    assert "one item" in " ".join(done.stdout.split()).lower()


def test_one_item_of_a_metric_of_the_whole_set() -> None:
    """Row 5: F1 of one item is a number without an interval."""
    found = deadheat.compare(["a"], ["b"], references=["a"], metric="macro_f1").to_dict()
    for interval in (found["difference"]["interval"], found["baseline"]["interval"]):
        assert (interval["low"], interval["high"]) == (None, None)
        assert interval["note"]
    assert found["difference"]["p_value"] is None
