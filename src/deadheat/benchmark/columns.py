"""Columns of an evaluation that play no role in scoring, brought to the aligned items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.benchmark.texts import Column, Found, of_table, placed
from deadheat.errors import DeadheatError, InputError
from deadheat.readers import frames, read
from deadheat.readers.sources import named_sources


def column_of(
    sources: Sequence[Any],
    references: Any,
    reading: Mapping[str, Any],
    column: Column,
    alignment: Alignment,
    option: str,
) -> pl.Series:
    """Return a column of the evaluation for the aligned items; null where an item has none.

    It is looked for in the sources, one after the other until every item has a value, and then in
    the file of references. Where several rows are about one item the first counts.

    Parameters
    ----------
    sources : sequence
        As given to `deadheat.check`.
    references : object
        As given to `deadheat.check`.
    reading : mapping
        Options of reading, by name.
    column : str or int
        Name or number of the column.
    alignment : Alignment
        The items, in order.
    option : str
        What gave it, for messages.

    Raises
    ------
    InputError
        If no source has the column.
    """
    refused: DeadheatError | None = None
    values: pl.Series | None = None
    places: list[Any] = [given.value for given in named_sources(sources, None)]
    if references is not None:
        places.append(references)
    for place in places:
        if not isinstance(place, (str, PathLike)) and not frames.recognises(place):
            continue
        try:
            found = (
                _of_references(place, reading, column, option)
                if place is references
                else (_of_source(place, reading, column))
            )
        except DeadheatError as error:
            refused = refused or error
            continue
        for part in found:
            aligned = placed(part, alignment, option)
            values = aligned if values is None else values.fill_null(aligned)
        if values is not None and not values.null_count():
            break
    if values is None:
        raise (
            _renamed(refused, option)
            if refused is not None
            else InputError(
                f"no source has a column {column!r} ({option}).",
                fix="Check its spelling; arrays have no columns.",
            )
        )
    return values


def _renamed(error: DeadheatError, option: str) -> DeadheatError:
    """Call the option by its name: the column was looked for as one of outputs or references."""
    for other in ("--output-column", "--reference-column"):
        error.found, error.fix = (text.replace(other, option) for text in (error.found, error.fix))
    return error


def _of_source(source: Any, reading: Mapping[str, Any], column: Column) -> list[Found]:
    options = dict(reading) | {
        "references": None, "systems": None, "score": None, "reference_column": None,
        "output_column": column, "label_map": None, "names": None,
    }  # fmt: skip
    evaluation = read(source, **options, empty_texts=True)
    return [
        (answers.items, answers.outputs)
        for answers in evaluation.answers
        if answers.outputs is not None
    ]


def _of_references(
    source: Any, reading: Mapping[str, Any], column: Column, option: str
) -> list[Found]:
    return [of_table(source, column, reading["item"], option)]


def option_counts(values: pl.Series, alignment: Alignment) -> NDArray[np.float64]:
    """Return how many options each item has, from their number or a list of them.

    Parameters
    ----------
    values : polars.Series
        Numbers or lists, one an item.
    alignment : Alignment
        The items, in order.

    Raises
    ------
    InputError
        If an item has no number of options, or one below 2.
    """
    if values.dtype == pl.Binary:
        lists = [None if v is None else msgspec.json.decode(v) for v in values.to_list()]
        counts = [len(v) if isinstance(v, (list, dict)) else None for v in lists]
        numbers = pl.Series(counts, dtype=pl.Float64)
    else:
        numbers = values.cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | ~(numbers >= 2.0) | (numbers != numbers.floor())).fill_null(True)
    if bad.any():
        at = int(bad.arg_true()[0])
        item = f"row {at + 1}" if alignment.items is None else f"item {alignment.items[at]!r}"
        shown = values[at]
        raise InputError(
            f"{shown.decode() if isinstance(shown, bytes) else shown!r} (--options) is no number "
            "of options.",
            where=item,
            fix="Give a whole number from 2 for each item, or a list of its options.",
        )
    return numbers.to_numpy()
