"""JSON lines: one object a line."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from deadheat.errors import FormatError
from deadheat.evaluation import Rows, Source
from deadheat.readers.content import Content, check_text
from deadheat.readers.records import Records, without_constants
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoTableError, reason_of

BY_LINES = True


def recognises(path: str, head: bytes) -> bool:
    """Whether the file begins with an object."""
    return head.lstrip().startswith(b"{")


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    r"""Read one object a line; lines are split at ``\n`` and empty ones skipped.

    Raises
    ------
    FormatError
        If a line is not an object, with its number.
    """
    check_text(content)
    decode = msgspec.json.Decoder().decode
    lines = content.data.split(b"\n")
    records = Records(content.path, wanted, len(content.data))
    numbers = np.empty(len(lines), dtype=np.int64)
    for number, line in enumerate(lines, start=1):
        if not line or line.isspace():
            continue
        try:
            record = decode(line)
        except (msgspec.MsgspecError, RecursionError):
            try:
                record = decode(without_constants(line))
            except (msgspec.MsgspecError, RecursionError) as error:
                raise _broken(content, lines, number, error) from None
        if not isinstance(record, dict):
            raise FormatError(
                f"the line holds a {type(record).__name__}, and others an object.",
                where=f"{content.path}, line {number}",
                fix="One object a line is expected.",
            )
        numbers[records.height] = number
        records.add(record)
    return Table(
        columns=records.columns(),
        height=records.height,
        rows=Rows(word="line", lines=numbers[: records.height]),
        source=Source(path=content.path, sha256=content.sha256, format="jsonl"),
        nested=records.nested,
    )


def _broken(content: Content, lines: Sequence[bytes], number: int, error: Exception) -> FormatError:
    """Say what is wrong with a line, and whether the whole is JSON of another shape."""
    last = not any(line.strip() for line in lines[number:])
    if not last and not any(line.strip() for line in lines[: number - 1]):
        try:
            fields = msgspec.json.decode(content.data, type=dict[str, msgspec.Raw])
        except (msgspec.MsgspecError, RecursionError):
            pass
        else:
            shown = ", ".join(list(fields)[:8])
            return NoTableError(
                f"the file is one JSON object (with the fields {shown}), not one a row.",
                where=content.path,
                fix="Write an array of objects, or one object a line.",
            )
    reason = reason_of(error)
    cut = last and "truncated" in reason
    return FormatError(
        "the last line is cut off." if cut else f"the line is not JSON ({reason}).",
        where=f"{content.path}, line {number}",
        fix="Write the file again, or remove the line.",
    )
