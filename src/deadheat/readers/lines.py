"""One label, score or text a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows, Source
from deadheat.readers.columns import is_alias, is_number
from deadheat.readers.content import Content, check_text
from deadheat.readers.table import Table

BY_LINES = True


def recognises(path: str, head: bytes) -> bool:
    """Whether this is text; any text can be read line by line."""
    return b"\0" not in head


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read one value a line.

    The first line is a header where it is a known name of a column, or one that was asked for,
    and no later line repeats it. An empty line is a missing value.

    Raises
    ------
    FormatError
        If lines end in carriage returns alone, or nothing follows a header.
    """
    numbered = any(map(is_number, wanted))
    return of_lines(
        content, is_header=lambda name: not numbered and (is_alias(name) or name in wanted)
    )


def of_lines(content: Content, *, is_header: Callable[[str], bool]) -> Table:
    r"""Read one value a line; lines end in ``\n`` or ``\r\n`` and in nothing else.

    Parameters
    ----------
    content : Content
        Of the file.
    is_header : callable
        Whether a first line that no later one repeats is the name of the column.

    Raises
    ------
    FormatError
        If lines end in carriage returns alone, or nothing follows a header.
    """
    check_text(content)
    if b"\n" not in content.data and b"\r" in content.data.strip():
        raise FormatError(
            "lines end in carriage returns alone.",
            where=content.path,
            fix="Save it with line feeds.",
        )
    values = content.data.decode().removesuffix("\n").split("\n")
    if b"\r" in content.data:
        values = [value.removesuffix("\r") for value in values]
    name = values[0].strip()
    header = is_header(name) and values[0] not in values[1:]
    if header and len(values) == 1:
        raise FormatError(
            f"there is a header ({name}) and no row below it.",
            where=content.path,
            fix="Check how the file was written.",
        )
    key = name if header else "1"
    return Table(
        columns={key: pl.Series(key, values[header:], dtype=pl.String)},
        height=len(values) - header,
        rows=Rows(word="line", first=1 + header),
        source=Source(path=content.path, sha256=content.sha256, format="lines"),
        named=header,
        bare=not header,
        decimal_comma=True,
    )
