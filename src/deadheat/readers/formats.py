"""Choose the format of a file by its content."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.readers import delimited, json_array, json_lines, lines, parquet
from deadheat.readers.content import first_bytes, opened, whole
from deadheat.readers.table import Table

_FORMATS = (parquet, json_array, json_lines, delimited, lines)
"""In the order in which they are asked: the surest marks first, plain lines last."""


def read_table(path: str, wanted: Sequence[str | int]) -> Table:
    """Read a file as a table.

    Parameters
    ----------
    path : str
        Of the file.
    wanted : sequence of (str or int)
        Columns that were asked for.

    Raises
    ------
    InputError
        If the file cannot be opened.
    FormatError
        If its content is not a table in one of the formats.
    """
    with opened(path) as file:
        head = first_bytes(file, path)
        text = head.removeprefix(b"\xef\xbb\xbf")
        chosen = next(kind for kind in _FORMATS if kind.recognises(path, text))
        content = whole(file, head, path, by_lines=chosen.BY_LINES)
    return chosen.read(content, wanted)
