"""ROUGE (Lin 2004): units that a summary shares with a reference.

Words are the runs of a to z and 0 to 9 in the text in lower case: any other character, letters
with accents and other scripts among them, only parts words. There is no stemming.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self

import numpy as np

from deadheat.errors import UsageError
from deadheat.metrics.metric import VERSION, Floats, OfValues, Takes, ratio
from deadheat.metrics.texts.normalization import Normalizer
from deadheat.metrics.texts.prepared import Prepared, References, prepared
from deadheat.notes import Note

Unit = Literal["words", "pairs", "sequence"]
Counted = tuple[Any, int]
"""What is compared of a text, and how many units it has."""

_WORD = re.compile("[a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouge(OfValues):
    """The mean over items of an F1 of shared units, against the best of an item's references.

    It is 0 where an output or a reference has no unit, even where both have none.

    Attributes
    ----------
    name : str
        "rouge1", "rouge2" or "rougeL".
    unit : {"words", "pairs", "sequence"}
        Single words; pairs of words that follow one another; or the words of the longest common
        subsequence.
    normalize : Normalizer
        Applied to references and outputs before they are parted into words.
    prepared : Prepared, optional
        The references' units, where they are known already.

    Examples
    --------
    >>> rouge = Rouge(name="rouge2", unit="pairs", normalize=Normalizer())
    >>> float(rouge.statistics([("the cat sat", "a cat sat down")], ["The cat sat down."])[0, 0])
    0.8
    """

    name: str
    unit: Unit
    normalize: Normalizer
    prepared: Prepared[Counted] | None = field(default=None, repr=False, compare=False)
    takes: ClassVar[Takes] = "texts"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def signature(self) -> str:
        """Name, normalisation where there is one, version."""
        parts = (self.name, self.normalize.signature, f"v:{VERSION}")
        return "|".join(part for part in parts if part)

    def with_references(self, references: References) -> Self:
        """Return the metric with these references prepared, for several systems."""
        return replace(self, prepared=prepared(references, self._counted))

    def statistics(self, references: References, outputs: Sequence[str]) -> Floats:
        """Return the F1 of each item, and 1; shape (item, 2)."""
        wanted = prepared(references, self._counted, self.prepared).parts
        shared = _shared_words() if self.unit == "sequence" else _shared_units
        counts: list[tuple[int, int, int]] = []
        for output, given in zip(outputs, wanted, strict=True):
            said, length = self._counted(output)
            counts.extend((shared(units, said), length, size) for units, size in given)
        rows = np.ones((len(outputs), 2))
        if counts:
            sizes = np.array([len(given) for given in wanted])
            firsts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
            rows[:, 0] = np.maximum.reduceat(f1(*np.array(counts, dtype=np.float64).T), firsts)
        return rows

    def remarks(
        self, system: str, references: References, outputs: Sequence[str]
    ) -> Sequence[Note]:
        """Say how many texts are not empty and yet have no word."""
        out = sum(map(self._is_wordless, outputs))
        right = [text for given in references for text in given]
        wanted = sum(map(self._is_wordless, right))
        if not out and not wanted:
            return ()
        message = (
            f"{out} of {len(outputs)} outputs of {system} and {wanted} of {len(right)} references "
            f"are not empty and yet have no word for {self.name}, which knows only the letters a "
            "to z and digits: they score 0."
        )
        return (Note(code="no_tokens", message=message),)

    def _is_wordless(self, text: str) -> bool:
        return bool(text.strip()) and not _WORD.search(self.normalize(text).lower())

    def _counted(self, text: str) -> Counted:
        words = _WORD.findall(self.normalize(text).lower())
        match self.unit:
            case "words":
                return Counter(words), len(words)
            case "pairs":
                return Counter(pairwise(words)), max(len(words) - 1, 0)
            case "sequence":
                return words, len(words)


def f1(shared: Floats, output: Floats, reference: Floats) -> Floats:
    """Return the F1 of numbers of units, shapes (...); 0 where nothing is shared.

    Examples
    --------
    >>> f1(np.array([2.0, 0.0]), np.array([4.0, 0.0]), np.array([2.0, 0.0]))
    array([0.66666667, 0.        ])
    """
    precision = shared / np.maximum(output, 1)
    recall = shared / np.maximum(reference, 1)
    return ratio(2 * precision * recall, precision + recall, otherwise=0.0)


def _shared_units(reference: Counter[Any], output: Counter[Any]) -> int:
    few, many = (output, reference) if len(output) < len(reference) else (reference, output)
    others: Iterable[int] = map(many.__getitem__, few)
    return sum(map(min, few.values(), others))


def _shared_words() -> Callable[[list[str], list[str]], int]:
    """Return the length of the longest common subsequence, as a function of two lists."""
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError:
        raise UsageError(
            "rougeL needs rapidfuzz, which is not installed.",
            fix="Install it with pip install 'deadheat[text]'.",
        ) from None
    return LCSseq.similarity
