"""Translation edit rate: edits, shifts of phrases among them, per word of the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import Floats, Settings, ratio
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.translation import Integers, Translation, sacrebleu_metrics
from deadheat.workers import spread

Tokenized = tuple[str, tuple[str, ...]]
"""An output and its references, tokens parted by spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ter(Translation):
    """TER of the whole set in percent (Snover et al., 2006), as sacrebleu scores it.

    Lower is better. The statistics are the edits to the reference that needs the fewest, and the
    mean number of words of the item's references. Case does not count. More edits than words are
    possible, so it can exceed 100. Without any word in the references sacrebleu has 100 where
    there are edits and 0 where there are none; both rest on 0/0.

    Examples
    --------
    Moving a phrase is one edit:

    >>> ter = Ter()
    >>> rows = ter.statistics([("today it rains in Kiel",)], ["it rains in Kiel today"])
    >>> rows, float(ter.value(rows.sum(axis=0)))
    (array([[1., 5.]]), 20.0)
    """

    name: ClassVar[str] = "ter"

    @property
    def greater_is_better(self) -> bool:
        """Whether a greater value is a better one: no."""
        return False

    def value(self, totals: Floats) -> Floats:
        """Return the rates of totals of shape (..., 2), shape (...)."""
        edits, words = totals[..., 0], totals[..., 1]
        return 100.0 * np.where(words > 0.0, ratio(edits, words), np.where(edits > 0.0, 1.0, 0.0))

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Return where the references have no word, shape (...)."""
        return np.asarray(totals[..., 1] == 0.0)

    def judge(self) -> Any:
        """Return sacrebleu's metric of the same settings."""
        return sacrebleu_metrics(self.name).TER()

    def _index(self, references: Sequence[str], item: Integers) -> list[tuple[str, ...]]:
        tokenized = self._tokenized(references)
        ends = np.flatnonzero(np.diff(item, append=-1)) + 1
        starts = [0, *ends[:-1]]
        return (
            [tuple(tokenized[a:b]) for a, b in zip(starts, ends, strict=True)] if ends.size else []
        )

    def _of(self, index: list[tuple[str, ...]], outputs: Sequence[str]) -> Floats:
        items = list(zip(self._tokenized(outputs), index, strict=True))
        rows = spread(edits, items)
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def _tokenized(self, texts: Sequence[str]) -> list[str]:
        tokenizer = self.judge().tokenizer
        return [tokenizer(text.rstrip()) for text in texts]


def edits(items: Sequence[Tokenized]) -> list[tuple[int, float]]:
    """Return for each output its fewest edits and the mean length of its references.

    Examples
    --------
    >>> edits([("a b", ("a", "a b c d"))])
    [(1, 2.5)]
    """
    from sacrebleu.metrics.lib_ter import translation_edit_rate

    rows = []
    for output, references in items:
        words = output.split()
        found = [translation_edit_rate(words, reference.split()) for reference in references]
        fewest = min(number for number, _ in found)
        rows.append((fewest, sum(length for _, length in found) / len(found)))
    return rows


OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> Ter:
    """Make the metric.

    Raises
    ------
    UsageError
        If sacrebleu is not installed.
    """
    sacrebleu_metrics(settings.name)
    return Ter(normalize=normalizer(settings))
