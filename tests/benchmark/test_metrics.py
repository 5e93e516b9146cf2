"""Metrics other than accuracy: what has scores of items is looked at, the others are ranked."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from benchmark.boards import codes, found
from deadheat.errors import UsageError

RNG = np.random.default_rng(17)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "with", "some", "dogs", "and", "two", "birds"]
REFERENCES = [" ".join(RNG.choice(WORDS, 6)) for _ in range(60)]
OUTPUTS = {
    f"s{k:02}": [
        text if RNG.random() < 0.2 + 0.06 * k else " ".join(RNG.choice(WORDS, 5))
        for text in REFERENCES
    ]
    for k in range(11)
}


def checked(metric: str | None, **more: Any) -> deadheat.Benchmark:
    return deadheat.check(OUTPUTS, references=REFERENCES, metric=metric, n_resamples=499, **more)


@pytest.mark.parametrize("metric", ["rouge1", "rougel", "squad_f1", "exact_match"])
def test_means_of_texts_have_items(metric: str) -> None:
    result = checked(metric)
    assert result.discrimination is not None
    assert result.reliability is not None
    table = result.items_frame()
    values = {s.system: s.value for s in result.systems}
    assert table["difficulty"].mean() == pytest.approx(np.mean(list(values.values())))
    assert (table["n_right"].null_count() == 0) == (metric == "exact_match")


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_corpus_metrics_have_a_ceiling_and_no_items(metric: str) -> None:
    result = checked(metric)
    assert result.ceiling is not None
    assert result.ceiling.limit == 100.0
    # Five percent of 100 are five of them.
    assert result.ceiling.share == pytest.approx(result.ceiling.headroom / 100)
    assert result.discrimination is result.reliability is result.upsets is None
    assert "few_systems" not in codes(result)


@pytest.mark.parametrize("metric", ["wer", "ter"])
def test_errors_are_better_when_they_are_less(metric: str) -> None:
    result = checked(metric)
    values = [s.value for s in result.systems]
    assert values == sorted(values)
    assert result.ceiling is None
    assert result.spread is not None
    assert result.spread.first_gap == pytest.approx(values[1] - values[0])
    assert result.spread.range == pytest.approx(values[-1] - values[0])


def test_a_trivial_system_by_a_corpus_metric() -> None:
    result = checked("bleu", trivial=["s05"])
    assert result.baselines is not None
    (row,) = result.baselines.rows
    assert row.value == pytest.approx(
        deadheat.score({"x": OUTPUTS["s05"]}, references=REFERENCES, metric="bleu").systems[0].value
    )
    reached = {s.system for s in result.systems if s.interval.low <= row.value and not s.trivial}
    assert set(result.baselines.reached_by) == reached


def test_a_trivial_system_where_less_is_better() -> None:
    """It is reached by systems whose interval goes up to it."""
    result = checked("wer", trivial=["s05"])
    assert result.baselines is not None
    base = result.baselines.best.value
    assert set(result.baselines.reached_by) == {
        s.system for s in result.systems if s.interval.high >= base and not s.trivial
    }


def runs() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"item": i, "system": s, "run": r, "score": int(RNG.random() < 0.3 + 0.15 * k)}
            for i in range(40)
            for k, s in enumerate("abc")
            for r in range(3)
        ]
    )


@pytest.mark.parametrize("metric", [None, "pass@2"])
def test_runs_are_runs_of_items(metric: str | None) -> None:
    table = runs()
    result = deadheat.check(table, metric=metric)
    board = deadheat.rank(table, metric=metric)
    assert [s.value for s in result.systems] == [row.value for row in board.systems]
    assert result.items.n == 40
    assert result.items_frame().height == 40


@pytest.mark.parametrize("metric", [["accuracy", "mean"], "bleu,chrf"])
def test_one_metric_at_a_time(metric: Any) -> None:
    with pytest.raises(UsageError, match="one metric"):
        checked(metric)


def test_a_metric_of_ones_own() -> None:
    @deadheat.per_item(name="near", bounds=(0, 1))
    def near(reference: str, output: str) -> float:
        return float(reference[:3] == output[:3])

    result = checked(near)  # type: ignore[arg-type]
    assert result.metric == "near"
    assert result.discrimination is not None
    assert found("ceiling", result).severity in ("ok", "warning")
    assert not result.recipe.repeatable or "memory" in str(result.recipe.options["metric"])
