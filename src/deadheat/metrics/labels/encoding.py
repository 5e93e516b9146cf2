"""Labels as positions in one sorted list, exact about their types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.errors import MetricError

Codes = NDArray[np.int32]


def encoded(columns: Sequence[pl.Series]) -> tuple[tuple[Any, ...], list[Codes]]:
    """Replace labels by their positions in the sorted list of all labels.

    Parameters
    ----------
    columns : sequence of polars.Series
        Labels: all text, or all numbers or truths (1, 1.0 and true are one label). Null and NaN
        are no label.

    Returns
    -------
    labels : tuple
        Sorted, as Python values.
    codes : list of ndarray of int32
        One for each column; -1 for no label.

    Raises
    ------
    MetricError
        If the types cannot be compared or are not those of labels.

    Examples
    --------
    >>> encoded([pl.Series(["b", "a"]), pl.Series(["b", None])])
    (('a', 'b'), [array([1, 0], dtype=int32), array([ 1, -1], dtype=int32)])
    """
    unified = _one_type(columns)
    distinct = pl.concat([column.unique() for column in unified]).unique().drop_nulls().sort()
    labels = tuple(distinct.to_list())
    if distinct.dtype == pl.String:
        positions = pl.Enum(distinct)
        found = [column.cast(positions).to_physical().cast(pl.Int32) for column in unified]
        return labels, [codes.fill_null(-1).to_numpy() for codes in found]
    if distinct.dtype == pl.Int128:
        return labels, [_searched_python(labels, column) for column in unified]
    return labels, [_searched(distinct, column) for column in unified]


def _searched(distinct: pl.Series, column: pl.Series) -> Codes:
    if len(distinct) == 0:
        return np.full(len(column), -1, dtype=np.int32)
    first = distinct.dtype.is_numeric() and distinct[0]
    filled = column.fill_null(first).to_numpy()
    codes = np.searchsorted(distinct.to_numpy(), filled).astype(np.int32)
    if column.null_count():
        codes[column.is_null().to_numpy()] = -1
    return codes


def _searched_python(labels: tuple[Any, ...], column: pl.Series) -> Codes:
    position = {label: code for code, label in enumerate(labels)}
    return np.array([position.get(label, -1) for label in column.to_list()], dtype=np.int32)


def _one_type(columns: Sequence[pl.Series]) -> list[pl.Series]:
    series = [_plain(column) for column in columns]
    types = {column.dtype for column in series if column.dtype != pl.Null}
    if not types:
        return series
    if pl.String in types and len(types) > 1:
        others = ", ".join(sorted(str(dtype) for dtype in types - {pl.String}))
        raise MetricError(
            f"some labels are text and others are of type {others}; they would never be equal.",
            fix="Write them alike, or map them with --label-map.",
        )
    order = (pl.String, pl.Float64, pl.Int128, pl.Int64, pl.Boolean)
    widest = next(dtype for dtype in order if dtype in types)
    return [column.cast(widest) for column in series]


def _plain(column: pl.Series) -> pl.Series:
    dtype = column.dtype
    if dtype in (pl.String, pl.Boolean, pl.Int128, pl.Null):
        return column
    if dtype in (pl.Categorical, pl.Enum):
        return column.cast(pl.String)
    if dtype in (pl.UInt64, pl.UInt128):
        return column.cast(pl.Int128)
    if dtype.is_integer():
        return column.cast(pl.Int64)
    if dtype.is_float():
        return column.cast(pl.Float64).fill_nan(None)
    raise MetricError(
        f"labels of type {dtype} cannot be compared.", fix="Give text, numbers or true/false."
    )
