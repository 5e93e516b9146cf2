"""The parts of a check that are about systems, in numbers.

A part that cannot be computed is None in the result, and a note says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from deadheat.intervals.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A system on its own; a `trivial` one is a baseline and in no other part."""

    system: str
    value: float
    interval: Interval
    trivial: bool = False
    unparseable: int = 0
    hash: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "system": self.system,
            "value": self.value,
            "interval": self.interval.to_dict(),
            "trivial": self.trivial,
            "unparseable": self.unparseable,
            "hash": self.hash,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How much room the best system leaves.

    Attributes
    ----------
    system : str
        The best one.
    value, limit, headroom : float
        Its value, the best value possible, and what lies between.
    share : float
        Headroom over the size of the scale: 0.05 where the best has 95%.
    half_width : float
        Half the width of its interval.
    minimum_detectable : float
        Smallest gap that the items resolve; NaN where that is unknown.
    perfect_p_value : float
        McNemar's exact p-value of a system without a mistake against the best one, NaN unless
        scores are 0/1 and items independent.
    """

    system: str
    value: float
    limit: float
    headroom: float
    share: float
    half_width: float
    minimum_detectable: float
    perfect_p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What can be reached without ability.

    Attributes
    ----------
    kind : {"majority", "constant", "random", "trivial"}
        The most frequent reference; the constant answer with the best value; a random choice
        among the options; a system that was named as trivial.
    name : str
        The answer or the system.
    value : float
    """

    kind: Literal["majority", "constant", "random", "trivial"]
    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Baselines:
    """The baselines that are known, and how far the systems are above them.

    Attributes
    ----------
    rows : tuple of Baseline
    best : Baseline
    margin : float
        Of the best system: ``(value - baseline) / (limit - baseline)``; NaN where the limit is
        unknown or is the baseline.
    reached_by : tuple of str
        Systems whose interval reaches down to the best baseline.
    best_reached : bool
        Whether the best system is one of them.
    """

    rows: tuple[Baseline, ...]
    best: Baseline
    margin: float
    reached_by: tuple[str, ...]
    best_reached: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How far apart systems are, against how well two can be told apart.

    Attributes
    ----------
    sd : float
        Standard deviation of the values of the systems (one degree of freedom off).
    standard_error : float
        Median standard error of paired differences.
    ratio : float
        sd / standard_error: about 0.7 where systems do not differ at all. NaN where no pair
        varies.
    range : float
        Best less worst value, without sign.
    first_gap : float
        Best less second-best value, without sign.
    n_pairs, n_resolved : int
        Pairs, and those that are put in order, all together at the level.
    n_identical : int
        Pairs with the same score on every item.
    """

    sd: float
    standard_error: float
    ratio: float
    range: float
    first_gap: float
    n_pairs: int
    n_resolved: int
    n_identical: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The smallest gap that these items resolve.

    Attributes
    ----------
    power, alpha : float
        Wanted power, and two-sided level of one comparison.
    minimum_detectable, low, high : float
        Median, least and greatest over the pairs of systems.
    items : float
        The median as a number of items, where one item is 1/n of the metric; else NaN.
    discordance : float
        Median share of items on which one of two systems is right; NaN but for 0/1 scores.
    n_pairs : int
        Pairs behind it: those that differ.
    """

    power: float
    alpha: float
    minimum_detectable: float
    low: float
    high: float
    items: float
    discordance: float
    n_pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelNoise:
    """What wrong references leave to be measured.

    Attributes
    ----------
    share : float
        Of references that are wrong, as the user says.
    limit : float
        1 - share: what a system that is always right would score.
    headroom : float
        From the best system to that; negative beyond.
    above : tuple of str
        Systems above it.
    within : tuple of str
        Other systems whose interval reaches it.
    """

    share: float
    limit: float
    headroom: float
    above: tuple[str, ...]
    within: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignEffect:
    """How clusters raise the variance of a difference of two systems.

    Attributes
    ----------
    median, low, high : float
        Over the pairs.
    """

    median: float
    low: float
    high: float
