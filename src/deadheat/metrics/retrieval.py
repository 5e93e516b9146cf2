"""Metrics of ranked documents: one score for each query, and their mean.

An output is a list of document ids, best first, or an object of ids and scores; a reference is a
list of the relevant ids, or an object of ids and relevances of zero or more. Documents that the
reference does not name are not relevant. What an output does not name was not retrieved, and no
usable output retrieves nothing.

Documents with equal scores have no order. A metric is its mean over all their orders (McSherry &
Najork 2008), so that neither ids nor the order of a file can decide it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError, MetricError, UsageError
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings
from deadheat.notes import Note

Side = Literal["output", "reference"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """One query: the documents that a system retrieved, and all that it could have found.

    Attributes
    ----------
    relevances : ndarray of float64, shape (retrieved,)
        Best document first.
    starts : ndarray of int, shape (group,)
        Where each group of documents with equal scores begins; all positions without ties.
    relevant : ndarray of float64, shape (relevant,)
        Positive relevances of the reference, the greatest first.
    """

    relevances: Floats
    starts: NDArray[np.intp]
    relevant: Floats

    @classmethod
    def of(cls, reference: Any, output: Any, row: int) -> Ranking:
        """Check and read one item; `row` is its position for errors."""
        relevance = _relevance(reference, row)
        documents, starts = _ordered(output, row)
        found = np.array([relevance.get(document, 0.0) for document in documents], dtype=np.float64)
        relevant = sorted((value for value in relevance.values() if value > 0.0), reverse=True)
        return cls(relevances=found, starts=starts, relevant=np.array(relevant, dtype=np.float64))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many documents share each score, shape (group,)."""
        return np.diff(self.starts, append=len(self.relevances))

    @property
    def hits(self) -> Floats:
        """How many of them are relevant, shape (group,)."""
        return self.by_group((self.relevances > 0.0).astype(np.float64))

    def by_group(self, values: Floats) -> Floats:
        """Sum values of documents, shape (retrieved,), over groups, shape (group,)."""
        return np.add.reduceat(values, self.starts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PerQuery(OfValues):
    """Base of means over queries; a subclass says what one query scores.

    A query without a relevant document scores 0, whatever the system: it is the same for all.

    Attributes
    ----------
    k : int or None
        Documents that count; None for all.
    """

    k: int | None = None
    family: ClassVar[str]
    conventions: ClassVar[str] = ""
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def name(self) -> str:
        """Such as "ndcg" or "ndcg@10"."""
        return self.family if self.k is None else f"{self.family}@{self.k}"

    @property
    def signature(self) -> str:
        """Name, conventions, what a query without relevant documents counts, version."""
        return f"{self.name}{self.conventions}|ties:mean|no_relevant:0|v:{VERSION}"

    def with_references(self, references: Sequence[Any] | None) -> Self:
        """Return the metric as it is.

        Raises
        ------
        MetricError
            If there are no references.
        """
        if references is None:
            raise MetricError(
                f"{self.name} takes rankings with references, and there are no references.",
                fix="Give them with --reference FILE or --reference-column COL.",
            )
        return self

    def of_query(self, ranking: Ranking) -> float:
        """Return the score of a query that has relevant documents and retrieved some."""
        raise NotImplementedError

    def statistics(self, references: Sequence[Any], outputs: Sequence[Any]) -> Floats:
        """Return the score of each query and 1, shape (item, 2).

        Raises
        ------
        ItemError
            If an output or a reference is not a ranking, names a document twice or by anything
            but text, or has a relevance below 0.
        """
        rows = np.zeros((len(outputs), 2))
        rows[:, 1] = 1.0
        for row, (reference, output) in enumerate(zip(references, outputs, strict=True)):
            ranking = Ranking.of(reference, output, row)
            if ranking.relevant.size and ranking.relevances.size:
                rows[row, 0] = self.of_query(ranking)
        return rows

    def remarks(
        self, system: str, references: Sequence[Any], outputs: Sequence[Any]
    ) -> Sequence[Note]:
        """Count queries without relevant documents, and rankings shorter than k."""
        notes = []
        empty = sum(not any(_relevance(r, row).values()) for row, r in enumerate(references))
        if empty:
            notes.append(
                Note(
                    code="no_relevant_documents",
                    message=f"{empty:,} of {len(references):,} queries have no relevant document; "
                    f"they count 0 in {self.name}, for every system. Leave them out of the files "
                    "where they should not count.",
                )
            )
        short = 0 if self.k is None else sum(len(output or ()) < self.k for output in outputs)
        if short:
            notes.append(
                Note(
                    code="short_rankings",
                    message=f"{short:,} of {len(outputs):,} rankings of {system} have fewer than "
                    f"{self.k} documents; what they do not name was not retrieved.",
                )
            )
        return tuple(notes)


def depth(settings: Settings, *, required: bool = False) -> int | None:
    """Return how many documents count.

    Raises
    ------
    UsageError
        If there is no such number, or none where one is required.
    """
    k = settings.k
    if (k is None and required) or (k is not None and k < 1):
        raise UsageError(
            f"{settings.name!r} does not say how many documents count."
            if k is None
            else f"k is {k} in {settings.name!r}.",
            fix=f"Give a whole number of 1 or more, such as {settings.name.split('@')[0]}@10.",
        )
    return k


def _ordered(output: Any, row: int) -> tuple[Sequence[str], NDArray[np.intp]]:
    """Return documents, best first, and where each group of equal scores begins."""
    if output is None:
        return (), np.zeros(0, dtype=np.intp)
    if not isinstance(output, Mapping):
        documents = _documents(output, row, "output")
        return documents, np.arange(len(documents))
    documents = _documents(list(output), row, "output")
    scores = np.array(_numbers(output, row, "output", "score"), dtype=np.float64)
    order = np.argsort(-scores, kind="stable")
    descending = scores[order]
    starts = np.flatnonzero(np.diff(descending, prepend=math.inf))
    return [documents[position] for position in order.tolist()], starts


def _relevance(reference: Any, row: int) -> Mapping[str, float]:
    if not isinstance(reference, Mapping):
        return dict.fromkeys(_documents(reference, row, "reference"), 1.0)
    documents = _documents(list(reference), row, "reference")
    numbers = _numbers(reference, row, "reference", "relevance")
    for document, number in zip(documents, numbers, strict=True):
        if number < 0.0:
            raise ItemError(
                f"the relevance of {document!r} is {number:g}.",
                row=row,
                side="reference",
                fix="Relevances are zero or more; write 0 for a document that is not relevant.",
            )
    return dict(zip(documents, numbers, strict=True))


def _documents(found: Any, row: int, side: Side) -> Sequence[str]:
    """Return ids after checking that they are texts and all different."""
    what = "a ranking" if side == "output" else "a set of relevant documents"
    if not isinstance(found, list | tuple):
        raise ItemError(
            f"{_shown(found)} is not {what}.",
            row=row,
            side=side,
            fix='Write a list of ids such as ["d7", "d2"], or an object such as {"d7": 2}.',
        )
    for document in found:
        if type(document) is not str:
            raise ItemError(
                f"the document id {_shown(document)} is not text.",
                row=row,
                side=side,
                fix='Write ids in quotes, "7" rather than 7, in outputs and references alike.',
            )
    if len(set(found)) < len(found):
        twice = next(d for position, d in enumerate(found) if d in found[:position])
        raise ItemError(
            f"the document {twice!r} is named twice.",
            row=row,
            side=side,
            fix="Name every document once; a second place would be counted again.",
        )
    return found


def _numbers(found: Mapping[Any, Any], row: int, side: Side, what: str) -> list[float]:
    for document, number in found.items():
        if not isinstance(number, int | float) or not math.isfinite(number):
            raise ItemError(
                f"the {what} of {document!r} is {_shown(number)}.",
                row=row,
                side=side,
                fix="Give a finite number for every document.",
            )
    return [float(number) for number in found.values()]


def _shown(found: Any) -> str:
    text = repr(found)
    return text if len(text) <= 60 else f"{text[:57]}..."
