"""Draws from the model of `Design`, in blocks of items.

Word order of the stream of a data set:

* main stream, one row an item: f; u of each system; where answers to an item differ, e of each
  system, its runs one after the other.
* branch 0, where there are clusters, one row a cluster: its part of f; its part of u of each
  system.

Any block size gives the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from deadheat.rng import Purpose, Stream
from deadheat.simulation.design import Design, Drawn
from deadheat.simulation.marginals import scored
from deadheat.simulation.normals import normals

Floats = NDArray[np.float64]

BLOCK_NUMBERS = 1 << 20
"""Latent numbers in memory at a time, about; changes no bit."""


def blocks(
    design: Design, seed: int, replay: int = 0, *, at_once: int = BLOCK_NUMBERS
) -> Iterator[Drawn]:
    """Draw a data set, some items at a time.

    Parameters
    ----------
    design : Design
    seed : int
        Zero or more.
    replay : int
        Number of the data set, from 0.
    at_once : int
        Latent numbers in memory at a time, about.
    """
    stream = Stream(seed, Purpose.SIMULATION, replay)
    if design.cluster_size == 1:
        for start, stop in _ranges(design, at_once):
            yield Drawn(scores=_scores(design, normals(stream, stop - start, _width(design))))
        return
    of_clusters, size = stream.branch(0), design.cluster_size
    shared = np.empty((0, 0))
    for start, stop in _ranges(design, at_once):
        clusters = np.arange(start, stop) // size
        if start % size == 0:
            n_clusters = int(clusters[-1] - clusters[0]) + 1
            shared = normals(of_clusters, n_clusters, 1 + len(design.marginals))
        numbers = normals(stream, stop - start, _width(design))
        of_item = numbers[:, : shared.shape[1]]
        of_item *= math.sqrt(1.0 - design.icc)
        of_item += math.sqrt(design.icc) * shared[clusters - clusters[0]]
        yield Drawn(scores=_scores(design, numbers), clusters=clusters)


def _ranges(design: Design, at_once: int) -> Iterator[tuple[int, int]]:
    """Yield the first item of each block and of the next: whole clusters, or parts of one."""
    length, size, n = max(1, at_once // _width(design)), design.cluster_size, design.items
    if length >= size:
        length = length // size * size
        yield from ((start, min(start + length, n)) for start in range(0, n, length))
        return
    for begin in range(0, n, size):
        end = min(begin + size, n)
        yield from ((start, min(start + length, end)) for start in range(begin, end, length))


def _width(design: Design) -> int:
    """Return how many numbers an item takes."""
    n_systems = len(design.marginals)
    return 1 + n_systems + (n_systems * design.runs if design.answer_correlation < 1.0 else 0)


def _scores(design: Design, numbers: Floats) -> Floats:
    """Return scores, shape (system, item, run), of numbers of shape (item, f u.. e..)."""
    c, k, n_systems = abs(design.correlation), design.answer_correlation, len(design.marginals)
    own = math.sqrt(max(k - c, 0.0)) * numbers[:, 1 : 1 + n_systems].T
    factor = math.sqrt(c) * numbers[:, 0]
    signs = np.ones(n_systems)
    if design.correlation < 0.0:
        signs[1] = -1.0
    latent = (own + np.outer(signs, factor))[:, :, None]
    if k < 1.0:
        noise = numbers[:, 1 + n_systems :].reshape(len(numbers), n_systems, design.runs)
        latent = latent + math.sqrt(1.0 - k) * noise.swapaxes(0, 1)
    scores = np.empty((n_systems, len(numbers), design.runs))
    for system, marginal in enumerate(design.marginals):
        scores[system] = scored(marginal, latent[system])
    return scores
