"""The table of items as a file."""

from __future__ import annotations

import io
import os
from pathlib import Path

import polars as pl

from deadheat.errors import UsageError
from deadheat.writing import write_whole

ENDINGS = (".csv", ".jsonl", ".parquet")


def check_ending(path: str) -> None:
    """Refuse a name that does not say what the file is to be.

    Raises
    ------
    UsageError
        That names the endings there are.
    """
    if Path(path).suffix.lower() not in ENDINGS:
        raise UsageError(
            f"--items {path} does not say by its ending what it is to be.",
            fix=f"Use one of {', '.join(ENDINGS)}.",
        )


def write_items(frame: pl.DataFrame, path: str) -> None:
    """Write the table of items as CSV, JSON lines or Parquet, whole or not at all.

    Raises
    ------
    UsageError
        If the name has another ending.
    """
    check_ending(path)
    kind = Path(path).suffix.lower()
    if kind == ".csv":
        write_whole(path, frame.write_csv())
    elif kind == ".jsonl":
        text = io.BytesIO()
        frame.write_ndjson(text)
        write_whole(path, text.getvalue().decode())
    else:
        _write_parquet(frame, path)


def _write_parquet(frame: pl.DataFrame, path: str) -> None:
    target = Path(path).resolve()
    partial = target.with_name(f".{target.name[:32]}.{os.getpid()}.partial")
    try:
        with partial.open("xb") as file:
            frame.write_parquet(file)
        partial.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        partial.unlink(missing_ok=True)
