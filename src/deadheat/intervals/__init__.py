"""Interval methods: one a file, named as `--method` names it.

A method offers a function for each design that it serves: `one_proportion`,
`paired_proportions`, `two_proportions`, `one_mean`, `two_means`, `clustered_mean`, `over_runs`,
`from_distribution`, `from_studentized`, `from_crossed`. Each returns an `Interval`.
"""

from deadheat.intervals.interval import Alternative, Interval, tail_of, undefined

SUPPORT = (
    "acceleration",
    "duality",
    "ends",
    "interval",
    "moments",
    "proportions",
    "quantiles",
    "roots",
)
"""Modules of this folder that are no method."""

__all__ = ["Alternative", "Interval", "tail_of", "undefined"]
