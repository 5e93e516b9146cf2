"""Published numbers, checked without per-item data."""

from deadheat.claims.making import claim
from deadheat.claims.result import Claim

__all__ = ["Claim", "claim"]
