"""Blocks: each with its own stream, the last one cut, on any number of threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from deadheat.errors import UsageError
from deadheat.resampling import blocks
from deadheat.rng import BLOCK, Purpose, Stream


def words(stream: Stream, rows: int) -> NDArray[np.float64]:
    return stream.words(rows * 2).reshape(rows, 2).astype(np.float64)


def draw(n_resamples: int, threads: int | None = 1, seed: object = 0) -> NDArray[np.float64]:
    return blocks.drawn(
        words,
        width=2,
        cells=1,
        n_resamples=n_resamples,
        seed=seed,  # type: ignore[arg-type]
        purpose=Purpose.EXCHANGE,
        threads=threads,
    )


@pytest.mark.parametrize("n_resamples", [1, BLOCK, BLOCK + 1, 5 * BLOCK - 3])
@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_each_block_has_its_own_stream(n_resamples: int, threads: int | None) -> None:
    expected = np.concatenate([words(Stream(0, Purpose.EXCHANGE, j), BLOCK) for j in range(5)])
    assert np.array_equal(draw(n_resamples, threads), expected[:n_resamples])


def test_threads_are_used() -> None:
    """Two blocks that wait for each other can only end together."""
    together = threading.Barrier(2, timeout=10.0)

    def block(stream: Stream, rows: int) -> NDArray[np.float64]:
        together.wait()
        return np.zeros((rows, 1))

    blocks.drawn(
        block, width=1, cells=1, n_resamples=2 * BLOCK, seed=0, purpose=Purpose.BOOTSTRAP, threads=2
    )


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"n_resamples": 0}, "number of resamples is 0"),
        ({"n_resamples": 5, "threads": 0}, "number of threads is 0"),
        ({"n_resamples": 5, "seed": -1}, "seed is -1"),
    ],
    ids=["resamples", "threads", "seed"],
)
def test_what_cannot_be_meant(arguments: dict[str, int], found: str) -> None:
    with pytest.raises(UsageError, match=found):
        draw(**arguments)
