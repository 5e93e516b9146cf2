"""The texts of a training file, which may be larger than memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

import msgspec

from deadheat.benchmark.texts import TEXT, Column, as_texts, given_texts, text_column
from deadheat.errors import FormatError, InputError
from deadheat.readers import frames, json_lines
from deadheat.readers import texts as text_lines
from deadheat.readers.cells import labels_or_lists
from deadheat.readers.columns import normal, sought
from deadheat.readers.content import LONGEST_LINE, first_bytes, opened
from deadheat.readers.formats import read_table
from deadheat.readers.table import Table

_CHUNK = 4 << 20
_BATCH = 2_000
"""Texts that are looked at together."""


@dataclass(slots=True, kw_only=True)
class Training:
    """The texts of a training file, a batch at a time.

    Attributes
    ----------
    source : path, data frame or sequence of str
    column : str, int or None
    sha256 : str
        Of the file, once all batches were taken; empty for data in memory.
    """

    source: Any
    column: Column | None
    sha256: str = field(default="", init=False)

    def batches(self) -> Iterator[list[str]]:
        """Yield the texts. Lines and JSON lines are read as they come, however many there are.

        Raises
        ------
        InputError
            If the file cannot be read.
        """
        if not isinstance(self.source, (str, PathLike)):
            yield from self._in_memory()
            return
        path = fspath(self.source)
        with opened(path) as file:
            head = first_bytes(file, path)
            text = head.removeprefix(b"\xef\xbb\xbf")
            wanted = [] if self.column is None else sought([self.column])
            objects = json_lines.recognises(path, text) and b"\n" in text.strip()
            plain = not objects and text_lines.recognises(path, text, wanted)
            if objects or (plain and self.column is None):
                digest = hashlib.sha256()
                file.seek(0)
                lines = _lines(file, path, digest)
                yield from _batched(self._objects(lines, path) if objects else lines)
                self.sha256 = digest.hexdigest()
                return
        table = read_table(path, wanted, empty_texts=True)
        self.sha256 = table.source.sha256
        yield from self._of_table(table)

    def _in_memory(self) -> Iterator[list[str]]:
        if frames.recognises(self.source):
            yield from self._of_table(
                frames.read(self.source, [] if self.column is None else [self.column])
            )
        else:
            yield from _batched(iter(as_texts(given_texts(self.source, "--training"))))

    def _of_table(self, table: Table) -> Iterator[list[str]]:
        column = text_column(table, self.column, None, "--training-column")
        values = labels_or_lists(table, column)
        for start in range(0, len(values), _BATCH):
            yield as_texts(values[start : start + _BATCH])

    def _objects(self, lines: Iterator[str], path: str) -> Iterator[str]:
        """Take the texts out of JSON lines."""
        column, found, number = self.column, False, 0
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = msgspec.json.decode(line)
            except (msgspec.MsgspecError, RecursionError) as error:
                raise FormatError(
                    f"this is no JSON: {error}.",
                    where=f"{path}, line {number}",
                    fix="One object a line is expected.",
                ) from None
            if not isinstance(record, dict):
                raise FormatError(
                    f"the line holds a {type(record).__name__}, and others an object.",
                    where=f"{path}, line {number}",
                    fix="One object a line is expected.",
                )
            if column is None:
                column = _field(record, path)
            value = _inside(record, str(column))
            if value is not None:
                found = True
                yield value if isinstance(value, str) else msgspec.json.encode(value).decode()
        if not found:
            raise InputError(
                f"no object has a field {column!r} (--training-column)."
                if number and column is not None
                else "there is no object in the file.",
                where=path,
                fix="Name the field that holds the texts; fields inside fields with dots.",
            )


def _field(record: dict[str, Any], path: str) -> str:
    texts = [name for name, value in record.items() if isinstance(value, str)]
    fitting = texts if len(texts) == 1 else [name for name in texts if normal(name) in TEXT]
    if len(fitting) == 1:
        return fitting[0]
    raise InputError(
        "it is not clear which field holds the texts; the fields are "
        f"{', '.join(map(repr, list(record)[:12]))}.",
        where=path,
        fix="Name it with --training-column.",
    )


def _inside(record: Any, column: str) -> Any:
    """Return a field, dotted inside nested objects."""
    if isinstance(record, dict) and column in record:
        return record[column]
    outer, dot, inner = column.partition(".")
    if dot and isinstance(record, dict) and outer in record:
        return _inside(record[outer], inner)
    return None


def _lines(file: Any, path: str, digest: Any) -> Iterator[str]:
    """Yield the lines of a file without ever holding more than a part of it."""
    left, number, first = b"", 0, True
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
        if first:
            chunk, first = chunk.removeprefix(b"\xef\xbb\xbf"), False
        *whole, left = (left + chunk).split(b"\n")
        if len(left) > LONGEST_LINE:
            raise FormatError(
                f"one line is longer than {LONGEST_LINE >> 20} MB.",
                where=path,
                fix="One text a line is expected; check how the file was written.",
            )
        for line in whole:
            number += 1
            yield _decoded(line, path, number)
    if left:
        yield _decoded(left, path, number + 1)


def _decoded(line: bytes, path: str, number: int) -> str:
    if b"\0" in line:
        raise FormatError(
            "the file is binary (a zero byte).",
            where=f"{path}, line {number}",
            fix="CSV, TSV, JSON, JSON lines, Parquet and one text a line are read.",
        )
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte 0x{line[error.start]:02x} is not UTF-8 (Latin-1 or Windows-1252, perhaps).",
            where=f"{path}, line {number}",
            fix="Save it as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8.",
        ) from None


def _batched(texts: Iterator[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if len(batch) == _BATCH or size > _CHUNK:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
