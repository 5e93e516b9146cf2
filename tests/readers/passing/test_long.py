"""Long tables out of core: the numbers of a table that is held, in any order of its rows."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat
from deadheat.alignment import align
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.passing.test_wide import SMALL, WRITERS, codes, numbers, rounded

N = 6_000
SYSTEMS = ("b", "a", "c")


def scored(rng: np.random.Generator) -> pl.DataFrame:
    """Scores of three systems on items of which some lack a row, and some a score."""
    wide = {name: rng.integers(0, 3, N) / 2 for name in SYSTEMS}
    frame = pl.DataFrame({"item": [f"q{number}" for number in range(N)], **wide})
    long = frame.unpivot(index="item", variable_name="system", value_name="score")
    absent = (pl.col("system") == "a") & (pl.int_range(pl.len()) % 37 == 5)
    null = (pl.col("system") == "c") & (pl.int_range(pl.len()) % 41 == 3)
    return long.filter(~absent).with_columns(
        pl.when(null).then(None).otherwise(pl.col("score")).alias("score")
    )


def labelled(rng: np.random.Generator) -> pl.DataFrame:
    """Outputs of three systems, with references in the rows of one of them alone."""
    names = np.array(["cat", "dog", "fox"])
    right = rng.integers(0, 3, N)
    outputs = {
        name: names[np.where(rng.random(N) < 0.7, right, rng.integers(0, 3, N))] for name in SYSTEMS
    }
    frame = pl.DataFrame(
        {"item": rng.permutation(10 * N)[:N], "reference": names[right], **outputs}
    )
    long = frame.unpivot(index=["item", "reference"], variable_name="system", value_name="output")
    first = pl.when(pl.col("system") == "b").then(pl.col("reference"))
    return long.with_columns(first.alias("reference"))


TABLES = {"scores": scored, "labels": labelled}
ORDERS = {
    "by system": lambda frame: frame,
    "by item": lambda frame: frame.sort("item", "system", descending=[False, True]),
    "falling": lambda frame: frame.sort("item", descending=True),
    "natural": lambda frame: frame.sort(pl.col("item").cast(pl.String).str.len_bytes(), "item"),
    "shuffled": lambda frame: frame.sample(fraction=1.0, shuffle=True, seed=1),
}
STANDING = {"by item", "falling", "natural"}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", TABLES)
def test_boards_have_the_numbers_of_a_table_that_is_held(
    tmp_path: Path, name: str, order: str, ending: str
) -> None:
    table = tmp_path / f"t.{ending}"
    getattr(ORDERS[order](TABLES[name](np.random.default_rng(5))), WRITERS[ending])(table)
    for missing in ("drop", "wrong"):
        held = deadheat.rank(table, missing=missing)
        passed = deadheat.rank(table, missing=missing, memory=SMALL)
        assert "counted_in_passing" not in codes(held)
        assert "counted_in_passing" in codes(passed)
        assert ("rows_apart" in codes(passed)) == (order not in STANDING)
        assert rounded(without_order(passed)) == rounded(without_order(held))


def without_order(found: Any) -> Any:
    """What a result says, but for the notes on how its rows were brought together."""
    told = numbers(found)
    return told | {"notes": [n for n in told["notes"] if n["code"] != "rows_apart"]}


@pytest.mark.parametrize(
    "options",
    [
        {"systems": ["c", "b"], "missing": "drop"},
        {"baseline": "a", "candidate": "b", "missing": "wrong"},
        {"systems": ["b", "a"], "missing": "drop", "test": "wilcoxon", "margin": 0.02},
    ],
    ids=str,
)
def test_pairs_have_the_numbers_of_a_table_that_is_held(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    table = tmp_path / "t.parquet"
    scored(np.random.default_rng(6)).write_parquet(table)
    passed = deadheat.compare(table, **options, memory=SMALL)
    assert without_order(passed) == without_order(deadheat.compare(table, **options))


@pytest.mark.parametrize("order", ["by item", "shuffled"])
def test_clusters_may_be_a_column_or_taken_out_of_the_ids(tmp_path: Path, order: str) -> None:
    rng = np.random.default_rng(7)
    frame = scored(rng).with_columns(
        (pl.lit("d") + (pl.col("item").str.slice(1).cast(pl.Int64) % 30).cast(pl.String) + "/"
         + pl.col("item")).alias("item")
    )  # fmt: skip
    frame = frame.with_columns(pl.col("item").str.extract("^([^/]+)/").alias("cluster"))
    column, ids = tmp_path / "column.csv", tmp_path / "ids.csv"
    ORDERS[order](frame).write_csv(column)
    ORDERS[order](frame.drop("cluster")).write_csv(ids)
    held = deadheat.rank(column, missing="drop")
    for passed in (
        deadheat.rank(column, missing="drop", memory=SMALL),
        deadheat.rank(ids, missing="drop", cluster="item:^([^/]+)/", memory=SMALL),
    ):
        assert "counted_in_passing" in codes(passed)
        assert passed.unit.kind == "cluster"
        told, wanted = rounded(without_order(passed)), rounded(without_order(held))
        assert told["systems"] == wanted["systems"]
        assert told["pairs"] == wanted["pairs"]


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_ids_of_kinds_hint_at_no_clusters(tmp_path: Path, metric: str) -> None:
    """An item stands for its kind; ids that look like parts of documents are not looked into."""
    table = tmp_path / "t.parquet"
    frame = labelled(np.random.default_rng(7))
    ids = pl.format("d{}/q{}", pl.col("item") % 30, pl.col("item"))
    frame.with_columns(ids.alias("item")).write_parquet(table)
    passed = deadheat.rank(table, metric=metric, memory=SMALL)
    held = deadheat.rank(table, metric=metric)
    assert "cluster_hint" in codes(held)
    told, wanted = rounded(without_order(passed)), rounded(without_order(held))
    wanted["notes"] = [note for note in wanted["notes"] if note["code"] != "cluster_hint"]
    assert told == wanted


def test_items_are_counted_by_who_has_them(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = [(f"q{k}", "x", k % 2) for k in range(4_000)]
    rows += [(f"q{k}", "y", k % 3 == 0) for k in range(1_000, 6_000)]
    table.write_text("item,system,score\n" + "".join(f"{i},{s},{int(v)}\n" for i, s, v in rows))
    found = deadheat.compare(table, missing="drop", memory="1MB")
    assert (found.items.n, found.items.matched) == (3_000, 3_000)
    assert (found.items.only_baseline, found.items.only_candidate) == (1_000, 2_000)
    # In 1,000 to 3,999: 1,500 odd, and 1,000 that are divisible by three, of which 500 are odd.
    assert found.baseline.value == 0.5
    assert found.candidate.value == pytest.approx(1 / 3)
    counts = found.to_dict()["counts"]
    assert (counts["both"], counts["neither"]) == (500, 1_000)


@pytest.mark.parametrize("order", ["by item", "shuffled"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("item,system,score", "q77,a,1\n"), r"'q77' \(2 rows\) in a"),
        (("item,system,score", "q5,,1\n"), "row [0-9,]+, column 'system'"),
        (("item,system,score", ",a,1\n"), "row [0-9,]+, column 'item'"),
        (("item,system,score,reference", "q5,d,1,z\n"), "'q5' disagree about its reference"),
    ],
    ids=lambda value: value[1].strip() if isinstance(value, tuple) else "",
)
def test_rows_that_contradict_each_other_are_refused(
    tmp_path: Path, order: str, change: tuple[str, str], message: str
) -> None:
    header, added = change
    wider = ",w" if header.endswith("reference") else ""
    rows = [f"q{k},{name},{k % 2}{wider}\n" for k in range(9_000) for name in "ab"]
    rows.append(added)
    if order == "by item":
        rows.sort(key=lambda row: row.split(",")[0])
    table = tmp_path / "t.csv"
    table.write_text(f"{header}\n{''.join(rows)}")
    with pytest.raises((InputError, AlignmentError), match=message):
        deadheat.rank(table, memory=SMALL)
    with pytest.raises((InputError, AlignmentError)):
        deadheat.rank(table)


def test_a_system_that_is_not_there_is_named(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    scored(np.random.default_rng(8)).write_parquet(table)
    for systems in (["a", "d"], ["d"], ["d", "e"]):
        for memory in (SMALL, "9GB"):
            with pytest.raises(InputError, match=r"no system 'd' \(--system\)\. Known: a, b, c"):
                deadheat.rank(table, systems=systems, memory=memory)


def test_nothing_is_left_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, scratch = tmp_path / "t.csv", tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(scratch))
    frame = scored(np.random.default_rng(9))
    frame.write_csv(table)
    assert "rows_apart" in codes(deadheat.rank(table, missing="drop", memory=SMALL))
    pl.concat([frame, frame.tail(1)]).write_csv(table)
    with pytest.raises(InputError, match="more than one row"):
        deadheat.rank(table, missing="drop", memory=SMALL)
    assert not list(scratch.iterdir())


def test_a_full_disk_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "t.csv"
    scored(np.random.default_rng(9)).write_csv(table)

    def full(*_: Any, **__: Any) -> None:
        raise pl.exceptions.ComputeError("No space left on device (os error 28)")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(InputError, match=r"No space left.*GB are free.*TMPDIR"):
        deadheat.rank(table, missing="drop", memory=SMALL)


def test_a_record_of_a_long_table_is_verified(tmp_path: Path) -> None:
    table, record = tmp_path / "t.parquet", tmp_path / "record.json"
    scored(np.random.default_rng(3)).write_parquet(table)
    deadheat.save(deadheat.rank(table, missing="drop", memory=SMALL), record)
    assert deadheat.verify(record).holds


IDS = st.one_of(
    st.integers(-3, 30).map(str),
    st.sampled_from(["01", "1", "1.0", "q,1", 'q"1', "é", "É", " x", "x ", "A", "a"]),
)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_small_table_is_counted_as_it_is_held(data: st.DataObject) -> None:
    """Kinds of items have the multiplicities that pandas' pivot has."""
    from deadheat.readers.passing.kinds import COUNT
    from deadheat.readers.passing.long import LongTable, count_long

    cells = data.draw(
        st.dictionaries(
            st.tuples(IDS, st.sampled_from("xyz")),
            st.one_of(st.none(), st.integers(0, 2)),
            min_size=1,
            max_size=60,
        )
    )
    order = data.draw(st.permutations(sorted(cells)))
    frame = pl.DataFrame(
        {
            "item": [item for item, _ in order],
            "system": [system for _, system in order],
            "score": pl.Series([cells[key] for key in order], dtype=pl.Int64),
        }
    )
    table = LongTable(
        rows=frame.lazy(), item="item", system="system", own=("score",), shared=(), place="t"
    )
    found = count_long(table, 1)
    wanted = frame.to_pandas().pivot(index="item", columns="system", values="score")
    there = frame.to_pandas().pivot(index="item", columns="system", values="item").notna()
    kinds = {}
    for item in wanted.index:
        key = tuple(
            (s, None if wanted[s].isna()[item] else int(wanted[s][item]))
            for s in sorted(wanted.columns)
            if there[s][item]
        )
        kinds[key] = kinds.get(key, 0) + 1
    counts = dict(found.kinds.rows())
    assert sum(counts.values()) == len(wanted)
    told = {
        tuple(sorted((row["system"], row["score"]) for row in part.iter_rows(named=True))): counts[
            item
        ]
        for (item,), part in found.rows.partition_by("item", as_dict=True).items()
    }
    assert told == kinds
    assert COUNT in found.kinds.columns


def test_what_is_read_is_as_wide_as_its_kinds(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    scored(np.random.default_rng(4)).write_parquet(table)
    alignment = align(read(table, memory=SMALL), missing="drop")
    assert alignment.height < 30
    assert alignment.n == int(alignment.multiplicities.sum())
    assert alignment.items is not None
