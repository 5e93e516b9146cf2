"""Class E (pairing) of the faults of other tools, and row 46: repeats and paired differences."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import deadheat
from cases.data import Answer, Write, cells, codes, csv, json_lines, the_test
from processes import Run, refused

TABLE = cells(120, 25, 10, 45)


def test_the_same_documents_are_compared_in_pairs() -> None:
    """Row 37: both 120, only A 25, only B 10, neither 45 of 200.

    The unpaired z test says .1054 with a standard error of .04632; the paired standard error is
    .02917 (STATISTICS 1.2: the difference is B - A) and exact McNemar .016674.
    """
    found = deadheat.compare(*TABLE, names=("A", "B")).to_dict()
    assert (found["baseline"]["value"], found["candidate"]["value"]) == (0.725, 0.65)
    assert found["pairing"] == "paired"
    assert found["difference"]["estimate"] == pytest.approx(-0.075)
    assert found["difference"]["standard_error"] == pytest.approx(0.02917, rel=0.005)
    assert the_test(found, "mcnemar", "exact")["p_value"] == pytest.approx(0.016674, abs=5e-7)
    assert found["difference"]["p_value"] < 0.02
    assert found["reading"]["code"] == "resolved"


def test_independent_sets_are_only_assumed_on_request() -> None:
    """Row 37: `--unpaired` gives the wider answer and says what it throws away."""
    found = deadheat.compare(*TABLE, paired=False).to_dict()
    assert found["pairing"] == "unpaired"
    assert found["difference"]["standard_error"] == pytest.approx(0.04632, rel=0.005)
    assert the_test(found, "z")["p_value"] == pytest.approx(0.1054, abs=5e-4)
    assert "pairing_discarded" in codes(found)


@pytest.mark.parametrize("seed", range(3))
def test_the_paired_standard_error_is_that_of_the_differences(seed: int) -> None:
    """Row 37: whatever the correlation, positive, none or negative."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=80)
    for weight in (1.0, 0.0, -1.0):
        a, b = hard + 0.3 * rng.normal(size=80), weight * hard + 0.3 * rng.normal(size=80)
        got = deadheat.compare(a, b).difference.standard_error
        assert got == pytest.approx(stats.sem(b - a), rel=1e-9)


def test_two_logs_need_no_script(answer: Answer, write: Write) -> None:
    """Row 38: two files in any order give the paired difference, its interval and a test."""
    rng = random.Random(38)
    rows = [(f"q{i}", int(a), int(b)) for i, (a, b) in enumerate(zip(*TABLE, strict=True))]
    one = write("one.csv", csv("id,correct", *((i, a) for i, a, _ in rng.sample(rows, 200))))
    two = write(
        "two.jsonl",
        json_lines(*({"id": i, "correct": b} for i, _, b in rng.sample(rows, 200))),
    )
    found = answer("compare", one, two)
    assert found["counts"] == {
        "both": 120,
        "only_baseline": 25,
        "only_candidate": 10,
        "neither": 45,
    }
    assert found["tests"][0]["p_value"] == pytest.approx(0.016674, abs=5e-7)
    assert found["planning"]["items_to_resolve"] is not None


def test_exchanging_items_within_one_system_breaks_the_pairs() -> None:
    """Row 39: pairs are what is resampled: the same margins in another order are other data."""
    a, b = TABLE
    mixed = np.random.default_rng(39).permutation(b)
    straight, broken = deadheat.compare(a, b).difference, deadheat.compare(a, mixed).difference
    assert straight.estimate == pytest.approx(broken.estimate)
    assert broken.standard_error > 1.4 * straight.standard_error
    width, wider = (found.interval.high - found.interval.low for found in (straight, broken))
    assert wider > 1.4 * width


def test_exchanging_whole_pairs_changes_nothing() -> None:
    """Row 39: the order of pairs is not data."""
    order = np.random.default_rng(39).permutation(200)
    a, b = TABLE
    one, other = (
        deadheat.compare(x, y).to_dict()["difference"] for x, y in ((a, b), (a[order], b[order]))
    )
    assert one == other


@pytest.mark.parametrize("metric", ["macro_f1", "mcc"])
def test_a_metric_of_the_whole_set_is_resampled_in_pairs(metric: str) -> None:
    """Row 39: one draw of items serves both systems, for corpus metrics as well."""
    rng = np.random.default_rng(39)
    y = rng.integers(0, 3, 150)
    a = np.where(rng.random(150) < 0.6, y, (y + 1) % 3)
    b = np.where(rng.random(150) < 0.05, y, a)
    paired, unpaired = (
        deadheat.compare(a, b, references=y, metric=metric, paired=paired, n_resamples=999)
        for paired in (True, False)
    )
    assert paired.difference.standard_error < 0.5 * unpaired.difference.standard_error


SELF: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {"sources": ([1] * 70 + [0] * 30,) * 2}),
    ("graded", {"sources": (list(np.linspace(0, 1, 100) ** 2),) * 2}),
    (
        "labels",
        {
            "sources": (list("aabbc") * 20,) * 2,
            "references": list("abbcc") * 20,
            "metric": "macro_f1",
            "n_resamples": 999,
        },
    ),
]


@pytest.mark.parametrize(("name", "case"), SELF, ids=[name for name, _ in SELF])
def test_a_system_does_not_differ_from_itself(name: str, case: dict[str, Any]) -> None:
    """Row 40: the standard error is 0; separate draws of the two sides would give .065."""
    rest = {key: value for key, value in case.items() if key != "sources"}
    found = deadheat.compare(*case["sources"], **rest)
    assert found.difference.estimate == 0.0
    assert found.difference.standard_error == 0.0
    assert found.reading.code == "degenerate"


def epochs(scores: dict[str, list[float]], system: str) -> list[tuple[Any, ...]]:
    return [
        (item, system, epoch, score)
        for item, values in scores.items()
        for epoch, score in enumerate(values)
    ]


def test_epochs_are_not_items(answer: Answer, write: Write) -> None:
    """Row 41: 4 questions x 3 epochs are 4 items, each with its mean."""
    a = {f"q{i}": values for i, values in enumerate([[1, 1, 0], [0, 0, 0], [1, 0, 1], [1, 1, 1]])}
    b = {f"q{i}": values for i, values in enumerate([[1, 1, 1], [0, 1, 0], [1, 1, 1], [1, 1, 1]])}
    table = write("t.csv", csv("item,system,epoch,score", *epochs(a, "a"), *epochs(b, "b")))
    found = answer("compare", table, "--run", "epoch")
    assert found["items"]["n"] == 4
    assert found["unit"]["n"] == 4
    assert "runs_averaged" in codes(found)
    differences = [np.mean(b[item]) - np.mean(a[item]) for item in a]
    assert found["difference"]["estimate"] == pytest.approx(np.mean(differences))
    assert found["difference"]["standard_error"] == pytest.approx(stats.sem(differences))


@pytest.mark.parametrize("named", [True, False], ids=["named epoch", "asked for"])
def test_repeated_rows_are_never_taken_for_more_items(run: Run, write: Write, named: bool) -> None:
    """Row 41: repetitions are found by a column of runs; rows of one id alone are refused."""
    header = "item,epoch,score" if named else "item,attempt_no,score"
    rows = [(f"q{i}", k, (i + k) % 2) for i in range(4) for k in range(3)]
    table = write("t.csv", csv(header, *rows))
    plain = run("score", table, "--format", "json")
    if plain.returncode == 0:
        assert '"n": 4' in plain.stdout
    else:
        assert "--run" in refused(plain)
    asked = run("score", table, "--run", header.split(",")[1], "--format", "json")
    assert asked.returncode == 0
    assert '"n": 4' in asked.stdout


def test_repeats_are_not_pooled_into_one_interval(answer: Answer, write: Write) -> None:
    """Row 42: 30 items x 10 repeats, half of the items right: 15 of 30, not 150 of 300."""
    rows = [(i, k, int(i < 15)) for i in range(30) for k in range(10)]
    found = answer("score", write("t.csv", csv("item,run,score", *rows)))["systems"][0]
    assert found["items"]["n"] == 30
    interval = found["interval"]
    assert (interval["low"], interval["high"]) == pytest.approx(
        proportion_confint(15, 30, method="wilson"), abs=1e-9
    )
    assert (round(interval["low"], 3), round(interval["high"], 3)) == (0.332, 0.668)


def test_repeats_that_disagree_widen_by_items_alone(answer: Answer, write: Write) -> None:
    """Row 42: item means of 30 items have the interval of 30 numbers."""
    rng = np.random.default_rng(42)
    scores = rng.random((30, 10)) < rng.random(30)[:, None]
    rows = [(i, k, int(scores[i, k])) for i in range(30) for k in range(10)]
    table = write("t.csv", csv("item,run,score", *rows))
    found = answer("score", table, "--method", "student_t")["systems"][0]
    means = scores.mean(axis=1)
    expected = stats.t.interval(0.95, 29, means.mean(), stats.sem(means))
    assert (found["interval"]["low"], found["interval"]["high"]) == pytest.approx(expected)


@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
@pytest.mark.parametrize("form", ["to_text", "to_markdown"])
def test_the_scheme_stands_beside_the_interval(paired: bool, form: str) -> None:
    """Row 43: paired or unpaired, the unit, the method and the draws are on every page."""
    found = deadheat.compare(*TABLE, paired=paired)
    page = getattr(found, form)()
    word = "paired" if paired else "unpaired"
    assert f"items, {word}" in page
    assert f"pairing:{word}|" in found.signature
    assert f"method:{found.difference.interval.method}|" in found.signature
    assert "unit of resampling" in page
    assert found.to_dict()["pairing"] == word


def test_the_two_schemes_differ_and_neither_is_taken_for_the_other() -> None:
    """Row 43: the same 202 pairs have a narrow interval, paired, and a wide one."""
    rng = np.random.default_rng(43)
    common = rng.normal(size=202)
    a, b = common + rng.normal(size=202) * 0.4, common + 0.161 + rng.normal(size=202) * 0.4
    paired, unpaired = (deadheat.compare(a, b, paired=paired) for paired in (True, False))
    assert paired.difference.estimate == pytest.approx(unpaired.difference.estimate)
    widths = [
        found.difference.interval.high - found.difference.interval.low
        for found in (paired, unpaired)
    ]
    assert widths[0] < 0.5 * widths[1]
    expected = stats.ttest_ind(b, a, equal_var=False).confidence_interval()
    assert (unpaired.difference.interval.low, unpaired.difference.interval.high) == pytest.approx(
        (expected.low, expected.high), rel=1e-6
    )


def test_the_standard_error_of_item_means_is_keyed_by_item(answer: Answer, write: Write) -> None:
    """Row 46: 4 paragraphs x 2 questions, one wrong: score .875 with SE .125, not .5."""
    rows = [(f"p{i}", k, int((i, k) != (3, 1))) for i in range(4) for k in range(2)]
    steady = [(f"p{i}", k, 1) for i in range(4) for k in range(2)]
    a = write("a.csv", csv("item,run,score", *steady))
    b = write("b.csv", csv("item,run,score", *rows))
    found = answer("compare", a, b)
    assert found["candidate"]["value"] == 0.875
    assert found["difference"]["standard_error"] == pytest.approx(0.125, rel=1e-12)
    one = answer("score", b, "--method", "student_t")["systems"][0]
    half = stats.t.ppf(0.975, 3) * 0.125
    assert (one["interval"]["low"], one["interval"]["high"]) == pytest.approx(
        (0.875 - half, 0.875 + half)
    )


@pytest.mark.parametrize("shuffled", [False, True], ids=["in order", "shuffled"])
@pytest.mark.parametrize("constant", [0.5, 0.75, 1.0, 0.0])
def test_item_means_that_are_all_equal_are_fine(
    answer: Answer, write: Write, constant: float, shuffled: bool
) -> None:
    """Row 46: every item has the same mean over its runs: a value, and no invented spread."""
    right = round(4 * constant)
    rows = [(f"p{i}", k, int((k + i) % 4 < right)) for i in range(12) for k in range(4)]
    if shuffled:
        rows = random.Random(46).sample(rows, len(rows))
    found = answer("score", write("a.csv", csv("item,run,score", *rows)))["systems"][0]
    assert found["value"] == constant
    assert found["items"]["n"] == 12
    interval = found["interval"]
    if constant in (0.0, 1.0):
        assert interval["method"] == "wilson"
        assert interval["low"] < interval["high"]
    else:
        assert interval["note"]
        assert interval["low"] in (None, constant)
        assert interval["high"] in (None, constant)


def test_unequal_numbers_of_runs_weigh_items_equally(answer: Answer, write: Write) -> None:
    """Row 46: an item with ten runs is one item."""
    rows = [("p1", k, 0) for k in range(10)] + [("p2", 0, 1), ("p3", 0, 1), ("p4", 0, 1)]
    found = answer("score", write("a.csv", csv("item,run,score", *rows)))["systems"][0]
    assert found["value"] == 0.75
    assert found["items"]["n"] == 4
