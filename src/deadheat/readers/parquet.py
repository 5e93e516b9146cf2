"""Parquet files."""

from __future__ import annotations

import io
from collections.abc import Sequence

import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows, Source
from deadheat.readers import panics
from deadheat.readers.content import Content
from deadheat.readers.frames import flat
from deadheat.readers.table import Table

BY_LINES = False


def recognises(path: str, head: bytes) -> bool:
    """Whether the file begins with the mark of Parquet."""
    return head.startswith(b"PAR1")


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read a Parquet file; fields of structs become dotted columns.

    Raises
    ------
    FormatError
        If the file is cut off or damaged, or has no rows.
    """
    try:
        with panics.quiet():
            frame = pl.read_parquet(io.BytesIO(content.data))
    except panics.ERRORS as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else "damaged"
        raise FormatError(
            f"the Parquet file cannot be read ({reason}).",
            where=content.path,
            fix="It may be cut off: copy or write it again.",
        ) from None
    if not frame.height:
        raise FormatError(
            "the Parquet file has no rows.",
            where=content.path,
            fix="Check how the file was written.",
        )
    columns, nested = flat(frame, wanted)
    return Table(
        columns=columns,
        height=frame.height,
        rows=Rows(word="row"),
        source=Source(path=content.path, sha256=content.sha256, format="parquet"),
        nested=nested,
    )
