"""Every vector about planning, from R, statsmodels, enumeration and integration."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from deadheat import power
from vectors import SHARED, close, vectors


def planning() -> list[dict[str, Any]]:
    """Those of the shared file where it is there, which has more of them than our copy."""
    if not SHARED.exists():
        return vectors("planning")
    shared = json.loads(SHARED.read_text(encoding="utf-8"))["vectors"]
    return [v for v in shared if v["topic"].startswith("planning")]


def shares(given: dict[str, Any]) -> tuple[float, float]:
    return given["p_a_only"], given["p_b_only"]


def connor_n(given: dict[str, Any]) -> dict[str, float | None]:
    lost, won = shares(given)
    levels = {"power": given["power"], "alpha": given["alpha"]}
    return {
        "n_raw": power.connor(won - lost, won + lost, **levels),
        "n": power.items_to_resolve(won - lost, won + lost, **levels),
    }


def mcnemar_power(given: dict[str, Any]) -> dict[str, float]:
    found = power.mcnemar_power(
        given["n"], *shares(given), test=given["test"], alpha=given["alpha"]
    )
    return {"power": found}


def mcnemar_n(given: dict[str, Any]) -> dict[str, int | None]:
    levels = {"power": given["power"], "alpha": given["alpha"]}
    return {"n": power.mcnemar_items(*shares(given), test=given["test"], **levels)}


def copula_cells(given: dict[str, Any]) -> dict[str, float]:
    found = power.cells(given["p_a"], given["p_b"], given["rho"])
    return {
        "both": found.both,
        "a_only": found.only_baseline,
        "b_only": found.only_candidate,
        "neither": found.neither,
    }


def ttest_power(given: dict[str, Any]) -> dict[str, float]:
    return {"power": power.t_power(given["delta"], given["sd"], given["n"], alpha=given["alpha"])}


def exact_boot_power(given: dict[str, Any]) -> dict[str, float]:
    return {"power": power.percentile_power(given["n"], *shares(given), alpha=given["alpha"])}


def miller_n(given: dict[str, Any]) -> dict[str, float]:
    found = power.miller_items(
        given["delta"],
        given["omega2"],
        within=(given["sigma2_a"], given["sigma2_b"]),
        answers=(given["k_a"], given["k_b"]),
        power=given["power"],
        alpha=given["alpha"],
    )
    return {"n_raw": found, "n": found}


def n_for_halfwidth(given: dict[str, Any]) -> dict[str, float]:
    found = power.items_for_half_width(
        given["sd"], given["halfwidth"], confidence_level=given["conf"]
    )
    return {"n": found}


ROUTES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    route.__name__: route
    for route in (
        connor_n,
        mcnemar_power,
        mcnemar_n,
        copula_cells,
        ttest_power,
        exact_boot_power,
        miller_n,
        n_for_halfwidth,
    )
}


@pytest.mark.parametrize("vector", planning(), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    found = ROUTES[vector["function"]](vector["input"])
    for field in vector["expected"]:
        assert close(vector, field, found[field]), field
