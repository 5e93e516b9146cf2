"""Matthews correlation of outputs with references, for any number of labels (Gorodkin 2004)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.margins import Margins
from deadheat.metrics.metric import Floats, Settings, ratio


class MatthewsCorrelation(Margins):
    """(c n - sum t p) / sqrt((n^2 - sum p^2) (n^2 - sum t^2)); 0 where the denominator is 0.

    c items are right, p_k are put out and t_k are references. Outputs that are not usable are one
    more label, which is never a reference.
    """

    __slots__ = ()
    name: ClassVar[str] = "mcc"

    def value(self, totals: Floats) -> Floats:
        n, right, given, wanted = self.counts(totals)
        unusable = n - given.sum(axis=-1)
        outputs = n * n - (given * given).sum(axis=-1) - unusable * unusable
        references = n * n - (wanted * wanted).sum(axis=-1)
        covariance = right * n - (given * wanted).sum(axis=-1)
        # One root each: the product of the two passes 2**53 long before either does.
        value = ratio(covariance, np.sqrt(outputs) * np.sqrt(references), 0.0)
        return np.where(n == 0.0, np.nan, value)

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        n, _, given, wanted = self.counts(totals)
        unusable = n - given.sum(axis=-1)
        constant = (given == n[..., None]).any(axis=-1) | (wanted == n[..., None]).any(axis=-1)
        return np.asarray(constant | (unusable == n))


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> MatthewsCorrelation:
    """Make the metric."""
    return MatthewsCorrelation()
