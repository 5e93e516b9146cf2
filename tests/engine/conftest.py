"""Parts of a table, and clusters that work on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from dask_processes import Dask

N, PARTS = 8_000, 4


def table() -> pl.DataFrame:
    generator = np.random.default_rng(0)
    return pl.DataFrame(
        {"item": np.arange(N), **{x: generator.integers(0, 4, N) / 3 for x in ("x", "y", "z")}}
    )


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    folder.mkdir()
    size = N // PARTS
    for number in range(PARTS):
        part = table()[number * size : (number + 1) * size]
        part.write_parquet(folder / f"part-{number}.parquet")
    return folder


@pytest.fixture(scope="module", params=[2, 4])
def cluster(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Any]:
    """A cluster of processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=request.param,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        local_directory=str(tmp_path_factory.mktemp("dask")),
    ) as found:
        yield found


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster, set_as_default=False) as found:
        yield found


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """A scheduler of its own process, to which workers can be added, and which can be killed."""
    pytest.importorskip("distributed")
    with Dask(tmp_path) as found:
        yield found


@pytest.fixture(scope="session")
def real_scores() -> dict[str, NDArray[np.float64]]:
    """Systems whose board needs as many types as there are items."""
    generator = np.random.default_rng(1)
    return {name: generator.normal(size=4_500) for name in "abc"}
