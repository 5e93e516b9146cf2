"""Numbers and probabilities: what is neither is refused, with its place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError

Floats = NDArray[np.float64]


def numeric(references: NDArray[Any]) -> Floats:
    """Return references as finite float64, shape (item,); text has to be a number throughout.

    Raises
    ------
    ItemError
        Where there is no reference, or one that is not a finite number.

    Examples
    --------
    >>> import numpy as np
    >>> numeric(np.array(["4", "3.5", "-1e2"], dtype=object))
    array([   4. ,    3.5, -100. ])
    """
    if references.dtype == object:
        numbers = np.array([_number(found) for found in references.tolist()], dtype=np.float64)
    else:
        numbers = references.astype(np.float64)
    wrong = ~np.isfinite(numbers)
    if wrong.any():
        row = int(np.argmax(wrong))
        found = references[row : row + 1].tolist()[0]
        raise ItemError(
            "there is no reference."
            if found is None
            else f"the reference {found!r} is not a finite number.",
            row=row,
            side="reference",
            fix="Give a number, or leave the item out with --missing drop.",
        )
    return numbers


def probabilities(outputs: Floats) -> Floats:
    """Return outputs as they are when all lie between 0 and 1.

    Raises
    ------
    ItemError
        Where one does not.
    """
    given = np.asarray(outputs, dtype=np.float64)
    wrong = ~((given >= 0.0) & (given <= 1.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ItemError(
            f"the output {float(given[row])!r} is not a probability.",
            row=row,
            fix="Give probabilities of the positive label, between 0 and 1: percentages divided "
            "by 100, logits put through the logistic function.",
        )
    return given


def _number(found: Any) -> float:
    """Return a number or text that is one, else NaN."""
    if isinstance(found, int | float):
        return float(found)
    if not isinstance(found, str) or not found.isascii() or "_" in found or found != found.strip():
        return math.nan
    try:
        return float(found)
    except ValueError:
        return math.nan
