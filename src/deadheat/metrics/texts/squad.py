"""Answers compared as in SQuAD (Rajpurkar et al. 2016, 2018): exactly, or by shared words.

Both texts are put in lower case; the 32 punctuation marks of ASCII are deleted, so that words
beside one may grow together; the words "a", "an" and "the" are left out; white space parts words.
Of several references the one that scores best counts.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from deadheat.metrics.metric import VERSION, Floats, OfValues, Takes
from deadheat.metrics.texts.normalization import Normalizer
from deadheat.metrics.texts.prepared import Prepared, References, prepared

Answer = list[str]

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Squad(OfValues):
    """The mean over items of how well an output answers, against its best reference.

    Attributes
    ----------
    name : str
        "squad_em" or "squad_f1".
    score : callable
        Of the words of a reference and of an output, in [0, 1].
    normalize : Normalizer
        Applied to references and outputs before the rules of SQuAD.
    prepared : Prepared, optional
        The references' words, where they are known already.
    """

    name: str
    score: Callable[[Answer, Answer], float]
    normalize: Normalizer
    prepared: Prepared[Answer] | None = field(default=None, repr=False, compare=False)
    takes: ClassVar[Takes] = "texts"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def signature(self) -> str:
        """Name, normalisation where there is one besides the rules, version."""
        parts = (self.name, self.normalize.signature, f"v:{VERSION}")
        return "|".join(part for part in parts if part)

    def with_references(self, references: References) -> Self:
        """Return the metric with these references prepared, for several systems."""
        return replace(self, prepared=prepared(references, self._words))

    def statistics(self, references: References, outputs: Sequence[str]) -> Floats:
        """Return the score of each item, and 1; shape (item, 2)."""
        wanted = prepared(references, self._words, self.prepared).parts
        rows = np.ones((len(outputs), 2))
        for row, (output, right) in enumerate(zip(outputs, wanted, strict=True)):
            answer = self._words(output)
            rows[row, 0] = max(self.score(reference, answer) for reference in right)
        return rows

    def _words(self, text: str) -> Answer:
        return words(self.normalize(text))


def words(text: str) -> Answer:
    """Return the words of an answer by the rules of SQuAD.

    Examples
    --------
    >>> words("The U.S. President’s well-known cat")
    ['us', 'president’s', 'wellknown', 'cat']
    """
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def same(reference: Answer, output: Answer) -> float:
    """Return 1 for the same words in the same order, else 0."""
    return float(reference == output)


def overlap(reference: Answer, output: Answer) -> float:
    """Return the F1 of the words, each counted as often as it occurs.

    Where one of the two has no words it is 1 if the other has none either, else 0.

    Examples
    --------
    A word said twice is wrong once:

    >>> round(overlap(["td"], ["td", "td"]), 6)
    0.666667
    >>> overlap([], []), overlap(["td"], [])
    (1.0, 0.0)
    """
    if not reference or not output:
        return same(reference, output)
    shared = (Counter(reference) & Counter(output)).total()
    if not shared:
        return 0.0
    precision, recall = shared / len(output), shared / len(reference)
    return 2 * precision * recall / (precision + recall)
