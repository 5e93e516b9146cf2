"""Lists and objects among the values of a column, as canonical JSON.

A column of outputs or references in which any value is a list or an object is of dtype Binary:
each value is JSON without blanks, the fields of objects sorted by name, in UTF-8. A missing value
is null. JSON has no NaN and no infinities: inside a list they become null.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
import polars as pl


class Nested:
    """Stands for a list or an object inside a JSON field.

    Parameters
    ----------
    kind : {"list", "dict"}
    data : bytes or None
        Its canonical JSON, where it is one that may be asked for.
    """

    __slots__ = ("data", "kind")

    def __init__(self, kind: str, data: bytes | None = None) -> None:
        self.kind = kind
        self.data = data


def is_list(value: object) -> bool:
    """Whether a value is a list, of whatever kind."""
    if isinstance(value, Nested):
        return value.kind == "list"
    return isinstance(value, (list, tuple, np.ndarray, pl.Series))


def is_structured(value: object) -> bool:
    """Whether a value is a list or an object."""
    return is_list(value) or isinstance(value, (Nested, Mapping))


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value.

    Raises
    ------
    TypeError, ValueError
        If JSON cannot hold it.

    Examples
    --------
    >>> canonical({"b": [1, 2.0, None], "a": "é"}).decode()
    '{"a":"é","b":[1,2.0,null]}'
    """
    return msgspec.json.encode(value, order="sorted", enc_hook=_plain)


def structured(name: str, values: Iterable[object]) -> pl.Series:
    """Return a column of canonical JSON, dtype Binary; None, NaN and what was not kept are null.

    Raises
    ------
    ValueError
        With the row and the reason, if JSON cannot hold a value.
    """
    found: list[bytes | None] = []
    for row, value in enumerate(values):
        if value is None or (isinstance(value, float) and math.isnan(value)):
            found.append(None)
            continue
        try:
            found.append(value.data if isinstance(value, Nested) else canonical(value))
        except (TypeError, ValueError, RecursionError) as error:
            raise ValueError(row, str(error)) from None
    return pl.Series(name, found, dtype=pl.Binary)


def entries(value: object) -> list[Any]:
    """Return the entries of a list; one inside a JSON field has to have been kept."""
    if isinstance(value, Nested):
        return msgspec.json.decode(value.data or b"", type=list[Any])
    if isinstance(value, pl.Series):
        return value.to_list()
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    assert isinstance(value, (list, tuple))
    return list(value)


def _plain(value: object) -> object:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, pl.Series):
        return value.to_list()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"JSON cannot hold a {type(value).__name__}")
