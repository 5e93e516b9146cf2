"""What is known of how outputs were made, and what nobody said."""

from __future__ import annotations

import pytest

from deadheat.errors import UsageError
from deadheat.remarks import ABOUT, check_about, not_stated


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
