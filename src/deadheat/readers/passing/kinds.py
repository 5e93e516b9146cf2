"""How many rows are of each kind: alike in every column that is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from deadheat.engine import Engine
from deadheat.errors import InputError
from deadheat.evaluation import Source
from deadheat.readers.passing.files import SCANS, Files, n_rows
from deadheat.readers.passing.parts import Part, check_alike, on_disk

COUNT = "\x00items"
"""Column of multiplicities; no file has one of this name."""

Progress = Callable[[int, int], None]


def kinds_of(table: pl.LazyFrame, columns: list[str]) -> pl.DataFrame:
    """Count the rows that are alike in some columns."""
    counted = table.group_by(columns).agg(pl.len().cast(pl.Int64).alias(COUNT))
    return counted.collect(engine="streaming").sort(columns)


def averages_of(table: pl.LazyFrame, groups: Sequence[str], scores: Sequence[str]) -> pl.DataFrame:
    """Average the scores of the rows of each group that lack the same scores.

    Sums are those of whole numbers of 2^-k times the largest score, so that the order of the rows
    changes no bit of them; each score is rounded by at most 2^-53 of the largest.

    Parameters
    ----------
    table : polars.LazyFrame
    groups : sequence of str
        Columns, such as that of clusters, whose values make a group.
    scores : sequence of str
        Columns of numbers; what is not finite is missing.

    Returns
    -------
    polars.DataFrame
        Groups, means and `COUNT`; a score that the rows lack is null.
    """
    finite = [
        pl.when(pl.col(name).cast(pl.Float64).is_finite()).then(pl.col(name).cast(pl.Float64))
        for name in scores
    ]
    table = table.select(*groups, *(c.alias(name) for c, name in zip(finite, scores, strict=True)))
    most = table.select(pl.max_horizontal(pl.col(name).abs().max() for name in scores))
    largest = float(most.collect(engine="streaming").item() or 0.0)
    unit = 2.0 ** (math.frexp(largest)[1] - 53) if largest else 1.0
    lacks = [pl.col(name).is_null().alias(f"{COUNT} {name}") for name in scores]
    whole = [(pl.col(name) / unit).round().cast(pl.Int64).cast(pl.Int128).sum() for name in scores]
    found = (
        table.with_columns(lacks)
        .group_by(*groups, *(f"{COUNT} {name}" for name in scores))
        .agg(pl.len().cast(pl.Int64).alias(COUNT), *whole)
        .collect(engine="streaming")
        .sort(*groups, *(f"{COUNT} {name}" for name in scores))
    )
    return found.select(
        *groups,
        *(
            pl.when(~pl.col(f"{COUNT} {name}"))
            .then(pl.col(name).cast(pl.Float64) * unit / pl.col(COUNT))
            .alias(name)
            for name in scores
        ),
        COUNT,
    )


def by_parts(
    files: Files, columns: list[str], engine: Engine | None, progress: Progress | None
) -> tuple[pl.DataFrame, Source]:
    """Count every part where the engine works, and put the counts together."""
    tasks = [(part, columns) for part in files.parts]
    found = (
        (count_part(*task) for task in tasks)
        if engine is None
        else engine.each(count_part, tasks, [part.path for part in files.parts])
    )
    first = files.scan.select(columns).collect_schema()
    counted, sources = [pl.DataFrame(schema={**first, COUNT: pl.Int64})], []
    for part, (kinds, sha256) in zip(files.parts, found, strict=True):
        # A part without rows has no types to speak of.
        if kinds.height:
            check_alike(files.parts[0].path, first, part.path, kinds.schema)
            counted.append(kinds)
        sources.append(Source(path=part.path, sha256=sha256, format=files.format))
        if progress is not None:
            progress(len(sources), len(files.parts))
    together = pl.concat(counted).group_by(columns).agg(pl.col(COUNT).sum()).sort(columns)
    if len(sources) == 1:
        return together, sources[0]
    whole = Source(path=files.path, sha256="", format=files.format, parts=tuple(sources))
    return together, whole


def count_part(part: Part, columns: list[str]) -> tuple[pl.DataFrame, str]:
    """Count the kinds of rows of one part; what an engine runs.

    Parameters
    ----------
    part : Part
    columns : list of str

    Returns
    -------
    kinds : polars.DataFrame
        The columns, and how many rows are of each kind.
    sha256 : str
        Of the bytes of the file.

    Raises
    ------
    InputError
        If a column is missing, fewer or more rows were counted than the file says it has, or it
        is another file than the one that was listed.
    """
    ending = Path(part.path).suffix.casefold()
    with on_disk(part) as (file, sha256):
        scan = SCANS[ending][1](file)
        absent = [name for name in columns if name not in scan.collect_schema()]
        if absent:
            raise InputError(
                f"there is no column {absent[0]!r}, which the first part has.",
                where=part.path,
                fix="Write all parts with the same columns of the same types.",
            )
        kinds = kinds_of(scan.select(columns), columns)
        stated = n_rows(scan) if ending == ".parquet" else None
    counted = int(kinds[COUNT].sum())
    if stated is not None and counted != stated:
        raise InputError(
            f"{counted:,} rows were counted, and the file says that it has {stated:,}.",
            where=part.path,
            fix="It is damaged or being written: try again when it is whole.",
        )
    return kinds, sha256
