"""Real scores averaged within clusters in passing: what sums of clusters tell, and nothing else."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.errors import InputError, MetricError
from deadheat.readers.passing.kinds import averages_of
from readers.passing.test_wide import SMALL, WRITERS, N, codes, numbers


def real(n_clusters: int) -> pl.DataFrame:
    """Scores in clusters of unequal sizes, of which some lack one; nearly all of them differ."""
    rng = np.random.default_rng(9)
    cluster = np.minimum(rng.integers(0, 2 * n_clusters, N), n_clusters - 1)
    easy = rng.normal(0.0, 1.0, n_clusters)[cluster]
    frame = pl.DataFrame(
        {
            "item": np.arange(N),
            "cluster": [f"c{at}" for at in cluster],
            **{name: easy + rng.normal(at / 20, 1.0, N) for at, name in enumerate("xyz")},
        }
    )
    absent = pl.int_range(N) % 90 == 8
    return frame.with_columns(pl.when(absent).then(None).otherwise(pl.col("y")).alias("y"))


def near(told: Any, wanted: Any) -> bool:
    """Whether all numbers agree to nine digits, and all else wholly."""
    if isinstance(wanted, dict):
        return told.keys() == wanted.keys() and all(near(told[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list):
        return len(told) == len(wanted) and all(map(near, told, wanted))
    if isinstance(wanted, float):
        return bool(told == pytest.approx(wanted, rel=1e-9, abs=1e-12))
    return bool(told == wanted)


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("systems", [["x", "z"], ["x", "y", "z"]], ids=str)
@pytest.mark.parametrize("options", [{}, {"method": "percentile"}], ids=str)
@pytest.mark.parametrize("n_clusters", [12, 60])
@pytest.mark.parametrize("command", [deadheat.compare, deadheat.rank, deadheat.score])
def test_real_scores_are_averaged_within_clusters(
    tmp_path: Path,
    command: Any,
    n_clusters: int,
    options: dict[str, str],
    systems: list[str],
    ending: str,
) -> None:
    """What depends on sums of clusters alone is that of a table that is held."""
    table = tmp_path / f"t.{ending}"
    getattr(real(n_clusters), WRITERS[ending])(table)
    if command is deadheat.compare and len(systems) > 2:
        systems = ["y", "z"]
    if command is deadheat.rank:
        options = {}
    asked = {"systems": systems, "missing": "drop", **options}
    passed, held = command(table, **asked, memory=SMALL), command(table, **asked)
    assert "counted_in_passing" in codes(passed)
    told, wanted = numbers(passed), numbers(held)
    for result in (told, wanted):
        # How items vary within clusters, and what the worst scores could do, is not known.
        kept = ("design_effect", "missing_bounds", "missing_policies")
        result["notes"] = [note for note in result["notes"] if note["code"] not in kept]
        for part in ("missing", "policies"):
            result.pop(part, None)
        for row in (result, *result.get("systems", [])):
            row.get("unit", {}).pop("design_effect", None)
    assert near(told, wanted)


def test_what_means_of_clusters_cannot_tell_is_refused_or_null(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    real(40).write_parquet(table)
    found = deadheat.compare(table, systems=["x", "z"], memory=SMALL)
    assert found.to_dict()["unit"]["design_effect"] is None
    assert "averaged within clusters" in next(
        note.message for note in found.notes if note.code == "counted_in_passing"
    )
    assert "Difference in mean on each item" not in found.to_html()
    with pytest.raises(MetricError, match="looks at every item"):
        deadheat.compare(table, systems=["x", "z"], metric="win_rate", memory=SMALL)
    with pytest.raises(MetricError, match="--missing drop"):
        deadheat.compare(table, systems=["x", "y"], missing="wrong", memory=SMALL)


def test_words_among_real_scores_are_refused_and_missing_ones_are_not(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    text = real(40).drop("y").write_csv().splitlines()
    text[77] = f"{text[77].rsplit(',', 1)[0]}, N/A"
    table.write_text("\n".join(text))
    found = deadheat.rank(table, missing="drop", memory=SMALL)
    assert found.to_dict()["items"]["n"] == N - 1
    text[500] = f"{text[500].rsplit(',', 1)[0]},good"
    table.write_text("\n".join(text))
    with pytest.raises(InputError, match="good"):
        deadheat.rank(table, missing="drop", memory=SMALL)


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_rows_changes_no_bit_of_a_mean(order: int) -> None:
    """Against exact rational arithmetic."""
    scores = [0.1, 1e-9, 12345.678, -0.3, 7e-5, 0.1][::order]
    frame = pl.DataFrame({"c": ["u"] * 6, "a": scores})
    found = averages_of(frame.lazy(), ["c"], ["a"])
    exact = sum(map(Fraction, scores)) / 6
    assert abs(Fraction(found["a"][0]) - exact) <= Fraction(12345.678) / 2**52
    assert found["a"][0] == averages_of(frame[::-1].lazy(), ["c"], ["a"])["a"][0]
