"""One-dimensional arrays and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from deadheat.errors import InputError
from deadheat.readers.frames import is_pandas_series, pandas_series
from deadheat.readers.records import typed_series
from deadheat.readers.structured import is_structured, structured


def recognises(source: object) -> bool:
    """Whether an object is an array or a list of values."""
    if isinstance(source, (str, bytes, dict)):
        return False
    return isinstance(source, (pl.Series, list, tuple)) or hasattr(source, "__array__")


def read(source: Any, place: str) -> pl.Series:
    """Read a one-dimensional array.

    Parameters
    ----------
    source : array_like, shape (n,)
        Numbers, truths, texts, lists or objects; None, NaN and the missing values of pandas are
        missing.
    place : str
        Name of the array in messages.

    Returns
    -------
    polars.Series
        Binary, canonical JSON, where any value is a list or an object.

    Raises
    ------
    InputError
        If it is empty, not one-dimensional, or holds bytes or plain values of several types.
    """
    values = _series(source, place)
    if not len(values):
        raise InputError("the array has no values.", where=place)
    if values.dtype.is_nested() or (
        values.dtype == pl.Object and any(map(is_structured, values.to_list()))
    ):
        try:
            return structured("", values.to_list())
        except ValueError as error:
            row, reason = error.args
            raise InputError(
                f"value {row + 1} cannot be written as JSON ({reason}).",
                where=place,
                fix="Lists and objects of texts, numbers and truths are read.",
            ) from None
    if values.dtype in (pl.Object, pl.Binary):
        kinds = sorted({type(value).__name__ for value in values.to_list() if value is not None})
        raise InputError(
            f"the array holds values of several types ({', '.join(kinds)}).",
            where=place,
            fix="Numbers, truths or texts are expected, of one type.",
        )
    return values


def _series(source: Any, place: str) -> pl.Series:
    if isinstance(source, pl.Series):
        return source
    if is_pandas_series(source):
        return pandas_series("", source)
    if isinstance(source, (list, tuple)):
        return _from_list(source, place)
    if isinstance(source, np.ma.MaskedArray):
        # A masked cell holds a value that is not meant.
        hidden = np.ma.getmaskarray(source).ravel().tolist()
        given = source.data.ravel().tolist()
        source = [None if h else value for value, h in zip(given, hidden, strict=True)]
        return _from_list(source, place)
    array = np.asarray(source)
    if array.ndim != 1:
        shape = "a single value" if array.ndim == 0 else f"of shape {array.shape}"
        raise InputError(
            f"the array is {shape}.",
            where=place,
            fix="One value an item is expected; give each system an array of its own.",
        )
    if array.dtype.kind in "biuf" and array.dtype.itemsize <= 8 and array.dtype != np.float16:
        return pl.Series("", np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")))
    if array.dtype.kind == "f":
        return pl.Series("", array.astype(np.float64))
    if array.dtype.kind in "Mm":
        return pl.Series("", array.astype(str))
    return _from_list(array.tolist(), place)


def _from_list(values: Sequence[object], place: str) -> pl.Series:
    plain, kinds = values, set(map(type, values))
    if any(issubclass(kind, np.generic) for kind in kinds):
        plain = [value.item() if isinstance(value, np.generic) else value for value in values]
        kinds = set(map(type, plain))
    if kinds <= {bool, int, float, type(None)} and len(kinds - {type(None)}) > 1:
        # A list of numbers and truths is a list of numbers in Python.
        plain = [None if value is None else float(value) for value in plain]  # type: ignore[arg-type]
    return typed_series("", plain, place)
