"""Data frames of pandas, polars and Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import Rows, Source
from deadheat.readers.columns import ROLES, normal
from deadheat.readers.records import typed_series
from deadheat.readers.table import Table

_WHOLE = ROLES["output"].aliases | ROLES["reference"].aliases


def recognises(source: object) -> bool:
    """Whether an object is a data frame."""
    return (
        isinstance(source, (pl.DataFrame, pl.LazyFrame))
        or _is_pandas(source, "DataFrame")
        or (hasattr(source, "__arrow_c_stream__") and hasattr(source, "column_names"))
    )


def read(source: Any, wanted: Sequence[str | int] = ()) -> Table:
    """Read a data frame; structs become dotted columns, a named pandas index a column.

    Parameters
    ----------
    source : data frame
    wanted : sequence of (str or int)
        Columns that were asked for; a struct among them is kept whole as well.

    Raises
    ------
    InputError
        If it has no rows, or columns of one name.
    """
    nested: tuple[str, ...] = ()
    if _is_pandas(source, "DataFrame"):
        columns = _from_pandas(source)
        height = len(source)
    else:
        frame = source.collect() if isinstance(source, pl.LazyFrame) else source
        frame = frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(frame)
        columns, nested = flat(frame, wanted)
        height = frame.height
    if not height:
        raise InputError("the frame has no rows.", fix="Check how it was made.")
    return Table(
        columns=columns,
        height=height,
        rows=Rows(word="row", first=0),
        source=Source(path="", sha256="", format="frame"),
        nested=nested,
    )


def flat(
    frame: pl.DataFrame, wanted: Sequence[str | int]
) -> tuple[dict[str, pl.Series], tuple[str, ...]]:
    """Return the columns of a frame, and the names of those that were fields of structs.

    A field of a struct becomes a dotted column. Beside them a struct that was asked for, or may
    be an output or a reference, is kept whole.
    """
    columns: dict[str, pl.Series] = {}
    nested: list[str] = []
    for series in frame.get_columns():
        if isinstance(series.dtype, pl.Struct):
            fields = series.struct.unnest()
            outer = {field: f"{series.name}.{field}" for field in fields.columns}
            inner, _ = flat(fields.rename(outer), wanted)
            if series.name in wanted or normal(series.name) in _WHOLE:
                columns[series.name] = series
            columns |= inner
            nested.extend(inner)
        else:
            columns[series.name] = series
    return columns, tuple(nested)


def pandas_series(name: str, values: Any) -> pl.Series:
    """Convert a pandas Series, with its missing values as null."""
    kind = values.dtype.kind
    if isinstance(values.dtype, np.dtype) and kind in "biuf":
        return pl.Series(name, values.to_numpy())
    plain = values.astype(object).where(values.notna(), None).tolist()
    if kind == "M":
        plain = [None if value is None else value.isoformat() for value in plain]
    return typed_series(name, plain, "the frame")


def _is_pandas(source: object, kind: str) -> bool:
    cls = type(source)
    return cls.__module__.partition(".")[0] == "pandas" and cls.__name__ == kind


def is_pandas_series(source: object) -> bool:
    """Whether an object is a pandas Series or Index."""
    return _is_pandas(source, "Series")


def check_indexes(sources: Sequence[Any]) -> None:
    """Refuse pandas Series whose indexes differ: their values are paired by position.

    Raises
    ------
    InputError
        If two of them do.
    """
    series = [source for source in sources if is_pandas_series(source) and hasattr(source, "index")]
    if any(not one.index.equals(series[0].index) for one in series[1:]):
        raise InputError(
            "pandas Series with different indexes were given, and series are paired by position.",
            fix="Give frames with a column of item ids, or reset the indexes.",
        )


def _from_pandas(frame: Any) -> dict[str, pl.Series]:
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"the frame has several columns {twice[0]!r}.", fix="Rename them.")
    return {name: pandas_series(name, frame.iloc[:, k]) for k, name in enumerate(names)}
