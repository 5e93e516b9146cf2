"""chrF: n-grams of characters that output and reference share, as an F score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import Floats, Settings, ratio
from deadheat.metrics.texts.ngram_matches import (
    Coded,
    ReferenceNgrams,
    coded,
    coded_characters,
    numbered,
)
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.translation import Integers, Translation, sacrebleu_metrics

CHARACTERS = 6
"""Order up to which n-grams of characters are counted."""

BETA = 2
"""Recall counts this many times as much as precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """References, each a group of its own: an output is held against them one by one."""

    characters: ReferenceNgrams
    words: ReferenceNgrams | None
    numbers: dict[str, int]
    totals: Integers
    item: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class ChrF(Translation):
    """chrF of the whole set, from 0 to 100 (Popović, 2015), as sacrebleu scores it.

    The statistics are, for each n, the n-grams of the output, of the reference, and those that
    match; white space is left out. Of several references the one that gives the item its best
    score is taken. Orders of which either side has no n-gram are left out of the averages.

    Examples
    --------
    >>> chrf = ChrF()
    >>> rows = chrf.statistics([("kitten",), ("a",)], ["mitten", "b"])
    >>> rows[:, :6]
    array([[6., 6., 5., 5., 5., 4.],
           [1., 1., 0., 0., 0., 0.]])
    >>> round(float(chrf.value(rows.sum(axis=0))), 2)
    57.18
    """

    name: ClassVar[str] = "chrf"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    word_order: ClassVar[int] = 0

    def value(self, totals: Floats) -> Floats:
        """Return the scores of totals of shape (..., 3 n), shape (...).

        The operations are sacrebleu's in its order.
        """
        precision, recall, orders = (np.zeros(totals.shape[:-1]) for _ in range(3))
        for n in range(0, totals.shape[-1], 3):
            output, reference, matched = (totals[..., n + i] for i in range(3))
            both = (output > 0.0) & (reference > 0.0)
            precision += np.where(both, ratio(matched, output), 0.0)
            recall += np.where(both, ratio(matched, reference), 0.0)
            orders += both
        precision, recall = ratio(precision, orders, 0.0), ratio(recall, orders, 0.0)
        product = (1 + BETA**2) * precision * recall
        return 100.0 * ratio(product, BETA**2 * precision + recall, 0.0)

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Return where there is no order of which both sides have n-grams, shape (...)."""
        both = (totals[..., 0::3] > 0.0) & (totals[..., 1::3] > 0.0)
        return np.asarray(~both.any(axis=-1))

    def judge(self) -> Any:
        """Return sacrebleu's metric of the same settings."""
        return sacrebleu_metrics(self.name).CHRF(word_order=self.word_order)

    def _index(self, references: Sequence[str], item: Integers) -> _Index:
        own = np.arange(len(references))
        characters = _characters(references)
        totals = characters.totals(CHARACTERS)
        numbers, ngrams = {}, None
        if self.word_order:
            words = self._words(references)
            numbers = numbered(words)
            texts = coded(words, numbers)
            ngrams = ReferenceNgrams.of(texts, own, self.word_order)
            totals = np.hstack((totals, texts.totals(self.word_order)))
        return _Index(
            characters=ReferenceNgrams.of(characters, own, CHARACTERS),
            words=ngrams,
            numbers=numbers,
            totals=totals,
            item=item,
        )

    def _of(self, index: _Index, outputs: Sequence[str]) -> Floats:
        held = outputs if len(index.item) == len(outputs) else [outputs[i] for i in index.item]
        characters = _characters(held)
        matched, totals = index.characters.matched(characters), characters.totals(CHARACTERS)
        if index.words is not None:
            texts = coded(self._words(held), index.numbers)
            matched = np.hstack((matched, index.words.matched(texts)))
            totals = np.hstack((totals, texts.totals(self.word_order)))
        # As in sacrebleu, n-grams that no reference could match are not held against an output.
        totals = np.where(index.totals > 0, totals, 0)
        rows = np.stack((totals, index.totals, matched), axis=-1, dtype=np.float64)
        return self._best(rows.reshape(len(held), 3 * totals.shape[1]), index.item)

    def _best(self, rows: Floats, item: Integers) -> Floats:
        """Return of each item's rows the first that has the best score."""
        starts = np.flatnonzero(np.diff(item, prepend=-1))
        if len(starts) == len(item):
            return rows
        scores = self.value(rows)
        best = np.flatnonzero(scores == np.maximum.reduceat(scores, starts)[item])
        return rows[best[np.flatnonzero(np.diff(item[best], prepend=-1))]]

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return words with a mark at their start or end split off, by sacrebleu's rule."""
        return list(map(self.judge()._remove_punctuation, texts))


def _characters(texts: Sequence[str]) -> Coded:
    return coded_characters(["".join(text.split()) for text in texts])


OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> ChrF:
    """Make the metric.

    Raises
    ------
    UsageError
        If sacrebleu is not installed.
    """
    sacrebleu_metrics(settings.name)
    return ChrF(normalize=normalizer(settings))
