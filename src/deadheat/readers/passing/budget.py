"""How much memory tables take while they are held, and whether that is allowed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
import polars as pl

from deadheat.errors import DeadheatError, InputError
from deadheat.readers.content import LONGEST_LINE
from deadheat.readers.formats import is_log

BYTES_A_VALUE = 48
"""Held at once for a value of a table: as read, as typed, as paired and as scored; measured on
tables of scores of two million items."""

TEXT_FACTOR = 2
"""Held at once for a byte of a text file, beside its values."""

SAMPLE = 1 << 18
"""Bytes of a text file from which its rows and columns are reckoned."""

SEPARATORS = {".csv": b",", ".tsv": b"\t"}
LINES = (".jsonl", ".ndjson")


def text_need(path: str) -> int:
    r"""Return about how many bytes are held to read a text file as a table.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("item,a,b\n" + "1,0,1\n" * 1_000)
    ...     file.flush()
    ...     text_need(file.name)
    156234
    """
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        first = file.readline(SAMPLE)
        sample = file.read(SAMPLE)
    rows = size if not sample else size * max(1, sample.count(b"\n")) / len(sample)
    n_values = (rows if sample else 1) * _n_columns(first, Path(path).suffix.casefold())
    return round(size * TEXT_FACTOR + n_values * BYTES_A_VALUE)


def _n_columns(first: bytes, ending: str) -> int:
    if ending in SEPARATORS:
        return first.count(SEPARATORS[ending]) + 1
    try:
        return len(msgspec.json.decode(first, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError):
        return 1


def table_need(n_rows: int, n_columns: int) -> int:
    """Return about how many bytes are held to read a table of so many values."""
    return n_rows * n_columns * BYTES_A_VALUE


def check_fits(paths: Iterable[object], memory: int) -> None:
    """Refuse tables that would take more than some memory to hold.

    Logs of tools are not counted: their readers keep what they need of a file.

    Raises
    ------
    InputError
        With about how much they need.
    """
    needs = {path: need_of(path) for path in map(str, paths)}
    if sum(needs.values()) <= memory:
        return
    largest = max(needs, key=lambda path: needs[path])
    raise InputError(
        f"about {shown(sum(needs.values()))} are needed to hold "
        f"{'this table' if len(needs) == 1 else 'these tables'}, more than the {shown(memory)} of "
        "--memory.",
        where=largest,
        fix="Give a greater --memory. compare, rank and score count one table of scores or labels "
        "in passing, with a column or rows for each system.",
    )


def need_of(path: str) -> int:
    """Return about how many bytes are held to read a table; 0 for what is none."""
    ending = Path(path).suffix.casefold()
    if ending not in (".parquet", *SEPARATORS, *LINES) or not os.path.isfile(path):
        return 0
    try:
        if ending == ".parquet":
            scan = pl.scan_parquet(path, glob=False)
            rows = int(scan.select(pl.len()).collect().item())
            need = table_need(rows, len(scan.collect_schema()))
        else:
            need = text_need(path) if first_line_ends(path) else 0
        # Whether it is a log is only looked at where it matters.
        return 0 if need < SAMPLE or is_log(path) else need
    except (pl.exceptions.PolarsError, DeadheatError, OSError):
        # What is wrong with it is said by the reader.
        return 0


def first_line_ends(path: str) -> bool:
    """Whether the first line of a text file is no longer than a line may be."""
    with open(path, "rb") as file:
        return len(file.readline(LONGEST_LINE + 1)) <= LONGEST_LINE


def shown(n: int) -> str:
    """Show a size.

    Examples
    --------
    >>> shown(4_000_000_000), shown(1_500_000)
    ('4.0 GB', '1.5 MB')
    """
    return f"{n / 1e9:.1f} GB" if n >= 1e8 else f"{n / 1e6:.1f} MB"
