"""ZIP archives written byte by byte, so that any field may be what no writer would write."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Method = Literal["stored", "deflate", "zstd", "frames"]

NUMBERS = {"stored": 0, "deflate": 8, "zstd": 93, "frames": 93}


@dataclass(frozen=True, kw_only=True)
class Packed:
    """An entry as it is written: what a field says may differ from what is true."""

    name: bytes
    data: bytes
    method: int
    size: int
    crc: int
    flags: int = 0x800
    at: int | None = None
    """Where the directory says that it begins, if not where it does."""


def packed(name: str, content: bytes, method: Method = "deflate") -> Packed:
    """Pack an entry, with Zstandard in one frame or in frames of 97 bytes."""
    if method == "deflate":
        engine = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        data = engine.compress(content) + engine.flush()
    elif method == "stored":
        data = content
    else:
        data = zstd(content, 97 if method == "frames" else len(content))
    return Packed(
        name=name.encode(),
        data=data,
        method=NUMBERS[method],
        size=len(content),
        crc=zlib.crc32(content),
    )


def zstd(content: bytes, step: int) -> bytes:
    try:
        from compression import zstd as module  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports import zstd as module
    pieces = [content[at : at + step] for at in range(0, len(content), step or 1)] or [b""]
    return b"".join(module.compress(piece) for piece in pieces)


def archive(
    path: Path, entries: Iterable[Packed], *, comment: bytes = b"", wide: bool = False
) -> Path:
    """Write an archive; `wide` uses the records for more than 4 GB or 65,535 entries."""
    entries = [*entries]
    body, directory, n = bytearray(), bytearray(), 0
    wide = wide or len(entries) > 0xFFFF
    for entry in entries:
        at = len(body) if entry.at is None else entry.at
        n += 1
        body += struct.pack(
            "<4s5H3L2H",
            b"PK\x03\x04",
            63,
            entry.flags,
            entry.method,
            0,
            33,
            entry.crc,
            len(entry.data),
            entry.size,
            len(entry.name),
            0,
        )
        body += entry.name + entry.data
        large = 0xFFFFFFFF
        extra = struct.pack("<HHQQQ", 1, 24, entry.size, len(entry.data), at) if wide else b""
        directory += struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            63,
            63,
            entry.flags,
            entry.method,
            0,
            33,
            entry.crc,
            large if wide else len(entry.data),
            large if wide else entry.size,
            len(entry.name),
            len(extra),
            0,
            0,
            0,
            0,
            large if wide else at,
        )
        directory += entry.name + extra
    start, place = len(body), len(body) + len(directory)
    end = bytearray()
    if wide:
        end += struct.pack(
            "<4sQ2H2L4Q", b"PK\x06\x06", 44, 63, 63, 0, 0, n, n, len(directory), start
        )
        end += struct.pack("<4sLQL", b"PK\x06\x07", 0, place, 1)
    end += struct.pack(
        "<4s4H2LH",
        b"PK\x05\x06",
        0,
        0,
        0xFFFF if wide else n,
        0xFFFF if wide else n,
        0xFFFFFFFF if wide else len(directory),
        0xFFFFFFFF if wide else start,
        len(comment),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(body + directory + end) + comment)
    return path
