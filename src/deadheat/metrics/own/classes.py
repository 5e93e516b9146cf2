"""Classes of the user's own: `statistics` and `value`, or `rows` and `value_of`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError, MetricError
from deadheat.metrics.metric import Floats, OfValues, OfWeights, Takes, ValueOf, ratio
from deadheat.metrics.own.calls import Call, as_number, at_once, by_row, shown
from deadheat.metrics.own.items import Items, advised
from deadheat.metrics.own.traits import Own
from deadheat.notes import Note

FEW = 3
"""Items whose statistics are looked at on their own."""

LOOKED_AT = 64
"""Items from which totals are made to see whether `value` takes many at once."""

ROUNDING = 1e-9
"""Relative, between statistics of the same item among others and apart."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FromSums(Own, OfValues):
    """An object with `statistics(references, outputs)` and `value(totals)`.

    Attributes
    ----------
    extract, worth : Call
        Of `statistics` and `value`; `worth` is None where the metric is a mean and has none.
    doubtful : Call or None
        Of `undefined(totals)`, where there is one.
    takes : str
        What the items are given as.
    is_mean : bool
        Whether the statistics are a score and 1 and the value is their ratio.
    """

    extract: Call
    worth: Call | None
    doubtful: Call | None = None
    takes: Takes = "values"  # type: ignore[misc]
    is_mean: bool = False  # type: ignore[misc]

    def statistics(self, references: Any, outputs: Any) -> Floats:
        """Return what each item contributes, shape (item, k).

        Raises
        ------
        MetricError
            If it raises, or returns anything but finite numbers, a row for each item, or rows
            that depend on the other items.
        """
        items = handed(self.takes, references, outputs)
        n = len(outputs)
        try:
            rows = matrix(self.extract, items.first(n), n, "statistics")
        except ItemError:
            raise
        except MetricError as error:
            raise (advised(error, items) if self.takes == "values" else error) from error.__cause__
        self._look_apart(items, rows)
        if self.is_mean:
            self._look_at_mean(rows)
        return rows

    def value(self, totals: Floats) -> Floats:
        """Return the value of totals of shape (..., k), shape (...)."""
        if self.worth is None or self.is_mean:
            return ratio(totals[..., 0], totals[..., 1])
        return shaped(self.worth, totals, "on totals")

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Return where the object says so, else where the value is NaN, shape (...)."""
        if self.doubtful is None:
            return np.asarray(np.isnan(self.value(totals)))
        return np.asarray(shaped(self.doubtful, totals, "on totals") != 0.0)

    def remarks(self, system: str, references: Any, outputs: Any) -> Sequence[Note]:
        """Say whether `value` is called for each resample on its own."""
        if self.worth is None or self.is_mean or len(outputs) < 2:
            return ()
        items = handed(self.takes, references, outputs)
        few = min(len(outputs), LOOKED_AT)
        totals = matrix(self.extract, items.first(few), few, "statistics").cumsum(axis=0)
        return () if at_once(self.worth, totals) is not None else (one_by_one(self.worth),)

    def _look_apart(self, items: Items, rows: Floats) -> None:
        """Refuse statistics of an item that depend on which other items there are.

        Such as counts for each label that occurs: two systems would have sums of other things.
        """
        few = min(FEW, len(rows) - 1)
        if few < 1:
            return
        apart = matrix(self.extract, items.first(few), few, "statistics")
        if apart.shape[1] != rows.shape[1]:
            found = f"{rows.shape[1]} columns for {len(rows):,} items and {apart.shape[1]} for "
        elif not np.allclose(apart, rows[:few], rtol=ROUNDING, atol=ROUNDING):
            found = "other numbers for the first items among all of them than for "
        else:
            return
        raise MetricError(
            f"{self.extract.name} returned {found}the first {few} alone.",
            fix="What an item contributes must not depend on the other items: fix the labels, the "
            "vocabulary or the scale beforehand.",
        )

    def _look_at_mean(self, rows: Floats) -> None:
        if rows.shape[1] != 2 or not (rows[:, 1] == 1.0).all():
            raise MetricError(
                f"{self.name} says is_mean, and its statistics are not a score and 1.",
                fix="Return two columns, the score and 1, or leave is_mean out.",
            )
        if self.worth is None:
            return
        total = rows.sum(axis=0)
        mean, own = float(ratio(total[0], total[1])), float(shaped(self.worth, total, "on totals"))
        if not np.isclose(mean, own, rtol=ROUNDING, atol=ROUNDING, equal_nan=True):
            raise MetricError(
                f"{self.name} says is_mean, and its value is {own:.6g} where the mean is "
                f"{mean:.6g}.",
                fix="Leave is_mean out.",
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FromWeights(Own, OfWeights):
    """An object with `rows(references, outputs)` and `value_of(rows)`, a function of weights.

    Attributes
    ----------
    extract, weigh : Call
        Of `rows` and `value_of`.
    takes : str
        What the items are given as.
    """

    extract: Call
    weigh: Call
    takes: Takes = "values"  # type: ignore[misc]
    serial: ClassVar[bool] = True

    def rows(self, references: Any, outputs: Any) -> Floats:
        """Return all that the value depends on of each item, shape (item, c).

        Raises
        ------
        MetricError
            If it raises, or returns anything but finite numbers, a row for each item.
        """
        items = handed(self.takes, references, outputs)
        return matrix(self.extract, items.first(len(outputs)), len(outputs), "rows")

    def value_of(self, rows: Floats) -> ValueOf:
        """Return the metric of items like `rows` as a function of their weights.

        Raises
        ------
        MetricError
            Also by the function returned: if it raises, or returns anything but a finite number
            or NaN.
        """
        call = self._of(rows)

        def value(weights: Floats) -> Floats:
            given = np.asarray(weights, dtype=np.float64)
            some = given.any(axis=-1)
            values = np.full(some.shape, np.nan)
            values[some] = shaped(call, given[some], f"on weights of {len(rows):,} items")
            return values

        return value

    def remarks(self, system: str, references: Any, outputs: Any) -> Sequence[Note]:
        """Say whether the function of weights is called for each resample on its own."""
        call = self._of(self.rows(references, outputs))
        n = len(outputs)
        if n < 2:
            return ()
        weights = np.ones((2, n))
        weights[1, 0], weights[1, -1] = 2.0, 3.0
        return () if at_once(call, weights) is not None else (one_by_one(call),)

    def _of(self, rows: Floats) -> Call:
        function = self.weigh(rows.copy())
        if not callable(function):
            raise MetricError(
                f"{self.weigh.name} returned {shown(function)}, where a function of weights is "
                "needed.",
                fix="Return a function that maps weights to the value.",
            )
        return Call(function=function, name=f"{self.weigh.name}(rows)", bounds=self.bounds)


def handed(takes: Takes, references: Any, outputs: Any) -> Items:
    """Return items in the form in which they are handed out."""
    return Items.of(references, outputs, lists=takes != "values")


def matrix(call: Call, given: tuple[Any, Any], n: int, what: str) -> Floats:
    """Call for a row of finite numbers for each of `n` items, shape (n, k).

    Raises
    ------
    MetricError
        If it raises, or returns anything else.
    """
    returned = call(*given, on=f"on {n:,} items")
    fix = f"Return {what} as an array of numbers of shape (item, k)."
    try:
        rows = np.asarray(returned)
    except ValueError:
        rows = np.empty((), dtype=object)
    if rows.ndim != 2 or rows.shape[0] != n or rows.shape[1] == 0:
        raise MetricError(
            f"{call.name} returned {shown(returned)} for {n:,} items, where a row for each item "
            "is needed.",
            fix=fix,
        )
    if rows.dtype == object:
        real = [as_number(cell) for cell in rows.flat]
        numbers = None if None in real else np.array(real, dtype=np.float64).reshape(rows.shape)
    else:
        numbers = rows.astype(np.float64) if rows.dtype.kind in "biuf" else None
    if numbers is None:
        raise MetricError(
            f"{call.name} returned an array of {rows.dtype}, where real numbers are needed.",
            fix=fix,
        )
    finite = np.isfinite(numbers)
    if not finite.all():
        row, column = (int(i) for i in np.argwhere(~finite)[0])
        raise ItemError(
            f"{call.name} returned {numbers[row, column]} in column {column + 1}, and sums need "
            "finite numbers.",
            row=row,
            fix="Return finite numbers; where a value is undefined, let it be NaN in value.",
        )
    return numbers


def shaped(call: Call, stack: Floats, on: str) -> Floats:
    """Return the value of each vector along the last axis, shape (...)."""
    given = np.asarray(stack, dtype=np.float64)
    flat = np.ascontiguousarray(given.reshape(-1, given.shape[-1]))
    return by_row(call, flat, on).reshape(given.shape[:-1])


def one_by_one(call: Call) -> Note:
    """Return the remark that a function is called for each resample."""
    return Note(
        code="value_one_by_one",
        message=f"{call.name} takes one resample at a time, and so is called for each of them; "
        "written for arrays of shape (..., k) it is faster.",
    )
