"""`deadheat.simulate`: what it takes, what it refuses, what it says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.errors import DeadheatError, UsageError

PAIR = {"items": 500, "baseline": 0.72, "candidate": 0.76}


def frame(**options: Any) -> pl.DataFrame:
    return deadheat.simulate(**(PAIR | options)).to_frame()


# -- tables ----------------------------------------------------------------------------------------


def test_loading_and_correlation_are_told_apart() -> None:
    """A loading of .6 is a correlation of .36, and one of .6 is another table."""
    loaded = frame(loading=0.6)
    assert frame(correlation=0.36).equals(loaded)
    assert not frame(correlation=0.6).equals(loaded)
    told = deadheat.simulate(**PAIR, loading=0.6).to_dict()["design"]
    assert (told["correlation"], told["loading"]) == (0.36, 0.6)
    assert told["cells"]["only_baseline"] == pytest.approx(0.13185, abs=5e-6)
    assert told["cells"]["only_candidate"] == pytest.approx(0.17185, abs=5e-6)
    assert (told["discordance"], told["phi"]) == pytest.approx((0.30369, 0.2136), abs=6e-6 + 4e-5)
    (note,) = (n for n in deadheat.simulate(**PAIR, loading=0.6).notes if "correlation" in n.code)
    assert "0.36" in note.message
    assert "square root, 0.6" in note.message
    told = deadheat.simulate(**PAIR, correlation=-0.2).to_dict()["design"]
    assert (told["correlation"], told["loading"]) == (-0.2, None)


def test_a_seed_is_a_table() -> None:
    assert frame(correlation=0.3, rng=5).equals(frame(correlation=0.3, rng=5))
    assert not frame(correlation=0.3, rng=5).equals(frame(correlation=0.3, rng=6))
    # Replays do not change it.
    replays = {"replays": 3, "drawn": True, "n_resamples": 99}
    assert frame(correlation=0.3, rng=5, **replays).equals(frame(correlation=0.3, rng=5))


def test_columns() -> None:
    assert frame(correlation=0.3).columns == ["item", "system_baseline", "system_candidate"]
    clustered = frame(correlation=0.3, items=7, cluster_size=3, icc=0.2)
    assert clustered["cluster"].to_list() == [1, 1, 1, 2, 2, 2, 3]
    runs = frame(correlation=0.3, items=3, runs=2, answer_correlation=0.5)
    assert runs["item"].to_list() == [1, 1, 2, 2, 3, 3]
    assert runs["run"].to_list() == [1, 2] * 3
    many = deadheat.simulate(items=4, means=[0.5] * 11, correlation=0.1).to_frame()
    assert many.columns[1:] == [f"system_s{at:02}" for at in range(1, 12)]


def test_kinds_of_scores() -> None:
    assert set(frame(correlation=0.3)["system_baseline"]) == {0, 1}
    graded = frame(correlation=0.3, scores="graded", levels=4)["system_candidate"]
    assert set(graded) <= {0.0, 0.25, 0.5, 0.75, 1.0}
    beta = frame(correlation=0.3, scores="real", shape="beta", sd=0.2)["system_candidate"]
    assert 0.0 < beta.min() < 0.4  # type: ignore[operator]
    zeros = frame(correlation=0.3, scores="real", shape="zeros", sd=2.4)["system_candidate"]
    # 2 m^2 / (sd^2 + m^2) = .18 of 500 are above 0, 90 give or take 8.6.
    assert 51 <= (zeros > 0).sum() <= 129


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "ndjson", "parquet", "CSV"])
def test_every_format_holds_the_same_table(tmp_path: Path, suffix: str) -> None:
    """Scores to the last bit, and compare reads each without an option."""
    made = deadheat.simulate(
        **(PAIR | {"items": 60}),
        correlation=0.3,
        scores="real",
        shape="lognormal",
        sd=0.5,
        cluster_size=5,
        icc=0.3,
    )
    path = tmp_path / f"table.{suffix}"
    made.write(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    read = {
        "csv": pl.read_csv,
        "tsv": lambda p: pl.read_csv(p, separator="\t"),
        "parquet": pl.read_parquet,
    }.get(suffix.lower(), pl.read_ndjson)
    assert read(path).equals(made.to_frame())
    wanted = deadheat.compare(made.to_frame()).to_dict()
    found = deadheat.compare(path).to_dict()
    # Ids that are text are in another order, and so are the terms of sums.
    for name in ("estimate", "standard_error", "p_value"):
        assert found["difference"][name] == pytest.approx(wanted["difference"][name], rel=1e-9)
    assert found["unit"] == pytest.approx(wanted["unit"])
    assert found["unit"]["kind"] == "cluster"


def test_runs_are_read_as_runs(tmp_path: Path) -> None:
    made = deadheat.simulate(**PAIR, correlation=0.3, runs=3, answer_correlation=0.5)
    made.write(tmp_path / "t.csv")
    told = deadheat.compare(tmp_path / "t.csv")
    assert isinstance(told, deadheat.Comparison)
    assert told.items.n == 500
    scores = made.to_frame().group_by("item").mean()
    gap = (scores["system_candidate"] - scores["system_baseline"]).mean()
    assert told.difference.estimate == pytest.approx(gap)


def test_many_systems_are_ranked() -> None:
    made = deadheat.simulate(items=4_000, means=(0.5, 0.6, 0.8), loading=0.7)
    board = deadheat.rank(made.to_frame(), n_resamples=199)
    assert isinstance(board, deadheat.Leaderboard)
    assert [row.system for row in board.systems] == ["s3", "s2", "s1"]
    assert [row.value for row in board.systems] == pytest.approx([0.8, 0.6, 0.5], abs=0.035)
    assert made.to_dict()["design"]["gap"] is None
    assert made.to_dict()["design"]["cells"] is None


def test_large_tables_are_drawn_in_blocks() -> None:
    """Ten million items, of which no more than 350,000 are in memory: three numbers each."""
    made = deadheat.simulate(items=10_000_000, baseline=0.5, candidate=0.6, correlation=0.3)
    first, second = (block for block, _ in zip(made.frames(), range(2), strict=False))
    assert second["item"][0] == len(first) + 1 <= 350_001


# -- pilots ----------------------------------------------------------------------------------------


def test_a_pilot_is_the_truth() -> None:
    pilot = {"old": [0, 1, 1, 0, 1, 1], "new": [1, 1, 1, 0, 1, 1]}
    made = deadheat.simulate(pilot=pilot, items=40)
    told = made.to_dict()["design"]
    assert [row["system"] for row in told["systems"]] == ["old", "new"]
    assert [row["mean"] for row in told["systems"]] == pytest.approx([4 / 6, 5 / 6])
    assert told["gap"] == pytest.approx(1 / 6)
    assert told["cells"]["only_candidate"] == pytest.approx(1 / 6)
    assert (told["scores"], told["items"], told["pilot"]["items"]) == ("binary", 40, 6)
    assert (told["correlation"], told["loading"]) == (None, None)
    assert made.to_frame().shape == (40, 3)
    assert deadheat.simulate(pilot=pilot).to_frame().shape == (6, 3)


def test_a_pilot_of_real_scores_has_no_cells() -> None:
    rng = np.random.default_rng(0)
    made = deadheat.simulate(pilot={"a": rng.random(12), "b": rng.random(12)}, replays=2)
    told = made.to_dict()
    assert (told["design"]["scores"], told["design"]["cells"]) == ("real", None)
    assert told["replays"]["n"] == 2


@pytest.mark.parametrize(
    ("pilot", "said"),
    [
        ({"a": [1, 0, 1]}, "one system|1 system"),
        ({"a": [1, 0], "b": [0, 1], "c": [1, 1]}, "3 systems"),
        ({"a": [1], "b": [0]}, "one item"),
        (pl.DataFrame({"item": [1, 2], "cluster": ["x", "x"], "a": [1, 0], "b": [0, 0]}), "clust"),
        (
            pl.DataFrame(
                {"item": range(4), "stratum": ["x", "x", "y", "y"], "a": [1, 0] * 2, "b": [0] * 4}
            ),
            "strata",
        ),
        ("nowhere.csv", "nowhere"),
    ],
    ids=["one system", "three", "one item", "one cluster", "strata", "no file"],
)
def test_pilots_that_are_none(pilot: Any, said: str) -> None:
    with pytest.raises(DeadheatError, match=said):
        deadheat.simulate(pilot=pilot)


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"items": None}, "--items"),
        ({"items": 0}, "--items is 0"),
        ({"items": 1}, "--items is 1"),
        ({"items": -5}, "--items is -5"),
        ({"items": 1.5}, "--items is 1.5"),
        ({"items": "500"}, "--items is '500'"),
        ({"items": 10**12}, "--items is 1,000,000,000,000"),
        ({"items": 10**8}, "200,000,000 scores"),
        ({"baseline": None}, "--baseline"),
        ({"candidate": None}, "--candidate"),
        ({"baseline": 72}, "72% is 0.72"),
        ({"baseline": -0.1}, "between 0 and 1"),
        ({"baseline": math.nan}, "--baseline is nan"),
        ({"candidate": True}, "True"),
        ({"candidate": "high"}, "'high'"),
        ({"means": (0.1, 0.2)}, "--means"),
        ({"baseline": None, "candidate": None, "means": (0.1,)}, "1 mean"),
        ({"baseline": None, "candidate": None, "means": 0.5}, "--means is 0.5"),
        ({"baseline": None, "candidate": None, "means": "0.5"}, "--means is '0.5'"),
        ({"baseline": None, "candidate": None, "means": (0.1, 0.2, 1.2)}, "a mean is 1.2"),
        ({"correlation": None}, "--loading"),
        ({"loading": 0.6}, "square of the loading"),
        ({"correlation": 1.5}, "--correlation is 1.5"),
        ({"correlation": math.inf}, "--correlation is inf"),
        ({"correlation": None, "loading": -0.6}, "--loading is -0.6"),
        ({"correlation": None, "loading": 1.01}, "--loading is 1.01"),
        ({"scores": "ordinal"}, "binary, graded, real"),
        ({"scores": "graded"}, "--levels"),
        ({"scores": "graded", "levels": 1}, "--levels is 1"),
        ({"scores": "graded", "levels": 4, "sd": 0.1}, "--sd"),
        ({"levels": 4}, "--levels"),
        ({"shape": "beta"}, "--shape"),
        ({"scores": "real"}, "--sd"),
        ({"scores": "real", "sd": 0}, "--sd is 0"),
        ({"scores": "real", "sd": 0.1, "shape": "betta"}, "Did you mean beta"),
        ({"scores": "real", "sd": 0.5, "shape": "beta"}, "below 0.4"),
        ({"scores": "real", "sd": 0.1, "levels": 3}, "--levels"),
        ({"cluster_size": 5}, "no --icc"),
        ({"icc": 0.5}, "no --cluster-size"),
        ({"cluster_size": 1, "icc": 0.5}, "--cluster-size is 1"),
        ({"cluster_size": 501, "icc": 0.5}, "--cluster-size is 501"),
        ({"cluster_size": 5, "icc": 1.5}, "--icc is 1.5"),
        ({"cluster_size": 5, "icc": math.nan}, "--icc is nan"),
        ({"runs": 3}, "--answer-correlation"),
        ({"runs": 0, "answer_correlation": 0.5}, "--runs is 0"),
        ({"answer_correlation": 0.5}, "Give --runs"),
        ({"runs": 3, "answer_correlation": 0.2}, "cannot be more alike"),
        ({"runs": 3, "answer_correlation": 1.2}, "--answer-correlation is 1.2"),
        ({"replays": 0}, "--replays is 0"),
        ({"replays": -1}, "--replays is -1"),
        ({"replays": True}, "--replays is True"),
        ({"replays": 10**9}, "--replays is 1,000,000,000"),
        ({"drawn": True}, "Give --replays"),
        ({"rng": -1}, "seed"),
        ({"rng": np.random.default_rng(0)}, "seed"),
        ({"confidence_level": 95}, "confidence"),
        ({"n_resamples": 1}, "resamples"),
        ({"threads": 0}, "threads"),
        ({"pilot": {"a": [1, 0], "b": [1, 1]}}, "--pilot"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        deadheat.simulate(**(PAIR | {"correlation": 0.3} | options))
    assert caught.value.fix


def test_replays_are_of_two_systems() -> None:
    with pytest.raises(UsageError, match="two systems"):
        deadheat.simulate(items=50, means=(0.5, 0.6, 0.7), correlation=0.1, replays=10)
    two = deadheat.simulate(items=50, means=(0.5, 0.6), correlation=0.1, replays=10)
    assert two.replays is not None
    assert two.replays.exact


def test_a_pilot_leaves_no_use_for_the_model() -> None:
    with pytest.raises(UsageError, match="--correlation, --runs"):
        deadheat.simulate(pilot={"a": [1, 0], "b": [1, 1]}, correlation=0.3, runs=2)
    with pytest.raises(UsageError, match="--scores"):
        deadheat.simulate(pilot={"a": [1, 0], "b": [1, 1]}, scores="real")


@pytest.mark.parametrize("path", ["table", "table.xlsx", "table.csv.gz", ".csv"])
def test_a_table_needs_a_suffix(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match=r"\.parquet"):
        deadheat.simulate(**PAIR, correlation=0.3).write(tmp_path / path)
    assert not list(tmp_path.iterdir())


def test_a_table_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("as it was")
    made = deadheat.simulate(**PAIR, correlation=0.3)

    def broken(*_: object, **__: object) -> Any:
        yield pl.DataFrame({"item": [1]})
        raise OSError(28, "No space left on device", "elsewhere")

    monkeypatch.setattr("deadheat.simulated.tables.frames", broken)
    with pytest.raises(OSError, match="No space") as caught:
        made.write(path)
    assert caught.value.filename == str(path)
    assert path.read_text() == "as it was"
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


# -- what is said ----------------------------------------------------------------------------------

DESIGN = {
    *("scores", "items", "systems", "gap", "correlation", "loading", "cells", "discordance", "phi"),
    *("levels", "shape", "sd", "clusters", "cluster_size", "icc", "runs", "answer_correlation"),
    "pilot",
}
REPLAYS = {
    *("n", "exact", "method", "methods", "test", "confidence_level", "n_resamples", "coverage"),
    *("misses", "undefined", "width", "power", "wrong_sign", "exaggeration", "readings"),
}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"replays": 1},
        {"replays": 2, "drawn": True, "n_resamples": 99},
        {"cluster_size": 7, "icc": 0.3, "runs": 2, "answer_correlation": 0.5},
        {"scores": "real", "sd": 0.1},
    ],
    ids=str,
)
def test_json_has_its_fields_always(options: dict[str, Any]) -> None:
    made = deadheat.simulate(**PAIR, correlation=0.3, **options)
    told = json.loads(made.to_json())
    assert told == made.to_dict()
    assert told["schema"] == "deadheat/simulation/1"
    assert set(told) == {"schema", "version", "design", "seed", "replays", "signature", "notes"}
    assert set(told["design"]) == DESIGN
    assert told["signature"] in made.to_text()
    assert (told["replays"] is None) == ("replays" not in options)
    if told["replays"] is not None:
        assert set(told["replays"]) == REPLAYS
        assert told["replays"]["exact"] == (told["replays"]["n"] is None)
    for note in told["notes"]:
        assert note["message"].endswith(".")


def test_numbers_in_the_text_are_those_of_the_json() -> None:
    made = deadheat.simulate(**PAIR, correlation=0.36, replays=200, drawn=True, n_resamples=199)
    told, text = made.to_dict()["replays"], made.to_text()
    assert f"{told['coverage']['value']:.1%} of 200 data sets" in text
    assert f"{told['misses']['below']:.1%}" in text
    assert f"{told['power']['reading']:.1%}" in text
    assert f"{told['exaggeration']:.2f} times" in text
    for code, share in told["readings"].items():
        assert any(line.split() == [code, f"{share:.1%}"] for line in text.splitlines()), code
    assert "200, seed 0" in text
    exact = deadheat.simulate(**PAIR, correlation=0.36, replays=200)
    assert "probability 95.41%" in exact.to_text()
    assert "none (exact)" in exact.to_markdown()


def test_latent_correlations_are_said_as_correlations_of_scores() -> None:
    """By SciPy's bivariate normal: phi of answers, and of items of a cluster."""
    from scipy import stats

    def phi(p: float, latent: float) -> float:
        both = stats.multivariate_normal([0, 0], [[1, latent], [latent, 1]]).cdf(
            [stats.norm.ppf(p)] * 2
        )
        return float((both - p * p) / (p * (1 - p)))

    made = deadheat.simulate(
        **PAIR, correlation=0.3, cluster_size=5, icc=0.4, runs=2, answer_correlation=0.5
    )
    (message,) = (note.message for note in made.notes if note.code == "latent_correlation")
    for latent in (0.5, 0.2):
        for p in (0.72, 0.76):
            assert f"{phi(p, latent):.4g}" in message


def test_uneven_clusters_are_said() -> None:
    made = deadheat.simulate(**(PAIR | {"items": 10}), correlation=0, cluster_size=4, icc=0)
    assert "last_cluster" in {note.code for note in made.notes}
    even = deadheat.simulate(**(PAIR | {"items": 12}), correlation=0, cluster_size=4, icc=0)
    assert "last_cluster" not in {note.code for note in even.notes}
