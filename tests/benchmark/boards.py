"""Systems whose scores have a known structure."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl

import deadheat

RNG = np.random.default_rng(41)
N, M = 160, 14
EASE = RNG.normal(size=N)
NAMES = tuple(f"m{k:02}" for k in RNG.permutation(M))
SKILLS = np.linspace(-1.2, 1.4, M)
LATENT = RNG.normal(size=(N, M)) + EASE[:, None] + SKILLS
RIGHT = (LATENT > 0).astype(float)
RIGHT[3] = 1.0
RIGHT[7] = 0.0
TURNED = [11, 20, 21, 22, 23]
"""Items on which better systems do worse, the first above all."""
RIGHT[11] = 1.0 - RIGHT.mean(axis=0).round()
RIGHT[20:24] = 1.0 - RIGHT[24:28]

GRADED = np.round(1.0 / (1.0 + np.exp(-LATENT)), 3)
GRADED[TURNED] = 1.0 - GRADED[24:29]
ITEMS = [f"q{k:03}" for k in range(N)]
CLUSTERS = [f"c{k // 4:02}" for k in range(N)]


def frame(table: np.ndarray = RIGHT, **more: Any) -> pl.DataFrame:
    """A wide table; more columns come first."""
    n, m = table.shape
    columns = {f"system_{name}": table[:, k] for k, name in enumerate(NAMES[:m])}
    return pl.DataFrame({"item": ITEMS[:n], **more, **columns})


@cache
def checked() -> deadheat.Benchmark:
    """The check of the wide table, unasked for anything."""
    return deadheat.check(frame())


@cache
def every_field() -> tuple[deadheat.Benchmark, ...]:
    """Checks that between them have every field of the JSON."""
    right = {name: RIGHT[:, k] for k, name in enumerate(NAMES)}
    order = sorted(NAMES, key=lambda name: right[name].sum())
    for name in NAMES:
        # The weakest alone are right on the first items, so that there are upsets.
        right[name] = np.concatenate([[float(name in order[:3])] * 2, right[name]])
    texts = ["one and the same text of more than eight words in it"] * 2
    texts += [f"text {k}" for k in range(N)]
    return (
        deadheat.check(
            right, options=4, trivial=[order[5]], texts=texts, training=texts[:1], label_error=0.1
        ),
        deadheat.check(frame(cluster=CLUSTERS)),
        deadheat.check({"a": [1, None, 0], "b": [1, 1, 0]}, missing="drop"),
        deadheat.check([0.5]),
    )


def found(code: str, result: deadheat.Benchmark) -> Any:
    """The finding of a code; fails where there is none or more."""
    (finding,) = (finding for finding in result.findings if finding.code == code)
    return finding


def codes(result: deadheat.Benchmark) -> set[str]:
    return {finding.code for finding in result.findings}


def messages(result: deadheat.Benchmark) -> dict[str, list[str]]:
    by_code: dict[str, list[str]] = {}
    for note in result.notes:
        by_code.setdefault(note.code, []).append(note.message)
    return by_code
