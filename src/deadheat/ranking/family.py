"""Which ordered pairs of systems are tested, and which are known without a test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deadheat.ranking.draws import NO_SPREAD, Draws, Floats
from deadheat.ranking.pairs import Flags, checked_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """Tables with the better system in the row and the worse one in the column, shape (m, m).

    Attributes
    ----------
    leads : ndarray
        How much better the row's estimate is, above 0 also where less is better.
    tested : ndarray of bool
        Pairs in the family.
    known : ndarray of bool
        Whether the row is ahead without a test: by the same amount in every resample, or by
        other means.
    outside : ndarray of bool
        Pairs that are decided by other means, symmetric.
    """

    leads: Floats
    tested: Flags
    known: Flags
    outside: Flags

    @classmethod
    def of(
        cls,
        draws: Draws,
        *,
        greater_is_better: bool,
        apart: ArrayLike | None,
        apart_ahead: ArrayLike | None,
    ) -> Family:
        """Sort the ordered pairs.

        Raises
        ------
        InferenceError
            If a table has another shape.
        """
        m = draws.n_systems
        outside = checked_table("apart", apart, m)
        outside = outside | outside.T
        leads = draws.estimates[:, None] - draws.estimates
        leads = leads if greater_is_better else -leads
        other = ~np.eye(m, dtype=np.bool_)
        unvaried = draws.standard_errors == 0.0
        clear = leads > NO_SPREAD * np.maximum(draws.sizes[:, None], draws.sizes)
        decided = checked_table("apart_ahead", apart_ahead, m) & outside
        return cls(
            leads=leads,
            tested=other & ~outside & ~unvaried,
            known=decided | (unvaried & ~outside & clear),
            outside=outside,
        )
