"""Cohen's kappa of outputs with references (Cohen 1960)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.margins import Margins
from deadheat.metrics.metric import Floats, Settings, ratio


class CohenKappa(Margins):
    """Agreement beyond chance, (c n - sum t p) / (n^2 - sum t p).

    Undefined where chance alone would agree on everything: one label is all references and all
    outputs.
    """

    __slots__ = ()
    name: ClassVar[str] = "cohen_kappa"

    def value(self, totals: Floats) -> Floats:
        n, right, given, wanted = self.counts(totals)
        chance = (given * wanted).sum(axis=-1)
        return ratio(right * n - chance, n * n - chance)

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        n, _, given, wanted = self.counts(totals)
        everything = n[..., None]
        alone = (given == everything) & (wanted == everything)
        return np.asarray(alone.any(axis=-1) | (n == 0.0))


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> CohenKappa:
    """Make the metric."""
    return CohenKappa()
