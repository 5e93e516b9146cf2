"""Plans of designs whose right numbers are known from elsewhere."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import deadheat
from deadheat import Plan
from vectors import close, vectors


def needed(plan: Plan) -> dict[str, int | None]:
    return {need.by: need.items for need in plan.needed}


def powers(plan: Plan) -> dict[str, float]:
    assert plan.at is not None
    return {one.by: one.power for one in plan.at.power}


def of_shares(given: dict[str, Any], **more: Any) -> Plan:
    """Plan for two shares of items that one system alone gets right."""
    lost, won = given["p_a_only"], given["p_b_only"]
    return deadheat.plan(
        gap=won - lost,
        discordance=lost + won,
        power=given.get("power", 0.8),
        confidence_level=1.0 - given["alpha"],
        **more,
    )


@pytest.mark.parametrize("vector", vectors("planning.mcnemar", "connor_n"), ids=lambda v: v["name"])
def test_items_by_the_formula_of_connor(vector: dict[str, Any]) -> None:
    """R MESS: the least whole number that is not below what it prints."""
    found = needed(of_shares(vector["input"]))["connor"]
    assert found is not None
    assert found - 1 < vector["expected"]["n_raw"] <= found


# A simulation that another article describes: accuracies of 72% and 76%, a loading of .6 on the
# common factor. Numbers from a script of its own, with scipy 1.12's binomial.
@cache
def seeded(**how: float) -> Plan:
    return deadheat.plan(baseline=0.72, candidate=0.76, items=500, **how)


@pytest.mark.parametrize("how", [{"correlation": 0.36}, {"loading": 0.6}], ids=str)
def test_two_accuracies_and_a_latent_correlation(how: dict[str, float]) -> None:
    plan = seeded(**how)
    found = needed(plan)
    assert (found["chi2"], found["midp"], found["exact"]) == (1484, 1485, 1533)
    assert found["connor"] == 1488  # R MESS
    assert found["percentile"] == pytest.approx(1507, abs=2)
    at = powers(plan)
    assert at["percentile"] == pytest.approx(0.3568819123684437, abs=1e-7)
    assert (round(at["exact"], 3), round(at["midp"], 3), round(at["chi2"], 3)) == (
        *(0.339, 0.367, 0.367),
    )
    assert plan.at is not None
    assert round(plan.at.coverage, 3) == 0.954


def test_loading_is_not_the_correlation() -> None:
    """A loading of .6 is a correlation of .36; taken for .6 it gives other numbers."""
    found = needed(seeded(correlation=0.6))
    assert (found["chi2"], found["midp"], found["exact"]) == (1159, 1162, 1209)
    design = seeded(loading=0.6).design
    assert (design.latent_correlation, design.loading) == (0.36, 0.6)


def test_cells_of_the_copula() -> None:
    """scipy 1.12, multivariate_normal.cdf."""
    cells = seeded(correlation=0.36).design.cells
    assert cells == pytest.approx(
        {
            "both": 0.5881527995237363,
            "only_baseline": 0.13184720047626364,
            "only_candidate": 0.17184720047626367,
            "neither": 0.10815279952373646,
        },
        abs=2e-6,
    )


def test_what_the_article_took_for_the_paired_requirement() -> None:
    """(1.959964 + 0.841621)^2 (.72 .28 + .76 .24) / .04^2 = 1,883.7: items of their own."""
    assert needed(seeded(correlation=0.36))["unpaired"] == 1884


@pytest.mark.parametrize(
    ("gap", "row"),
    [
        (0.005, (15_696, 31_394, 62_789, 94_185)),
        (0.01, (3_923, 7_847, 15_696, 23_545)),
        (0.02, (979, 1_960, 3_923, 5_885)),
        (0.03, (434, 870, 1_742, 2_614)),
    ],
)
def test_a_gap_alone_gives_the_table_by_discordance(gap: float, row: tuple[int, ...]) -> None:
    """Connor's formula by hand; printed to the next whole number below or above."""
    table = deadheat.plan(gap=gap).table
    assert [line.discordance for line in table] == [0.05, 0.10, 0.20, 0.30]
    assert [line.items for line in table] == pytest.approx(row, abs=1)


def test_one_point_at_a_time() -> None:
    """(1.959964 .458258 / .01)^2 = 8,067.1: a half-width of a point for one system at 70%."""
    plan = deadheat.plan(half_width=0.01, baseline=0.7)
    assert needed(plan) == {"half_width": 8068}
    assert plan.items == 8068


def test_items_by_the_formula_of_miller() -> None:
    """Miller (2024): about 1,000 questions for three points."""
    assert needed(deadheat.plan(gap=0.03, between_variance=1 / 9))["miller"] == 969
    found = deadheat.plan(
        gap=0.03, between_variance=1 / 9, answer_variance=1 / 6, answers=10, power=0.8
    )
    assert needed(found)["miller"] == 1260  # 1,259.697


@pytest.mark.parametrize(
    "vector",
    [v for v in vectors("planning.mcnemar") if v["function"] in ("mcnemar_power", "mcnemar_n")],
    ids=lambda v: v["name"],
)
def test_exact_powers(vector: dict[str, Any]) -> None:
    """R exact2x2, a double loop over counts, and searches by scipy's binomial."""
    given = vector["input"]
    if vector["function"] == "mcnemar_n":
        found = needed(of_shares(given, test=given["test"]))[given["test"]]
        assert found is not None
        assert close(vector, "n", found)
        return
    plan = of_shares(given, items=given["n"], test=given["test"])
    assert close(vector, "power", powers(plan)[given["test"]])
