"""Items that weak systems solve and strong ones do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Upsets:
    """Items on which the order of the systems is turned upside down.

    Attributes
    ----------
    strong, weak : ndarray of int
        Positions of the best and the worst quarter of the systems.
    items : ndarray of bool, shape (item,)
        Whether no strong system is right and at least one weak system is.
    open_items : int
        Items on which no strong system is right.
    n_weak : ndarray of int, shape (item,)
        How many of the weak systems are right.
    by_system : ndarray of int, shape (weak,)
        On how many such items each weak system is right.
    """

    strong: Ints
    weak: Ints
    items: NDArray[np.bool_]
    open_items: int
    n_weak: Ints
    by_system: Ints


def upsets(right: NDArray[np.bool_], order: Ints) -> Upsets:
    """Find the items that weak systems solve and no strong one does.

    Such items may be known to a weak system from its training, have a wrong reference that it
    happens to give, or be luck: they are where to look, and no more.

    Parameters
    ----------
    right : ndarray of bool, shape (item, system)
    order : ndarray of int, shape (system,)
        Positions of the systems from best to worst, four at least.

    Examples
    --------
    >>> right = np.array([[1, 1, 1, 0], [0, 1, 0, 1], [0, 0, 0, 1]], dtype=bool)
    >>> found = upsets(right, np.arange(4))
    >>> found.items.tolist(), found.by_system.tolist()
    ([False, True, True], [2])
    """
    quarter = max(1, len(order) // 4)
    strong, weak = order[:quarter], order[-quarter:]
    missed = ~right[:, strong].any(axis=1)
    by_weak = right[:, weak]
    items = np.asarray(missed & by_weak.any(axis=1))
    return Upsets(
        strong=strong,
        weak=weak,
        items=items,
        open_items=int(missed.sum()),
        n_weak=by_weak.sum(axis=1),
        by_system=by_weak[items].sum(axis=0),
    )
