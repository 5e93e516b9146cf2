"""Quantiles of Beta distributions, from both tails with full relative accuracy."""

from __future__ import annotations

from scipy import special


def lower(a: float, b: float, tail: float) -> float:
    """Point that leaves `tail` of Beta(a, b) below it; 0 when a is 0."""
    return 0.0 if a == 0 else float(special.betaincinv(a, b, tail))


def upper(a: float, b: float, tail: float) -> float:
    """Point that leaves `tail` of Beta(a, b) above it; 1 when b is 0."""
    return 1.0 if b == 0 else float(special.betainccinv(a, b, tail))
