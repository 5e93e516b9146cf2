"""Class A of the faults of other tools: boundaries and data that do not vary."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import deadheat
from cases.data import Answer, Write, cells, csv, discordant, said

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


def compared(case: dict[str, Any], **options: Any) -> dict[str, Any]:
    rest = {key: value for key, value in case.items() if key != "sources"}
    return deadheat.compare(*case["sources"], **rest, **options).to_dict()


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
    interval = deadheat.compare([1] * n, [1] * n).inference.interval
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
    assert found.inference.standard_error == 0.0
    assert found.scale.decimals <= 4


def test_a_constant_difference_has_the_honest_p_value_of_the_sign_flip_test() -> None:
    """Row 2: of 2^10 sign patterns two are as extreme; a t test would say 4.5e-140."""
    baseline = np.array(RIGHT, dtype=float) * 0.37
    found = deadheat.compare(baseline, baseline + 0.1)
    assert found.inference.tests[0].name == "sign_flip"
    assert found.inference.tests[0].p_value == pytest.approx(2 / 1024, rel=1e-9)


def test_a_tiny_variance_that_is_real_is_not_taken_for_rounding() -> None:
    """Row 2: the tolerance is for rounding; a spread of one part in a million is data."""
    baseline = np.linspace(0.0, 0.37, 40)
    wobble = np.tile([1e-6, -1e-6], 20)
    found = deadheat.compare(baseline, baseline + 0.1 + wobble)
    assert found.reading.code == "resolved"
    assert found.inference.standard_error == pytest.approx(1e-6 / math.sqrt(39), rel=1e-6)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (10, 10, 0.722467, 1.0),
        (0, 10, 0.0, 0.277533),
        (0, 50, 0.0, 0.071348),
    ],
)
def test_nought_or_all_right_keeps_a_width(k: int, n: int, low: float, high: float) -> None:
    """Row 3: Wilson at the boundary, on its own and as a side of a comparison."""
    scores = [1] * k + [0] * (n - k)
    interval = deadheat.score(scores).systems[0].interval
    assert interval.method == "wilson"
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-7)
    side = deadheat.compare(scores, scores).candidate.interval
    assert (side.low, side.high) == (interval.low, interval.high)


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson", "jeffreys", "agresti_coull"])
@pytest.mark.parametrize("n", [1, 2, 10, 50, 5_000])
def test_every_interval_of_a_proportion_keeps_a_width_at_both_ends(method: str, n: int) -> None:
    """Row 3: no method that is meant for proportions collapses at 0 of n or n of n."""
    judge = {"clopper_pearson": "beta"}.get(method, method)
    for k in (0, n):
        scores = [1] * k + [0] * (n - k)
        interval = deadheat.score(scores, method=method).systems[0].interval
        low, high = proportion_confint(k, n, method=judge)
        assert interval.low < interval.high
        assert (interval.low, interval.high) == pytest.approx(
            (max(low, 0.0), min(high, 1.0)), abs=1e-7
        )


def test_no_items_are_undefined_and_not_a_rate_of_zero(run: Any, write: Write) -> None:
    """Row 3: 0 of 0 is refused."""
    table = write("t.csv", "item,score\n")
    done = run("score", table)
    assert done.returncode == 2
    assert done.stdout == ""


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
    tests = deadheat.compare(a, b, paired=paired).inference.tests
    assert [test.p_value for test in tests if test.p_value < 0.1] == []


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


@pytest.mark.parametrize("n", [2, 3, 40])
def test_the_standard_error_divides_by_n_less_one(n: int) -> None:
    """Row 6: SE of a mean difference is sd (ddof 1) / sqrt(n), from n = 2 on; n = 1 has none."""
    baseline = np.zeros(n)
    candidate = np.arange(n) / 7.0
    got = deadheat.compare(baseline, candidate).inference.standard_error
    assert got == pytest.approx(stats.sem(candidate), rel=1e-12)


def test_resamples_have_the_spread_that_theory_gives_them() -> None:
    """Row 6: drawing n of n with replacement neither widens nor narrows: 60 of 100 right."""
    scores = [1] * 60 + [0] * 40
    interval = deadheat.score(scores, method="normal").systems[0].interval
    width = (interval.high - interval.low) / (2 * stats.norm.ppf(0.975))
    assert width == pytest.approx(math.sqrt(0.6 * 0.4 / 100), rel=0.01)


@pytest.mark.parametrize("pattern", [(-1, 1), (-0.5, 0.5), (-2, 0, 2)])
@pytest.mark.parametrize("method", ["bca", "bca_t"])
def test_bca_without_acceleration_is_still_an_interval(
    pattern: tuple[float, ...], method: str
) -> None:
    """Row 7: where leave-one-out values give no skewness, a = 0 and ends are finite."""
    difference = np.array(pattern * 12, dtype=float)
    interval = deadheat.compare(
        np.zeros(len(difference)), difference, method=method
    ).inference.interval
    assert interval.method == method
    assert -interval.low == pytest.approx(interval.high, rel=1e-9)
    assert interval.high > 0.0


@dataclass(frozen=True)
class OfShare:
    """A function of the share of right outputs, as a third party might add one."""

    function: Callable[[Any], Any]
    name: str = "of_share"
    greater_is_better: bool = True
    takes: str = "labels"
    is_mean: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)
    signature: str = "of_share|v:1"

    def bind(self, labels: Any, present: Any) -> OfShare:
        return self

    def statistics(self, references: Any, outputs: Any) -> Any:
        right = (np.asarray(references) == np.asarray(outputs)).astype(float)
        return np.stack([right, np.ones_like(right)], axis=-1)

    def value(self, totals: Any) -> Any:
        return self.function(totals[..., 0] / totals[..., 1])

    def undefined(self, totals: Any) -> Any:
        return np.zeros(totals.shape[:-1], dtype=bool)


def share_right(share: float, n: int) -> dict[str, Any]:
    """A baseline that is always wrong and a candidate with a share of n right."""
    right = round(share * n)
    return {
        "sources": (["x"] * n, ["y"] * right + ["x"] * (n - right)),
        "references": ["y"] * n,
        "n_resamples": 999,
    }


@pytest.mark.parametrize("method", ["bca", "bca_t"])
@pytest.mark.parametrize("steps", [2, 5])
def test_bca_where_every_leave_one_out_value_is_equal(method: str, steps: int) -> None:
    """Row 7: acceleration 0/0 while resamples vary, as with a median: a = 0, or percentile said."""
    metric = OfShare(lambda share: np.round(share * steps) / steps)
    interval = compared(share_right(0.6, 40), metric=metric, method=method)["difference"][
        "interval"
    ]
    assert interval["low"] is not None
    assert interval["low"] < interval["high"]
    assert interval["method"] == method or interval["note"]


@pytest.mark.parametrize("method", ["auto", "bca", "bca_t", "percentile"])
@pytest.mark.parametrize("share", [0.5, 0.45, 0.55])
def test_an_estimator_that_piles_up_on_its_bound_has_ends(method: str, share: float) -> None:
    """Row 8: half of the resamples or more are at the bound: finite ends and the method in them."""
    metric = OfShare(lambda value: np.maximum(value - 0.5, 0.0))
    found = compared(share_right(share, 40), metric=metric, method=method)["difference"]
    interval = found["interval"]
    assert interval["low"] is not None
    assert 0.0 <= interval["low"] <= found["estimate"] <= interval["high"] <= 0.5
    assert method in ("auto", interval["method"]) or interval["note"]


NEAR_THE_BOUND = [1] * 9 + [0]


def test_percentile_of_nine_of_ten() -> None:
    """Row 9: the exact percentile interval of 9 of 10 is [0.7, 1.0]."""
    interval = deadheat.score(NEAR_THE_BOUND, method="percentile").systems[0].interval
    assert (interval.low, interval.high) == pytest.approx((0.7, 1.0), abs=1e-12)


@pytest.mark.parametrize("method", ["basic", "normal", "student_t"])
@pytest.mark.parametrize(
    "scores", [NEAR_THE_BOUND, [0] * 9 + [1], [1] * 58 + [0] * 2], ids=["high", "low", "58 of 60"]
)
def test_an_interval_of_one_system_does_not_leave_the_range_unsaid(
    method: str, scores: list[int]
) -> None:
    """Row 9: beyond the range of accuracy: clipped, or left there with a note, or refused."""
    try:
        card = deadheat.score(scores, method=method).to_dict()
    except deadheat.DeadheatError:
        return
    interval = card["systems"][0]["interval"]
    inside = 0.0 <= interval["low"] <= interval["high"] <= 1.0
    assert inside or "range" in interval.get("note", "") + said(card)


@pytest.mark.parametrize("method", ["basic", "normal", "student_t", "wald"])
def test_an_interval_of_a_difference_does_not_leave_the_range_unsaid(method: str) -> None:
    """Row 9: a difference of two accuracies lies between -1 and 1."""
    baseline, candidate = cells(1, 0, 11, 0)
    try:
        found = deadheat.compare(baseline, candidate, method=method).to_dict()
    except deadheat.DeadheatError:
        return
    interval = found["difference"]["interval"]
    inside = -1.0 <= interval["low"] <= interval["high"] <= 1.0
    assert inside or "range" in interval.get("note", "") + said(found)


@pytest.mark.parametrize("method", ["percentile", "expanded", "bca", "bca_t", *CLOSED])
def test_default_methods_stay_in_the_range(method: str) -> None:
    """Row 9: no method that is chosen without being asked for leaves [-1, 1]."""
    for only_a, only_b, n in ((0, 11, 12), (1, 59, 60), (0, 59, 60), (12, 0, 12)):
        interval = deadheat.compare(
            *discordant(only_a, only_b, n), method=method
        ).inference.interval
        assert -1.0 <= interval.low <= interval.high <= 1.0
