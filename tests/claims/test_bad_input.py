"""What cannot be meant is refused in one paragraph that names the option."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from deadheat import claim
from deadheat.errors import UsageError


def refused(**given: Any) -> str:
    with pytest.raises(UsageError) as caught:
        claim(**given)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    "n", [0, -5, 2.0, "500", True, None, float("nan"), 10**12, np.float64(5), 1.5]
)
def test_number_of_items(n: Any) -> None:
    assert "the number of items is" in refused(n=n, gap=1)


@pytest.mark.parametrize("discordant", [-1, 501, 2.5, "3", True, float("inf")])
def test_number_of_discordant_items(discordant: Any) -> None:
    assert "the number of discordant items is" in refused(n=500, gap=3.6, discordant=discordant)


@pytest.mark.parametrize("name", ["baseline", "candidate"])
@pytest.mark.parametrize("value", ["101", -1, "x", True, float("nan"), "501/500", "3/7"])
def test_values(name: str, value: Any) -> None:
    assert f"the {name} is " in refused(**{"n": 500, "gap": 1, name: value})


@pytest.mark.parametrize("gap", ["x", 101, float("inf"), False, ""])
def test_gap(gap: Any) -> None:
    assert "the gap is " in refused(n=500, gap=gap)


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((3, 1), "the lower end of the interval, 3, is above the upper end, 1"),
        ((1,), "Give its two ends"),
        ((1, 2, 3), "Give its two ends"),
        ("12", "Give its two ends"),
        (5, "Give its two ends"),
        (("a", 2), "the lower end of the interval is 'a'"),
        ((1, float("nan")), "the upper end of the interval is nan"),
        ((1, 101), "the upper end of the interval is 101"),
        ((1, True), "the upper end of the interval is True"),
    ],
    ids=str,
)
def test_interval(interval: Any, words: str) -> None:
    assert words in refused(n=500, gap=1, interval=interval)


@pytest.mark.parametrize("p", ["1.1", -0.1, "x", True, "<", float("nan"), ">2"])
def test_p_value(p: Any) -> None:
    assert "the p-value is " in refused(n=500, gap=1, p=p)


@pytest.mark.parametrize("share", [101, -1, "x", True, "97/100"])
def test_share(share: Any) -> None:
    assert "the share of resamples is " in refused(n=500, gap=1, share=share)


@pytest.mark.parametrize("level", [0.5, 1.0, 95, float("nan"), "0.95", True])
def test_confidence_level(level: Any) -> None:
    assert "the confidence level is" in refused(n=500, gap=1, confidence_level=level)


@pytest.mark.parametrize("draws", [0, 1, -3, 2.5, "5000", True, 10**9])
def test_resamples(draws: Any) -> None:
    assert "the number of resamples is" in refused(n=500, gap=1, p=0.5, n_resamples=draws)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "there is nothing to check"),
        ({"confidence_level": 0.9}, "there is nothing to check"),
        ({"interval": (1, 2)}, "the interval cannot be checked without a gap"),
        ({"discordant": 5}, "the number of discordant items cannot be checked without a gap"),
        ({"p": 0.03}, "the p-value cannot be checked without a gap"),
        ({"baseline": 70, "p": 0.03}, "the p-value cannot be checked without a gap"),
        ({"baseline": 70, "discordant": 3}, "cannot be checked without a gap"),
        ({"gap": 1, "n_resamples": 5_000}, "5,000 draws are those of no number"),
    ],
    ids=str,
)
def test_nothing_to_check(given: dict[str, Any], words: str) -> None:
    message = refused(n=500, **given)
    assert words in message
    assert "--" in message


def test_a_positional_argument_is_no_argument() -> None:
    with pytest.raises(TypeError):
        claim(500, 71.2, 74.8)  # type: ignore[misc]


@pytest.mark.parametrize("p", ["<0", "<0.0", "<=0", "0", 0, "p = 0"])
def test_a_p_value_of_nothing(p: str | int) -> None:
    assert "the p-value is" in refused(n=500, gap=3.6, p=p)
