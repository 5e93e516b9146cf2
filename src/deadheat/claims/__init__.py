"""Published numbers, checked without per-item data."""

from deadheat.claims.claim import Claim
from deadheat.claims.making import claim

__all__ = ["Claim", "claim"]
