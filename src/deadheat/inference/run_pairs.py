"""Every run of one system held against every run of the other."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy import special

from deadheat.inference import binary
from deadheat.inference.result import Inference, RunPairs
from deadheat.inference.run_tables import RunTable
from deadheat.intervals.components import Part
from deadheat.settings import Settings


def run_pairs(baseline: RunTable, candidate: RunTable, settings: Settings) -> RunPairs:
    """Compare every run of one system with every run of the other, as if it were alone.

    0/1 scores have the interval and the companion test that `compare` gives two such files; all
    others have the t interval of their differences.

    Parameters
    ----------
    baseline, candidate : RunTable
        On the same rows.
    settings : Settings
        Of which the level counts.
    """
    shape = (baseline.n_runs, candidate.n_runs)
    differences, settled = np.empty(shape), np.zeros(shape, dtype=np.int8)
    automatic = replace(settings, method="auto", test="auto", alternative="two-sided", margin=None)
    values = baseline.values, candidate.values
    for at in np.ndindex(shape):
        one, other = baseline.rows[:, at[0]], candidate.rows[:, at[1]]
        differences[at] = values[1][at[1]] - values[0][at[0]]
        resolved = (
            _is_resolved(binary.paired(binary.counts_of(one, other), automatic), settings.alpha)
            if baseline.binary
            else _excludes_zero(float(differences[at]), baseline.part(other - one), settings.alpha)
        )
        settled[at] = np.sign(differences[at]) if resolved else 0
    return RunPairs(differences=differences, settled=settled)


def _is_resolved(found: Inference, alpha: float) -> bool:
    return found.interval.excludes(0.0) and found.tests[0].p_value <= alpha


def _excludes_zero(difference: float, part: Part, alpha: float) -> bool:
    """Whether the t interval of a difference excludes zero."""
    if not part.variance > 0.0:
        return False
    reach = -float(special.stdtrit(part.df, alpha / 2.0)) * math.sqrt(part.variance)
    return abs(difference) > reach
