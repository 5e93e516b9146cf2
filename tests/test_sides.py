"""Who is the baseline and who the candidate."""

from __future__ import annotations

import pytest

from deadheat.errors import DeadheatError
from deadheat.intervals.interval import Interval
from deadheat.sides import Side, chosen_pair, shortened


@pytest.mark.parametrize(
    ("systems", "baseline", "candidate", "pair"),
    [
        ("ab", None, None, ("a", "b")),
        ("ba", None, None, ("b", "a")),
        ("ab", "a", None, ("a", "b")),
        ("ab", "b", None, ("b", "a")),
        ("ab", None, "a", ("b", "a")),
        ("ab", None, "b", ("a", "b")),
        ("ab", "b", "a", ("b", "a")),
        ("abc", "c", "a", ("c", "a")),
    ],
)
def test_pair(
    systems: str, baseline: str | None, candidate: str | None, pair: tuple[str, str]
) -> None:
    assert chosen_pair(list(systems), baseline, candidate) == pair


@pytest.mark.parametrize(
    ("systems", "baseline", "candidate", "said"),
    [
        (["alpha"], None, None, "only one system was found: alpha"),
        (["alpha"], "alpha", None, "only one system"),
        (["a", "b", "c"], None, None, "3 systems were found: a, b, c"),
        (["a", "b", "c"], "a", None, "--candidate"),
        (["a", "b", "c"], None, "a", "--baseline"),
        (["alpha", "beta"], "alfa", None, "Did you mean alpha"),
        (["alpha", "beta"], None, "betta", "Did you mean beta"),
        (["alpha", "beta"], "nobody", None, "alpha, beta"),
        (["a", "b"], "a", "a", "both 'a'"),
        (["a", "b", "c"], "a", "a", "both 'a'"),
    ],
)
def test_no_pair(
    systems: list[str], baseline: str | None, candidate: str | None, said: str
) -> None:
    with pytest.raises(DeadheatError) as caught:
        chosen_pair(systems, baseline, candidate)
    assert said in str(caught.value)


def test_long_lists_of_systems_are_cut() -> None:
    with pytest.raises(DeadheatError) as caught:
        chosen_pair([f"s{i}" for i in range(1_500)], None, None)
    assert len(str(caught.value)) < 300
    assert "1,488 more" in str(caught.value)


def test_shortened() -> None:
    assert shortened(["a"]) == "a"
    assert shortened(["a", "b"], most=2) == "a, b"
    assert shortened(["a", "b", "c", "d"], most=2) == "a, b and 2 more"


def test_side_as_plain_data() -> None:
    side = Side(
        system="a",
        value=0.5,
        interval=Interval(low=0.4, high=0.6, confidence_level=0.95, method="wilson"),
        hash="00",
        unparseable=3,
        about={"seed": "1"},
    )
    told = side.to_dict()
    assert told == {
        "system": "a",
        "value": 0.5,
        "interval": {
            "low": 0.4,
            "high": 0.6,
            "confidence_level": 0.95,
            "method": "wilson",
            "monte_carlo_error": None,
        },
        "hash": "00",
        "unparseable": 3,
        "about": {"seed": "1"},
    }
