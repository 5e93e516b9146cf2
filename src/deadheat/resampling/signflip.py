"""Null distribution of a total under fair random signs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution


def signflip(
    differences: NDArray[np.float64],
    multiplicities: NDArray[np.int64] | None = None,
    *,
    seed: int = 0,
    n_resamples: int = 9999,
) -> Distribution:
    """Distribution of sum(s_i differences_i): exact where it can be, else drawn."""
    raise NotImplementedError
