"""Single units: uniform, and of the right type."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from deadheat.resampling import units as units_module
from deadheat.resampling.units import Owners, Units
from deadheat.rng import Purpose, Stream


def test_the_map_from_units_to_types_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    units = np.arange(1_000_000)
    given = np.array([1, 10, 300, 999_689])
    expected = np.repeat(np.arange(4), given)
    assert np.array_equal(Owners(given).of(units), expected)
    monkeypatch.setattr(units_module, "MAP_BITS", 3)
    assert np.array_equal(Owners(given).of(units), expected)


def test_units_are_uniform_where_32_bits_do_not_divide() -> None:
    """Without rejection every third of 3 x 2^30 units would come twice as often as the others."""
    units = Units(Stream(0, Purpose.BOOTSTRAP, 0), 3 << 30).take(30_000)
    assert stats.chisquare(np.bincount(units % 3, minlength=3)).pvalue > 0.001


class Given:
    """A stream of words that were chosen."""

    def __init__(self, words: list[int]) -> None:
        self._words = np.array(words, dtype=np.uint64)

    def words(self, n: int) -> NDArray[np.uint64]:
        taken, self._words = self._words[:n], self._words[n:]
        return taken


def test_halves_of_words_in_order() -> None:
    """Of 3 x 2^30 units, halves that 4 divides are skipped; h gives 3 h / 4 rounded down."""
    halves = [0, 1, 2, 3, 4, 5, 2**32 - 1, 2**32 - 4]
    words = [low | (high << 32) for low, high in zip(halves[::2], halves[1::2], strict=True)]
    units = Units(Given(words), 3 << 30)  # type: ignore[arg-type]
    assert units.take(5).tolist() == [0, 1, 2, 3, 3 * 2**30 - 1]


def test_pieces_are_the_whole() -> None:
    whole = Units(Stream(0, Purpose.BOOTSTRAP, 0), 3 << 30).take(101)
    units = Units(Stream(0, Purpose.BOOTSTRAP, 0), 3 << 30)
    assert np.array_equal(np.concatenate([units.take(k) for k in (1, 0, 7, 93)]), whole)
