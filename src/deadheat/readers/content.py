"""The bytes of a file: read once, hashed, and refused early where they cannot be a table."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from deadheat.errors import FormatError, InputError, known
from deadheat.readers.unreadable import NoTableError

HEAD = 1 << 20
"""Bytes at the start of a file by which its format is recognised."""

LONGEST_LINE = 64 << 20
"""Bytes in one line of a file that is read by lines."""

LARGEST_DOCUMENT = 1 << 30
"""Bytes in a file that has to be parsed as a whole."""

_CHUNK = 4 << 20

_SIGNATURES = (
    (b"\x1f\x8b", "is compressed with gzip", "Unpack it first, for example with gunzip."),
    (b"BZh", "is compressed with bzip2", "Unpack it first, for example with bunzip2."),
    (b"\xfd7zXZ\x00", "is compressed with xz", "Unpack it first, for example with unxz."),
    (b"\x28\xb5\x2f\xfd", "is compressed with Zstandard", "Unpack it first with unzstd."),
    (
        b"PK\x03\x04",
        "is a ZIP archive (spreadsheets are ZIP archives too)",
        "Unpack it, or save the sheet as CSV.",
    ),
    (
        b"version https://git-lfs",
        "is a Git LFS pointer, not the data that it points to",
        "Run git lfs pull in that checkout.",
    ),
    (
        b"/annex/objects/",
        "is a git-annex pointer, not the data that it points to",
        "Run git annex get in that checkout.",
    ),
    (b"<!DOCTYPE", "is a web page", "Download the file itself."),
    (b"<!doctype", "is a web page", "Download the file itself."),
    (b"<html", "is a web page", "Download the file itself."),
)

_WIDE_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A file in memory.

    Attributes
    ----------
    path : str
        As the user gave it.
    data : bytes
        Without a UTF-8 byte order mark.
    sha256 : str
        Of the file as it is on disk.
    """

    path: str
    data: bytes
    sha256: str


def _without_waiting(path: str, flags: int) -> int:
    """Open a pipe that nobody writes to as an empty file instead of waiting for a writer."""
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "set_blocking"):
        os.set_blocking(handle, True)
    return handle


def opened(path: str) -> BinaryIO:
    """Open a file for reading.

    Raises
    ------
    InputError
        If there is no such file, it is a folder or it may not be read.
    """
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            raise InputError(
                "this is a folder, not a file.", where=path, fix="Name the files that lie in it."
            )
        return open(path, "rb", opener=_without_waiting)
    except FileNotFoundError:
        folder = Path(path).parent
        near = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
        fix = known(near, Path(path).name).partition(" Known:")[0] if near else ""
        raise InputError(
            "there is no such file.",
            where=path,
            fix=fix if fix.startswith("Did you mean") else "Check the path.",
        ) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(
            f"this cannot be opened: {reason.lower()}.", where=path, fix="Check the path."
        ) from None


def first_bytes(file: BinaryIO, path: str) -> bytes:
    """Read the head of a file, and refuse what cannot be a table by its first bytes.

    Raises
    ------
    FormatError
        If the file is empty, compressed, a pointer, a web page, binary or not in UTF-8.
    """
    try:
        head = file.read(HEAD)
    except OSError as error:
        raise InputError(f"this cannot be read: {error}.", where=path) from None
    if not head.strip(b" \t\r\n\xef\xbb\xbf"):
        what = "0 bytes" if not head else "nothing but white space"
        raise NoTableError(
            f"the file is empty ({what}).", where=path, fix="Check how it was written."
        )
    called_eval = path.casefold().endswith(".eval")
    if called_eval and head.startswith(b"PK\x03\x04"):
        raise _no_log(path, "is a ZIP archive")
    for signature, what, fix in _SIGNATURES:
        if head.startswith(signature):
            pointer = signature.startswith((b"version", b"/annex"))
            kind = FormatError if pointer else NoTableError
            raise kind(f"the file {what}.", where=path, fix=fix)
    for mark, encoding in _WIDE_ENCODINGS:
        if head.startswith(mark):
            raise _not_utf8(path, f"the file is in {encoding}", encoding)
    if head.startswith(b"PAR1"):
        return head
    zeros = head.count(0)
    if zeros and called_eval:
        raise _no_log(path, "is binary")
    if zeros:
        if zeros * 5 > len(head) * 2 and zeros * 5 < len(head) * 3:
            raise _not_utf8(path, "every other byte is zero: the file is in UTF-16", "UTF-16")
        raise _binary(path, head.find(0))
    return head


def whole(file: BinaryIO, head: bytes, path: str, *, by_lines: bool) -> Content:
    """Read what follows the head, never holding a file that will be refused.

    Raises
    ------
    FormatError
        If one line is longer than 64 MB, or a file that is parsed as a whole than 1 GB.
    """
    digest = hashlib.sha256(head)
    chunks = [head]
    size = len(head)
    line_start = head.rfind(b"\n") + 1
    while chunk := file.read(_CHUNK):
        first = chunk.find(b"\n")
        reaches = size + (len(chunk) if first < 0 else first)
        if by_lines and reaches - line_start > LONGEST_LINE:
            raise FormatError(
                f"one line is longer than {LONGEST_LINE >> 20} MB (from byte {line_start:,}).",
                where=path,
                fix="One item a line is expected; check how the file was written.",
            )
        if first >= 0:
            line_start = size + chunk.rfind(b"\n") + 1
        size += len(chunk)
        if not by_lines and size > LARGEST_DOCUMENT:
            raise FormatError(
                f"the file is one JSON document of more than {LARGEST_DOCUMENT >> 30} GB.",
                where=path,
                fix="Write one object a line (JSON lines), which can be read piece by piece.",
            )
        digest.update(chunk)
        chunks.append(chunk)
    data = b"".join(chunks) if len(chunks) > 1 else head
    return Content(path=path, data=data.removeprefix(codecs.BOM_UTF8), sha256=digest.hexdigest())


def check_text(content: Content) -> None:
    """Refuse bytes that are not UTF-8 text.

    Raises
    ------
    FormatError
        With the line and the byte.
    """
    zero = content.data.find(0)
    if zero >= 0:
        raise _binary(content.path, zero)
    if content.data.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(content.data), _CHUNK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(
                content.data[start : start + _CHUNK], start + _CHUNK >= len(content.data)
            )
        except UnicodeDecodeError as error:
            at = start - pending + error.start
            line = content.data.count(b"\n", 0, at) + 1
            raise _not_utf8(
                content.path,
                f"line {line} holds byte 0x{content.data[at]:02x}, which is not UTF-8 "
                "(Latin-1 or Windows-1252, perhaps)",
                "WINDOWS-1252",
            ) from None


def _no_log(path: str, what: str) -> NoTableError:
    return NoTableError(
        f"the file {what}, is called .eval and holds none of the entries of a log of Inspect AI, "
        "such as header.json: it is damaged, or of another tool.",
        where=path,
        fix="Copy it again.",
    )


def _binary(path: str, at: int) -> FormatError:
    return NoTableError(
        f"the file is binary (a zero byte at position {at:,}).",
        where=path,
        fix="CSV, TSV, JSON, JSON lines, Parquet and one label a line are read.",
    )


def _not_utf8(path: str, found: str, encoding: str) -> FormatError:
    return FormatError(
        f"{found}.",
        where=path,
        fix=f"Save it as UTF-8, for example with iconv -f {encoding} -t UTF-8.",
    )
