"""What one replay comes to."""

from __future__ import annotations

import math
from typing import NamedTuple

from deadheat.inference.result import Inference
from deadheat.reading import Code, Named, read_inference
from deadheat.replays.inferring import SYSTEMS
from deadheat.scale import Scale
from deadheat.settings import Settings

SCALE = Scale(in_points=False, decimals=4)
"""Of sentences that nobody reads."""


class Outcome(NamedTuple):
    """What one replay came to.

    Attributes
    ----------
    estimate, low, high : float
        Of the difference; ends are NaN where there is no interval.
    method : str
        Of the interval.
    drawn : bool
        Whether the interval rests on draws.
    test : str
        Name and variant of the companion test; empty where there is none.
    p_value : float
        Of the companion test; NaN where there is none.
    code : str
        Of the reading.
    """

    estimate: float
    low: float
    high: float
    method: str
    drawn: bool
    test: str
    p_value: float
    code: Code


def outcome_of(found: Inference, n: int, settings: Settings) -> Outcome:
    """Read an inference from `n` items.

    Parameters
    ----------
    found : Inference
        Of the difference.
    n : int
        Items.
    settings : Settings
    """
    named = Named(
        baseline=SYSTEMS[0], candidate=SYSTEMS[1], metric="mean", greater_is_better=True, n=n
    )
    companion = found.tests[0] if found.tests else None
    return Outcome(
        estimate=found.estimate,
        low=found.interval.low,
        high=found.interval.high,
        method=found.interval.method,
        drawn=not found.exact,
        test="" if companion is None else f"{companion.name}-{companion.variant}",
        p_value=math.nan if companion is None else companion.p_value,
        code=read_inference(found, named, settings, SCALE).code,
    )
