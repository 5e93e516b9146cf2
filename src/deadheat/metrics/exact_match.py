"""Exact match: the share of outputs that equal one of their references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes
from deadheat.metrics.texts.normalization import Normalizer, normalizer
from deadheat.metrics.texts.prepared import Prepared, References, prepared
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactMatch(OfValues):
    """1 where an output equals one of its references character by character, else 0; the mean.

    Nothing is changed before the two are compared but by the steps of the normalisation that were
    named, not even white space at the ends.

    Attributes
    ----------
    normalize : Normalizer
        Applied to references and outputs first.
    prepared : Prepared, optional
        The references as they are compared, where they are known already.

    Examples
    --------
    >>> match = ExactMatch(normalize=Normalizer(steps=("lower",)))
    >>> match.statistics([("Paris", "Paris, France"), ("4",)], ["PARIS", "4 "])
    array([[1., 1.],
           [0., 1.]])
    """

    normalize: Normalizer
    prepared: Prepared[str] | None = field(default=None, repr=False, compare=False)
    name: ClassVar[str] = "exact_match"
    takes: ClassVar[Takes] = "texts"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def signature(self) -> str:
        """Name, normalisation, version."""
        return f"{self.name}|{self.normalize.signature or 'norm:none'}|v:{VERSION}"

    def with_references(self, references: References) -> Self:
        """Return the metric with these references prepared, for several systems."""
        return replace(self, prepared=prepared(references, self.normalize))

    def statistics(self, references: References, outputs: Sequence[str]) -> Floats:
        """Return whether each output matches, and 1; shape (item, 2)."""
        wanted = prepared(references, self.normalize, self.prepared).parts
        rows = np.ones((len(outputs), 2))
        rows[:, 0] = [
            self.normalize(output) in right for output, right in zip(outputs, wanted, strict=True)
        ]
        return rows

    def remarks(
        self, system: str, references: References, outputs: Sequence[str]
    ) -> Sequence[Note]:
        """Say how many outputs are wrong for the white space at their ends alone."""
        wanted = prepared(references, self.normalize, self.prepared).parts
        near = 0
        for output, right in zip(map(self.normalize, outputs), wanted, strict=True):
            near += output not in right and output.strip() in {text.strip() for text in right}
        if not near:
            return ()
        message = (
            f"{near} of {len(outputs)} outputs of {system} would match a reference but for white "
            "space at the ends, such as a carriage return; the normalisation step whitespace "
            "takes it away."
        )
        return (Note(code="white_space_at_ends", message=message),)


OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> ExactMatch:
    """Make the metric."""
    return ExactMatch(normalize=normalizer(settings))
