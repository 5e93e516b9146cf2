"""Parts of a table: what they must have in common, and how they are brought here from a store."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.errors import EngineError, InputError
from deadheat.readers import passing
from deadheat.readers.passing.parts import on_disk, part_of, parts_in_store

fsspec = pytest.importorskip("fsspec", reason="the extra 'cluster' is not installed")
memory = pytest.importorskip("fsspec.implementations.memory")

N = 400
SYSTEMS = ["x", "y"]


def table() -> pl.DataFrame:
    generator = np.random.default_rng(0)
    return pl.DataFrame({"item": np.arange(N), **{x: generator.integers(0, 2, N) for x in "xy"}})


FIRST, SECOND = table()[: N // 2], table()[N // 2 :]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as found:
        yield found


@pytest.fixture
def store() -> Any:
    found = fsspec.filesystem("memory")
    # What lies in memory is that of the whole process.
    if found.exists("/bucket"):
        found.rm("/bucket", recursive=True)
    return found


def written(folder: Path, *parts: pl.DataFrame) -> Path:
    folder.mkdir()
    for number, part in enumerate(parts):
        part.write_parquet(folder / f"part-{number}.parquet")
    return folder


def put(store: Any, folder: Path) -> str:
    for file in folder.iterdir():
        store.pipe(f"/bucket/{file.name}", file.read_bytes())
    return "memory://bucket"


@pytest.mark.parametrize(
    "parts",
    [
        (FIRST, SECOND.select("y", "item", "x")),
        (FIRST, SECOND, SECOND[:0]),
        (FIRST[:0], FIRST, SECOND),
        (FIRST, SECOND, SECOND[:0].with_columns(x=pl.lit(None), y=pl.lit("none"))),
        (FIRST[:0].with_columns(x=pl.lit(None)), FIRST, SECOND),
    ],
    ids=[
        "another order of columns",
        "an empty part",
        "an empty first part",
        "types",
        "first types",
    ],
)
def test_parts_may_be_empty_and_have_their_columns_in_any_order(
    pool: ThreadPoolExecutor, store: Any, tmp_path: Path, parts: tuple[pl.DataFrame, ...]
) -> None:
    folder = written(tmp_path / "parts", *parts)
    for source in (folder, put(store, folder)):
        found = deadheat.compare(source, systems=SYSTEMS, engine=pool)
        assert found.items.n == N
        x, y = (sum(table()[system].to_list()) for system in SYSTEMS)
        assert found.difference.estimate == pytest.approx((y - x) / N, abs=1e-15)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (SECOND.cast({"x": pl.Float64}), r"the column 'x' is of Float64, and in .* of Int64"),
        (SECOND.drop("y"), r"there is no column 'y', which the first part has"),
    ],
)
def test_a_part_in_a_store_whose_columns_are_others_is_named(
    pool: ThreadPoolExecutor, store: Any, tmp_path: Path, second: pl.DataFrame, message: str
) -> None:
    address = put(store, written(tmp_path / "parts", FIRST, second))
    with pytest.raises(InputError, match=rf"bucket/part-1\.parquet: {message}"):
        deadheat.compare(address, systems=SYSTEMS, engine=pool)


def test_a_part_of_other_types_is_named_where_all_are_too_large(tmp_path: Path) -> None:
    large = table().sample(40_000, with_replacement=True, seed=0)
    folder = written(tmp_path / "parts", large, large.cast({"x": pl.Float64}))
    with pytest.raises(InputError, match=r"part-1\.parquet: the column 'x' is of Float64"):
        deadheat.compare(folder, systems=SYSTEMS, memory="1MB")


def other(file: Path) -> None:
    SECOND[:50].write_parquet(file)


def shorter(file: Path) -> None:
    os.truncate(file, 60)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (Path.unlink, EngineError, "tried 3 times: FileNotFoundError"),
        (other, InputError, r"has \d+.* bytes where it was to be counted, and had \d+"),
        (shorter, InputError, "has 60 bytes where it was to be counted, and had"),
    ],
)
def test_a_part_that_is_lost_or_replaced_before_it_is_counted_is_named(
    pool: ThreadPoolExecutor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Any,
    error: type[Exception],
    message: str,
) -> None:
    folder = written(tmp_path / "parts", FIRST, SECOND)
    plain = passing.by_parts

    def changed(*given: Any) -> Any:
        change(folder / "part-1.parquet")
        return plain(*given)

    monkeypatch.setattr(passing, "by_parts", changed)
    with pytest.raises(error, match=message) as raised:
        deadheat.compare(folder, systems=SYSTEMS, engine=pool)
    assert "part-1.parquet" in str(raised.value)


def test_a_part_that_is_written_to_while_it_is_counted_is_named(
    pool: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path / "parts", FIRST, SECOND)
    plain, last, later = passing.kinds.kinds_of, folder / "part-1.parquet", count()

    def touching(scan: pl.LazyFrame, columns: list[str]) -> pl.DataFrame:
        found = plain(scan, columns)
        os.utime(last, ns=(0, next(later)))
        return found

    monkeypatch.setattr(passing.kinds, "kinds_of", touching)
    with pytest.raises(InputError, match=r"part-1\.parquet: the file was written to while"):
        deadheat.compare(folder, systems=SYSTEMS, engine=pool)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_part_that_may_not_be_read_is_named(pool: ThreadPoolExecutor, tmp_path: Path) -> None:
    folder = written(tmp_path / "parts", FIRST, SECOND)
    (folder / "part-1.parquet").chmod(0)
    with pytest.raises((InputError, EngineError), match=r"part-1\.parquet.*[Pp]ermission"):
        deadheat.compare(folder, systems=SYSTEMS, engine=pool)


def test_parts_that_are_counted_are_told(pool: ThreadPoolExecutor, tmp_path: Path) -> None:
    folder = written(tmp_path / "parts", FIRST, SECOND)
    told: list[tuple[int, int]] = []
    deadheat.read(folder, engine=pool, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]


def test_small_tables_that_are_no_parts_are_read_here(
    pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    table().write_csv(tmp_path / "wide.csv")
    table().write_ndjson(tmp_path / "wide.jsonl")
    table().write_parquet(tmp_path / "wide.parquet")
    long = table().unpivot(index="item", variable_name="system", value_name="score")
    long.write_csv(tmp_path / "long.csv")
    folder = tmp_path / "systems"
    folder.mkdir()
    for system in SYSTEMS:
        table().select("item", score=system).write_parquet(folder / f"{system}.parquet")
    for name in ("wide.csv", "wide.jsonl", "wide.parquet", "long.csv", "systems"):
        here = deadheat.compare(tmp_path / name)
        there = deadheat.compare(tmp_path / name, engine=pool)
        assert there.to_dict() == here.to_dict()


def test_an_object_is_never_held_as_a_whole(
    store: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []

    def read(file: Any, size: int = -1) -> bytes:
        asked.append(size)
        return BytesIO.read(file, size)

    size = 5 * store.blocksize + 7
    content = np.random.default_rng(0).bytes(size)
    store.pipe("/bucket/part-0.parquet", content)
    monkeypatch.setattr(memory.MemoryFile, "read", read, raising=False)
    (part,) = parts_in_store("memory://bucket")
    assert part.size == size
    with on_disk(part) as (path, sha256):
        assert os.path.getsize(path) == size
        assert sha256 == hashlib.sha256(content).hexdigest()
    assert len(asked) >= 6
    assert all(0 < one <= store.blocksize for one in asked)
    assert not os.path.exists(path)
    local = tmp_path / "local.parquet"
    local.write_bytes(content)
    with on_disk(part_of(str(local))) as found:
        assert found == (str(local), sha256)
