"""Data made by hypothesis, and what is held of comparisons of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import deadheat
from deadheat import Comparison

Data = dict[str, list[Any]]

FEW = settings(max_examples=20)
BINARY = ("auto", "percentile", "tango", "newcombe", "bonett_price", "agresti_min", "wald", "bca")
MEANS = ("auto", "percentile", "basic", "normal", "expanded", "bca", "bca_t", "student_t")
CORPUS = ("auto", "percentile", "basic", "normal", "expanded", "bca")
ALTERNATIVES = ("two-sided", "less", "greater")
MIRRORED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}

VALUES: dict[str, st.SearchStrategy[float]] = {
    "binary": st.sampled_from([0.0, 1.0]),
    "graded": st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    "real": st.floats(-100.0, 100.0, allow_subnormal=False),
}


@st.composite
def scores(draw: st.DrawFn, kind: str, least: int = 2, most: int = 60) -> Data:
    """Two systems, often the same on an item, as evaluated systems are."""
    if kind == "real" and most > 24:
        # Long lists of real numbers are slow to draw one by one; a seed stands for them.
        most = 24
    n = draw(st.integers(least, most))
    a = draw(st.lists(VALUES[kind], min_size=n, max_size=n))
    b = draw(st.lists(st.none() | VALUES[kind], min_size=n, max_size=n))
    return {"a": a, "b": [x if y is None else y for x, y in zip(a, b, strict=True)]}


@st.composite
def labels(draw: st.DrawFn, least: int = 2, most: int = 40) -> tuple[Data, list[str]]:
    """Outputs of two systems and references; a system may put out labels of its own."""
    n = draw(st.integers(least, most))
    references, a, b = (
        draw(st.lists(st.sampled_from(letters), min_size=n, max_size=n))
        for letters in ("xy", "xyz", "xyw")
    )
    return {"a": a, "b": b}, references


any_scores = st.sampled_from(sorted(VALUES)).flatmap(scores)


def drawn(data: Data, references: list[str], **options: Any) -> Comparison:
    """Compare by a metric of the whole set, which has no exact distribution."""
    given_ = {"metric": "macro_f1", "n_resamples": 199, "method": "percentile", "threads": 1}
    return deadheat.compare(data, references=references, **(given_ | options))


def numbers(found: Comparison) -> dict[str, Any]:
    """Everything that is computed, without hashes and prose."""
    told = found.to_dict()
    kept = ("difference", "tests", "counts", "resampling", "planning")
    return {name: told[name] for name in kept} | {
        side: {name: told[side][name] for name in ("system", "value", "interval")}
        for side in ("baseline", "candidate")
    }


def p_values(found: Comparison) -> list[float]:
    return [found.difference.p_value, *(test.p_value for test in found.difference.tests)]


def mirrored(one: Comparison, two: Comparison, *, ends: float = 0.0, p: float = 0.0) -> None:
    """Hold a comparison against the same one with the sides exchanged, within tolerances."""
    there, back = one.difference, two.difference
    exactly = {"rel": ends, "abs": ends, "nan_ok": True}
    assert back.estimate == pytest.approx(-there.estimate, **exactly)
    assert (back.interval.low, back.interval.high) == pytest.approx(
        (-there.interval.high, -there.interval.low), **exactly
    )
    assert p_values(two) == pytest.approx(p_values(one), rel=p, abs=p, nan_ok=True)
    assert (two.baseline, two.candidate) == (one.candidate, one.baseline)
    assert two.reading.code == one.reading.code


def some_labels(n: int, seed: int = 5) -> tuple[Data, list[str]]:
    rng = np.random.default_rng(seed)
    references = rng.choice(list("abc"), n, p=[0.5, 0.3, 0.2])
    data = {
        name: np.where(rng.random(n) < right, references, rng.choice(list("abc"), n)).tolist()
        for name, right in (("a", 0.5), ("b", 0.65))
    }
    return data, references.tolist()
