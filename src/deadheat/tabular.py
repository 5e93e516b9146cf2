"""Tables of results: in the kind of frame that came in, and in files by the ending of a name."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

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

SPREADSHEETS = (".csv", ".tsv")

FrameKind = Literal["polars", "pandas", "pyarrow"]

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?")


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


def write_table(
    frame: pl.DataFrame, path: str | os.PathLike[str], *, for_people: bool = False
) -> None:
    """Write a table, whole or not at all.

    Parameters
    ----------
    frame : polars.DataFrame
    path : path
    for_people : bool
        Whether CSV and TSV are to be opened in a spreadsheet: texts that it would take for a
        formula are written with an apostrophe before them (see `unacting`).

    Raises
    ------
    UsageError
        If the ending of the name says no form of a table.
    OSError
        If it cannot be written.
    """
    check_ending(path)
    file, ending = io.BytesIO(), Path(path).suffix.casefold()
    WRITERS[ending](unacting(frame) if for_people and ending in SPREADSHEETS else frame, file)
    write_whole(path, file.getvalue())


def unacting(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose texts no spreadsheet takes for a formula.

    A text, or the name of a column, that begins with ``=``, ``+``, ``-``, ``@``, a tab or a
    carriage return is written with an apostrophe before it, unless it is a number. Numbers are as
    they were.

    Examples
    --------
    >>> unacting(pl.DataFrame({"output": ["=1+1", "-2.5", "two"]}))["output"].to_list()
    ["'=1+1", '-2.5', 'two']
    """
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    shown = frame.with_columns(
        pl.Series(name, [_unacting(text) for text in frame[name]], dtype=pl.String)
        for name in texts
    )
    return shown.rename({name: _unacting(name) or "" for name in frame.columns})


def _unacting(text: str | None) -> str | None:
    if text is None or not _FORMULA.match(text) or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


def frame_kind(sources: Iterable[Any]) -> FrameKind:
    """Return the library of the first frame or series among what was given."""
    for source in sources:
        for given in source.values() if isinstance(source, Mapping) else (source,):
            for kind in get_args(FrameKind):
                if type(given).__module__.partition(".")[0] == kind:
                    found: FrameKind = kind
                    return found
    return "polars"


def as_frame(frame: pl.DataFrame, kind: str) -> Any:
    """Return a frame as one of another library.

    Parameters
    ----------
    frame : polars.DataFrame
    kind : {"polars", "pandas", "pyarrow"}

    Raises
    ------
    UsageError
        If there is no such kind.
    """
    if kind not in get_args(FrameKind):
        raise UsageError(f"there are no frames of {kind!r}.", fix=known(get_args(FrameKind), kind))
    if kind == "pyarrow":
        return frame.to_arrow()
    if kind == "pandas":
        # Without pyarrow, which pandas does not need.
        columns = {series.name: series.to_numpy(writable=True) for series in frame}
        return import_module("pandas").DataFrame(columns)
    return frame
