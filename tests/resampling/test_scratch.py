"""Memory that is used again: its shapes and types, and words as the stream has them."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.resampling.scratch import PIECE, Scratch
from deadheat.rng import Purpose, Stream


def test_arrays_have_what_was_asked_for() -> None:
    scratch = Scratch()
    for shape, dtype in [
        ((3, 4), np.float32),
        ((5, 7), np.float32),
        ((2, 2), np.int16),
        ((0,), bool),
    ]:
        found = scratch.array("one", shape, dtype)
        assert (found.shape, found.dtype, found.flags.c_contiguous) == (shape, dtype, True)


def test_memory_is_shared_by_name_and_type_only() -> None:
    scratch = Scratch()
    first = scratch.array("one", (100,), np.float64)
    assert np.shares_memory(first, scratch.array("one", (10, 2), np.float64))
    assert not np.shares_memory(first, scratch.array("one", (10, 2), np.int64))
    assert not np.shares_memory(first, scratch.array("two", (10, 2), np.float64))


@pytest.mark.parametrize("shape", [(0, 3), (3, 5), (2, PIECE), (3, PIECE + 1)])
def test_words_are_those_of_the_stream(shape: tuple[int, int]) -> None:
    """Read in pieces or at once, and where the next ones go on."""
    scratch, stream = Scratch(), Stream(0, Purpose.BOOTSTRAP, 1)
    got = [scratch.words(stream, *shape).copy() for _ in range(2)]
    n = shape[0] * shape[1]
    wanted = Stream(0, Purpose.BOOTSTRAP, 1).words(2 * n).reshape(2, *shape)
    assert np.array_equal(got, wanted)
