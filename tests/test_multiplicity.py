"""`adjust`: families of p-values, from numbers, text and tables."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from deadheat import adjust
from deadheat.errors import DeadheatError, InputError, UsageError
from deadheat.multiplicity import column_of, parsed

NAN = math.nan

pytestmark = pytest.mark.usefixtures("cheap_collection")


def test_labels_and_order_are_kept() -> None:
    found = adjust([0.04, 0.01, 0.03], labels=["x", "y", "z"], method="bonferroni")
    assert found.labels == ("x", "y", "z")
    assert found.p_values == (0.04, 0.01, 0.03)
    assert found.adjusted == pytest.approx((0.12, 0.03, 0.09))
    assert found.rejected == (False, True, False)
    assert found.family == 3


def test_numbers_are_the_default_labels() -> None:
    assert adjust([0.5, 0.5]).labels == ("1", "2")


@pytest.mark.parametrize(
    ("p_values", "holm", "bh"),
    [((0.01, 0.04, 0.03, 0.005), (0.03, 0.06, 0.06, 0.02), (0.02, 0.04, 0.04, 0.02))],
)
def test_case_73(p_values: Any, holm: Any, bh: Any) -> None:
    """Ties of adjusted values are normal; a flag is p_adjusted <= alpha everywhere."""
    assert adjust(p_values).adjusted == pytest.approx(holm)
    found = adjust(p_values, method="bh", alpha=0.04)
    assert found.adjusted == pytest.approx(bh)
    assert found.rejected == (True, True, True, True)
    assert adjust(p_values, alpha=0.06).rejected == (True, True, True, True)


@given(
    p=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
)
def test_rejections_are_those_of_statsmodels(p: list[float], alpha: float) -> None:
    found = adjust(p, alpha=alpha)
    theirs, adjusted, *_ = multipletests(p, alpha=alpha, method="holm")
    assert found.adjusted == pytest.approx(adjusted)
    near = np.abs(adjusted - alpha) < 1e-12
    assert [a for a, b in zip(found.rejected, near, strict=True) if not b] == theirs[~near].tolist()


def test_undefined_p_values_do_not_count() -> None:
    found = adjust([0.01, NAN, 0.02], labels=["a", "b", "c"], method="bonferroni")
    assert found.family == 2
    assert found.adjusted[0] == pytest.approx(0.02)
    assert math.isnan(found.adjusted[1])
    assert found.rejected == (True, False, True)
    told = found.to_dict()
    assert told["p_values"][1] == {
        "label": "b",
        "p_value": None,
        "p_adjusted": None,
        "rejected": told["p_values"][1]["rejected"],
    }
    assert not told["p_values"][1]["rejected"]
    (note,) = told["notes"]
    assert note["code"] == "undefined_p_values"
    assert "b" in note["message"]


def test_all_undefined() -> None:
    found = adjust([NAN, NAN])
    assert found.family == 0
    assert all(map(math.isnan, found.adjusted))
    assert "0 comparisons" in found.to_text()


def test_one_is_one_comparison() -> None:
    assert "1 comparison," in adjust([0.5]).to_text()


def test_plain_data() -> None:
    told = adjust([0.01, 0.04], alpha=0.03).to_dict()
    assert told["schema"] == "deadheat/adjustment/1"
    assert (told["method"], told["alpha"]) == ("holm", 0.03)
    assert told["comparisons"] == {"n": 2, "correction": "holm"}
    assert told["p_values"] == [
        {"label": "1", "p_value": 0.01, "p_adjusted": 0.02, "rejected": True},
        {"label": "2", "p_value": 0.04, "p_adjusted": 0.04, "rejected": False},
    ]
    assert told["notes"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"p_values": []},
        {"p_values": [1.5]},
        {"p_values": [-0.1]},
        {"p_values": [math.inf]},
        {"p_values": [0.1], "method": "bonferoni"},
        {"p_values": [0.1], "alpha": 0.0},
        {"p_values": [0.1], "alpha": 1.0},
        {"p_values": [0.1], "alpha": NAN},
        {"p_values": [0.1], "labels": ["a", "b"]},
        {"p_values": [0.1, 0.2], "labels": []},
    ],
    ids=str,
)
def test_what_cannot_be_adjusted(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        adjust(**arguments)


def test_arrays_are_taken() -> None:
    assert adjust(np.array([0.01, 0.02])).adjusted == (0.02, 0.02)


# -- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "NA", "na", "N/A", "nan", "NaN", "null", "None", "  "])
def test_undefined_in_text(text: str) -> None:
    (number,) = parsed([text])
    assert math.isnan(number)


def test_numbers_in_text() -> None:
    assert parsed(["0.03", " 1e-5 ", "1", ".5", "0"]) == [0.03, 1e-5, 1.0, 0.5, 0.0]


@pytest.mark.parametrize("text", ["x", "0.05*", "<0.001", "0,05", "p=0.03", "5%"])
def test_text_that_is_no_number_is_named(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(["0.5", text])
    assert repr(text) in str(caught.value)
    assert "p-value 2" in str(caught.value)


# -- tables ---------------------------------------------------------------------------------------


def file(tmp_path: Path, text: str, name: str = "p.csv") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("header", ["p", "p_value", "P", "pvalue", "p-value"])
def test_usual_column(tmp_path: Path, header: str) -> None:
    path = file(tmp_path, f"pair,{header},n\na,0.01,10\nb,,20\nc,0.5,30\n")
    numbers, labels = column_of(path)
    assert numbers == pytest.approx([0.01, NAN, 0.5], nan_ok=True)
    assert labels is None


def test_named_columns(tmp_path: Path) -> None:
    path = file(tmp_path, "pair;raw\na;0.01\nb;0.5\n")
    assert column_of(path, "raw", "pair") == ([0.01, 0.5], ["a", "b"])


@pytest.mark.parametrize("column", ["2", 2])
def test_numbered_column(tmp_path: Path, column: str | int) -> None:
    path = file(tmp_path, "a,0.01\nb,0.5\n")
    assert column_of(path, column) == ([0.01, 0.5], None)


def test_json_lines(tmp_path: Path) -> None:
    path = file(tmp_path, '{"pair": "a", "p": 0.01}\n{"pair": "b", "p": null}\n', "p.jsonl")
    numbers, labels = column_of(path, "p", "pair")
    assert numbers == pytest.approx([0.01, NAN], nan_ok=True)
    assert labels == ["a", "b"]


def test_column_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    path = file(tmp_path, "pair,praw\na,0.01\n")
    with pytest.raises(InputError, match="praw"):
        column_of(path, "pra")


def test_unclear_column_asks(tmp_path: Path) -> None:
    path = file(tmp_path, "first,second\n0.1,0.2\n")
    with pytest.raises(InputError, match="--column"):
        column_of(path)


def test_two_usual_columns_ask(tmp_path: Path) -> None:
    path = file(tmp_path, "p,p_value\n0.1,0.2\n")
    with pytest.raises(InputError, match="--column"):
        column_of(path)


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises((DeadheatError, OSError), match=r"nowhere\.csv"):
        column_of(str(tmp_path / "nowhere.csv"))
