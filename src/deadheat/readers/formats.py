"""Choose the format of a file by its content."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO, Protocol

from deadheat.errors import FormatError
from deadheat.readers import (
    conll,
    delimited,
    explainaboard,
    json_array,
    json_lines,
    lines,
    parquet,
    swebench,
    terminal_bench,
    texts,
)
from deadheat.readers.content import HEAD, Content, first_bytes, opened, whole
from deadheat.readers.logs import Log, log_of
from deadheat.readers.table import Table


class Format(Protocol):
    """What a module for one format offers."""

    @property
    def BY_LINES(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the file is read line by line, so that a line has a bounded length."""

    def recognises(self, path: str, head: bytes) -> bool:
        """Whether the first bytes of a file, without byte order mark, are of this format."""

    def read(self, content: Content, wanted: Sequence[str | int]) -> Table:
        """Read a file in which the columns `wanted` were asked for."""


_FORMATS: tuple[Format, ...] = (
    parquet,
    conll,
    swebench,
    terminal_bench,
    explainaboard,
    json_array,
    json_lines,
    delimited,
    lines,
)
"""In the order in which they are asked: the surest marks first, plain lines last."""


def read_table(path: str, wanted: Sequence[str | int], *, empty_texts: bool = False) -> Table:
    """Read a file as a table.

    Parameters
    ----------
    path : str
        Of the file.
    wanted : sequence of (str or int)
        Columns that were asked for.
    empty_texts : bool
        Whether what is empty among outputs and references is a text. Then lines are texts unless
        something says that they are more, see `texts.recognises`.

    Raises
    ------
    InputError
        If the file cannot be opened.
    FormatError
        If its content is not a table in one of the formats.
    """
    with opened(path) as file:
        if (log := _log(file, path, wanted)) is not None:
            return log
        head = first_bytes(file, path)
        text = head.removeprefix(b"\xef\xbb\xbf")
        chosen = next(kind for kind in _FORMATS if kind.recognises(path, text))
        as_texts = empty_texts and texts.recognises(path, text, wanted)
        content = whole(file, head, path, by_lines=as_texts or chosen.BY_LINES)
    table = texts.read(content, wanted) if as_texts else chosen.read(content, wanted)
    return replace(table, empty_texts=empty_texts)


def is_log(path: str) -> bool:
    """Whether a file is the log of a tool, by its first bytes."""
    with opened(path) as file:
        head = file.read(HEAD) if file.seekable() else b""
    return log_of(path, head.removeprefix(b"\xef\xbb\xbf")) is not None


def _log(file: BinaryIO, path: str, wanted: Sequence[str | int]) -> Table | None:
    """Read the log of a tool; None where no tool is known to write such a file."""
    if not file.seekable():
        return None
    try:
        head = file.read(HEAD)
        file.seek(0)
    except OSError:
        return None
    head = head.removeprefix(b"\xef\xbb\xbf")
    found = log_of(path, head)
    if found is None:
        return None
    _, reader = found
    before = os.fstat(file.fileno())
    table: Table = reader.read(Log(path=path, head=head), wanted)
    after = os.stat(path)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise FormatError(
            "the file changed while it was read: it is still being written.",
            where=path,
            fix="Wait until it is whole.",
        )
    return table
