"""Multipart forms, streamed to files as they come in, within limits."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.datastructures import Headers

from deadheat.web.bodies import Body
from deadheat.web.errors import RefusalError
from deadheat.web.filenames import Folder, cleaned
from deadheat.web.limits import MB, Limits

SMALL = MB
"""Bytes of a part that is no data."""

ROOM = 64 << 20
"""Bytes that stay free on the disk."""

FIELDS = ("options", "names", "counts", "text")

TEXT = ".pasted"
"""Where a pasted table is stored; no file that is sent can have this name."""


@dataclass(slots=True, kw_only=True)
class Upload:
    """What one request sent.

    Attributes
    ----------
    fields : dict of str to str
        Small parts, by name.
    files : list of (str, str)
        Of each file the name as it was sent, and the one under which it is stored.
    pasted : bool
        Whether a table was pasted.
    """

    fields: dict[str, str] = field(default_factory=dict)
    files: list[tuple[str, str]] = field(default_factory=list)
    pasted: bool = False


async def received(headers: Headers, body: Body, folder: Path, limits: Limits) -> Upload:
    """Store what a request sends in a folder.

    Raises
    ------
    RefusalError
        If it is no form, is larger than the limits, or does not arrive.
    """
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > limits.upload:
        raise _too_large(limits)
    kind, parameters = parse_options_header(headers.get("content-type", ""))
    boundary = parameters.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise RefusalError(415, "the request is no multipart form.", "Send multipart/form-data.")
    form = _Form(folder, limits)
    try:
        room = shutil.disk_usage(folder).free - ROOM
        parser = MultipartParser(boundary, form.callbacks())  # type: ignore[arg-type]
        size = 0
        while (chunk := await body.piece()) is not None:
            size += len(chunk)
            if size > limits.upload:
                raise _too_large(limits)
            if size > room:
                raise RefusalError(507, "the disk is full.", "Free some space and try again.")
            parser.write(chunk)
        parser.finalize()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RefusalError(507, f"it cannot be stored: {reason}.", "Free some space.") from None
    except FormParserError:
        raise RefusalError(400, "the form is malformed or cut off.", "Send it again.") from None
    finally:
        form.close()
    if not form.ended:
        raise RefusalError(400, "the form is malformed or cut off.", "Send it again.")
    return form.upload


def _too_large(limits: Limits) -> RefusalError:
    return RefusalError(
        413,
        f"this is more than the {limits.upload / MB:,.0f} MB that the page takes at once.",
        "Start the page with a larger --max-upload, or use the command line, which has no limit.",
    )


class _Form:
    """Parts as the parser tells of them."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.upload = Upload()
        self.ended = False
        self._folder = folder
        self._limits = limits
        self._names = Folder()
        self._parts = 0
        self._header: tuple[bytearray, bytearray] = (bytearray(), bytearray())
        self._disposition = b""
        self._name = ""
        self._small = bytearray()
        self._file: IO[bytes] | None = None

    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, a, b: self._header[0].extend(data[a:b]),
            "on_header_value": lambda data, a, b: self._header[1].extend(data[a:b]),
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_end,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._all,
        }

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > self._limits.files + len(FIELDS):
            raise RefusalError(
                413,
                f"there are more than {self._limits.files:,} files.",
                "Drop fewer, or use the command line, which has no limit.",
            )
        self._disposition, self._name, self._small = b"", "", bytearray()

    def _header_end(self) -> None:
        name, value = (bytes(part) for part in self._header)
        self._header = (bytearray(), bytearray())
        if name.lower() == b"content-disposition":
            self._disposition = value

    def _headers_end(self) -> None:
        _, parameters = parse_options_header(self._disposition)
        self._name = parameters.get(b"name", b"").decode("utf-8", "replace")
        if self._name == "file":
            sent = parameters.get(b"filename", b"").decode("utf-8", "replace")
            stored = self._names.place(cleaned(sent))
            self.upload.files.append((sent, stored))
            self._open(self._folder / stored)
        elif self._name == "text" and not self.upload.pasted:
            self.upload.pasted = True
            self._open(self._folder / TEXT)
        elif self._name not in FIELDS or self._name in self.upload.fields or self._name == "text":
            raise RefusalError(
                400,
                f"the form has a part {self._name[:100]!r} that is unknown or there twice.",
                f"Known: file, {', '.join(FIELDS)}.",
            )

    def _open(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("xb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])
            return
        self._small += data[start:end]
        if len(self._small) > SMALL:
            raise RefusalError(413, f"the part {self._name} has more than 1 MB.", "Send less.")

    def _end(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
            return
        try:
            self.upload.fields[self._name] = self._small.decode()
        except UnicodeDecodeError:
            raise RefusalError(400, f"the part {self._name} is not UTF-8.", "Send UTF-8.") from None

    def _all(self) -> None:
        self.ended = True
