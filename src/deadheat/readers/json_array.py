"""A JSON array: of objects, one a row, or of plain values and lists."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from deadheat.errors import FormatError
from deadheat.evaluation import Rows, Source
from deadheat.readers.content import Content, check_text
from deadheat.readers.records import Records, typed_series, without_constants
from deadheat.readers.table import Table
from deadheat.readers.unreadable import reason_of

BY_LINES = False


def recognises(path: str, head: bytes) -> bool:
    """Whether the file begins with an array of objects or values."""
    return head.lstrip().startswith(b"[")


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read an array of objects, or of numbers, texts, truths or lists of them.

    Raises
    ------
    FormatError
        If the file is not one complete array, or it holds something else.
    """
    check_text(content)
    parts = msgspec.json.Decoder(list[msgspec.Raw])
    try:
        try:
            elements = parts.decode(content.data)
        except msgspec.MsgspecError:
            elements = parts.decode(without_constants(content.data))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise _broken(content, error) from None
    if not elements:
        raise FormatError(
            "the array is empty: 0 rows.",
            where=content.path,
            fix="Check how the file was written.",
        )
    rows = Rows(word="row")
    source = Source(path=content.path, sha256=content.sha256, format="json")
    decode = msgspec.json.Decoder().decode
    records = Records(content.path, wanted, len(content.data))
    values: list[object] = []
    for number, element in enumerate(elements, start=1):
        try:
            value = decode(element)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise FormatError(
                f"the row cannot be read ({reason_of(error)}).",
                where=f"{content.path}, {rows.name(number - 1)}",
            ) from None
        if isinstance(value, dict) and not values:
            records.add(value)
        elif isinstance(value, dict) or records.height:
            raise FormatError(
                f"the row is a {type(value).__name__}.",
                where=f"{content.path}, {rows.name(number - 1)}",
                fix="Either objects are expected throughout, or plain values and lists.",
            )
        else:
            values.append(value)
    if values:
        return Table(
            columns={"1": typed_series("1", values, content.path)},
            height=len(values),
            rows=rows,
            source=source,
            named=False,
            bare=True,
        )
    return Table(
        columns=records.columns(),
        height=records.height,
        rows=rows,
        source=source,
        nested=records.nested,
    )


def _broken(content: Content, error: Exception) -> FormatError:
    reason = reason_of(error)
    if "truncated" in reason:
        line = content.data.rstrip().count(b"\n") + 1
        found = f"the array is not closed: the file is cut off in line {line}."
    else:
        found = f"the file begins like a JSON array and is none ({reason})."
    return FormatError(found, where=content.path, fix="Write the file again.")
