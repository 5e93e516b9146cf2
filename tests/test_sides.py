"""Who is the baseline, and what is known of the two systems."""

from __future__ import annotations

import pytest

from deadheat.errors import UsageError
from deadheat.intervals.interval import Interval
from deadheat.sides import ABOUT, Side, check_about, chosen_pair, not_stated, shortened


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
    with pytest.raises(UsageError) as caught:
        chosen_pair(systems, baseline, candidate)
    assert said in str(caught.value)


def test_long_lists_of_systems_are_cut() -> None:
    with pytest.raises(UsageError) as caught:
        chosen_pair([f"s{i}" for i in range(1_500)], None, None)
    assert len(str(caught.value)) < 300
    assert "1,488 more" in str(caught.value)


def test_shortened() -> None:
    assert shortened(["a"]) == "a"
    assert shortened(["a", "b"], most=2) == "a, b"
    assert shortened(["a", "b", "c", "d"], most=2) == "a, b and 2 more"


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"c": {"seed": "1"}}, "'c', which is not compared"),
        ({"a": {"colour": "red"}}, "colour"),
        ({"a": {"temprature": "0"}}, "Did you mean temperature"),
    ],
)
def test_about_what_is_not_there(about: dict[str, dict[str, str]], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_about(about, ("a", "b"))
    assert said in str(caught.value)


def test_about_every_field_of_the_template() -> None:
    assert set(ABOUT) == {
        *("checkpoint", "temperature", "top_p", "max_tokens", "stop", "seed", "date"),
    }
    check_about({"a": dict.fromkeys(ABOUT, "x"), "b": {}}, ("a", "b"))


def test_not_stated_lists_what_nobody_gave() -> None:
    whole = dict.fromkeys(ABOUT, "x")
    assert not_stated({"a": whole, "b": whole}, ("a", "b")) == ()
    (note,) = not_stated({"a": whole, "b": {"seed": "1", "date": "d"}}, ("a", "b"))
    assert note.code == "not_stated"
    assert "b: checkpoint, temperature, top_p, max_tokens, stop." in note.message
    assert "a:" not in note.message
    (note,) = not_stated({}, ("a", "b"))
    assert note.message.count("temperature") == 2


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
