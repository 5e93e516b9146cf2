"""ZIP archives: entries are read one by one, in bounded memory, and never written anywhere."""

from __future__ import annotations

import os
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from deadheat.errors import FormatError, InputError

SIGNATURE = b"PK\x03\x04"
"""First bytes of an archive: those of the header of its first entry."""

MOST_ENTRIES = 1_000_000
"""Entries that an archive may have."""

LARGEST_DIRECTORY = 256 << 20
"""Bytes that the directory of an archive may take."""

GROWTH = 250
"""How many times its own size all that is read of an archive may take up unpacked."""

LEAST_ALLOWED = 64 << 20
"""Bytes that may be unpacked of any archive, however small it is."""

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
# PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16.

_LONGEST_COMMENT = 0xFFFF
_RAW = 1 << 16
_CHUNK = 1 << 20

_MOST_FRAMES = 4_096
"""Frames of one entry: writers put hundreds of megabytes into each."""

_METHODS = {1: "shrunk", 6: "imploded", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 95: "xz"}


class Entry(NamedTuple):
    """What the directory says of an entry.

    Attributes
    ----------
    name : bytes
        As the archive has it.
    offset : int
        Where its own header begins.
    limit : int
        Where something else begins.
    stored, size : int
        Bytes as stored, and unpacked.
    method, flags, crc : int
    """

    name: bytes
    offset: int
    limit: int
    stored: int
    size: int
    method: int
    flags: int
    crc: int


class Archive:
    """The directory of a ZIP archive, and what its entries hold.

    Names of entries are keys and nothing else. Where several entries have one name the last one
    counts, as with everything that reads ZIP archives.

    Parameters
    ----------
    file : binary file
        That can be sought; it stays open as long as entries are read.
    path : str
        For messages.

    Attributes
    ----------
    entries : dict of str to Entry
        In the order of the directory.
    replaced : list of str
        Names of entries that a later one of the same name replaces.

    Raises
    ------
    FormatError
        If the directory is missing or damaged, or entries lie over each other.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        self.path = path
        self._file = file
        size = os.fstat(file.fileno()).st_size
        self._left = max(LEAST_ALLOWED, GROWTH * size)
        self.entries: dict[str, Entry] = {}
        self.replaced: list[str] = []
        for name, entry in self._directory(size):
            if self.entries.pop(name, None) is not None:
                self.replaced.append(name)
            self.entries[name] = entry

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield what an entry holds, a megabyte or less at a time.

        Raises
        ------
        FormatError
            If it is encrypted, packed in a way that is not known, damaged, lies over another
            entry or unpacks to more than it says or than an archive of this size may hold.
        """
        entry = self.entries[name]
        where = f"{self.path}, entry {name!r}"
        if entry.flags & 1:
            raise FormatError(
                "the entry is encrypted.", where=where, fix="Write the archive again without."
            )
        if entry.size > self._left:
            raise self._too_much(where)
        start = self._start(entry, where)
        pieces = self._raw(start, entry.stored)
        size = crc = 0
        try:
            for part in _unpacked(pieces, entry.method, where):
                size += len(part)
                self._left -= len(part)
                if size > entry.size:
                    raise _damaged(where, f"it holds more than the {entry.size:,} bytes it states")
                if self._left < 0:
                    raise self._too_much(where)
                crc = zlib.crc32(part, crc)
                yield part
        except (zlib.error, EOFError, _zstd_error()) as error:
            raise _damaged(where, str(error)) from None
        if size != entry.size or crc != entry.crc:
            raise _damaged(where, "its size or its checksum is not what the directory says")

    def data(self, name: str, most: int) -> bytes:
        """Return all that an entry holds.

        Raises
        ------
        FormatError
            As `chunks`, and if there are more than `most` bytes.
        """
        if self.entries[name].size > most:
            raise FormatError(
                f"the entry unpacks to {self.entries[name].size >> 20:,} MB, more than the "
                f"{most >> 20:,} MB that are read of one entry.",
                where=f"{self.path}, entry {name!r}",
                fix="Write the archive again with smaller entries.",
            )
        return b"".join(self.chunks(name))

    def _directory(self, size: int) -> Iterator[tuple[str, Entry]]:
        """Read the directory at the end of the file."""
        number, length, offset = self._end(size)
        if number > MOST_ENTRIES or length > LARGEST_DIRECTORY:
            raise FormatError(
                f"the archive says that it has {number:,} entries; {MOST_ENTRIES:,} are read.",
                where=self.path,
                fix="Split it.",
            )
        self._file.seek(offset)
        data = self._file.read(length)
        at, found = 0, []
        for _ in range(number):
            try:
                sign, _, _, flags, method, _, _, crc, stored, full, named, extra, comment, *rest = (
                    _CENTRAL.unpack_from(data, at)
                )
            except struct.error:
                raise _damaged(self.path, "its directory ends too early") from None
            if sign != b"PK\x01\x02":
                raise _damaged(self.path, "its directory is not one")
            at += _CENTRAL.size
            name, more = data[at : at + named], data[at + named : at + named + extra]
            full, stored, begin = self._wide(more, full, stored, rest[-1])
            found.append(Entry(name, begin, 0, stored, full, method, flags, crc))
            at += named + extra + comment
        if at != length:
            raise _damaged(self.path, "its directory is not as long as it says")
        limits = self._limits(found, offset)
        for entry, limit in zip(found, limits, strict=True):
            text = entry.name.decode("utf-8" if entry.flags & 0x800 else "cp437", "replace")
            yield text, entry._replace(limit=limit)

    def _end(self, size: int) -> tuple[int, int, int]:
        """Return the number of entries, and the length and place of the directory."""
        tail_size = min(size, _END.size + _LONGEST_COMMENT)
        self._file.seek(size - tail_size)
        tail = self._file.read(tail_size)
        at = tail.rfind(b"PK\x05\x06")
        while at >= 0 and (
            len(tail) - at < _END.size
            or _END.unpack_from(tail, at)[-1] != len(tail) - at - _END.size
        ):
            at = tail.rfind(b"PK\x05\x06", 0, at)
        if at < 0:
            raise FormatError(
                "the archive has no directory at its end: it is cut off, or still being written.",
                where=self.path,
                fix="Wait until it is whole, or copy it again.",
            )
        _, disk, first_disk, here, number, length, offset, _ = _END.unpack_from(tail, at)
        place = size - tail_size + at
        if 0xFFFF in (here, number) or 0xFFFFFFFF in (length, offset):
            disk, first_disk, here, number, length, offset, place = self._end64(
                place, (disk, first_disk, here, number, length, offset)
            )
        if disk or first_disk or here != number:
            raise _damaged(self.path, "it is one part of several")
        if offset + length != place:
            raise _damaged(self.path, "its directory is not where it says")
        return number, length, offset

    def _end64(self, place: int, end: tuple[int, ...]) -> tuple[int, ...]:
        """Return what the record of large archives says, if there is one."""
        self._file.seek(max(place - _LOCATOR.size, 0))
        locator = self._file.read(_LOCATOR.size)
        if len(locator) < _LOCATOR.size or not locator.startswith(b"PK\x06\x07"):
            return *end, place
        _, _, at, _ = _LOCATOR.unpack(locator)
        if at > place:
            raise _damaged(self.path, "its directory is not where it says")
        self._file.seek(at)
        record = self._file.read(_END64.size)
        if len(record) < _END64.size or not record.startswith(b"PK\x06\x06"):
            raise _damaged(self.path, "its directory is not where it says")
        _, _, _, _, *wide = _END64.unpack(record)
        return *wide, at

    def _wide(self, extra: bytes, full: int, stored: int, offset: int) -> tuple[int, int, int]:
        """Return sizes and place, from the extra field where they are too large for 32 bits."""
        values = [full, stored, offset]
        large = [at for at, value in enumerate(values) if value == 0xFFFFFFFF]
        while large and len(extra) >= 4:
            kind, length = struct.unpack_from("<HH", extra)
            if kind == 1 and length >= 8 * len(large) and len(extra) >= 4 + length:
                for at, value in zip(
                    large, struct.unpack_from(f"<{len(large)}Q", extra, 4), strict=True
                ):
                    values[at] = value
                break
            extra = extra[4 + length :]
        return values[0], values[1], values[2]

    def _limits(self, entries: list[Entry], end: int) -> list[int]:
        """Return where something else begins behind each entry; entries must not overlap."""
        limits = [end] * len(entries)
        limit = end
        for at in sorted(range(len(entries)), key=lambda at: entries[at].offset, reverse=True):
            entry = entries[at]
            if entry.offset + _LOCAL.size + len(entry.name) + entry.stored > limit:
                raise _damaged(self.path, "its entries lie over each other")
            limits[at], limit = limit, entry.offset
        return limits

    def _start(self, entry: Entry, where: str) -> int:
        """Return where the packed bytes of an entry begin."""
        self._file.seek(entry.offset)
        header = self._file.read(_LOCAL.size + len(entry.name))
        if len(header) < _LOCAL.size + len(entry.name):
            raise _damaged(where, "it is not where the directory says")
        sign, *_, named, extra = _LOCAL.unpack_from(header)
        start = entry.offset + _LOCAL.size + int(named) + int(extra)
        if sign != SIGNATURE or header[_LOCAL.size :] != entry.name or named != len(entry.name):
            raise _damaged(where, "it is not where the directory says")
        if start + entry.stored > entry.limit:
            raise _damaged(where, "it lies over another entry")
        return start

    def _raw(self, start: int, length: int) -> Iterator[bytes]:
        while length:
            self._file.seek(start)
            piece = self._file.read(min(length, _RAW))
            if not piece:
                return
            yield piece
            start, length = start + len(piece), length - len(piece)

    def _too_much(self, where: str) -> FormatError:
        return FormatError(
            f"the archive unpacks to more than {GROWTH} times its size, as archives do that are "
            "made to fill a memory.",
            where=where,
            fix="Check where it comes from.",
        )


def _unpacked(pieces: Iterable[bytes], method: int, where: str) -> Iterator[bytes]:
    if method == 0:
        return iter(pieces)
    if method == 8:
        return _inflated(pieces)
    if method == 93:
        return _unzstd(pieces, where)
    raise FormatError(
        f"the entry is packed in a way that is not read ({_METHODS.get(method, method)}).",
        where=where,
        fix="Stored, deflated and Zstandard entries are read.",
    )


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    for piece in pieces:
        while piece:
            if part := engine.decompress(piece, _CHUNK):
                yield part
            piece = engine.unconsumed_tail
    while not engine.eof:
        part = engine.decompress(b"", _CHUNK)
        if not part:
            raise EOFError("it is cut off")
        yield part


def _unzstd(pieces: Iterable[bytes], where: str) -> Iterator[bytes]:
    """Unpack frames of Zstandard (RFC 8878) that follow one another."""
    zstd = _zstd()
    if zstd is None:
        raise InputError(
            "the entry is packed with Zstandard, which this Python does not know.",
            where=where,
            fix="Install it: python -m pip install backports.zstd",
        )
    # A frame may not ask for more memory than 128 MB, the bound of the library itself.
    engine, begun, frames = zstd.ZstdDecompressor(), False, 0
    for piece in pieces:
        data: bytes = piece
        while True:
            begun |= bool(data)
            if part := engine.decompress(data, _CHUNK):
                yield part
            data = b""
            if engine.eof:
                data = engine.unused_data
                engine, begun, frames = zstd.ZstdDecompressor(), False, frames + 1
                if frames > _MOST_FRAMES:
                    raise EOFError(f"it has more than {_MOST_FRAMES:,} frames")
            if not data and engine.needs_input:
                break
    if begun:
        raise EOFError("it is cut off")


def _zstd() -> Any:
    """Return the module for Zstandard; None where it is missing."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        return None
    return zstd


def _zstd_error() -> type[Exception]:
    zstd = _zstd()
    return EOFError if zstd is None else zstd.ZstdError


def _damaged(where: str, why: str) -> FormatError:
    return FormatError(
        f"the archive is damaged: {why.rstrip('.')}.", where=where, fix="Copy it again."
    )
