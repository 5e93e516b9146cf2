"""Parts of tables and blocks of resamples on executors and on a Dask cluster: the same bits."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import deadheat
from deadheat.engine import Engine, engine_of
from deadheat.errors import EngineError, InputError, UsageError
from deadheat.readers import passing
from deadheat.readers.passing.parts import Part
from deadheat.resampling import blocks

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

N, PARTS = 8_000, 4

Scores = dict[str, NDArray[np.float64]]


def test_a_cluster_counts_parts_and_draws_the_same_bits(
    client: Any, parts: Path, real_scores: Scores
) -> None:
    here = deadheat.compare(parts, systems=["x", "z"], memory="1MB")
    there = deadheat.compare(parts, systems=["x", "z"], engine=client, memory="1MB")
    assert there.to_dict() == here.to_dict()
    assert [len(one.recipe.files) for one in (here, there)] == [PARTS, PARTS]
    assert deadheat.rank(real_scores, engine=client).to_dict() == (
        deadheat.rank(real_scores).to_dict()
    )


def test_an_address_is_an_engine(cluster: Any, parts: Path) -> None:
    address = cluster.scheduler_address.replace("tcp://", "dask://")
    there = deadheat.score(parts, systems=["x", "z"], engine=address)
    assert there.to_dict() == deadheat.score(parts, systems=["x", "z"], memory="1MB").to_dict()


def test_a_worker_that_dies_changes_nothing(
    client: Any, parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = deadheat.compare(parts, systems=["x", "z"], memory="1MB")
    plain = passing.kinds.count_part

    def with_a_death(part: Part, columns: list[str]) -> tuple[pl.DataFrame, str]:
        """The first to come for a part ends its own process."""
        mark = Path(part.path + ".died")
        if part.path.endswith("part-2.parquet") and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(part, columns)

    monkeypatch.setattr(passing.kinds, "count_part", with_a_death)
    there = deadheat.compare(parts, systems=["x", "z"], engine=client, memory="1MB")
    assert (parts / "part-2.parquet.died").exists()
    assert there.to_dict()["difference"] == here.to_dict()["difference"]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=2) as found:
        yield found


def test_threads_are_an_engine(pool: ThreadPoolExecutor, parts: Path, real_scores: Scores) -> None:
    here = deadheat.rank(parts, memory="1MB")
    assert deadheat.rank(parts, engine=pool).to_dict() == here.to_dict()
    assert deadheat.rank(real_scores, engine=pool).to_dict() == (
        deadheat.rank(real_scores).to_dict()
    )


def test_a_part_is_tried_again_and_then_named(
    pool: ThreadPoolExecutor, parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    plain = passing.kinds.count_part

    def failing(part: Part, columns: list[str]) -> tuple[pl.DataFrame, str]:
        tried.append(part.path)
        if part.path.endswith("part-1.parquet") and tried.count(part.path) < limit:
            raise OSError("the disk went away")
        return plain(part, columns)

    monkeypatch.setattr(passing.kinds, "count_part", failing)
    limit = 3
    found = deadheat.compare(parts, systems=["x", "z"], engine=pool)
    assert found.items.n == N
    assert sorted(map(tried.count, set(tried))) == [1, 1, 1, 3]
    tried, limit = [], 100
    with pytest.raises(EngineError, match=r"part-1\.parquet could not be worked on .* disk went"):
        deadheat.compare(parts, systems=["x", "z"], engine=pool)


def test_rows_are_held_against_what_a_part_states(
    pool: ThreadPoolExecutor, parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = passing.kinds.kinds_of

    def lossy(scan: pl.LazyFrame, columns: list[str]) -> pl.DataFrame:
        return plain(scan.head(1_999), columns)

    monkeypatch.setattr(passing.kinds, "kinds_of", lossy)
    with pytest.raises(InputError, match=r"1,999 rows were counted, .* has 2,000") as error:
        deadheat.compare(parts, systems=["x", "z"], engine=pool)
    assert "part-0.parquet" in str(error.value)


def test_a_damaged_part_is_named(pool: ThreadPoolExecutor, parts: Path) -> None:
    whole = (parts / "part-3.parquet").read_bytes()
    (parts / "part-3.parquet").write_bytes(whole[: len(whole) // 3] + b"\0" * 900 + whole[-300:])
    with pytest.raises((EngineError, InputError), match=r"part-3\.parquet"):
        deadheat.compare(parts, systems=["x", "z"], engine=pool)


def test_a_store_is_read_by_address(pool: ThreadPoolExecutor, parts: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    here = deadheat.compare(parts, systems=["x", "z"], memory="1MB")
    memory = fsspec.filesystem("memory")
    for part in parts.iterdir():
        memory.pipe(f"/engine/{part.name}", part.read_bytes())
    for engine in (pool, None):
        there = deadheat.compare("memory://engine", systems=["x", "z"], engine=engine)
        assert there.to_dict() == here.to_dict()
    with pytest.raises(InputError, match="there is no Parquet file there"):
        deadheat.compare("memory://nothing", systems=["x", "z"])


def test_results_do_not_hold_on_to_an_engine(pool: ThreadPoolExecutor, parts: Path) -> None:
    found = deadheat.compare(parts, systems=["x", "z"], engine=pool)
    assert found.settings.engine is None
    assert "engine" not in found.recipe.options


@pytest.mark.parametrize("engine", ["localhost:8786", "dask://", "ray://host:1", 3, object()])
def test_what_is_no_engine_is_refused(engine: Any) -> None:
    with pytest.raises(UsageError, match="dask://HOST:PORT"):
        engine_of(engine)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deadheat.engine.cluster.SECONDS", 1.0)
    with pytest.raises(EngineError, match=r"no Dask scheduler answers at 127\.0\.0\.1:9"):
        engine_of("dask://127.0.0.1:9")


def test_metrics_that_cannot_be_sent_say_so(pool: ThreadPoolExecutor) -> None:
    made = Engine(executor=pool, name="threads", n_workers=2)
    assert list(made.each(divmod, [(7, 2), (9, 4)], ["a", "b"])) == [(3, 1), (2, 1)]
    with pytest.raises(EngineError, match="b could not be worked on by threads, tried 3 times"):
        list(made.each(divmod, [(7, 2), (9, 0)], ["a", "b"]))


def test_processes_are_an_engine_unless_they_are_forks(parts: Path, real_scores: Scores) -> None:
    here = deadheat.compare(parts, systems=["x", "z"], memory="1MB")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = deadheat.compare(parts, systems=["x", "z"], engine=pool)
        assert there.to_dict() == here.to_dict()
        assert deadheat.rank(real_scores, engine=pool).to_dict() == (
            deadheat.rank(real_scores).to_dict()
        )
        with pytest.raises(BrokenProcessPool):
            pool.submit(os._exit, 1).result()
        with pytest.raises(EngineError, match=r"ProcessPoolExecutor takes no work: Broken"):
            deadheat.compare(parts, systems=["x", "z"], engine=pool)
    with (
        ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool,
        pytest.raises(UsageError, match=r"polars waits for ever.*get_context\(.spawn.\)"),
    ):
        deadheat.compare(parts, systems=["x", "z"], engine=pool)


def test_an_executor_that_was_shut_down_is_refused(parts: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        pass
    with pytest.raises(EngineError, match="ThreadPoolExecutor takes no work: RuntimeError"):
        deadheat.compare(parts, systems=["x", "z"], engine=pool)


def test_what_travels_is_what_is_drawn_and_no_text(
    pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sacrebleu")
    generator = np.random.default_rng(0)
    words = np.array([f"word{at:04d}" for at in range(2_000)])
    wanted = generator.integers(0, 2_000, (6_000, 25))
    said = [np.where(generator.random(wanted.shape) < 0.25, 0, wanted) for _ in "ab"]
    right, a, b = ([" ".join(row) for row in words[rows]] for rows in (wanted, *said))
    sizes: list[int] = []
    plain = blocks.packed

    def measured(block: Any) -> bytes:
        found = plain(block)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(blocks, "packed", measured)
    given = {"references": right, "metric": "bleu", "n_resamples": 300}
    there = deadheat.compare({"a": a, "b": b}, **given, engine=pool)
    assert there.to_dict() == deadheat.compare({"a": a, "b": b}, **given).to_dict()
    # Ten statistics of two systems in single precision, and twice as much for how they are drawn.
    (size,) = set(sizes)
    assert size < 3 * len(right) * 20 * 4 < 2 * sum(map(len, right))
