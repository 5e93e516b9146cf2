"""Searches against trying everything."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import InferenceError
from deadheat.power.search import least_items, least_wins

few = settings(max_examples=30)


@few
@given(
    discordant=st.lists(st.integers(0, 60), min_size=1, max_size=20),
    guesses=st.lists(st.integers(-5, 80), min_size=20, max_size=20),
    factor=st.integers(0, 12),
)
def test_least_wins_does_not_depend_on_the_guess(
    discordant: list[int], guesses: list[int], factor: int
) -> None:
    def threshold(among: np.ndarray) -> np.ndarray:
        return among // 2 + 1 + among * factor % 13

    def rejects(wins: np.ndarray, among: np.ndarray) -> np.ndarray:
        assert ((wins >= 0) & (wins <= among)).all()
        return wins >= threshold(among)

    among = np.array(discordant)
    found = least_wins(among, np.array(guesses[: among.size]), rejects)
    assert found.tolist() == np.minimum(threshold(among), among + 1).tolist()


@given(
    middle=st.integers(5, 4_000),
    height=st.floats(0.0, 2.0),
    length=st.floats(2.0, 60.0),
    start=st.integers(1, 20_000),
    wanted=st.floats(0.1, 0.9),
)
def test_least_items_of_a_saw_tooth(
    middle: int, height: float, length: float, start: int, wanted: float
) -> None:
    def power_of(n: int) -> float:
        return n / (n + middle) + height / math.sqrt(n) * ((n / length) % 1.0)

    found = least_items(power_of, wanted, start, teeth=60.0)
    good = [power_of(n) >= wanted for n in range(1, found + 21)]
    assert all(good[found - 1 :])
    assert not any(all(good[n : n + 21]) for n in range(found - 1))


@pytest.mark.parametrize(
    ("good", "least"),
    [
        ([(30, 49), (51, 999)], 51),
        ([(30, 50), (60, 999)], 30),
        ([(100, 130), (160, 999)], 100),
        ([(90, 100), (105, 124), (160, 999)], 160),
        ([(1, 999)], 1),
    ],
)
@pytest.mark.parametrize("start", [1, 95, 155, 200, 700])
def test_twenty_one_in_a_row(good: list[tuple[int, int]], least: int, start: int) -> None:
    def power_of(n: int) -> float:
        return float(any(low <= n <= high for low, high in good))

    assert least_items(power_of, 0.5, start, teeth=10.0) == least


def test_what_takes_too_many_is_refused() -> None:
    with pytest.raises(InferenceError, match="takes more than 5,000 items"):
        least_items(lambda n: 0.5, 0.8, 10.0, teeth=0.0, most=5_000)
