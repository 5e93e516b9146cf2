"""Clusters and strata: what they must not change, and what they must."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import f1_score

import deadheat

N = 60
RNG = np.random.default_rng(17)
HARD = RNG.normal(size=N)
BINARY = {
    name: (HARD + RNG.normal(size=N) < gain).astype(int) for name, gain in (("a", 0), ("b", 0.4))
}
GRADED = {
    name: (HARD + RNG.normal(size=N) + gain).round(2) for name, gain in (("a", 0), ("b", 0.3))
}
LABELS = np.array(list("xyz"))[RNG.integers(0, 3, N)]
OUTPUTS = {
    name: np.where(RNG.random(N) < right, LABELS, "x") for name, right in (("a", 0.4), ("b", 0.7))
}
CALLS: dict[str, Callable[..., Any]] = {
    "compare": deadheat.compare,
    "score": deadheat.score,
    "rank": deadheat.rank,
}
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "0/1": (BINARY, {}),
    "numbers": (GRADED, {}),
    "totals": (
        OUTPUTS | {"reference": LABELS},
        {"metric": "macro_f1", "n_resamples": 499, "systems": ("a", "b")},
    ),
}


def frame(columns: dict[str, Any], **more: Any) -> pl.DataFrame:
    n = len(next(iter(columns.values())))
    return pl.DataFrame({"item": [f"q{i:03}" for i in range(n)], **columns, **more})


def numbers(found: Any) -> Any:
    """Everything but the hashes, which clusters and strata enter, the unit, and words."""
    left_out = {"hash", "signature", "notes", "unit", "rows"}

    def pruned(tree: Any) -> Any:
        if isinstance(tree, dict):
            return {k: pruned(v) for k, v in tree.items() if k not in left_out}
        return [pruned(v) for v in tree] if isinstance(tree, list) else tree

    return pruned(found.to_dict())


def notes(found: Any) -> dict[str, str]:
    return {note.code: note.message for note in found.notes}


every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
every_kind = pytest.mark.parametrize("kind", KINDS)


# -- what must not change anything -----------------------------------------------------------------


@every_kind
@every_call
def test_clusters_of_one_item_are_items_bit_for_bit(call: Callable[..., Any], kind: str) -> None:
    columns, options = KINDS[kind]
    names = RNG.permutation([f"c{i}" for i in range(N)])
    plain = call(frame(columns), **options)
    alone = call(frame(columns, cluster=names), **options)
    assert numbers(alone) == numbers(plain)


@every_kind
@every_call
def test_one_stratum_is_none_bit_for_bit(call: Callable[..., Any], kind: str) -> None:
    columns, options = KINDS[kind]
    plain = call(frame(columns), **options)
    one = call(frame(columns, stratum=["all"] * N), **options)
    assert numbers(one) == numbers(plain)


@every_kind
@pytest.mark.parametrize("unit", ["cluster", "stratum"])
@every_call
def test_names_and_order_of_units_do_not_matter(
    call: Callable[..., Any], unit: str, kind: str
) -> None:
    columns, options = KINDS[kind]
    codes = np.arange(N) % 6 if unit == "stratum" else np.arange(N) // 2
    data = frame(columns, **{unit: [f"u{c}" for c in codes]})
    again = frame(columns, **{unit: [f"u{c:02}" for c in codes]})
    assert numbers(call(data, **options)) == numbers(call(again, **options))
    shuffled = data.sample(fraction=1.0, shuffle=True, seed=1)
    first, second = (numbers(call(d, **options)) for d in (data, shuffled))
    assert str(first) == str(second)


@pytest.mark.parametrize("copies", [2, 3])
def test_copies_declared_as_clusters_leave_the_standard_error(copies: int) -> None:
    """Below 30 clusters exactly; undeclared they would shrink it by the root of their number."""
    half = {name: column[:20] for name, column in GRADED.items()}
    once = deadheat.compare(frame(half), method="student_t")
    repeated = {name: np.repeat(column, copies) for name, column in half.items()}
    clusters = [f"c{i // copies}" for i in range(20 * copies)]
    found = deadheat.compare(frame(repeated, cluster=clusters))
    assert found.difference.interval.method == "cr2"
    assert found.difference.estimate == pytest.approx(once.difference.estimate)
    assert found.difference.standard_error == pytest.approx(once.difference.standard_error)
    assert found.difference.interval.low == pytest.approx(once.difference.interval.low)
    assert found.difference.p_value == pytest.approx(once.difference.p_value)
    undeclared = deadheat.compare(frame(repeated), method="student_t")
    shrunk = once.difference.standard_error * math.sqrt(19 / (20 * copies - 1))
    assert undeclared.difference.standard_error == pytest.approx(shrunk)


def test_copies_declared_as_clusters_are_resampled_as_one() -> None:
    """From 30 clusters on: the error is that of the items before they were copied."""
    options: dict[str, Any] = {"method": "percentile", "n_resamples": 999}
    clusters = [f"c{i // 2:03}" for i in range(2 * N)]
    twice = {name: np.repeat(column, 2) for name, column in BINARY.items()}
    found = deadheat.compare(frame(twice, cluster=clusters), **options)
    plain = deadheat.compare(frame(BINARY, stratum=(["s"] * 30 + ["t"] * 30)), **options)
    error = deadheat.compare(frame(BINARY), method="wald").difference.standard_error
    assert found.difference.standard_error == pytest.approx(error, rel=0.06)
    assert plain.difference.standard_error == pytest.approx(error, rel=0.06)


# -- clusters --------------------------------------------------------------------------------------


def clustered(n_clusters: int, size: int = 4, seed: int = 1) -> pl.DataFrame:
    """0/1 scores of two systems; documents differ in how hard they are, and for whom."""
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(n_clusters), size)
    hard = rng.normal(size=(2, n_clusters))[:, document]
    right = (hard + 0.5 * rng.normal(size=hard.shape) < [[0.2], [0.6]]).astype(int)
    return frame({"a": right[0], "b": right[1]}, cluster=[f"d{c:03}" for c in document])


def test_means_over_clusters_have_cr2_however_many_there_are() -> None:
    methods = {
        n: deadheat.compare(clustered(n)).difference.interval.method for n in (4, 29, 30, 50)
    }
    assert methods == {4: "cr2", 29: "cr2", 30: "cr2", 50: "cr2"}
    assert deadheat.compare(clustered(30)).to_dict()["unit"]["kind"] == "cluster"
    assert "few_clusters" not in notes(deadheat.compare(clustered(30)))
    assert "caution" not in notes(deadheat.compare(clustered(10)))["few_clusters"]
    assert "caution" in notes(deadheat.compare(clustered(9)))["few_clusters"]


def test_fewer_than_five_clusters_are_not_resampled_even_if_asked() -> None:
    found = deadheat.compare(clustered(4), method="percentile")
    assert not found.difference.interval.defined
    assert "4 clusters are too few" in found.difference.interval.note
    assert "4 clusters" in found.reading.text
    assert "whichever items are drawn" not in found.reading.text
    assert deadheat.compare(clustered(5), method="percentile").difference.interval.defined


def test_one_cluster_says_so() -> None:
    found = deadheat.compare(clustered(1, size=12))
    assert "one cluster" in found.reading.text
    assert not found.baseline.interval.defined
    assert "undefined" in found.to_text()
    with pytest.raises(deadheat.DeadheatError, match="one cluster"):
        deadheat.rank(clustered(1, size=12))


def test_companion_flips_signs_of_whole_clusters() -> None:
    """Against all patterns of signs of the totals of 8 clusters."""
    data = clustered(8)
    totals = data.group_by("cluster").agg(pl.col("b").sum() - pl.col("a").sum())["b"].to_numpy()
    signs = 1 - 2 * np.indices((2,) * 8).reshape(8, -1)
    right = float((abs(totals @ signs) >= abs(totals.sum()) - 1e-9).mean())
    test = deadheat.compare(data).difference.tests[0]
    assert (test.name, test.variant) == ("sign_flip", "exact")
    assert test.p_value == pytest.approx(right, rel=1e-12)


def test_resampling_clusters_has_the_standard_error_of_clusters() -> None:
    data = clustered(60)
    drawn = deadheat.compare(data)
    totals = data.group_by("cluster").agg((pl.col("b") - pl.col("a")).sum())["b"].to_numpy()
    right = float(np.std(totals)) / math.sqrt(60) / 4
    assert drawn.difference.standard_error == pytest.approx(right, rel=0.03)
    items = (data["b"] - data["a"]).to_numpy()
    naive = float(np.std(items)) / math.sqrt(len(items))
    assert drawn.difference.design_effect == pytest.approx((right / naive) ** 2, rel=0.03)
    assert drawn.difference.design_effect > 2.0


def test_accuracy_has_wilson_on_the_effective_sample_size() -> None:
    data = clustered(12)
    (row, _) = deadheat.score(data).systems
    x, codes = data["a"].to_numpy(), np.repeat(np.arange(12), 4)
    residuals = np.bincount(codes, x - x.mean())
    variance = float((residuals**2).sum()) / 48**2 * 12 / 11
    effect = variance / (float(np.var(x, ddof=1)) / 48)
    assert row.design_effect == pytest.approx(effect)
    n, p = 48 / effect, float(x.mean())
    z = stats.norm.ppf(0.975)
    centre = (p + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / 4 / n**2)
    assert (row.interval.method, row.interval.low, row.interval.high) == (
        "wilson",
        pytest.approx(centre - half),
        pytest.approx(centre + half),
    )


def test_a_large_cluster_is_pointed_out() -> None:
    names = ["big"] * 30 + [f"c{i}" for i in range(30)]
    found = deadheat.compare(frame(BINARY, cluster=names), n_resamples=99)
    assert "30 of 60 items (50%)" in notes(found)["large_cluster"]


def test_clusters_out_of_item_ids() -> None:
    data = clustered(12)
    ids = data.with_columns(item=pl.col("cluster") + "__" + pl.col("item"))
    declared = deadheat.compare(ids)
    derived = deadheat.compare(ids.drop("cluster"), cluster="item:^(.+)__")
    assert derived.to_dict() == declared.to_dict()


def test_an_item_in_two_clusters_is_refused() -> None:
    first = frame({"score": [1, 0, 1, 1]}, cluster=list("xxyy"))
    second = frame({"score": [1, 1, 1, 0]}, cluster=list("xxyx"))
    with pytest.raises(deadheat.DeadheatError, match=r"(?s)cluster.*q003"):
        deadheat.compare({"a": first, "b": second})


# -- strata ----------------------------------------------------------------------------------------

TASKS = np.repeat(["law", "maths", "code"], [36, 12, 12])


def test_a_stratum_with_one_item_is_named() -> None:
    tasks = ["law"] * (N - 1) + ["maths"]
    for call in CALLS.values():
        with pytest.raises(deadheat.DeadheatError, match="stratum 'maths' has one item"):
            call(frame(BINARY, task=tasks))
    with pytest.raises(deadheat.DeadheatError, match="stratum 'maths' has one cluster"):
        deadheat.compare(
            frame(BINARY, task=["law"] * 50 + ["maths"] * 10, cluster=[i // 10 for i in range(N)])
        )


def test_a_cluster_in_two_strata_is_named_with_both() -> None:
    clusters = [f"c{i // 7}" for i in range(N)]
    with pytest.raises(deadheat.DeadheatError, match=r"cluster 'c5' .*'law' and 'maths'"):
        deadheat.compare(frame(BINARY, task=TASKS, cluster=clusters))


@pytest.mark.parametrize("option", [{"strata": "random"}, {"weighting": "macro"}])
@every_call
def test_strata_that_are_not_there(call: Callable[..., Any], option: dict[str, Any]) -> None:
    with pytest.raises(deadheat.DeadheatError, match="there are no strata"):
        call(frame(BINARY), **option)


@pytest.mark.parametrize(("option", "value"), [("strata", "fix"), ("weighting", "micro")])
@every_call
def test_unknown_choices(call: Callable[..., Any], option: str, value: str) -> None:
    with pytest.raises(deadheat.DeadheatError, match=rf"--{option} is '{value}'\..* Known: "):
        call(frame(BINARY, task=TASKS), **{option: value})


@pytest.mark.parametrize("weighting", ["pooled", "macro"])
def test_standard_error_within_strata(weighting: Any) -> None:
    """Sum of w^2 s^2 / n over strata, the bootstrap's s^2 being that with n below."""
    found = deadheat.compare(frame(GRADED, task=TASKS), weighting=weighting)
    gaps = GRADED["b"] - GRADED["a"]
    parts = [gaps[task == TASKS] for task in ("law", "maths", "code")]
    weights = [len(part) / N if weighting == "pooled" else 1 / 3 for part in parts]
    estimate = sum(w * float(part.mean()) for w, part in zip(weights, parts, strict=True))
    variance = sum(
        w * w * float(part.var()) / len(part) for w, part in zip(weights, parts, strict=True)
    )
    assert found.difference.estimate == pytest.approx(estimate)
    assert found.difference.standard_error == pytest.approx(math.sqrt(variance), rel=0.03)


def test_macro_f1_of_each_stratum_is_averaged() -> None:
    data = frame(OUTPUTS | {"reference": LABELS}, task=TASKS)
    found = deadheat.score(
        data, systems=("a", "b"), metric="macro_f1", weighting="macro", n_resamples=99
    )
    for row in found.systems:
        judged = [
            f1_score(
                LABELS[task == TASKS],
                OUTPUTS[row.system][task == TASKS],
                average="macro",
                labels=["x", "y", "z"],
            )
            for task in ("law", "maths", "code")
        ]
        assert row.value == pytest.approx(float(np.mean(judged)))
    assert "strata:macro-3" in found.metric_signature


def test_random_strata_are_a_t_interval_over_strata() -> None:
    tasks = np.array([f"t{i % 12:02}" for i in range(N)])
    found = deadheat.compare(frame(GRADED, task=tasks), strata="random", weighting="macro")
    gaps = GRADED["b"] - GRADED["a"]
    means = [float(gaps[task == tasks].mean()) for task in np.unique(tasks)]
    right = stats.ttest_1samp(means, 0.0).confidence_interval()
    interval = found.difference.interval
    assert (interval.low, interval.high) == pytest.approx((right.low, right.high))
    assert found.to_dict()["unit"] == {
        "kind": "stratum",
        "n": 12,
        "design_effect": pytest.approx(1.0),
        "n_strata": 12,
        "strata": "random",
        "weighting": "macro",
    }
    assert "12 strata" in notes(found)["few_clusters"]
    assert "stratums" not in found.to_text()
    fixed = deadheat.compare(frame(GRADED, task=tasks), weighting="macro")
    assert fixed.difference.standard_error < found.difference.standard_error


def test_two_signs_are_told() -> None:
    """Ahead on the large task and behind on both small ones."""
    cells = {"law": (20, 14, 2, 24), "maths": (3, 0, 5, 4), "code": (4, 0, 5, 3)}
    outcomes = ((1, 1), (1, 0), (0, 1), (0, 0))
    rows = [
        (task, *pair)
        for task, counts in cells.items()
        for pair, count in zip(outcomes, counts, strict=True)
        for _ in range(count)
    ]
    data = frame(dict(zip(("task", "a", "b"), zip(*rows, strict=True), strict=True)))
    found = deadheat.compare(data, n_resamples=99)
    assert "2 of 3 strata" in notes(found)["strata"]
    assert "Simpson" in notes(found)["strata_reverse"]
    macro = deadheat.compare(data, weighting="macro", n_resamples=99)
    assert found.difference.estimate == pytest.approx((2 - 14 + 10) / 84)
    assert macro.difference.estimate == pytest.approx((-12 / 60 + 5 / 12 + 5 / 12) / 3)
    agreeing = deadheat.compare(data.filter(pl.col("task") != "law"), n_resamples=99)
    assert "strata_reverse" not in notes(agreeing)


def test_unit_in_words() -> None:
    strata = deadheat.compare(frame(BINARY, task=TASKS), n_resamples=99)
    assert "item (60) within 3 strata, pooled; the claim is about these strata" in strata.to_text()
    one = deadheat.compare(frame(BINARY, task=["x"] * N))
    assert "within 1 stratum" in one.to_text()
    random = deadheat.score(frame(BINARY, task=TASKS), strata="random")
    header = next(line for line in random.to_text().splitlines() if "design effect" in line)
    assert " strata " in header
