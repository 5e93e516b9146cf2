"""Data sets of two systems on the same items, drawn from what is known to be true.

What makes an item hard is drawn once and serves both systems; given that, each errs on its own.
So the two are correlated, as real systems are, and where both err at the same rate they are
exchangeable within items: the sharp null of the swap test holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Generator = np.random.Generator
Floats = NDArray[np.float64]
Rates = tuple[float, float]
"""How hard items are for the baseline and for the candidate, as factors of their difficulty."""

ALIKE: Rates = (1.0, 1.0)
"""The null."""

WORDS = np.array([f"w{rank}" for rank in range(1, 2_001)])
COMMON = 1.0 / (np.arange(1, WORDS.size + 1) + 2.7)
"""Zipf's law with Mandelbrot's shift, of `WORDS`, up to a factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What two systems put out for the same items; `references` is None where there are scores."""

    references: Any
    baseline: Any
    candidate: Any

    def rows(self, chosen: Sequence[int]) -> Drawn:
        """Return the items at these positions, of sides that are lists."""
        sides = (self.references, self.baseline, self.candidate)
        references, baseline, candidate = ([side[i] for i in chosen] for side in sides)
        return Drawn(references=references, baseline=baseline, candidate=candidate)


Draw = Callable[[Generator, int], Drawn]
"""Draws a data set of so many items."""


def segments(
    rng: Generator, n: int, *, rates: Rates = ALIKE, difficulty: tuple[float, float] = (2.0, 3.0)
) -> Drawn:
    """Draw texts of 6 to 30 words.

    A word is replaced, left out or said twice with a chance that is beta distributed over items.
    """
    lengths = rng.integers(6, 31, n)
    item = np.repeat(np.arange(n), lengths)
    words = _words(rng, item.size)
    hard = rng.beta(*difficulty, n)[item]
    outputs = [_corrupted(rng, words, item, np.minimum(1.0, rate * hard)) for rate in rates]
    return Drawn(references=_texts(words, lengths), baseline=outputs[0], candidate=outputs[1])


def _words(rng: Generator, n: int) -> NDArray[np.str_]:
    return WORDS[rng.choice(WORDS.size, n, p=COMMON / COMMON.sum())]


def _corrupted(
    rng: Generator, words: NDArray[np.str_], item: NDArray[np.intp], chance: Floats
) -> list[str]:
    u = rng.random(words.size)
    said = np.where(u < 0.5 * chance, _words(rng, words.size), words)
    lost = (u >= 0.5 * chance) & (u < 0.75 * chance)
    twice = (u >= 0.75 * chance) & (u < chance)
    times = np.where(lost, 0, np.where(twice, 2, 1))
    return _texts(np.repeat(said, times), np.bincount(item, weights=times).astype(np.intp))


def _texts(words: NDArray[np.str_], lengths: NDArray[np.intp]) -> list[str]:
    return [" ".join(part) for part in np.split(words, np.cumsum(lengths)[:-1])]


def labels(rng: Generator, n: int, *, rates: Rates = ALIKE) -> Drawn:
    """Draw four labels of 55, 25, 15 and 5%; a wrong output is drawn from the same shares."""
    shares = [0.55, 0.25, 0.15, 0.05]
    references = rng.choice(4, n, p=shares)
    hard = rng.beta(1.0, 2.0, n)
    outputs = [
        np.where(rng.random(n) < rate * hard, rng.choice(4, n, p=shares), references)
        for rate in rates
    ]
    return Drawn(references=references, baseline=outputs[0], candidate=outputs[1])


def rankings(rng: Generator, n: int, *, apart: Rates = ALIKE) -> Drawn:
    """Draw outputs of correlation 1/2, normal, whose mean is `apart` higher for the 30% positives.

    With unit variance in either class the area under the curve is Phi(apart / sqrt 2).
    """
    references = (rng.random(n) < 0.3).astype(np.int64)
    shared = rng.standard_normal(n)
    outputs = [
        mean * references + math.sqrt(0.5) * (shared + rng.standard_normal(n)) for mean in apart
    ]
    return Drawn(references=references, baseline=outputs[0], candidate=outputs[1])


def area_under_curve(apart: float) -> float:
    """Return the true area of a system of `rankings`."""
    return float(stats.norm.cdf(apart / math.sqrt(2.0)))


def skewed(rng: Generator, n: int) -> Drawn:
    """Draw scores of either system as the sum of a shared and an own exponential."""
    shared = rng.exponential(size=n)
    baseline, candidate = (shared + rng.exponential(size=n) for _ in range(2))
    return Drawn(references=None, baseline=baseline, candidate=candidate)


def entities(rng: Generator, n: int, *, rates: Rates = ALIKE) -> Drawn:
    """Draw sentences with two entities on average, of four types.

    An entity is missed, given another type or one token too long, each a third of the errors;
    half as often as an entity is wrong, a sentence gets one that is not there.
    """
    types = np.array(["PER", "LOC", "ORG", "MISC"])
    references = [
        [
            [8 * place, 8 * place + int(rng.integers(1, 4)), _one(rng, types)]
            for place in range(rng.poisson(2.0))
        ]
        for _ in range(n)
    ]
    hard = rng.beta(1.0, 4.0, n)
    outputs = [
        [
            _recognised(rng, spans, chance, types)
            for spans, chance in zip(references, rate * hard, strict=True)
        ]
        for rate in rates
    ]
    return Drawn(references=references, baseline=outputs[0], candidate=outputs[1])


def _one(rng: Generator, types: NDArray[np.str_]) -> str:
    return str(types[rng.integers(types.size)])


def _recognised(
    rng: Generator, spans: Sequence[Any], chance: float, types: NDArray[np.str_]
) -> list[list[Any]]:
    found = []
    for start, end, label in spans:
        u = rng.random()
        if u >= chance:
            found.append([start, end, label])
        elif u >= 2 / 3 * chance:
            found.append([start, end + 1, label])
        elif u >= 1 / 3 * chance:
            others = types[types != label]
            found.append([start, end, _one(rng, others)])
    if rng.random() < 0.5 * chance:
        found.append([400, 402, _one(rng, types)])
    return found
