"""Tables written to files, in a form that the ending of the name says."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import polars as pl

from deadheat.errors import UsageError, known
from deadheat.writing import write_whole

Writer = Callable[[pl.DataFrame, io.BytesIO], None]


def _separated(separator: str) -> Writer:
    return lambda frame, file: frame.write_csv(file, separator=separator)


WRITERS: dict[str, Writer] = {
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".jsonl": lambda frame, file: frame.write_ndjson(file),
    ".ndjson": lambda frame, file: frame.write_ndjson(file),
    ".parquet": lambda frame, file: frame.write_parquet(file),
}
"""By ending."""


def check_ending(path: str | os.PathLike[str], option: str = "--output") -> None:
    """Refuse a name whose ending says no form of a table.

    Raises
    ------
    UsageError
        With the endings that do.
    """
    name, ending = os.fspath(path), Path(path).suffix.casefold()
    if ending not in WRITERS:
        raise UsageError(
            f"{option} {name} ends in {ending or 'nothing'}, which is no form of a table.",
            fix=known(WRITERS),
        )


def write_table(frame: pl.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table, whole or not at all.

    Raises
    ------
    UsageError
        If the ending of the name says no form of a table.
    OSError
        If it cannot be written.
    """
    check_ending(path)
    file = io.BytesIO()
    WRITERS[Path(path).suffix.casefold()](frame, file)
    write_whole(path, file.getvalue())
