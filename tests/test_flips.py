"""Items that went from wrong to right and back, counted and listed by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deadheat
from deadheat.cli import main
from deadheat.errors import UsageError

FRAME = pl.DataFrame(
    {
        "item": ["q1", "q2", "q3", "q4", "q5"],
        "reference": ["x", "y", "x", "=1+1", "y"],
        "old": ["x", "x", "y", "=1+1", "y"],
        "new": ["y", "x", "x", "-7", "y"],
    }
)
"""old is right on q1, q4, q5 and new on q3, q5: q1 and q4 are lost, q3 is gained."""


def compared(frame: object = FRAME, **options: object) -> deadheat.Comparison:
    found = deadheat.compare(frame, systems=("old", "new"), **options)
    assert isinstance(found, deadheat.Comparison)
    return found


def test_flips_by_hand() -> None:
    found = compared().flips()
    assert found.rows() == [
        ("q1", "x", "x", "y", 1.0, 0.0, -1.0, "lost"),
        ("q4", "=1+1", "=1+1", "-7", 1.0, 0.0, -1.0, "lost"),
        ("q3", "x", "y", "x", 0.0, 1.0, 1.0, "gained"),
    ]


@pytest.mark.parametrize(("kind", "items"), [("lost", ["q1", "q4"]), ("gained", ["q3"])])
def test_one_kind_alone(kind: str, items: list[str]) -> None:
    assert compared().flips(kind)["item"].to_list() == items  # type: ignore[arg-type]


def test_as_many_as_the_counts_say() -> None:
    found = compared()
    counts = found.difference.counts
    kinds = found.flips()["kind"].to_list()
    assert counts is not None
    assert kinds.count("lost") == counts.only_baseline == 2
    assert kinds.count("gained") == counts.only_candidate == 1


def test_a_metric_of_the_whole_set_is_read_by_right_and_wrong() -> None:
    found = compared(metric="macro_f1", n_resamples=99, method="percentile")
    assert found.flips().rows() == compared().flips().rows()


def test_graded_scores_are_sorted_by_how_much_they_differ() -> None:
    found = deadheat.compare({"old": [0.5, 0.5, 0.5, 0.5], "new": [0.25, 0.5, 0.0, 1.0]})
    assert found.flips().select("item", "difference", "kind").rows() == [
        (3, -0.5, "lost"),
        (1, -0.25, "lost"),
        (4, 0.5, "gained"),
    ]


def test_lower_is_better_turns_the_kinds() -> None:
    found = deadheat.compare({"old": [0.5, 0.5], "new": [0.25, 1.0]}, greater_is_better=False)
    assert found.flips().select("item", "difference", "kind").rows() == [
        (2, 0.5, "lost"),
        (1, -0.25, "gained"),
    ]


def test_runs_are_averaged() -> None:
    rows = [
        {"item": item, "system": system, "run": run, "score": score}
        for system, table in {"old": [[1, 0], [1, 1]], "new": [[1, 1], [1, 1]]}.items()
        for item, scores in enumerate(table)
        for run, score in enumerate(scores)
    ]
    for runs in ("fixed", "random"):
        found = deadheat.compare(pl.DataFrame(rows), runs=runs)
        flips = found.flips()
        assert flips["item"].to_list() == [0]
        assert flips["difference"].to_list() == [0.5]


@pytest.mark.parametrize("weighting", ["pooled", "macro"])
def test_strata_and_clusters_stand_beside(weighting: str) -> None:
    frame = pl.DataFrame(
        {
            "item": range(8),
            "task": ["law"] * 4 + ["maths"] * 4,
            "old": [1, 0, 1, 0, 1, 0, 1, 0],
            "new": [1, 1, 1, 0, 0, 0, 1, 0],
        }
    )
    found = deadheat.compare(frame, weighting=weighting, method="percentile", n_resamples=99)
    assert found.flips().select("item", "stratum", "kind").rows() == [
        (4, "maths", "lost"),
        (1, "law", "gained"),
    ]


def test_the_frame_is_of_the_kind_that_came_in() -> None:
    assert isinstance(compared().flips(), pl.DataFrame)
    of_pandas = compared(FRAME.to_pandas()).flips()
    assert isinstance(of_pandas, pd.DataFrame)
    assert of_pandas["item"].tolist() == ["q1", "q4", "q3"]
    of_arrow = compared(FRAME.to_arrow()).flips()
    assert isinstance(of_arrow, pa.Table)
    assert of_arrow["kind"].to_pylist() == ["lost", "lost", "gained"]


def test_several_metrics_name_theirs() -> None:
    found = deadheat.compare(
        FRAME, systems=("old", "new"), metric="accuracy,macro_f1", n_resamples=99
    )
    assert found.flips()["metric"].to_list() == ["accuracy"] * 3 + ["macro_f1"] * 3


def test_what_has_no_shared_items_or_no_scores_is_refused() -> None:
    with pytest.raises(UsageError, match="sets of items of their own"):
        compared(paired=False).flips()
    data = {"a": [0.1, 0.8, 0.4], "b": [0.2, 0.7, 0.9]}
    found = deadheat.compare(data, references=[0, 1, 1], metric="auroc", n_resamples=99)
    with pytest.raises(UsageError, match="auroc has no scores of items"):
        found.flips()
    with pytest.raises(UsageError, match="no flips of kind 'lots'"):
        compared().flips("lots")  # type: ignore[arg-type]


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    FRAME.write_csv("t.csv")
    return Path("t.csv")


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(["compare", "t.csv", "--system", "old,new", *words])
    return int(left.value.code or 0)


@pytest.mark.usefixtures("table")
def test_a_spreadsheet_takes_nothing_for_a_formula() -> None:
    assert run("--flips", "f.csv") == 0
    assert Path("f.csv").read_text(encoding="utf-8").splitlines() == [
        "item,reference,baseline_output,candidate_output,baseline_score,candidate_score,"
        "difference,kind",
        "q1,x,x,y,1.0,0.0,-1.0,lost",
        "q4,'=1+1,'=1+1,-7,1.0,0.0,-1.0,lost",
        "q3,x,y,x,0.0,1.0,1.0,gained",
    ]


@pytest.mark.usefixtures("table")
def test_other_forms_are_as_they_are() -> None:
    assert run("--flips", "f.jsonl") == 0
    lines = Path("f.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["reference"] for line in lines] == ["x", "=1+1", "x"]
    assert run("--flips", "f.parquet") == 0
    assert pl.read_parquet("f.parquet")["reference"].to_list() == ["x", "=1+1", "x"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--flips", "t.csv"), "--flips t.csv is an input"),
        (("--flips", "f.csv", "--output", "f.csv"), "f.csv is what"),
        (("--flips", "f.txt"), "--flips f.txt ends in .txt"),
    ],
)
@pytest.mark.usefixtures("table")
def test_no_file_is_lost(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in Path().iterdir())
    assert run(*words) == 2
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in Path().iterdir()) == before
