"""A log on disk, read piece by piece with bounded memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from deadheat.errors import FormatError
from deadheat.evaluation import Source
from deadheat.readers.content import LARGEST_DOCUMENT, LONGEST_LINE, Content, opened
from deadheat.readers.documents import decoded
from deadheat.readers.records import without_constants

T = TypeVar("T")

_CHUNK = 4 << 20

_MOST_BESIDE = 2_000
"""Files in one folder that are looked through for what belongs to a log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A file that a tool wrote.

    Attributes
    ----------
    path : str
        As the user gave it.
    head : bytes
        Its first bytes, without a byte order mark.
    """

    path: str
    head: bytes

    def open(self) -> BinaryIO:
        """Open the file for reading, from its start.

        Raises
        ------
        InputError
            If it cannot be opened.
        """
        return opened(self.path)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        r"""Yield the number of each line that is not blank, from 1, and its bytes.

        Lines end with ``\n``. No more than a few megabytes are held, unless one line is longer.

        Raises
        ------
        FormatError
            If a line is longer than 64 MB.
        """
        with self.open() as file:
            number, rest = 1, b""
            first = True
            while chunk := file.read(_CHUNK):
                if first:
                    chunk, first = chunk.removeprefix(b"\xef\xbb\xbf"), False
                *whole, rest_of_chunk = chunk.split(b"\n")
                if not whole:
                    rest += rest_of_chunk
                    self._check_length(rest, number)
                    continue
                whole[0] = rest + whole[0]
                rest = rest_of_chunk
                for line in whole:
                    if line and not line.isspace():
                        self._check_length(line, number)
                        yield number, line
                    number += 1
            if rest and not rest.isspace():
                yield number, rest

    def records(self, shape: type[T], what: str) -> Iterator[tuple[int, T]]:
        """Yield the number of each line and what it holds, decoded strictly.

        Fields that `shape` does not name are skipped without being decoded; bare NaN and Infinity
        are null.

        Parameters
        ----------
        shape : type
            For msgspec.
        what : str
            What a line is, for messages, such as "a sample of lm-evaluation-harness".

        Raises
        ------
        FormatError
            If a line is broken, cut off or of another shape, with its number.
        """
        decode = msgspec.json.Decoder(shape).decode
        for number, line in self.lines():
            try:
                record = decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                try:
                    record = decode(without_constants(line))
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    raise self.broken(number, line, error, what) from None
            yield number, record

    def broken(self, number: int, line: bytes, error: Exception, what: str) -> FormatError:
        """Say what is wrong with a line."""
        reason = str(error).rstrip(".") or "nested too deeply"
        if "truncated" in reason:
            found = "the line is cut off: the file is still being written, or was interrupted."
            fix = "Wait until it is whole, or remove the line."
        else:
            found, fix = f"the line is not {what} ({reason}).", "Check how the file was written."
        return FormatError(found, where=f"{self.path}, line {number}", fix=fix)

    def document(self, shape: type[T], what: str) -> T:
        """Decode the whole file as one JSON document.

        Raises
        ------
        FormatError
            If it is larger than 1 GB, broken or of another shape.
        """
        return decoded(Content(path=self.path, data=self.data(), sha256=""), shape, what)

    def data(self, most: int = LARGEST_DOCUMENT) -> bytes:
        """Return all bytes of the file, without a byte order mark.

        Raises
        ------
        FormatError
            If there are more than `most`.
        """
        with self.open() as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise FormatError(
                f"the file has more than {most >> 20:,} MB and has to be read as a whole.",
                where=self.path,
                fix="Write one record a line, which can be read piece by piece.",
            )
        return data.removeprefix(b"\xef\xbb\xbf")

    def source(self, tool: str, *others: str) -> Source:
        """Return where the rows came from, with the hash of the file.

        Parameters
        ----------
        tool : str
            Name of the reader.
        *others : str
            Paths of further files that were read with it.
        """
        digest = _digest(self.path)
        if not others:
            return Source(path=self.path, sha256=digest, format=tool)
        parts = [Source(path=self.path, sha256=digest, format=tool)]
        parts.extend(Source(path=o, sha256=_digest(o), format=tool) for o in others)
        return Source(path=self.path, sha256="", format=tool, parts=tuple(parts))

    def beside(self, pattern: str) -> list[str]:
        """Return the paths of files in the same folder whose names match a glob, sorted."""
        folder = Path(self.path).parent
        found = []
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= _MOST_BESIDE:
                    break
                if entry.is_file() and Path(entry.name).match(pattern):
                    found.append(str(folder / entry.name))
        return sorted(found)

    def folder(self, up: int = 1) -> str:
        """Return the name of the folder that the file lies in, or of one further up."""
        parents = Path(os.path.abspath(self.path)).parents
        return parents[min(up, len(parents)) - 1].name

    def _check_length(self, line: bytes, number: int) -> None:
        if len(line) > LONGEST_LINE:
            raise FormatError(
                f"the line is longer than {LONGEST_LINE >> 20} MB.",
                where=f"{self.path}, line {number}",
                fix="One record a line is expected; check how the file was written.",
            )


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with opened(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
