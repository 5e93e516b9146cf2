"""How often two systems are right together: four cells from two accuracies and one more number."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.checks import closed_share, is_number, shown

ROUNDING = 1e-12
"""Chances that are off by no more are only rounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Chances of the four outcomes of one item under two systems; they add up to 1.

    Attributes
    ----------
    both, only_baseline, only_candidate, neither : float
        Who gets the item right.

    Raises
    ------
    InferenceError
        If one is outside [0, 1] or they do not add up to 1.
    """

    both: float
    only_baseline: float
    only_candidate: float
    neither: float

    def __post_init__(self) -> None:
        shares = []
        for name in ("both", "only_baseline", "only_candidate", "neither"):
            share = getattr(self, name)
            if is_number(share) and -ROUNDING <= share < 0.0:
                # 1 - 0.7 - 0.3 is a little below 0 in binary fractions.
                share = 0.0
            share = closed_share(f"the chance of {name.replace('_', ' ')} being right", share)
            object.__setattr__(self, name, share)
            shares.append(share)
        if abs(math.fsum(shares) - 1.0) > 1e-9:
            raise InferenceError(
                f"the four chances {', '.join(f'{share:g}' for share in shares)} add up to "
                f"{math.fsum(shares):.10g}.",
                fix="Give both, only baseline, only candidate and neither, which add up to 1.",
            )

    @property
    def baseline(self) -> float:
        """Accuracy of the baseline."""
        return self.both + self.only_baseline

    @property
    def candidate(self) -> float:
        """Accuracy of the candidate."""
        return self.both + self.only_candidate

    @property
    def gap(self) -> float:
        """Candidate - baseline."""
        return self.only_candidate - self.only_baseline

    @property
    def discordance(self) -> float:
        """Chance that exactly one system is right."""
        return self.only_candidate + self.only_baseline

    @property
    def sd(self) -> float:
        """Standard deviation of the difference per item."""
        return math.sqrt(max(self.discordance - self.gap**2, 0.0))

    @property
    def phi(self) -> float:
        """Correlation of the two 0/1 scores; NaN where a system is always right or always wrong.

        It is not the correlation of the latent scores, for which see `correlation_of`.
        """
        first, second = self.baseline, self.candidate
        spread = first * (1.0 - first) * second * (1.0 - second)
        if spread <= 0.0:
            return math.nan
        cross = self.both * self.neither - self.only_baseline * self.only_candidate
        return min(max(cross / math.sqrt(spread), -1.0), 1.0)


def cells(baseline: float, candidate: float, correlation: float) -> Cells:
    """Return the four cells of two accuracies under a Gaussian copula.

    Each system has a latent standard normal score on every item and is right where it lies
    below a threshold of its own; `correlation` is that of the two latent scores. (A simulator in
    which both scores load on one factor with loading l has correlation l^2, not l.) With
    correlation 1 every item that the weaker system gets right is got right by the other.

    Parameters
    ----------
    baseline, candidate : float
        Accuracies, from 0 to 1.
    correlation : float
        From -1 to 1; 0 for systems that err independently.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> found = cells(0.72, 0.76, 0.36)
    >>> round(found.only_baseline, 5), round(found.only_candidate, 5), round(found.phi, 4)
    (0.13185, 0.17185, 0.2136)
    """
    first = closed_share("the accuracy of the baseline", baseline)
    second = closed_share("the accuracy of the candidate", candidate)
    if not is_number(correlation) or not -1.0 <= correlation <= 1.0:
        raise InferenceError(
            f"the correlation is {shown(correlation)}.", fix="Give a number from -1 to 1."
        )
    least, most = max(0.0, first + second - 1.0), min(first, second)
    both = min(max(_both_below(first, second, float(correlation)), least), most)
    return _around(first, second, both)


def cells_of_discordance(baseline: float, candidate: float, discordance: float) -> Cells:
    """Return the four cells of two accuracies and the share of items that separate them.

    Parameters
    ----------
    baseline, candidate : float
        Accuracies, from 0 to 1.
    discordance : float
        Share of items on which exactly one system is right.

    Raises
    ------
    InferenceError
        If a number is out of its range, or the two accuracies do not allow this discordance.

    Examples
    --------
    >>> cells_of_discordance(0.5, 0.75, 0.5)
    Cells(both=0.375, only_baseline=0.125, only_candidate=0.375, neither=0.125)
    """
    first = closed_share("the accuracy of the baseline", baseline)
    second = closed_share("the accuracy of the candidate", candidate)
    share = closed_share("the discordance", discordance)
    least, most = abs(second - first), min(first + second, 2.0 - first - second)
    if not least - ROUNDING <= share <= most + ROUNDING:
        raise InferenceError(
            f"a discordance of {share:g} is not possible with accuracies of {first:g} and "
            f"{second:g}.",
            fix=f"Give a share from {least:.6g} to {most:.6g}.",
        )
    # Rounding may leave a share just outside its range.
    share = min(max(share, least), most)
    return _around(first, second, (first + second - share) / 2.0)


def correlation_of(found: Cells) -> float:
    """Return the latent correlation under which `cells` gives these cells (tetrachoric).

    NaN where a system is always right or always wrong: any correlation gives the same cells.

    Parameters
    ----------
    found : Cells
        The four cells.

    Examples
    --------
    >>> round(correlation_of(cells(0.72, 0.76, 0.36)), 12)
    0.36
    """
    first, second = found.baseline, found.candidate
    if not (0.0 < first < 1.0 and 0.0 < second < 1.0):
        return math.nan
    if min(found.only_baseline, found.only_candidate) <= 0.0:
        return 1.0
    if min(found.both, found.neither) <= 0.0:
        return -1.0
    # By angles: where the correlation nears 1 in size, the angle still moves.
    low, high = -math.pi / 2.0, math.pi / 2.0
    while True:
        middle = (low + high) / 2.0
        if not low < middle < high:
            return math.sin(middle)
        if _both_below(first, second, math.sin(middle)) < found.both:
            low = middle
        else:
            high = middle


def _around(first: float, second: float, both: float) -> Cells:
    """Return the cells that have these margins."""
    return Cells(
        both=max(both, 0.0),
        only_baseline=max(first - both, 0.0),
        only_candidate=max(second - both, 0.0),
        neither=max((1.0 - first) - (second - both), 0.0),
    )


def _both_below(first: float, second: float, correlation: float) -> float:
    """P(X <= h, Y <= k) of two standard normals, P(X <= h) and P(Y <= k) given (Owen 1956)."""
    if correlation == 1.0 or min(first, second) == 0.0 or max(first, second) == 1.0:
        return min(first, second)
    if correlation == -1.0:
        return max(0.0, first + second - 1.0)
    h, k = float(special.ndtri(first)), float(special.ndtri(second))
    if h == 0.0 and k == 0.0:
        return 0.25 + math.asin(correlation) / (2.0 * math.pi)
    scale = math.sqrt((1.0 - correlation) * (1.0 + correlation))
    across = 0.0 if h * k > 0.0 or (h * k == 0.0 and h + k >= 0.0) else 0.5
    return (
        0.5 * (first + second)
        - _owen(h, (k - correlation * h) / scale)
        - _owen(k, (h - correlation * k) / scale)
        - across
    )


def _owen(h: float, rise: float) -> float:
    """Owen's T(h, rise / h), a quarter turn at most where h is 0."""
    if h == 0.0:
        return math.copysign(0.25, rise)
    return float(special.owens_t(h, rise / h))
