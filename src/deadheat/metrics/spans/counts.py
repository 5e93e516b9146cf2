"""Precision, recall and F from counts of spans, over all types or averaged over them.

The unit is the item, a sentence or a document: it contributes, for each type, the spans that are
right, those put out and those of its reference, shape (item, 3 K) in three blocks of K columns.
Spans are right where type, start and end agree. One that is put out twice is right once at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from deadheat.errors import ItemError, MetricError, UsageError, known
from deadheat.metrics.f import Parts as F
from deadheat.metrics.labels.averaged_ratio import AveragedRatio, Parts, blocks
from deadheat.metrics.labels.choice import asked_labels
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes, ratio
from deadheat.metrics.spans.reading import Side, Spans, check_pair, read_spans
from deadheat.metrics.spans.tags import PREFIXES, Whole
from deadheat.notes import Note

FEW_TYPES = 12
"""Types of which a remark can list the counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeScores:
    """What one system made of the spans of one type.

    Attributes
    ----------
    right, given, wanted : int
        Spans that are right, put out, and in the references (the support).
    precision, recall, f1 : float
        NaN, or what the metric sets it to, where undefined.
    """

    right: int
    given: int
    wanted: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanRatio(AveragedRatio, OfValues):
    """A ratio of counts of spans; "micro" takes the spans of all types together.

    Attributes
    ----------
    scheme : {"conll", "bio", "bioes", "iob1"}
        Of tags.
    types : tuple of str or None
        Bound: the types that count; None for those at hand.
    referred : tuple of bool
        Bound: which of them the references have.
    present : tuple of bool or None
        Bound: which of them the references or the outputs of this system have.

    Examples
    --------
    Three spans right, one put out in vain, and one missed:

    >>> from deadheat.metrics.precision import parts
    >>> metric = SpanRatio(family="span_precision", parts=parts, average="micro")
    >>> references = [["B-PER", "O", "B-LOC"], ["B-LOC", "B-PER", "O"]]
    >>> outputs = [["B-PER", "O", "B-LOC"], ["B-LOC", "O", "B-PER"]]
    >>> statistics = metric.statistics(references, outputs)
    >>> statistics
    array([[2., 2., 2.],
           [1., 2., 2.]])
    >>> float(metric.value(statistics.sum(axis=0)))
    0.75
    """

    scheme: str = "conll"
    types: tuple[str, ...] | None = None
    referred: tuple[bool, ...] = ()
    present: tuple[bool, ...] | None = None
    takes: ClassVar[Takes] = "values"

    @property
    def name(self) -> str:
        """Such as "span_f1" or "macro_span_f1"."""
        return self.family if self.pooled else f"{self.average}_{self.family}"

    @property
    def signature(self) -> str:
        """Name, scheme, types that count, policy for 0/0, version."""
        if self.labels is not None:
            which = f"|labels:[{','.join(map(str, self.labels))}]"
        else:
            which = "" if self.pooled else f"|labels:{len(self.types or ())}"
        return f"{self.name}|scheme:{self.scheme}{which}|zd:{self.zero_division:g}|v:{VERSION}"

    def bind_values(
        self, references: Sequence[Any], outputs_of_all: Sequence[Sequence[Any]]
    ) -> Self:
        """Freeze the types: those of the references and of the outputs of all systems.

        Raises
        ------
        ItemError
            If a reference cannot be read.
        MetricError
            If there is no type to average over, or none of those asked for occurs.
        """
        if self.pooled and self.labels is None:
            return self
        wanted = self._read(references, "reference").names
        names = set(wanted)
        for outputs in outputs_of_all:
            # What cannot be read is said by `statistics`, where it is known whose outputs they are.
            with suppress(ItemError):
                names.update(self._read(outputs, "output").names)
        found = sorted(names)
        if not found:
            raise MetricError(
                f"{self.name} has no type to count: there is no span in the references or the "
                "outputs.",
                fix="Check the tags, or take span_f1 without labels, where 0/0 is zero_division.",
            )
        if self.labels is not None:
            asked = asked_labels(self.labels, found)
            return replace(self, types=asked, present=(True,) * len(asked))
        return replace(self, types=tuple(found), referred=tuple(name in wanted for name in found))

    def for_system(self, outputs: Sequence[Any]) -> Self:
        """Let the types of the references and of these outputs enter a macro average."""
        if self.pooled or self.types is None or self.labels is not None:
            return self
        own = self._read(outputs, "output").names
        entering = zip(self.types, self.referred, strict=True)
        return replace(
            self, present=tuple(is_wanted or name in own for name, is_wanted in entering)
        )

    def statistics(self, references: Sequence[Any], outputs: Sequence[Any]) -> Floats:
        wanted, given = self._pair(references, outputs)
        return self._counted(wanted, given, self._counting(wanted, given), pooled=self.pooled)

    def per_type(self, references: Sequence[Any], outputs: Sequence[Any]) -> dict[str, TypeScores]:
        """Return the scores of each type that counts, whatever the average.

        Raises
        ------
        ItemError
            As `statistics`.
        """
        wanted, given = self._pair(references, outputs)
        types = self._counting(wanted, given)
        totals = self._counted(wanted, given, types, pooled=False).sum(axis=0)
        return dict(zip(types, _scores(totals, self.zero_division), strict=True))

    def remarks(self, system: str, references: Any, outputs: Any) -> Sequence[Note]:
        return (
            *_by_type(system, self.per_type(references, outputs)),
            *_loose(system, self.scheme, *self._pair(references, outputs)),
        )

    def _read(self, values: Sequence[Any] | None, side: Side) -> Spans:
        if values is None:
            raise MetricError(
                f"{self.name} takes outputs with references, and there are no references.",
                fix="Give them with --reference FILE or --reference-column COL.",
            )
        return read_spans(values, scheme=self.scheme, side=side)

    def _pair(self, references: Sequence[Any], outputs: Sequence[Any]) -> tuple[Spans, Spans]:
        wanted, given = self._read(references, "reference"), self._read(outputs, "output")
        check_pair(wanted, given)
        return wanted, given

    def _counting(self, wanted: Spans, given: Spans) -> tuple[str, ...]:
        if self.types is not None:
            return self.types
        return self.labels or tuple(sorted({*wanted.names, *given.names}))

    def _counted(
        self, wanted: Spans, given: Spans, types: Sequence[str], *, pooled: bool
    ) -> Floats:
        """Count spans by item and type, shape (item, 3 K); K = 1 where pooled."""
        n, width = len(wanted.lengths), 1 if pooled else len(types)
        both = [_recoded(spans, types) for spans in (given, wanted)]
        counts = []
        for rows in (_common(*both), *both):
            columns = 0 if pooled else rows[:, 1]
            cells = np.bincount(rows[:, 0] * width + columns, minlength=n * width)
            counts.append(cells.reshape(n, width))
        return np.concatenate(counts, axis=1).astype(np.float64)


def _recoded(spans: Spans, types: Sequence[str]) -> Whole:
    """Return the rows of the spans whose type is one of `types`, coded by its position there."""
    code = {name: position for position, name in enumerate(types)}
    codes = np.array([code.get(name, -1) for name in spans.names], dtype=np.int64)
    rows = spans.rows.copy()
    rows[:, 1] = codes[rows[:, 1]]
    return rows[rows[:, 1] >= 0]


def _common(first: Whole, second: Whole) -> Whole:
    """Return the rows that both have, as often as both have them."""
    rows = np.concatenate([first, second])
    order = np.lexsort(rows.T)
    ordered, of_first = rows[order], order < len(first)
    new = np.ones(len(rows), dtype=bool)
    new[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
    group = np.cumsum(new) - 1
    times = [np.bincount(group[side], minlength=int(new.sum())) for side in (of_first, ~of_first)]
    return np.repeat(ordered[new], np.minimum(*times), axis=0)


def _scores(totals: Floats, zero_division: float) -> Iterable[TypeScores]:
    right, given, wanted = blocks(totals)
    precision = ratio(right, given, zero_division)
    recall = ratio(right, wanted, zero_division)
    f1 = ratio(*F(1.0)(right, given, wanted), zero_division)
    for hit, out, due, p, r, f in zip(right, given, wanted, precision, recall, f1, strict=True):
        yield TypeScores(
            right=int(hit),
            given=int(out),
            wanted=int(due),
            precision=float(p),
            recall=float(r),
            f1=float(f),
        )


def _by_type(system: str, scores: dict[str, TypeScores]) -> Iterable[Note]:
    if 0 < len(scores) <= FEW_TYPES:
        listed = "; ".join(
            f"{name} {s.right:,} of {s.wanted:,} found, {s.given - s.right:,} false"
            for name, s in scores.items()
        )
        yield Note(code="spans_by_type", message=f"{system}: {listed}.")


def _loose(system: str, scheme: str, wanted: Spans, given: Spans) -> Iterable[Note]:
    if wanted.loose or given.loose:
        yield Note(
            code="tags_in_no_span",
            message=f"Under the scheme {scheme}, {given.loose:,} tags of {system} and "
            f"{wanted.loose:,} of the references break its rules and belong to no span.",
        )


def span_ratio(family: str, parts: Parts, settings: Settings) -> SpanRatio:
    """Make a metric of this kind.

    Raises
    ------
    UsageError
        If there is no such scheme.
    """
    if settings.scheme not in PREFIXES:
        raise UsageError(
            f"there is no scheme {settings.scheme!r} of tags.",
            fix=known(PREFIXES, settings.scheme),
        )
    return SpanRatio(
        family=family,
        parts=parts,
        average="micro" if settings.average == "binary" else settings.average,
        labels=settings.labels,
        zero_division=settings.zero_division,
        scheme=settings.scheme,
    )
