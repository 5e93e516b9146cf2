"""Blocks: each with its own stream, the last one cut, on any number of threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from deadheat.errors import UsageError
from deadheat.resampling import blocks
from deadheat.resampling.scratch import Scratch
from deadheat.rng import BLOCK, Purpose, Stream


def words(stream: Stream, rows: int, _: Scratch) -> NDArray[np.float64]:
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
    expected = np.concatenate(
        [words(Stream(0, Purpose.EXCHANGE, j), BLOCK, Scratch()) for j in range(5)]
    )
    assert np.array_equal(draw(n_resamples, threads), expected[:n_resamples])


def zeros(
    then: Callable[[Scratch], object], n_blocks: int, progress: blocks.Progress | None = None
) -> None:
    """Work through blocks on two threads, doing something in each."""

    def block(stream: Stream, rows: int, scratch: Scratch) -> NDArray[np.float64]:
        then(scratch)
        return np.zeros((rows, 1))

    blocks.drawn(
        block,
        width=1,
        cells=1,
        n_resamples=n_blocks * BLOCK,
        seed=0,
        purpose=Purpose.BOOTSTRAP,
        threads=2,
        progress=progress,
    )


def test_threads_are_used() -> None:
    """Two blocks that wait for each other can only end together."""
    together = threading.Barrier(2, timeout=10.0)
    zeros(lambda _: together.wait(), 2)


def test_memory_belongs_to_one_thread() -> None:
    """Two blocks at the same time never have the same memory, and blocks in turn share it."""
    together = threading.Barrier(2, timeout=10.0)
    given: list[Scratch] = []

    def block(scratch: Scratch) -> None:
        together.wait()
        given.append(scratch)
        together.wait()
        assert given[-2] is not given[-1]
        together.wait()

    zeros(block, 6)
    assert len(given) == 6
    assert len(set(map(id, given))) == 2


def test_an_error_ends_the_work_of_other_threads() -> None:
    """Whichever thread fails: the other one finishes its block and takes no more."""
    together = threading.Barrier(2, timeout=10.0)
    done: list[int] = []
    first: list[Scratch] = []

    def block(scratch: Scratch) -> None:
        if not done:
            together.wait()
            first.append(scratch)
            together.wait()
            if scratch is first[0]:
                raise ArithmeticError("block")
        time.sleep(0.001)

    with pytest.raises(ArithmeticError, match="block"):
        zeros(block, 10_000, lambda n, _: done.append(n))
    assert 1 <= len(done) < 1_000


def test_progress_is_told_of_every_block() -> None:
    told: list[tuple[int, int]] = []
    zeros(lambda _: None, 5, lambda *now: told.append(now))
    assert sorted(told) == [(j * BLOCK, 5 * BLOCK) for j in range(1, 6)]


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
