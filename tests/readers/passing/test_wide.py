"""Tables counted in passing: the same numbers as of tables that are held, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.dependence import by_stratum
from deadheat.errors import InputError, MetricError, UsageError
from readers.logs.builders import details, lm_eval, ragas
from readers.logs.builders.lines import write_csv

N = 12_000
SMALL = "1MB"
WRITERS = {"parquet": "write_parquet", "csv": "write_csv", "jsonl": "write_ndjson"}


def labelled() -> pl.DataFrame:
    """Outputs of three systems among four labels; some of the second are null."""
    generator = np.random.default_rng(1)
    names = np.array(["cat", "dog", "fox", "owl"])
    right = generator.integers(0, 4, N)

    def answers(share: float) -> np.ndarray[Any, Any]:
        drawn = generator.integers(0, 4, N)
        return names[np.where(generator.random(N) < share, right, drawn)]

    frame = pl.DataFrame(
        {
            "item": [f"q{number}" for number in range(N)],
            "reference": names[right],
            **{name: answers(share) for name, share in (("a", 0.7), ("b", 0.72), ("c", 0.69))},
        }
    )
    absent = pl.int_range(N) % 1_000 == 7
    return frame.with_columns(pl.when(absent).then(None).otherwise(pl.col("b")).alias("b"))


def graded() -> pl.DataFrame:
    """Scores in quarters of three systems; some of the second are null."""
    generator = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "item": np.arange(N),
            **{name: generator.integers(0, 5, N) / 4 for name in ("x", "y", "z")},
        }
    )
    absent = pl.int_range(N) % 500 == 3
    return frame.with_columns(pl.when(absent).then(None).otherwise(pl.col("y")).alias("y"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tables")
    for ending, writer in WRITERS.items():
        getattr(labelled(), writer)(made / f"labels.{ending}")
        getattr(graded(), writer)(made / f"scores.{ending}")
    return made


def numbers(found: Any) -> Any:
    """All that a result says, but for hashes and for how it was read."""

    def kept(tree: Any) -> Any:
        if isinstance(tree, dict):
            return {k: kept(v) for k, v in tree.items() if k not in ("hash", "signature")}
        if isinstance(tree, list):
            return [kept(v) for v in tree if v.__class__ is not dict or not said(v)]
        return tree

    def said(note: dict[str, Any]) -> bool:
        return note.get("code") == "counted_in_passing"

    return kept(found.to_dict())


def codes(found: Any) -> set[str]:
    return {note.code for note in found.notes}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("labels", {"systems": ["a", "c"], "metric": "macro_f1"}),
        ("labels", {"systems": ["a", "c"], "label_map": {"owl": "fox"}, "metric": "macro_f1"}),
        ("labels", {"systems": ["a", "b"], "unparseable": "missing", "missing": "drop"}),
        ("labels", {"systems": ["a", "b"], "unparseable": "missing", "missing": "wrong"}),
        ("scores", {"systems": ["x", "y"], "missing": "drop"}),
        ("scores", {"systems": ["x", "y"], "missing": "wrong", "margin": 0.02}),
        ("scores", {"systems": ["x", "z"], "test": "wilcoxon"}),
    ],
    ids=str,
)
def test_pairs_have_the_numbers_of_a_table_that_is_held(
    folder: Path, ending: str, name: str, options: dict[str, Any]
) -> None:
    path = folder / f"{name}.{ending}"
    held = deadheat.compare(path, **options)
    passed = deadheat.compare(path, **options, memory=SMALL)
    assert "counted_in_passing" not in codes(held)
    assert "counted_in_passing" in codes(passed)
    assert numbers(passed) == numbers(held)


@pytest.mark.parametrize("missing", ["drop", "wrong"])
@pytest.mark.parametrize("command", [deadheat.rank, deadheat.score])
def test_boards_and_cards_have_the_numbers_of_a_table_that_is_held(
    folder: Path, command: Any, missing: str
) -> None:
    path = folder / "scores.csv"
    passed = command(path, missing=missing, memory=SMALL)
    assert "counted_in_passing" in codes(passed)
    assert numbers(passed) == numbers(command(path, missing=missing))


def clustered(n_clusters: int, metric: str) -> pl.DataFrame:
    """Scores, or outputs of three labels, of items in clusters that are easier or harder."""
    n, generator = 30_000, np.random.default_rng(3)
    cluster = generator.integers(0, n_clusters, n)
    easy = generator.normal(0.0, 0.1, n_clusters)[cluster]
    frame = pl.DataFrame({"item": np.arange(n), "cluster": [f"c{at}" for at in cluster]})
    if metric == "mean":
        scores = {
            x: (generator.random(n) < 0.6 + easy) / 2 + generator.integers(0, 2, n) / 2
            for x in "xz"
        }
        return frame.with_columns(**{name: pl.Series(values) for name, values in scores.items()})
    right = generator.integers(0, 3, n)
    names = np.array(["r", "s", "t"])

    def answers() -> pl.Series:
        drawn = generator.integers(0, 3, n)
        return pl.Series(names[np.where(generator.random(n) < 0.6 + easy, right, drawn)])

    return frame.with_columns(reference=pl.Series(names[right]), x=answers(), z=answers())


@pytest.mark.parametrize("n_clusters", [8, 300])
@pytest.mark.parametrize("metric", ["mean", "macro_f1"])
@pytest.mark.parametrize("command", [deadheat.compare, deadheat.rank, deadheat.score])
def test_clusters_have_the_numbers_of_a_table_that_is_held(
    tmp_path: Path, command: Any, n_clusters: int, metric: str
) -> None:
    table = tmp_path / "t.parquet"
    clustered(n_clusters, metric).write_parquet(table)
    asked = {"systems": ["x", "z"], "metric": metric}
    passed = command(table, **asked, memory="2MB")
    assert "counted_in_passing" in codes(passed)
    assert rounded(numbers(passed)) == rounded(numbers(command(table, **asked)))


@pytest.mark.parametrize(
    "options", [{}, {"weighting": "macro"}, {"strata": "random", "weighting": "macro"}], ids=str
)
@pytest.mark.parametrize("metric", ["mean", "macro_f1"])
@pytest.mark.parametrize("command", [deadheat.compare, deadheat.rank, deadheat.score])
def test_strata_have_the_numbers_of_a_table_that_is_held(
    tmp_path: Path, command: Any, metric: str, options: dict[str, str]
) -> None:
    """Strata of 1,000 to 8,000 items, as a column of a wide table and of a long one."""
    wide = clustered(36, metric).with_columns(
        (pl.col("cluster").str.slice(1).cast(pl.Int64).sqrt().floor().cast(pl.String)).alias("task")
    )
    shared = ["item", "task", *(["reference"] if metric == "macro_f1" else [])]
    value = "output" if metric == "macro_f1" else "score"
    wide = wide.drop("cluster")
    long = wide.unpivot(index=shared, variable_name="system", value_name=value)
    wide.write_parquet(tmp_path / "wide.parquet")
    long.write_csv(tmp_path / "long.csv")
    asked = {"systems": ["x", "z"], "metric": metric, **options}
    for name in ("wide.parquet", "long.csv"):
        held = command(tmp_path / name, **asked)
        passed = command(tmp_path / name, **asked, memory=SMALL)
        assert "counted_in_passing" in codes(passed)
        told, wanted = (rounded(numbers(found)) for found in (passed, held))
        told["notes"] = [note for note in told["notes"] if note["code"] != "rows_apart"]
        assert told == wanted
        if command is deadheat.compare:
            pages = [found.to_html() for found in (passed, held)]
            parts = [by_stratum(f.part.items[0], f.part.alignments[0]) for f in (passed, held)]
            counts = wide["task"].value_counts().sort("task")["count"].to_list()
            assert [part.sizes.tolist() for part in parts] == [counts, counts]
            assert pages[0].count("<figure") == pages[1].count("<figure")


def test_strata_and_clusters_go_together(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    part = (pl.col("cluster").str.slice(1).cast(pl.Int64) % 3).cast(pl.String)
    clustered(60, "mean").with_columns(part.alias("stratum")).write_parquet(table)
    passed = deadheat.rank(table, systems=["x", "z"], memory=SMALL)
    held = deadheat.rank(table, systems=["x", "z"])
    assert "counted_in_passing" in codes(passed)
    assert rounded(numbers(passed)) == rounded(numbers(held))


def rounded(tree: Any) -> Any:
    """Numbers to twelve digits: a sum of squares is added in another order."""
    if isinstance(tree, dict):
        return {name: rounded(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [rounded(value) for value in tree]
    return float(f"{tree:.12g}") if isinstance(tree, float) else tree


def test_items_that_changed_are_not_at_hand(folder: Path) -> None:
    found = deadheat.compare(folder / "scores.parquet", systems=["x", "z"], memory=SMALL)
    with pytest.raises(UsageError, match="counted in passing"):
        found.flips()
    assert "Difference in mean on each item" not in found.to_html()


def test_parts_in_a_folder_are_one_table(folder: Path, tmp_path: Path) -> None:
    whole = graded()
    for number in range(3):
        whole[number * 4_000 : (number + 1) * 4_000].write_parquet(tmp_path / f"{number}.parquet")
    parts = deadheat.compare(tmp_path, systems=["x", "z"], memory=SMALL)
    one = deadheat.compare(folder / "scores.parquet", systems=["x", "z"])
    assert numbers(parts) == numbers(one)
    assert len(parts.recipe.files) == 3


def test_a_record_is_verified_and_a_change_is_found(tmp_path: Path) -> None:
    table, record = tmp_path / "t.parquet", tmp_path / "record.json"
    graded().write_parquet(table)
    deadheat.save(deadheat.compare(table, systems=["x", "z"], memory=SMALL), record)
    assert deadheat.verify(record).holds
    changed = graded().with_columns(pl.col("z").reverse())
    changed.write_parquet(table)
    again = deadheat.verify(record)
    assert not again.holds
    assert {check.name for check in again.checks if check.changed} >= {"rows", "numbers"}


def test_a_system_has_the_same_hash_beside_any_others(folder: Path) -> None:
    path = folder / "scores.parquet"
    pair = deadheat.compare(path, systems=["x", "z"], memory=SMALL)
    board = deadheat.rank(path, systems=["z", "x"], memory=SMALL)
    assert {row.system: row.hash for row in board.systems} == {
        side.system: side.hash for side in (pair.baseline, pair.candidate)
    }


def test_missing_scores_are_counted_in_items(folder: Path) -> None:
    with pytest.raises(Exception, match=r"12000 items. y: 24 no score"):
        deadheat.compare(folder / "scores.parquet", systems=["x", "y"], memory=SMALL)


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"x": np.random.default_rng(0).random(300_000)}, {}, "its first 200,000 rows are of"),
        ({"x": np.ones(20_000), "run": np.arange(20_000)}, {}, "--run needs the items"),
        ({"x": np.ones(20_000), "stratum": np.arange(20_000)}, {}, "about [0-9,]+ kinds of items"),
        ({"x": np.ones(20_000), "cluster": np.arange(20_000)}, {}, "about [0-9,]+ kinds of items"),
    ],
)
def test_what_cannot_be_counted_in_passing_says_why(
    tmp_path: Path, columns: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    table = tmp_path / "t.parquet"
    n = len(columns["x"])
    pl.DataFrame({"item": np.arange(n), **columns, "y": np.zeros(n)}).write_parquet(table)
    with pytest.raises(InputError, match=message) as error:
        deadheat.compare(table, systems=["x", "y"], **options, memory=SMALL)
    assert "--memory" in str(error.value)


def test_a_long_table_without_ids_says_what_would_do(tmp_path: Path) -> None:
    table = tmp_path / "long.csv"
    rows = "".join(f"{name},{number % 3 % 2}\n" for name in "ab" for number in range(40_000))
    table.write_text(f"system,score\n{rows}")
    with pytest.raises(InputError, match=r"no item ids.*a column of scores for each system"):
        deadheat.compare(table, memory=SMALL)


def test_metrics_that_look_at_every_item_say_so(tmp_path: Path) -> None:
    table = tmp_path / "texts.csv"
    rows = "".join(f"{number},a cat,a cat,a dog\n" for number in range(20_000))
    table.write_text(f"item,reference,one,two\n{rows}")
    with pytest.raises(MetricError, match="bleu looks at every item"):
        deadheat.compare(table, metric="bleu", systems=["one", "two"], memory=SMALL)


@pytest.mark.parametrize("memory", ["", "many", "1", "-2GB", "nanGB", "infGB", 12, True])
def test_sizes_that_are_none_are_refused(folder: Path, memory: Any) -> None:
    with pytest.raises(UsageError, match="Give a size of 1MB or more"):
        deadheat.compare(folder / "scores.csv", systems=["x", "z"], memory=memory)


def a_log(kind: str, folder: Path, n: int) -> Path:
    """Write the log of a tool, with a score of 1 for every fourth item and 0 for the others."""
    right = [float(k % 4 == 0) for k in range(n)]
    if kind == "jsonl":
        path = folder / f"samples_sums_{lm_eval.FIRST}.jsonl"
        samples = (lm_eval.sample("sums", k, {"exact_match": one}) for k, one in enumerate(right))
        return lm_eval.lines(path, samples)
    if kind == "csv":
        rows = [ragas.sample(k, one) for k, one in enumerate(right)]
        return write_csv(folder / "system.csv", rows)
    frame = details.new([{"acc": one} for one in right])
    return details.details(folder, "sums|0", "2025-01-02T03-04-05.000000", frame)


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_logs_of_tools_are_read_as_logs_whatever_their_size(tmp_path: Path, kind: str) -> None:
    path = a_log(kind, tmp_path, 12_000)
    score = deadheat.score(path, memory=SMALL)
    assert [(one.value, one.interval is not None) for one in score.systems] == [(0.25, True)]
    assert "counted_in_passing" not in {note.code for note in score.notes}


# Of `ru_maxrss` a process inherits what the one that started it held, here this test run.
LONGEST_LINE = """
import re, sys
import deadheat
try:
    deadheat.compare(sys.argv[1], memory=sys.argv[2])
except deadheat.errors.FormatError as error:
    most = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())
    print(error, int(most[1]) // 1024)
"""


@pytest.mark.parametrize("memory", ["4GB", SMALL])
def test_a_line_that_does_not_end_is_refused_before_it_is_decoded(
    tmp_path: Path, memory: str
) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(b'{"item": 1, "a": 1, "b": 0, "text": "')
        file.writelines(b"x" * (1 << 20) for _ in range(150))
        file.write(b'"}\n')
    # A process of its own: what polars holds is not traced.
    done = subprocess.run(
        [sys.executable, "-c", LONGEST_LINE, str(path), memory],
        capture_output=True,
        text=True,
        check=True,
    )
    refused, _, megabytes = done.stdout.strip().rpartition(" ")
    assert "one line is longer than 64 MB" in refused
    assert int(megabytes) < 350  # of a line of 150 MB; scanned, it takes 800


def test_files_of_a_system_each_are_not_taken_for_parts(tmp_path: Path) -> None:
    for name in "xz":
        graded().select("item", score=name).write_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(InputError, match="no column for each system"):
        deadheat.compare(tmp_path, memory=SMALL)


def test_one_system_is_scored_as_one_that_is_held(tmp_path: Path) -> None:
    scores = np.tile(graded()["x"].to_numpy(), 2)
    frame = pl.DataFrame({"item": np.arange(len(scores)), "score": scores})
    frame.write_parquet(tmp_path / "x.parquet")
    passed = deadheat.score(tmp_path / "x.parquet", memory=SMALL)
    assert "counted_in_passing" in codes(passed)
    assert numbers(passed) == numbers(deadheat.score(tmp_path / "x.parquet"))
