"""Tests: one a file. Each returns a `Significance` about candidate - baseline."""

from deadheat.significance.significance import Alternative, Significance

__all__ = ["Alternative", "Significance"]
