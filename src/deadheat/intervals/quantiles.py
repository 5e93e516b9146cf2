"""Quantiles that several closed forms need, from both tails with full relative accuracy."""

from __future__ import annotations

from scipy import special

from deadheat.intervals.interval import Alternative, tail_of


def normal_quantile(confidence_level: float, alternative: Alternative) -> float:
    """Return the standard normal quantile that leaves `tail_of` above it."""
    return -float(special.ndtri(tail_of(confidence_level, alternative)))


def beta_lower(a: float, b: float, tail: float) -> float:
    """Return the point that leaves `tail` of Beta(a, b) below it; 0 when a is 0."""
    return 0.0 if a == 0 else float(special.betaincinv(a, b, tail))


def beta_upper(a: float, b: float, tail: float) -> float:
    """Return the point that leaves `tail` of Beta(a, b) above it; 1 when b is 0."""
    return 1.0 if b == 0 else float(special.betainccinv(a, b, tail))
