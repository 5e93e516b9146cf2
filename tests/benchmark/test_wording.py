"""Sentences of a check where there is one of something, or a best system below the baseline."""

from __future__ import annotations

import numpy as np

import deadheat
from deadheat.benchmark.findings import of_baselines
from deadheat.benchmark.parts import Baseline, Baselines
from deadheat.scale import Scale


def said(code: str, data: dict[str, list[int]]) -> str:
    return next(x.found for x in deadheat.check(data).findings if x.code == code)


def two(n: int) -> dict[str, list[int]]:
    generator = np.random.default_rng(5)
    return {name: generator.integers(0, 2, n).tolist() for name in ("a", "b")}


def test_two_systems_are_one_pair() -> None:
    data = two(80)
    assert said("order", data).startswith("The one pair of systems is not put in order")
    resolution = said("resolution", data)
    assert "typical pair" not in resolution
    assert "over the pairs" not in resolution


def test_the_number_of_items_that_tell_systems_apart_agrees_with_its_verb() -> None:
    one = {"a": [1, 1, 0, 1], "b": [1, 1, 0, 0]}
    assert said("items", one).startswith("1 of 4 items (25%) tells any two")
    both = {"a": [1, 1, 0, 1], "b": [1, 0, 0, 0]}
    assert said("items", both).startswith("2 of 4 items (50%) tell any two")


def test_a_best_system_below_the_baseline_has_covered_no_way() -> None:
    """At 34% below a baseline of 80%, it would have covered -230% of the way to 100%."""
    part = Baselines(
        rows=(Baseline(kind="trivial", name="copy", value=0.8),),
        best=Baseline(kind="trivial", name="copy", value=0.8),
        margin=(0.34 - 0.8) / 0.2,
        reached_by=(),
        best_reached=True,
    )
    found = of_baselines(part, Scale(in_points=True, decimals=1)).found
    assert "the best system lies below it" in found
    assert "covered" not in found
