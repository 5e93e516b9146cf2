"""Figures of the five seed documents, as the audit in STATISTICS.md section 12 corrects them.

Expected values were made by complete enumeration, statsmodels and exact integer arithmetic, not by
this package.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tables import wide

Answer = Callable[..., Any]


@pytest.fixture
def seed2(tmp_path: Path) -> Path:
    return wide(tmp_path / "gap500.csv", both=289, only_a=67, only_b=85, neither=59)


def test_seed2_paired(answer: Answer, seed2: Path) -> None:
    found = answer("compare", seed2)
    assert found["schema"] == "deadheat/comparison/1"
    assert found["metric"]["name"] == "accuracy"
    assert (found["baseline"]["system"], found["candidate"]["system"]) == ("a", "b")
    assert found["baseline"]["value"] == 0.712
    assert found["candidate"]["value"] == 0.748
    assert found["counts"] == {
        "both": 289,
        "only_baseline": 67,
        "only_candidate": 85,
        "neither": 59,
    }
    difference = found["difference"]
    assert difference["estimate"] == pytest.approx(0.036, abs=1e-15)
    assert difference["interval"]["method"] == "percentile"
    assert difference["interval"]["low"] == pytest.approx(-0.012, abs=1e-15)
    assert difference["interval"]["high"] == pytest.approx(0.084, abs=1e-15)
    assert difference["interval"]["monte_carlo_error"] is None
    assert difference["p_value"] == pytest.approx(0.1547217753845124, rel=1e-9)
    tests = {test["variant"]: test for test in found["tests"] if test["name"] == "mcnemar"}
    assert found["tests"][0]["variant"] == "exact"
    assert tests["exact"]["p_value"] == pytest.approx(0.1677220, abs=5e-8)
    assert (tests["exact"]["only_baseline"], tests["exact"]["only_candidate"]) == (67, 85)
    assert tests["midp"]["p_value"] == pytest.approx(0.145366, abs=5e-7)
    assert tests["chi2"]["p_value"] == pytest.approx(0.144292, abs=5e-7)
    assert tests["chi2_cc"]["p_value"] == pytest.approx(0.167931, abs=5e-7)
    assert found["resampling"]["exact"] is True
    assert found["items"]["n"] == 500
    assert found["reading"]["code"] == "unresolved"
    wilson = found["baseline"]["interval"]
    assert (round(wilson["low"], 3), round(wilson["high"], 3)) == (0.671, 0.750)
    wilson = found["candidate"]["interval"]
    assert (round(wilson["low"], 3), round(wilson["high"], 3)) == (0.708, 0.784)


def test_seed2_unpaired_percentile(answer: Answer, seed2: Path) -> None:
    found = answer("compare", seed2, "--unpaired", "--method", "percentile")
    interval = found["difference"]["interval"]
    assert interval["low"] == pytest.approx(-0.018, abs=1e-15)
    assert interval["high"] == pytest.approx(0.090, abs=1e-15)
    assert found["pairing"] == "unpaired"
    assert "pairing_discarded" in {note["code"] for note in found["notes"]}


@pytest.mark.parametrize(
    ("method", "low", "high"),
    [
        ("tango", -0.0124246, 0.0844912),
        ("newcombe", -0.0124256, 0.0842285),
        ("bonett_price", -0.012493, 0.0842062),
        ("agresti_min", -0.0123351, 0.0840483),
    ],
)
def test_seed2_closed_forms(
    answer: Answer, seed2: Path, method: str, low: float, high: float
) -> None:
    interval = answer("compare", seed2, "--method", method)["difference"]["interval"]
    assert interval["method"] == method
    assert (interval["low"], interval["high"]) == pytest.approx((low, high), abs=2e-6)


@pytest.mark.parametrize(
    ("only_a", "only_b", "p", "interval", "p_bootstrap", "reading"),
    [
        (30, 60, 0.00206027, (0.012, 0.049), 0.00158309, "resolved"),
        (43, 47, 0.752033, (-0.015, 0.023), 0.712128, "unresolved"),
    ],
)
def test_seed4_counts(
    answer: Answer,
    tmp_path: Path,
    only_a: int,
    only_b: int,
    p: float,
    interval: tuple[float, float],
    p_bootstrap: float,
    reading: str,
) -> None:
    table = wide(tmp_path / "t.csv", both=780, only_a=only_a, only_b=only_b, neither=130)
    found = answer("compare", table)
    assert found["tests"][0]["p_value"] == pytest.approx(p, rel=1e-5)
    got = found["difference"]["interval"]
    assert (got["low"], got["high"]) == pytest.approx(interval, abs=1e-12)
    assert found["difference"]["p_value"] == pytest.approx(p_bootstrap, rel=1e-5)
    assert found["reading"]["code"] == reading


def test_seed1_counts_24_of_8_of_120(answer: Answer, tmp_path: Path) -> None:
    table = wide(tmp_path / "t.csv", both=86, only_a=24, only_b=8, neither=2)
    found = answer("compare", table)
    assert found["difference"]["estimate"] == pytest.approx(-16 / 120)
    got = found["difference"]["interval"]
    assert (got["low"], got["high"]) == pytest.approx((-0.225, -5 / 120), abs=1e-12)
    assert found["difference"]["p_value"] == pytest.approx(0.00417302, rel=1e-5)
    assert found["tests"][0]["p_value"] == pytest.approx(0.0070, abs=5e-5)


def test_seed0_seven_to_one_is_borderline(answer: Answer, tmp_path: Path) -> None:
    """7 against 1 of 400: the exact percentile interval excludes zero, exact McNemar says .070."""
    table = wide(tmp_path / "t.csv", both=300, only_a=1, only_b=7, neither=92)
    found = answer("compare", table, "--method", "percentile")
    got = found["difference"]["interval"]
    assert (got["low"], got["high"]) == pytest.approx((0.0025, 0.03), abs=1e-12)
    assert found["tests"][0]["p_value"] == pytest.approx(0.0703125)
    assert found["reading"]["code"] == "borderline"
    assert "percentile" in found["reading"]["text"]
    assert "exact" in found["reading"]["text"]


@pytest.mark.parametrize(
    ("k", "n", "low", "high", "width"),
    [
        (70, 100, 0.604, 0.781, 0.177),
        (210, 300, 0.646, 0.749, 0.103),
        (700, 1000, 0.671, 0.728, 0.057),
    ],
)
def test_seed3_wilson_table(
    answer: Answer, tmp_path: Path, k: int, n: int, low: float, high: float, width: float
) -> None:
    table = tmp_path / "m.csv"
    rows = "".join(f"{i},{int(i < k)}\n" for i in range(n))
    table.write_text("item,correct\n" + rows, encoding="utf-8")
    (system,) = answer("score", table)["systems"]
    interval = system["interval"]
    assert interval["method"] == "wilson"
    assert (round(interval["low"], 3), round(interval["high"], 3)) == (low, high)
    assert round(interval["high"] - interval["low"], 3) == width
