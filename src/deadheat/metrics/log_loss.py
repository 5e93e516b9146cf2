"""Log-loss: the mean surprise at what was true (Good 1952)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.truths import Positive
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes
from deadheat.metrics.numbers.checks import probabilities
from deadheat.notes import Note

LEAST = 1e-15
"""Probability that what was true is held to have had at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLoss(OfValues):
    """Mean of -log q, in nats, q the probability given to what was true, clipped at 1e-15.

    One item counts at most 34.54; without the clip, certainty that is wrong once would make the
    mean infinite.

    Examples
    --------
    >>> import numpy as np
    >>> LogLoss().statistics(np.array([1, 0]), np.array([0.5, 1.0]))
    array([[ 0.69314718,  1.        ],
           [34.53877639,  1.        ]])
    """

    positive: Positive = field(default_factory=Positive)
    name: ClassVar[str] = "log_loss"
    takes: ClassVar[Takes] = "numbers"
    is_mean: ClassVar[bool] = True

    @property
    def greater_is_better(self) -> bool:
        """False: it is a loss."""
        return False

    @property
    def signature(self) -> str:
        """Name, positive label, clip, version."""
        return f"log_loss|{self.positive}|clip:{LEAST:g}|v:{VERSION}"

    def with_references(self, references: NDArray[Any]) -> Self:
        """Freeze the positive label."""
        return replace(self, positive=self.positive.bound(references, self.name))

    def statistics(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return loss and 1, shape (item, 2).

        Raises
        ------
        ItemError
            If an output is not between 0 and 1, or there is no reference.
        """
        given = np.maximum(self._given_to_truth(references, outputs), LEAST)
        return np.stack([-np.log(given), np.ones(len(given))], axis=1)

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Count the outputs whose loss the clip decides."""
        clipped = np.count_nonzero(self._given_to_truth(references, outputs) < LEAST)
        if not clipped:
            return ()
        return (
            Note(
                code="log_loss_clipped",
                message=f"{clipped:,} of {len(outputs):,} outputs of {system} gave what was true "
                f"a probability below {LEAST:g}; each counts {-np.log(LEAST):.2f}, which is the "
                "clip and not the output.",
            ),
        )

    def _given_to_truth(self, references: NDArray[Any], outputs: Floats) -> Floats:
        p = probabilities(outputs)
        return np.where(self.positive.truths(references, self.name), p, 1.0 - p)


OPTIONS = ("positive",)
"""Settings that the metric has."""


def metric(settings: Settings) -> LogLoss:
    """Make the metric."""
    return LogLoss(positive=Positive(asked=settings.positive))
