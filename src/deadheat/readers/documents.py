"""One JSON document of a known shape, decoded strictly."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from deadheat.errors import FormatError
from deadheat.readers.content import Content, check_text
from deadheat.readers.records import without_constants
from deadheat.readers.unreadable import reason_of

T = TypeVar("T")


def decoded(content: Content, shape: type[T], what: str) -> T:
    """Decode a document; bare NaN and Infinity are null.

    Parameters
    ----------
    content : Content
    shape : type
        What is expected; fields that it does not name are ignored.
    what : str
        What the file looks like, for messages.

    Raises
    ------
    FormatError
        If the document is broken, or not of that shape, with the place inside it.
    """
    check_text(content)
    try:
        return msgspec.json.decode(without_constants(content.data), type=shape)
    except (msgspec.MsgspecError, RecursionError) as error:
        reason = reason_of(error)
        raise FormatError(
            f"the file begins like {what} and is none ({reason}).",
            where=content.path,
            fix="Write the file again."
            if "truncated" in reason
            else "Check how the file was written.",
        ) from None


def one_document(head: bytes) -> bool:
    """Whether the head of a file is not a first line of JSON with others behind it."""
    first, _, rest = head.lstrip().partition(b"\n")
    if not rest.strip():
        return True
    try:
        msgspec.json.decode(first)
    except (msgspec.MsgspecError, RecursionError):
        return True
    return False
