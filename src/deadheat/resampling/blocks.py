"""Blocks of resamples, each drawn from a stream of its own, on any number of threads."""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from deadheat.engine import Engine, packed
from deadheat.errors import UsageError
from deadheat.resampling.scratch import Scratch
from deadheat.rng import BLOCK, Purpose, Stream, checked_seed

Floats = NDArray[np.float64]
Block = Callable[[Stream, int, Scratch], Floats]
Progress = Callable[[int, int], None]
"""Told how many resamples are done, of how many; from any thread."""

PARTS = 4
"""Parts of the work for each worker of an engine, so that none waits long for the last."""

WORTH_THREADS = 2_048
"""Counts in a resample from which on there are threads: with 2,000, two are 1.1 to 1.5 times as
fast as one for a tenth more CPU time; with fewer they wait for Python's lock."""

WORTH_SENDING = 4_096
"""Counts in a resample from which on an engine draws blocks."""


def drawn(
    block: Block,
    *,
    width: int,
    cells: int,
    n_resamples: int,
    seed: int,
    purpose: Purpose,
    threads: int | None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Draw resamples block by block; who draws which changes no bit.

    Parameters
    ----------
    block : callable
        Takes the stream of a block, its number of resamples and memory that only its thread
        uses, returns (resample, width).
    width : int
        Values of one resample.
    cells : int
        Counts that are drawn for one resample.
    n_resamples : int
        Resamples in all; the last block is cut.
    seed : int
        Of the whole computation.
    purpose : Purpose
        What the streams are for.
    threads : int or None
        None means one for each core, or one where blocks are too small to gain by more.
    engine : Engine, optional
        Draws blocks that are large enough to be sent.
    progress : callable, optional
        Told after every block.

    Returns
    -------
    ndarray, shape (n_resamples, width)

    Raises
    ------
    UsageError
        If the seed is not a whole number of zero or more, or `n_resamples` or `threads` is below 1.
    """
    seed = checked_seed(seed)
    if n_resamples < 1:
        raise UsageError(f"the number of resamples is {n_resamples}.", fix="Give 1 or more.")
    if threads is not None and threads < 1:
        raise UsageError(f"the number of threads is {threads}.", fix="Give 1 or more.")
    if engine is not None and cells >= WORTH_SENDING:
        return _sent(block, engine, n_resamples, seed, purpose, progress)
    values = np.empty((n_resamples, width))

    numbers = deque(range(-(-n_resamples // BLOCK)))

    def work() -> None:
        scratch = Scratch()
        try:
            for number in _taken(numbers):
                part = values[number * BLOCK : (number + 1) * BLOCK]
                part[...] = block(Stream(seed, purpose, number), len(part), scratch)
                if progress is not None:
                    progress(number * BLOCK + len(part), n_resamples)
        finally:
            # After an error the other threads need not go on.
            numbers.clear()

    if threads is None:
        threads = 1 if cells < WORTH_THREADS else os.cpu_count() or 1
    workers = min(len(numbers), threads)
    if workers == 1:
        work()
        return values
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            for done in [pool.submit(work) for _ in range(workers)]:
                done.result()
        finally:
            numbers.clear()
    return values


def _sent(
    block: Block,
    engine: Engine,
    n_resamples: int,
    seed: int,
    purpose: Purpose,
    progress: Progress | None,
) -> Floats:
    """Draw runs of blocks where an engine works."""
    n_blocks = -(-n_resamples // BLOCK)
    each = -(-n_blocks // (PARTS * engine.n_workers))
    tasks = [
        (seed, purpose, first, min(first + each, n_blocks), n_resamples)
        for first in range(0, n_blocks, each)
    ]
    called = [f"blocks {task[2]:,} to {task[3] - 1:,} of the resamples" for task in tasks]
    found = []
    for values in engine.each(draw_blocks, tasks, called, common=packed(block)):
        found.append(values)
        if progress is not None:
            progress(sum(map(len, found)), n_resamples)
    return np.concatenate(found)


def draw_blocks(
    payload: bytes, seed: int, purpose: Purpose, first: int, stop: int, n_resamples: int
) -> Floats:
    """Draw the blocks from `first` to before `stop`; what an engine runs.

    Parameters
    ----------
    payload : bytes
        The block of `drawn`, by `deadheat.engine.packed`.
    """
    block: Block = pickle.loads(payload)
    scratch = Scratch()
    return np.concatenate(
        [
            block(Stream(seed, purpose, at), min(BLOCK, n_resamples - at * BLOCK), scratch).copy()
            for at in range(first, stop)
        ]
    )


def _taken(numbers: deque[int]) -> Iterator[int]:
    """Take numbers from the left until none is left, whoever took them."""
    while True:
        try:
            yield numbers.popleft()
        except IndexError:
            return
