"""Streams: frozen words, pieces, branches and seeds."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.errors import UsageError
from deadheat.rng import BLOCK, Purpose, Stream, checked_seed

FIRST = [
    [6436986145989974540, 15791485155117540672],
    [6438297003311086983, 11592714900019829702],
    [1984365934388295900, 2749700201498099214],
    [3884253491287560491, 1631501334835803800],
    [9930427291290321574, 9708465026975080611],
    [406608114524601098, 11073930174046297027],
    [1782837154825582235, 3595296611857100718],
]


def test_words_are_frozen() -> None:
    """First words as recorded; if they change, no recorded result can be recomputed."""
    first = [Stream(0, purpose, 0).words(2).tolist() for purpose in Purpose]
    assert first == FIRST
    assert BLOCK == 256


def test_words_are_those_of_sfc64() -> None:
    words = Stream(7, Purpose.EXCHANGE, 3).words(5)
    generator = np.random.SFC64(np.random.SeedSequence(7, spawn_key=(1, 3)))
    assert words.dtype == np.uint64
    assert words.tolist() == [generator.random_raw() for _ in range(5)]


def test_pieces_are_the_whole() -> None:
    whole = Stream(1, Purpose.BOOTSTRAP, 0).words(10)
    stream = Stream(1, Purpose.BOOTSTRAP, 0)
    assert np.array_equal(np.concatenate([stream.words(k) for k in (0, 3, 1, 6)]), whole)


def test_streams_differ_by_seed_purpose_block_and_branch() -> None:
    streams = [
        Stream(seed, purpose, block) for seed in (0, 1) for purpose in Purpose for block in (0, 1)
    ]
    streams += [streams[0].branch(number) for number in (0, 1)] + [streams[0].branch(0).branch(0)]
    assert len({stream.words(1).item() for stream in streams}) == len(streams)


def test_a_branch_starts_at_its_start() -> None:
    stream = Stream(2, Purpose.BOOTSTRAP, 5)
    before = stream.branch(1).words(4)
    stream.words(100)
    assert np.array_equal(stream.branch(1).words(4), before)


@pytest.mark.parametrize("seed", [0, 5, np.int64(3), 2**70])
def test_whole_numbers_are_seeds(seed: int) -> None:
    checked = checked_seed(seed)
    assert type(checked) is int
    assert checked == seed


@pytest.mark.parametrize("seed", [-1, 1.0, True, "1", None, np.random.default_rng(0)])
def test_anything_else_is_no_seed(seed: object) -> None:
    with pytest.raises(UsageError, match="whole number of zero or more"):
        checked_seed(seed)
