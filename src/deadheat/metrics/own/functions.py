"""Functions of the user's own: of all items at once, or of one item."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from deadheat.errors import ItemError, MetricError
from deadheat.metrics.metric import Floats, OfValues, OfWeights, Takes, ValueOf
from deadheat.metrics.own.calls import Call
from deadheat.metrics.own.items import Items, Positions, advised, copied, plain
from deadheat.metrics.own.traits import Own
from deadheat.notes import Note

ROUNDING = 1e-9
"""Relative; the order of items may change a value by no more than rounding does."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WholeSet(Own, OfWeights):
    """A function (references, outputs) -> number, called anew for each resample.

    Right for any metric whose value does not depend on the order of the items, and slow.

    Attributes
    ----------
    call : Call
        Of the function.
    references, outputs : sequence, length N, or None
        What the rows are positions in; see `holding`.

    Examples
    --------
    >>> from deadheat.metrics.own import whole_set
    >>> share = whole_set(lambda references, outputs: (references == outputs).mean(), name="share")
    >>> share = share.holding(["a", "b", "c"], ["a", "b", "b"])
    >>> value = share.value_of(share.rows(["a", "b", "c"], ["a", "b", "b"]))
    >>> value(np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 3.0]])).round(3)
    array([0.667, 0.25 ])
    """

    call: Call
    references: Sequence[Any] | None = field(default=None, repr=False)
    outputs: Sequence[Any] = field(default=(), repr=False)
    takes: ClassVar[Takes] = "values"
    serial: ClassVar[bool] = True

    def __call__(self, references: Any, outputs: Any) -> Any:
        """Call the function, as it was before it became a metric."""
        return self.call.function(references, outputs)

    def holding(self, references: Sequence[Any] | None, outputs: Sequence[Any]) -> Self:
        """Return the metric with the data of all systems, one system after the other.

        Parameters
        ----------
        references : sequence, length N, or None
            Repeated for each system.
        outputs : sequence, length N
        """
        return replace(self, references=references, outputs=outputs)

    def rows(self, references: Any, outputs: Any, start: int = 0) -> Floats:
        """Return the positions of items among the data held, shape (item, 1).

        Parameters
        ----------
        references, outputs
            Of one system.
        start : int
            Position of the first item of that system.
        """
        return np.arange(start, start + len(outputs), dtype=np.float64)[:, None]

    def value_of(self, rows: Floats) -> ValueOf:
        """Return the metric of the items at some positions, as a function of their weights.

        However the rows are ordered, the function gets the items in the order of the data.

        Raises
        ------
        MetricError
            By the function returned: if the user's function raises, or returns anything but a
            finite number or NaN, or a weight is no whole number.
        """
        positions = np.asarray(rows)[:, 0].astype(np.intp)
        order = np.argsort(positions, kind="stable")
        items = self._items(positions[order])

        def value(weights: Floats) -> Floats:
            counts = np.asarray(weights)[..., order]
            flat = counts.reshape(-1, len(order))
            values = [self._value(items, np.repeat(np.arange(len(order)), w)) for w in whole(flat)]
            return np.array(values, dtype=np.float64).reshape(counts.shape[:-1])

        return value

    def remarks(self, system: str, references: Any, outputs: Any) -> Sequence[Note]:
        """Say what a call for each resample costs, and whether the order of items matters."""
        slow = Note(
            code="recomputed",
            message=f"{self.name} is called anew for each of the resamples, which is right for "
            "any metric and slow; a class with statistics and value is faster.",
        )
        items = Items.of(references, outputs)
        forward = np.arange(len(outputs))
        first, back, again = (
            self._value(items, order) for order in (forward, forward[::-1], forward)
        )
        if not _same(first, again):
            return slow, self._unsteady("not_repeatable", first, again, "each time it is called")
        if not _same(first, back):
            return slow, self._unsteady("depends_on_order", first, back, "in another order")
        return (slow,)

    def _unsteady(self, code: str, one: float, other: float, when: str) -> Note:
        return Note(
            code=code,
            message=f"{self.name} has another value for the same items {when}, such as {one:.6g} "
            f"and {other:.6g}; resampling takes the value to depend on the items alone.",
        )

    def _items(self, positions: Positions) -> Items:
        chosen = positions.tolist()
        return Items.of(
            None if self.references is None else [self.references[i] for i in chosen],
            [self.outputs[i] for i in chosen],
        )

    def _value(self, items: Items, positions: Positions) -> float:
        if not positions.size:
            return math.nan
        try:
            return self.call.number(*items.at(positions), on=f"on {positions.size:,} items")
        except MetricError as error:
            raise advised(error, items) from error.__cause__


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PerItem(Own, OfValues):
    """The mean of a function (reference, output) -> number.

    Attributes
    ----------
    call : Call
        Of the function.

    Examples
    --------
    >>> from deadheat.metrics.own import per_item
    >>> gap = per_item(lambda reference, output: abs(reference - output), name="gap")
    >>> gap.statistics([1.0, 2.0], [1.5, 4.0])
    array([[0.5, 1. ],
           [2. , 1. ]])
    """

    call: Call
    is_mean: ClassVar[bool] = True

    def __call__(self, reference: Any, output: Any) -> Any:
        """Call the function, as it was before it became a metric."""
        return self.call.function(reference, output)

    def statistics(self, references: Sequence[Any] | None, outputs: Sequence[Any]) -> Floats:
        """Return the number of each item and 1, shape (item, 2).

        Raises
        ------
        ItemError
            If the function raises, or returns anything but one finite number.
        """
        wanted = [None] * len(outputs) if references is None else plain(references)
        rows = np.ones((len(outputs), 2))
        rows[:, 0] = [
            self._score(row, reference, output)
            for row, (reference, output) in enumerate(zip(wanted, plain(outputs), strict=True))
        ]
        return rows

    def _score(self, row: int, reference: Any, output: Any) -> float:
        try:
            return self.call.number(copied(reference), copied(output))
        except ItemError:
            raise
        except MetricError as error:
            said = advised(error, Items.of([reference], [output]))
            raise ItemError(said.found, row=row, fix=said.fix) from error.__cause__


def whole(weights: Floats) -> Any:
    """Return weights as whole numbers.

    Raises
    ------
    MetricError
        If one is not.
    """
    counts = weights.astype(np.intp)
    if not np.array_equal(counts, weights):
        raise MetricError(
            "a function of all items at once can only count an item a whole number of times.",
            fix="Give a class with statistics and value.",
        )
    return counts


def _same(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING)
