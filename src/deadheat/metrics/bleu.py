"""BLEU: n-grams of the outputs that the references have too, and a penalty on short outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import Floats, Settings
from deadheat.metrics.texts.ngram_matches import ReferenceNgrams, coded, numbered
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.tokenization import Tokens, check_tokenizer
from deadheat.metrics.texts.translation import Integers, Translation, sacrebleu_metrics
from deadheat.notes import Note

ORDER = 4

DETOKENIZED = 100
"""Outputs that end in a full stop by itself, from which on sacrebleu takes them for tokenised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    tokens: Tokens
    numbers: Mapping[str, int]
    ngrams: ReferenceNgrams
    lengths: Integers
    item: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Bleu(Translation):
    """BLEU of the whole set, from 0 to 100 (Papineni et al., 2002), as sacrebleu scores it.

    The statistics are the lengths of output and closest reference, the matches of n-grams and
    the n-grams of the output, n from 1 to 4. An n without a match is smoothed ("exp"), a set
    without any match has 0; so has one without any output of 4 tokens, for no order is left out
    as it is for a single sentence.

    Attributes
    ----------
    tokenize : str
        By sacrebleu's names.

    Examples
    --------
    Outputs right to the last word can have a BLEU of 0 where they are short:

    >>> bleu = Bleu()
    >>> rows = bleu.statistics([("Hello there!",), ("It is so.",)], ["Hello there!", "It is so."])
    >>> rows
    array([[3., 3., 3., 2., 1., 0., 3., 2., 1., 0.],
           [4., 4., 4., 3., 2., 1., 4., 3., 2., 1.]])
    >>> [round(float(score), 9) for score in bleu.value(np.array([*rows, rows.sum(axis=0)]))]
    [0.0, 100.0, 100.0]
    """

    tokenize: str = "13a"
    name: ClassVar[str] = "bleu"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 100.0)

    def value(self, totals: Floats) -> Floats:
        """Return the scores of totals of shape (..., 10), shape (...).

        The operations are sacrebleu's in its order, by the same exp, log and sum: NumPy's differ
        from these in the last digit on some processors.
        """
        rows = np.reshape(totals, (-1, 2 + 2 * ORDER))
        matched, total = rows[:, 2 : 2 + ORDER], rows[:, 2 + ORDER :]
        some = matched.any(axis=1) & ~self.undefined(rows)
        matched, total, length, wanted = matched[some], total[some], rows[some, 0], rows[some, 1]
        missed = matched == 0.0
        halved = 100.0 / (2.0 ** np.cumsum(missed, axis=1) * total)
        precisions = np.where(missed, halved, 100.0 * matched / total)
        logs = (map(math.log, column) for column in precisions.T.tolist())
        means = [sum(row) / ORDER for row in zip(*logs, strict=True)]
        excess = np.where(length < wanted, 1.0 - wanted / length, 0.0)
        scores = np.zeros(len(rows))
        scores[some] = _exp(excess.tolist()) * _exp(means)
        return scores.reshape(totals.shape[:-1])

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Return where the outputs have no n-gram for some n, shape (...)."""
        return np.asarray((totals[..., 2 + ORDER :] == 0.0).any(axis=-1))

    def remarks(self, system: str, references: Any, outputs: Sequence[str]) -> Sequence[Note]:
        """Say it where outputs look tokenised already, as sacrebleu does."""
        stops = sum(output.endswith(" .") for output in outputs)
        if stops < DETOKENIZED or self.tokenize == "none":
            return ()
        message = (
            f"{stops} outputs of {system} end in a full stop by itself, so they may have been "
            f"tokenised before {self.tokenize} tokenised them. Give texts as people write them, "
            "or set tokenize to none."
        )
        return (Note(code="tokenized_outputs", message=message),)

    def judge(self) -> Any:
        """Return sacrebleu's metric of the same settings."""
        return sacrebleu_metrics(self.name).BLEU(tokenize=self.tokenize, force=True)

    def _index(self, references: Sequence[str], item: Integers) -> _Index:
        tokens = Tokens.named(self.tokenize).knowing(references)
        tokenized = list(map(tokens, references))
        numbers = numbered(tokenized)
        texts = coded(tokenized, numbers)
        return _Index(
            tokens=tokens,
            numbers=numbers,
            ngrams=ReferenceNgrams.of(texts, item, ORDER),
            lengths=texts.lengths,
            item=item,
        )

    def _of(self, index: _Index, outputs: Sequence[str]) -> Floats:
        tokens = index.tokens.knowing(outputs)
        texts = coded(list(map(tokens, outputs)), index.numbers)
        closest = _closest(texts.lengths, index.lengths, index.item)
        matched = index.ngrams.matched(texts)
        columns = (texts.lengths, closest, matched, texts.totals(ORDER))
        return np.column_stack(columns).astype(np.float64)


def _closest(lengths: Integers, wanted: Integers, item: Integers) -> Integers:
    """Return the length of each item's reference that is closest, of two the shorter.

    Examples
    --------
    >>> _closest(np.array([5, 2]), np.array([8, 7, 3, 2]), np.array([0, 0, 0, 1]))
    array([3, 2])
    """
    order = np.lexsort((wanted, np.abs(lengths[item] - wanted), item))
    return wanted[order[np.flatnonzero(np.diff(item, prepend=-1))]]


def _exp(exponents: Sequence[float]) -> Floats:
    return np.fromiter(map(math.exp, exponents), np.float64, len(exponents))


OPTIONS = ("tokenize", "normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> Bleu:
    """Make the metric.

    Raises
    ------
    UsageError
        If sacrebleu is not installed, has no such tokeniser, or would have to fetch it.
    """
    tokenize = "13a" if settings.tokenize is None else settings.tokenize
    check_tokenizer(tokenize)
    return Bleu(tokenize=tokenize, normalize=normalizer(settings))
