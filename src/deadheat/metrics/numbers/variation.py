"""Correlations need numbers that vary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.notes import Note


def without_variation(
    metric: str, system: str, references: NDArray[np.float64], outputs: NDArray[np.float64]
) -> Sequence[Note]:
    """Say that a correlation is undefined where references or outputs are all the same.

    Examples
    --------
    >>> import numpy as np
    >>> without_variation("spearman", "a", np.array([1.0, 2.0]), np.array([5.0, 5.0]))[0].message
    'spearman of a is undefined: its outputs are all 5.'
    """
    for numbers, which in ((references, "the references"), (outputs, "its outputs")):
        if numbers.size and numbers.min() == numbers.max():
            return (
                Note(
                    code="no_variation",
                    message=f"{metric} of {system} is undefined: {which} are all {numbers[0]:g}.",
                ),
            )
    return ()
