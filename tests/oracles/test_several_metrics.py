"""Several metrics in one call see the same resamples of the same items."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats

import deadheat
from deadheat.metrics import metric
from oracles.made import table
from oracles.resamples import Judged, drawn, every_resample

R = 9_999

Floats = NDArray[np.float64]


def compared(data: pl.DataFrame, names: Any, **options: Any) -> Any:
    usual = {"baseline": "a", "candidate": "b", "threads": 1, "method": "percentile"}
    return deadheat.compare(data, metric=names, **(usual | {"n_resamples": 999} | options))


def ends(found: deadheat.Comparison) -> tuple[float, float]:
    return found.difference.interval.low, found.difference.interval.high


def nearest(rows: Floats, among: Floats) -> NDArray[np.intp]:
    """Return which of some values each row of draws is, undefined ones included."""
    distinct, inverse = np.unique(np.nan_to_num(rows, nan=-7.0), axis=0, return_inverse=True)
    apart = np.abs(distinct[:, None, :] - np.nan_to_num(among, nan=-7.0)).max(axis=-1)
    assert apart.min(axis=1).max() < 1e-9
    return np.asarray(apart.argmin(axis=1)[inverse.reshape(-1)])


@pytest.mark.parametrize(
    "names",
    [
        ("auroc", "ece", "pearson", "average_precision"),
        ("macro_f1", "mcc", "weighted_precision"),
        ("bleu", "wer", "chrf", "ter"),
    ],
    ids=lambda names: names[0],
)
def test_joint_law_of_five_items(names: tuple[str, ...]) -> None:
    """Each draw of all systems by all metrics is one of the 5^5 resamples, as often as it is."""
    data = Judged.of(names[0], 5, seed=23).data
    cases = [Judged.read(name, data) for name in names]
    picks, shares = every_resample(5)
    values = np.concatenate([case.scored(picks) for case in cases], axis=1)
    draws = np.concatenate([found.draws for found in drawn(data, names)], axis=1)
    # Resamples that no metric tells apart are one outcome.
    outcome = nearest(values, values)
    expected = np.bincount(outcome, weights=shares, minlength=len(picks)) * R
    observed = np.bincount(outcome[nearest(draws, values)], minlength=len(picks))
    few = expected < 5.0
    folded = [np.append(c[~few], c[few].sum()) for c in (observed, expected)]
    kept = folded[1] > 0.0
    assert kept.sum() > 40
    assert stats.chisquare(folded[0][kept], folded[1][kept]).pvalue > 1e-5


def test_intervals_are_read_off_common_draws() -> None:
    """What a comparison by several metrics tells is from the draws whose joint law is held here."""
    data = table("ece", 30, seed=4)
    names = ["ece", "auroc", "average_precision"]
    together = drawn(data, names, n_resamples=999)
    for one, found in zip(compared(data, names), together, strict=True):
        draws = np.sort(found.draws[:, 1] - found.draws[:, 0])
        assert ends(one) == (draws[24], draws[-25])


def test_f1_is_the_harmonic_mean_on_every_resample() -> None:
    data = table("f1", 30, seed=1)
    precision, recall, f1 = (
        found.draws for found in drawn(data, ["precision", "recall", "f1"], n_resamples=999)
    )
    assert np.unique(f1).size > 100
    both = precision + recall
    mean = np.divide(2.0 * precision * recall, both, out=np.zeros_like(both), where=both > 0.0)
    assert f1 == pytest.approx(mean, abs=1e-12)


def test_accuracy_by_other_names_has_the_same_draws() -> None:
    """Of single labels, micro precision, recall and F1 and weighted recall are the accuracy."""
    data = Judged.of("macro_f1", 30, seed=3).data
    names = ["micro_precision", "micro_recall", "micro_f1", "weighted_recall"]
    first, *others = drawn(data, names, n_resamples=999)
    assert np.unique(first.draws).size > 10
    for other in others:
        assert other.draws == pytest.approx(first.draws, abs=1e-12)
    found = compared(data, names)
    for other in found:
        assert ends(other) == pytest.approx(ends(found[0]), abs=1e-12)


def strict_tags(n: int, seed: int) -> pl.DataFrame:
    """Tags in which every span begins with B-, so that schemes agree."""
    data = table("span_f1", n, seed)

    def strict(tags: list[str]) -> list[str]:
        before = ["O", *tags[:-1]]
        return [
            f"B{tag[1:]}" if tag != "O" and last[1:] != tag[1:] else tag
            for last, tag in zip(before, tags, strict=True)
        ]

    return data.with_columns(
        pl.Series(side, [strict(tags) for tags in data[side].to_list()])
        for side in ("output", "reference")
    )


@pytest.mark.parametrize(
    ("data", "metrics"),
    [
        (strict_tags(30, 1), [metric("span_f1"), metric("span_f1", scheme="bio")]),
        (table("wer", 30, 1), [metric("wer"), metric("wer", normalize="lower")]),
        (table("bleu", 30, 1), [metric("bleu"), metric("bleu", tokenize="none")]),
        (
            table("macro_f1", 30, 1),
            [metric("macro_f1"), metric("macro_f1", labels=["w", "x", "y", "z"])],
        ),
    ],
    ids=["span_f1", "wer", "bleu", "macro_f1"],
)
def test_settings_that_change_no_value_change_no_draw(data: pl.DataFrame, metrics: Any) -> None:
    one, two = compared(data, metrics)
    assert one.metric_signature != two.metric_signature
    assert one.difference.estimate == two.difference.estimate != 0.0
    assert ends(one) == ends(two)
    assert one.difference.standard_error == two.difference.standard_error
    assert one.difference.tests == two.difference.tests
    assert not one.difference.exact


def test_order_of_metrics_changes_no_draw() -> None:
    data = table("ece", 30, seed=4)
    names = ["ece", "auroc", "brier", "average_precision"]
    forth, back = compared(data, names), compared(data, names[::-1])
    for name in names:
        assert forth[name].difference == back[name].difference


@pytest.mark.parametrize(
    ("names", "together"),
    [
        (("accuracy", "macro_f1", "exact_match", "bleu"), {"macro_f1", "bleu"}),
        (("auroc", "brier", "ece", "log_loss"), {"auroc", "ece"}),
        (("span_f1", "macro_span_f1"), {"span_f1", "macro_span_f1"}),
        (("mrr", "ndcg@2", "recall@2"), set()),
        (("pass@2", "pass^2"), set()),
    ],
    ids=lambda names: names[0] if isinstance(names, tuple) else "",
)
def test_metrics_of_all_kinds_side_by_side(names: tuple[str, ...], together: set[str]) -> None:
    """One account of the items, and of each metric what it says alone."""
    first = "macro_f1" if "macro_f1" in names else names[0]
    data = table(first, 30, seed=6)
    found = compared(data, ",".join(names))
    assert [one.metric for one in found] == list(names)
    assert {one.items.hash for one in found} == {found[0].items.hash}
    assert {one.n_comparisons for one in found} == {len(names)}
    for one in found:
        alone = compared(data, one.metric)
        assert alone.items == one.items
        assert alone.difference.estimate == one.difference.estimate
        # Means need no common draws, and are what they are alone.
        if one.metric not in together:
            assert alone.difference == one.difference
