"""A data set as a table, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl

from deadheat.simulation import Design, Drawn, Pilot, blocks, draw
from deadheat.tabular import check_ending
from deadheat.writing import whole

Frames = Iterable[pl.DataFrame]


def frames(
    design: Design | Pilot, names: tuple[str, ...], seed: int, *, binary: bool
) -> Iterator[pl.DataFrame]:
    """Draw data set 0 of a seed as a wide table, some items at a time.

    Columns are item, cluster and run, from 1 and where there are some, and one of scores for each
    system. Their names begin with ``system_``, by which they are known as systems.

    Parameters
    ----------
    design : Design or Pilot
    names : tuple of str
        Of the systems.
    seed : int
    binary : bool
        Whether all scores are 0 or 1.
    """
    drawn = [draw(design, seed)] if isinstance(design, Pilot) else blocks(design, seed)
    done = 0
    for block in drawn:
        yield _frame(block, names, done, binary=binary)
        done += block.scores.shape[1]


def _frame(block: Drawn, names: tuple[str, ...], done: int, *, binary: bool) -> pl.DataFrame:
    _, n_items, n_runs = block.scores.shape
    columns = {"item": np.repeat(np.arange(done + 1, done + n_items + 1), n_runs)}
    if block.clusters is not None:
        columns["cluster"] = np.repeat(block.clusters + 1, n_runs)
    if n_runs > 1:
        columns["run"] = np.tile(np.arange(1, n_runs + 1), n_items)
    kind = np.int8 if binary else np.float64
    for name, scores in zip(names, block.scores, strict=True):
        columns[f"system_{name}"] = scores.reshape(-1).astype(kind)
    return pl.DataFrame(columns)


def write(path: str | os.PathLike[str], parts: Frames) -> None:
    """Write a table in the format that the suffix names.

    Parameters
    ----------
    path : str or os.PathLike[str]
        Ends in a suffix of `WRITERS`.
    parts : iterable of DataFrame
        The table, some items at a time.

    Raises
    ------
    UsageError
        If the suffix names none.
    OSError
        If the file cannot be written; one of that name stays as it was.
    """
    check_ending(path)
    with whole(path) as file:
        WRITERS[Path(path).suffix.casefold()](parts, file)


def csv_texts(parts: Frames, separator: str = ",") -> Iterator[str]:
    """Yield a table as delimited text, one part after the other.

    Parameters
    ----------
    parts : iterable of DataFrame
        The table, some items at a time.
    separator : str
        Between the cells of a row.
    """
    for at, part in enumerate(parts):
        yield part.write_csv(include_header=at == 0, separator=separator)


def _csv(parts: Frames, file: IO[bytes], separator: str = ",") -> None:
    for text in csv_texts(parts, separator):
        file.write(text.encode("utf-8"))


def _tsv(parts: Frames, file: IO[bytes]) -> None:
    _csv(parts, file, "\t")


def _json_lines(parts: Frames, file: IO[bytes]) -> None:
    for part in parts:
        file.write(part.write_ndjson().encode("utf-8"))


def _parquet(parts: Frames, file: IO[bytes]) -> None:
    pl.concat(parts).write_parquet(file)


WRITERS: dict[str, Callable[[Frames, IO[bytes]], None]] = {
    ".csv": _csv,
    ".tsv": _tsv,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
}
"""Formats of a table by the suffix of its file."""
