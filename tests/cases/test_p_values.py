"""Class D of the faults of other tools, rows 25 to 31: how p-values are made, and ties."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deadheat
from cases.data import discordant, the_test
from cases.sides import LABELS, SIDED, compared, labels_of
from deadheat.significance.mcnemar import mcnemar

VARIANTS = ["exact", "midp", "chi2", "chi2_cc"]
SAME: list[tuple[str, dict[str, Any]]] = [
    ("right or wrong", {"sources": ([1, 0, 1] * 20,) * 2}),
    ("graded", {"sources": ([0.25, 0.5, 0.9] * 20,) * 2}),
    ("few graded", {"sources": ([0.25, 0.5, 0.9],) * 2}),
    ("accuracy of outputs", {"sources": (labels_of(0.6),) * 2, "references": LABELS}),
    *(
        (metric, {"sources": (labels_of(0.6),) * 2, "references": LABELS, "metric": metric})
        for metric in ("macro_f1", "mcc", "balanced_accuracy")
    ),
]


@pytest.mark.parametrize(("name", "case"), SAME, ids=[name for name, _ in SAME])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_identical_outputs_have_p_1(name: str, case: dict[str, Any], alternative: str) -> None:
    """Row 25: ties are not wins: no p is small where the difference is 0 on every item."""
    found = compared(case, alternative=alternative)
    exact = [test for test in found["tests"] if test["exact"]]
    assert all(test["p_value"] in (1.0, None) for test in exact)
    for answer in (found["difference"], *found["tests"]):
        if answer["p_value"] is None:
            assert answer.get("note") or answer["interval"]["note"]
        elif alternative == "two-sided":
            assert answer["p_value"] == 1.0
        else:
            # Of a normal distribution (chi-square, Tango) one half lies beyond 0.
            assert answer["p_value"] >= 0.5


@pytest.mark.parametrize(("name", "case"), SAME[4:], ids=[name for name, _ in SAME[4:]])
@pytest.mark.parametrize("test", ["bootstrap", "swap", "shift"])
def test_identical_outputs_have_p_1_by_every_test(
    name: str, case: dict[str, Any], test: str
) -> None:
    """Row 25: the same for tests that are asked for by name."""
    assert compared(case, test=test)["tests"][0]["p_value"] == 1.0


def test_nearly_identical_outputs_do_not_have_a_small_p() -> None:
    """Row 25: one tie less is one item, p 1 by every exact test."""
    for change in (0, 7, 59):
        other = list(labels_of(0.6))
        other[change] = LABELS[change] if other[change] != LABELS[change] else "zz"
        for metric in ("macro_f1", "accuracy"):
            found = compared(
                {"sources": (labels_of(0.6), other), "references": LABELS}, metric=metric
            )
            assert found["tests"][0]["p_value"] == 1.0


@pytest.mark.parametrize(("name", "case"), SIDED, ids=[name for name, _ in SIDED])
def test_a_two_sided_p_is_not_a_one_sided_one(name: str, case: dict[str, Any]) -> None:
    """Row 26: two-sided p is about twice the smaller one-sided p, for interval and tests alike."""
    both, less, greater = (
        compared(case, alternative=side) for side in ("two-sided", "less", "greater")
    )

    def all_p(found: dict[str, Any]) -> dict[tuple[str, str], float]:
        tests = {(t["name"], t["variant"]): t["p_value"] for t in found["tests"]}
        return tests | {("dual", ""): found["difference"]["p_value"]}

    p, p_less, p_greater = all_p(both), all_p(less), all_p(greater)
    for key, two_sided in p.items():
        smaller = min(p_less[key], p_greater[key])
        assert smaller < two_sided
        # Exact tests of lattices and +1 corrections double up to one step of the lattice.
        assert two_sided == pytest.approx(2 * smaller, rel=0.15)


def trinomial(n: int, share: float) -> Any:
    """Yield (only_baseline, only_candidate, probability) under equal systems."""
    for b, c in itertools.product(range(n + 1), repeat=2):
        if b + c <= n:
            ways = math.comb(n, b) * math.comb(n - b, c)
            yield b, c, ways * (share / 2) ** (b + c) * (1 - share) ** (n - b - c)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_exact_mcnemar_holds_its_level_over_all_data_sets(share: float) -> None:
    """Row 26: complete enumeration of 25 items between equal systems, at three levels."""
    for alpha in (0.1, 0.05, 0.01):
        rejected = sum(
            weight
            for b, c, weight in trinomial(25, share)
            if mcnemar(b, c, variant="exact", alternative="two-sided").p_value <= alpha
        )
        assert rejected <= alpha


def test_equal_systems_are_not_told_apart_too_often() -> None:
    """Row 26: macro-F1 of equal systems, 60 items: the sign of the fault is 10.7% at 5%.

    The +1 share, the exchange test and the dual p-value stay near 5%; the standard error of this
    simulation is 1.5%.
    """
    rng = np.random.default_rng(26)
    rejected = np.zeros(2)
    repeats = 200
    for _ in range(repeats):
        y = rng.integers(0, 3, 60)
        a, b = (np.where(rng.random(60) < 0.7, y, (y + 1) % 3) for _ in range(2))
        found = deadheat.compare(a, b, references=y, metric="macro_f1", n_resamples=199, threads=1)
        rejected += [found.difference.p_value <= 0.05, found.difference.tests[0].p_value <= 0.05]
    assert (rejected / repeats <= 0.095).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_discordant_item_is_p_1_and_statistic_0(variant: str) -> None:
    """Row 27: b = c = 0 is neither 0/0 nor infinite."""
    test = the_test(compared({"sources": ([1, 0] * 30,) * 2}), "mcnemar", variant)
    assert test["p_value"] == 1.0
    assert test["statistic"] == 0.0


@pytest.mark.parametrize("b", [1, 2, 5, 50, 300])
@pytest.mark.parametrize("variant", VARIANTS)
def test_as_many_wins_as_losses_is_p_1(b: int, variant: str) -> None:
    """Row 27: b = c: the corrected chi-square is max(0, |b - c| - 1)^2 / (b + c) = 0, not 1/2b."""
    test = the_test(compared({"sources": discordant(b, b, 700)}), "mcnemar", variant)
    assert test["p_value"] == pytest.approx(1.0, abs=1e-12)
    if variant.startswith("chi2"):
        assert test["statistic"] == 0.0


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [(5, 5, 1.0), (1, 11, 0.00634765625), (0, 6, 0.03125), (300, 220, 0.000519416)],
)
def test_exact_mcnemar(b: int, c: int, p: float) -> None:
    """Row 28: twice the smaller tail, at most 1, symmetric."""
    for one, other in ((b, c), (c, b)):
        test = the_test(compared({"sources": discordant(one, other, 600)}), "mcnemar", "exact")
        assert test["p_value"] == pytest.approx(p, rel=2e-6)
        assert test["p_value"] == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-9)
        assert (test["only_baseline"], test["only_candidate"]) == (one, other)


def test_no_p_is_above_1_for_any_small_table() -> None:
    """Row 28: all tables of up to 12 discordant items of 60, every test, both orders."""
    for b in range(13):
        for c in range(b, 13 - b):
            one, other = (compared({"sources": discordant(*pair, 60)}) for pair in ((b, c), (c, b)))
            for test, mirrored in zip(one["tests"], other["tests"], strict=True):
                assert 0.0 < test["p_value"] <= 1.0
                assert test["p_value"] == pytest.approx(mirrored["p_value"], rel=1e-9)
            assert 0.0 < one["difference"]["p_value"] <= 1.0


@pytest.mark.parametrize("test", ["exact", "midp", "chi2", "chi2_cc"])
def test_more_than_two_grades_are_never_cut_down_to_a_table_of_right_and_wrong(test: str) -> None:
    """Row 29: McNemar's test of three grades is refused; there are no counts of right and wrong."""
    a, b = [0, 1, 2] * 20, [1, 2, 0] * 20
    found = compared({"sources": (a, b)})
    assert found["metric"]["name"] == "mean"
    assert found["counts"] is None
    assert not any(t["name"] == "mcnemar" for t in found["tests"])
    with pytest.raises(deadheat.DeadheatError, match=f"there is no test {test!r} for"):
        deadheat.compare(a, b, test=test)


@pytest.mark.parametrize("n_resamples", [99, 999])
def test_a_drawn_p_is_never_0(n_resamples: int) -> None:
    """Row 30: nothing as extreme in B draws is (0 + 1) / (B + 1), doubled for two sides."""
    rng = np.random.default_rng(30)
    y, wrong = rng.integers(0, 9, 120), rng.integers(0, 9, 120)
    case = {"sources": (wrong, y), "references": y, "metric": "macro_f1"}
    found = compared(case, n_resamples=n_resamples, method="percentile")
    floor = 1 / (n_resamples + 1)
    assert found["difference"]["p_value"] == pytest.approx(2 * floor)
    assert found["difference"]["p_value_bound"] == pytest.approx(2 * floor)
    assert the_test(found, "swap")["exact"] is False
    assert the_test(found, "swap")["p_value"] == pytest.approx(floor)
    one_sided = compared(case, n_resamples=n_resamples, method="percentile", alternative="greater")
    assert one_sided["difference"]["p_value"] == pytest.approx(floor)


@pytest.mark.parametrize("n_resamples", [99, 999])
def test_a_drawn_p_counts_the_identity(n_resamples: int) -> None:
    """Row 30: k of B random permutations are (k + 1) / (B + 1), also where k is not 0."""
    rng = np.random.default_rng(31)
    y = rng.integers(0, 9, 120)
    a, b = (np.where(rng.random(120) < share, y, rng.integers(0, 9, 120)) for share in (0.5, 0.52))
    found = compared(
        {"sources": (a, b), "references": y, "metric": "macro_f1"}, n_resamples=n_resamples
    )
    test = the_test(found, "swap")
    assert test["exact"] is False
    count = test["p_value"] * (n_resamples + 1)
    assert count > 1.5
    assert count == pytest.approx(round(count), abs=1e-9)


@pytest.mark.parametrize("method", ["auto", "bca", "bca_t", "expanded", "basic", "percentile"])
def test_a_drawn_p_is_never_0_by_any_method(method: str) -> None:
    """Row 30: the dual p-value of every method keeps above what the draws can show."""
    case = {"sources": (labels_of(0.2), LABELS), "references": LABELS, "metric": "macro_f1"}
    found = compared(case, n_resamples=1999, method=method)
    assert found["difference"]["p_value"] >= 1 / 2000
    assert found["difference"]["p_value_bound"] is not None
    assert (
        "p = 0.0"
        not in deadheat.compare(
            *case["sources"], references=LABELS, metric="macro_f1", n_resamples=1999, method=method
        ).to_text()
    )


@pytest.mark.parametrize("n", [3, 6, 10])
def test_complete_enumeration_counts_the_identity(n: int) -> None:
    """Row 30: all n items one way: 2 of 2^n sign patterns are as extreme."""
    found = compared({"sources": ([0.5] * n, [0.5 + 0.25 * (1 + i % 2) for i in range(n)])})
    test = the_test(found, "sign_flip")
    assert test["exact"] is True
    assert test["p_value"] == pytest.approx(2 / 2**n, rel=1e-9)


@pytest.mark.parametrize("n", [40, 1_100, 5_000])
def test_a_p_too_small_for_a_float_is_bounded(n: int) -> None:
    """Row 30: 2^(1 - n) underflows; it is printed as a bound, never as 0."""
    found = compared({"sources": discordant(0, n, n + 10)})
    for p, bound in (
        (found["difference"]["p_value"], found["difference"]["p_value_bound"]),
        *((test["p_value"], test["p_value_bound"]) for test in found["tests"]),
    ):
        assert p > 0.0
        if p < 1e-300:
            assert bound is not None
    if n == 40:
        assert the_test(found, "mcnemar", "exact")["p_value"] == pytest.approx(2.0**-39, rel=1e-9)
    page = deadheat.compare(*discordant(0, n, n + 10)).to_text()
    assert "p = 0.000" not in page
    assert "p = 0.00e" not in page
    assert "p < 0" not in page.replace("p < 0.0", "")


TIED = [
    ("tenths", [0.1, 0.2, -0.3, 0.4, 0.3]),
    ("sevenths", [1 / 7, 2 / 7, -3 / 7, 4 / 7, 3 / 7]),
    ("offset", [0.3 - 0.2, 0.5 - 0.3, 0.4 - 0.7, 0.9 - 0.5, 0.8 - 0.5]),
    ("large", [1e6 / 3, 2e6 / 3, -1e6, 4e6 / 3, 1e6]),
]


@pytest.mark.parametrize(("name", "differences"), TIED, ids=[name for name, _ in TIED])
def test_sums_that_are_equal_in_theory_are_ties(name: str, differences: list[float]) -> None:
    """Row 31: of 32 sign patterns 12 are as extreme; naive floats lose 4 of them."""
    test = the_test(compared({"sources": ([0.0] * 5, differences)}), "sign_flip")
    assert test["p_value"] == pytest.approx(0.375, rel=1e-12)


def test_sums_that_are_equal_in_theory_are_ties_in_longer_data() -> None:
    """Row 31: tenths are a lattice: 30 items agree with the same items in integers."""
    tenths = np.array([1, 2, -3, 4, 3, -1, 2, 2, -4, 1] * 3)
    pairs = [
        the_test(compared({"sources": (np.full(30, 0.7), 0.7 + tenths / scale)}), "sign_flip")
        for scale in (10.0, 1.0)
    ]
    assert pairs[0]["p_value"] == pytest.approx(pairs[1]["p_value"], rel=1e-9)


@pytest.mark.parametrize("scale", [1.0, 0.1, 1e6])
def test_zero_resamples_of_decimal_scores_count_on_both_sides(scale: float) -> None:
    """Row 31: sums that are 0 in theory are 0, so the share p-value is that of integers."""
    steps = np.array([1, -1, 2, -2, 3, -1] * 5, dtype=float)
    found, whole = (
        compared(
            {"sources": (np.full(30, start), start + steps * by)},
            method="percentile",
            test="bootstrap",
        )
        for start, by in ((0.3 * scale, 0.1 * scale), (0.0, 1.0))
    )
    for got, right in (
        (found["difference"]["p_value"], whole["difference"]["p_value"]),
        (found["tests"][0]["p_value"], whole["tests"][0]["p_value"]),
    ):
        assert got == pytest.approx(right, rel=1e-9)
