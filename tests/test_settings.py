"""Parameters are checked once, before any work."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from deadheat.errors import DeadheatError, UsageError
from deadheat.settings import MAX_RESAMPLES, Settings


def test_defaults_are_those_of_the_contract() -> None:
    found = Settings()
    assert (found.confidence_level, found.n_resamples, found.seed) == (0.95, 9_999, 0)
    assert (found.method, found.test, found.alternative) == ("auto", "auto", "two-sided")
    assert (found.margin, found.threads) == (None, None)


@pytest.mark.parametrize(
    "option",
    [
        {"confidence_level": 0.5},
        {"confidence_level": 1.0},
        {"confidence_level": 0.0},
        {"confidence_level": 95},
        {"confidence_level": -0.95},
        {"confidence_level": math.nan},
        {"confidence_level": math.inf},
        {"n_resamples": 1},
        {"n_resamples": 0},
        {"n_resamples": -9},
        {"n_resamples": MAX_RESAMPLES + 1},
        {"alternative": "both"},
        {"alternative": "two_sided"},
        {"margin": 0.0},
        {"margin": -0.1},
        {"margin": math.nan},
        {"margin": math.inf},
        {"threads": 0},
        {"threads": -1},
        {"seed": -1},
        {"seed": True},
        {"seed": 1.5},
        {"seed": None},
        {"seed": np.random.default_rng(0)},
    ],
    # Not the value itself: a generator's text holds its address, which differs between processes.
    ids=lambda option: str(option).partition(" at 0x")[0],
)
def test_what_cannot_be_meant_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        Settings(**option)
    words = {"confidence_level": "confidence level", "n_resamples": "number of resamples"}
    (name,) = option
    assert words.get(name, name) in caught.value.found
    assert caught.value.fix


@pytest.mark.parametrize("n_resamples", [1e3, 99.5])
def test_draws_are_a_whole_number(n_resamples: float) -> None:
    """1e3 is refused or means 1,000; half a draw is refused, before any work."""
    try:
        found = Settings(n_resamples=n_resamples)  # type: ignore[arg-type]
    except DeadheatError as error:
        assert error.fix  # noqa: PT017
    else:
        assert found.n_resamples == 1_000
        assert isinstance(found.n_resamples, int)


@pytest.mark.parametrize(
    "option",
    [
        {"confidence_level": 0.500001},
        {"confidence_level": 0.999999},
        {"n_resamples": 2},
        {"n_resamples": MAX_RESAMPLES},
        {"alternative": "less"},
        {"margin": 1e-9},
        {"margin": 50.0},
        {"threads": 1},
        {"seed": 2**64},
        {"seed": np.int64(3)},
    ],
    ids=str,
)
def test_what_can_be_meant_is_taken(option: dict[str, Any]) -> None:
    ((name, value),) = option.items()
    assert getattr(Settings(**option), name) == value


@pytest.mark.parametrize(
    ("level", "alpha"), [(0.95, 0.05), (0.9, 0.1), (0.99, 0.01), (0.999, 0.001), (0.8, 0.2)]
)
def test_alpha_is_the_decimal_that_was_meant(level: float, alpha: float) -> None:
    """1 - 0.95 is 0.050000000000000044: a p-value of 0.05 would be below it."""
    assert Settings(confidence_level=level).alpha == alpha


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().seed = 1  # type: ignore[misc]
