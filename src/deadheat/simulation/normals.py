"""Raw words to uniform and normal numbers.

Both are functions of one word each, so that reading a stream in pieces gives the same numbers.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.rng import Stream

Floats = NDArray[np.float64]

BITS = 52
"""Bits of a word that are used: with the half that is added they fill a float64."""


def uniforms(words: NDArray[np.uint64]) -> Floats:
    """Return numbers strictly between 0 and 1, symmetric about 1/2, same shape.

    Parameters
    ----------
    words : ndarray of uint64
        64 random bits each.

    Examples
    --------
    >>> bool(uniforms(np.array([2**64 - 1], dtype=np.uint64))[0] < 1.0)
    True
    """
    found: Floats = ((words >> np.uint64(64 - BITS)).astype(np.float64) + 0.5) * 2.0**-BITS
    return found


def normals(stream: Stream, *shape: int) -> Floats:
    """Draw standard normal numbers of some shape by inverting their distribution function.

    Parameters
    ----------
    stream : Stream
    """
    found: Floats = special.ndtri(uniforms(stream.words(math.prod(shape))))
    return found.reshape(shape)
