"""Every kind of result has every form, in the words and numbers of its JSON."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deadheat
from deadheat import report
from deadheat.errors import UsageError
from deadheat.report.frames import COLUMNS
from deadheat.tabular import as_frame
from report.results import OF_FIVE, adjustment, board, boards, outcomes, scorecard, unresolved

METHODS = (
    *("to_dict", "to_json", "to_text", "to_markdown", "to_latex", "to_html", "to_methods"),
    *("to_frame", "_repr_html_"),
)


def several() -> Any:
    return deadheat.compare(outcomes(20, 3, 5, 4), metric="accuracy,mean")


def scorecards() -> Any:
    return deadheat.score(outcomes(20, 3, 5, 4), metric="accuracy,mean")


@cache
def made() -> dict[str, Any]:
    """One result of each kind that needs no file."""
    return {
        "Adjustment": adjustment(),
        "Benchmark": deadheat.check(OF_FIVE),
        "Claim": deadheat.claim(n=500, baseline=71.2, candidate=74.8),
        "Comparison": unresolved(),
        "Comparisons": several(),
        "Leaderboard": board(),
        "Leaderboards": boards(),
        "Plan": deadheat.plan(baseline=0.72, candidate=0.76, correlation=0.36),
        "Scorecard": scorecard(),
        "Scorecards": scorecards(),
        "Simulation": deadheat.simulate(items=20, means=(0.5, 0.6), loading=0.5),
    }


def result(kind: str, folder: Path) -> Any:
    table = folder / "t.csv"
    if kind == "Conversion":
        return deadheat.convert(outcomes(20, 3, 5, 4), output=table)
    if kind == "Verification":
        deadheat.convert(outcomes(20, 3, 5, 4), output=table)
        deadheat.save(deadheat.compare(str(table)), folder / "r.json")
        return deadheat.verify(folder / "r.json")
    if kind == "Inspection":
        deadheat.convert(outcomes(20, 3, 5, 4), output=table)
        return deadheat.inspect(table)
    return made()[kind]


every_kind = pytest.mark.parametrize("kind", report.LAYOUTS)


@every_kind
def test_it_has_every_form(kind: str, tmp_path: Path) -> None:
    found = result(kind, tmp_path)
    assert type(found).__name__ == kind
    for method in METHODS:
        shown = getattr(found, method)()
        assert method == "to_frame" or isinstance(shown, (str, dict)), method
    assert callable(found.plot)
    assert isinstance(found.to_frame(), pl.DataFrame)
    assert isinstance(found.to_frame("pandas"), pd.DataFrame)
    assert isinstance(found.to_frame("pyarrow"), pa.Table)
    title = report.layout(found).title
    assert found._repr_html_().count("<article") == 1
    assert title.split(":")[0].split("&")[0] in found.to_html()


@every_kind
def test_a_frame_has_rows_and_the_columns_that_are_named(kind: str, tmp_path: Path) -> None:
    found = result(kind, tmp_path)
    frame = found.to_frame()
    assert frame.height
    one = type(getattr(found, "parts", (found,))[0]).__name__
    if one != "Simulation":
        assert frame.columns == list(COLUMNS[one])
    assert found.to_frame("pandas").columns.tolist() == frame.columns


def test_frames_have_the_numbers_at_full_precision() -> None:
    found = unresolved()
    tree = json.loads(found.to_json())
    (row,) = found.to_frame().to_dicts()
    assert row["estimate"] == tree["difference"]["estimate"]
    assert (row["low"], row["high"]) == tuple(
        tree["difference"]["interval"][end] for end in ("low", "high")
    )
    assert row["test_p_value"] == tree["tests"][0]["p_value"]
    assert row["candidate_value"] == 374 / 500
    assert (row["items"], row["units"], row["reading"]) == (500, 500, "unresolved")
    ranks = board().to_frame()
    assert ranks["rank"].is_sorted()
    assert ranks.height == 5
    assert (ranks["rank_low"] <= ranks["rank"]).all()
    assert (ranks["rank"] <= ranks["rank_high"]).all()


def test_undefined_is_null_in_a_frame() -> None:
    (row,) = deadheat.compare([1], [0]).to_frame().to_dicts()
    assert row["low"] is None
    pandas = deadheat.compare([1], [0]).to_frame("pandas")
    assert math.isnan(pandas["low"][0])


def test_frames_are_of_the_kind_that_came_in() -> None:
    frame = pl.DataFrame({"item": range(32), **outcomes(20, 3, 5, 4)})
    for given, kind in ((frame, pl.DataFrame), (frame.to_pandas(), pd.DataFrame)):
        assert isinstance(deadheat.compare(given).to_frame(), kind)
        assert isinstance(deadheat.rank(given).to_frame(), kind)
        assert isinstance(deadheat.score(given).to_frame(), kind)
    assert isinstance(deadheat.compare(frame.to_arrow()).to_frame(), pa.Table)
    series = [pd.Series(scores) for scores in outcomes(20, 3, 5, 4).values()]
    assert isinstance(deadheat.compare(*series).to_frame(), pd.DataFrame)
    assert isinstance(deadheat.compare([1, 0], [1, 1]).to_frame(), pl.DataFrame)
    with pytest.raises(UsageError, match="no frames of 'excel'"):
        deadheat.compare([1, 0], [1, 1]).to_frame("excel")


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_what_is_not_measured_has_the_kind_that_came_in_too(kind: str, tmp_path: Path) -> None:
    frame = as_frame(pl.DataFrame({"item": range(32), **outcomes(20, 3, 5, 4)}), kind)
    labels = as_frame(pl.DataFrame({"reference": ["x", "y"] * 16}), kind)["reference"]
    outputs = [["x", "x"] * 16, ["x", "y"] * 16]
    for found in (
        deadheat.plan(gap=0.1, pilot=frame),
        deadheat.plan(gap=0.1, pilot=(frame,)),
        deadheat.simulate(pilot=frame),
        deadheat.convert(frame, output=tmp_path / "tidy.csv"),
        deadheat.compare(*outputs, references=labels),
    ):
        assert type(found.to_frame()) is type(frame), type(found).__name__


def test_importing_prints_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import deadheat; deadheat.compare([1, 0], [1, 1]).to_html()"],
        capture_output=True,
        check=True,
    )
    assert done.stdout == done.stderr == b""


def test_reports_of_one_result_can_stand_in_one_notebook() -> None:
    """Ids are of the result: two of them share none."""
    ids = [
        set(pl.Series([found._repr_html_()]).str.extract_all(r'\bid="[^"]*"').to_list()[0])
        for found in (unresolved(), dataclasses.replace(unresolved(), version="another"))
    ]
    assert ids[0]
    assert not ids[0] & ids[1]
