"""A log on disk, read piece by piece with bounded memory."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TypeVar

import msgspec

from deadheat.errors import FormatError
from deadheat.evaluation import Source
from deadheat.readers.content import LARGEST_DOCUMENT, LONGEST_LINE, Content, opened
from deadheat.readers.documents import decoded
from deadheat.readers.records import without_constants
from deadheat.readers.unreadable import reason_of

T = TypeVar("T")

_OTHER_TYPE = re.compile(r"Expected `(int|float|str)[^`]*`, got `\w+` - at `\$\.([\w.]+)`")
_WORDS = {"int": "a whole number", "float": "a number", "str": "a text"}

_CHUNK = 1 << 20

_AHEAD = 4
"""Pieces of a file that may wait until they are hashed."""

_MOST_BESIDE = 2_000
"""Files in one folder that are looked through for what belongs to a log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Whole lines of a file.

    Attributes
    ----------
    first : int
        Number of the first line.
    lines : int
        How many there are, blank ones too.
    data : bytes or bytearray
        They end with a newline, except for the last one of a file.
    """

    first: int
    lines: int
    data: bytes | bytearray

    def split(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number of each line that is not blank, and its bytes."""
        for number, line in enumerate(bytes(self.data).split(b"\n"), start=self.first):
            if line and not line.isspace():
                yield number, line


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
    _digests: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def open(self) -> BinaryIO:
        """Open the file for reading, from its start.

        Raises
        ------
        InputError
            If it cannot be opened.
        """
        return opened(self.path)

    def blocks(self) -> Iterator[Block]:
        """Yield whole lines, some megabytes at a time.

        The hash of the file is taken by another thread meanwhile.

        Raises
        ------
        FormatError
            If a line is longer than 64 MB.
        """
        with self.open() as file, _Digest() as digest:
            number, rest, first = 1, b"", True
            while True:
                # What is read goes behind the line that was not whole, and is not copied again.
                data = bytearray(len(rest) + max(_CHUNK, len(rest)))
                data[: len(rest)] = rest
                with memoryview(data)[len(rest) :] as space:
                    size = file.readinto(space)  # type: ignore[attr-defined]  # buffered
                if not size:
                    break
                del data[len(rest) + size :]
                if first and data.startswith(codecs.BOM_UTF8):
                    digest.update(codecs.BOM_UTF8)
                    del data[: len(codecs.BOM_UTF8)]
                first = False
                end = data.rfind(b"\n", len(rest)) + 1
                if (data.find(b"\n", len(rest)) if end else len(data)) > LONGEST_LINE:
                    raise self._too_long(number)
                rest = bytes(memoryview(data)[end:])
                if end:
                    del data[end:]
                    digest.update(data)
                    block = Block(first=number, lines=data.count(b"\n"), data=data)
                    yield block
                    number += block.lines
            if rest:
                digest.update(rest)
                yield Block(first=number, lines=1, data=rest)
            self._digests[self.path] = digest.hexdigest()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        r"""Yield the number of each line that is not blank, from 1, and its bytes.

        Lines end with ``\n``. No more than a few megabytes are held, unless one line is longer.

        Raises
        ------
        FormatError
            If a line is longer than 64 MB.
        """
        for block in self.blocks():
            yield from block.split()

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
        decoder = msgspec.json.Decoder(shape)
        for block in self.blocks():
            yield from zip(*self.decoded(block, decoder, what), strict=True)

    def decoded(
        self, block: Block, decoder: msgspec.json.Decoder[T], what: str
    ) -> tuple[Sequence[int], list[T]]:
        """Decode the lines of a block that are not blank, all at once where that can be.

        Returns
        -------
        numbers : sequence of int
            Of the lines.
        records : list

        Raises
        ------
        FormatError
            If a line is broken, cut off or of another shape, with its number.
        """
        try:
            records = decoder.decode_lines(block.data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            records = []
        if len(records) == block.lines:
            return range(block.first, block.first + block.lines), records
        # A line is blank or holds NaN, or it is broken and has to be named.
        numbers, lines = zip(*block.split(), strict=True) if block.data.strip() else ((), ())
        open_end = 0 if block.data.endswith(b"\n") else numbers[-1]
        return numbers, [
            self._decoded_line(number, line, decoder, what, cut=number == open_end)
            for number, line in zip(numbers, lines, strict=True)
        ]

    def _decoded_line(
        self, number: int, line: bytes, decoder: msgspec.json.Decoder[T], what: str, *, cut: bool
    ) -> T:
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
        try:
            return decoder.decode(without_constants(line))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            cut = cut and not isinstance(error, msgspec.ValidationError)
            raise self.broken(number, line, error, what, cut=cut) from None

    def broken(
        self, number: int, line: bytes, error: Exception, what: str, *, cut: bool = False
    ) -> FormatError:
        """Say what is wrong with a line; `cut` where it does not end and is no JSON."""
        reason = reason_of(error)
        if "truncated" in reason or cut:
            found = "the line is cut off: the file is still being written, or was interrupted."
            fix = "Wait until it is whole, or remove the line."
        else:
            found, fix = f"the line is not {what} ({reason}).", _as_written(reason)
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
            # No more is asked for than there is: memory for it would be set aside at once.
            data = file.read(min(most, os.fstat(file.fileno()).st_size) + 1)
        if len(data) > most:
            raise FormatError(
                f"the file has more than {most >> 20:,} MB and has to be read as a whole.",
                where=self.path,
                fix="Write one record a line, which can be read piece by piece.",
            )
        self._digests[self.path] = hashlib.sha256(data).hexdigest()
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
        digest = self._digests.get(self.path) or _digest(self.path)
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
                path = folder / entry.name
                if Path(entry.name).match(pattern) and path.is_file():
                    found.append(str(path))
        return sorted(found)

    def folder(self, up: int = 1) -> str:
        """Return the name of the folder that the file lies in, or of one further up."""
        parents = Path(os.path.abspath(self.path)).parents
        return parents[min(up, len(parents)) - 1].name

    def _too_long(self, number: int) -> FormatError:
        return FormatError(
            f"the line is longer than {LONGEST_LINE >> 20} MB.",
            where=f"{self.path}, line {number}",
            fix="One record a line is expected; check how the file was written.",
        )


def _as_written(reason: str) -> str:
    """Say how a field has to be written that another program wrote as another type."""
    found = _OTHER_TYPE.search(reason)
    if found is None:
        return "Check how the file was written."
    return f"Write {found[2]} as {_WORDS[found[1]]}, as the tool does."


class _Digest:
    """SHA-256 of what is read, taken by a thread of its own while it is decoded."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._pending: deque[Future[None]] = deque()

    def __enter__(self) -> _Digest:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.shutdown()

    def update(self, data: bytes | bytearray) -> None:
        """Add what must not change any more; few are waited for, so that memory is bounded."""
        if len(self._pending) == _AHEAD:
            self._pending.popleft().result()
        self._pending.append(self._thread.submit(self._digest.update, data))

    def hexdigest(self) -> str:
        """Return the digest of all that was added."""
        while self._pending:
            self._pending.popleft().result()
        return self._digest.hexdigest()


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with opened(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
