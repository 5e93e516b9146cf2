"""The elements of a JSON array that is too long to be held: one by one, as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from deadheat.errors import FormatError

LONGEST = 64 << 20
"""Bytes of one element."""

DEEPEST = 1_000
"""Brackets inside of one another."""

_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([{}\[\]])', re.DOTALL)
"""Up to the next bracket that is not inside a text."""


def elements(chunks: Iterable[bytes], where: str) -> Iterator[bytes]:
    """Yield each object of an array of objects, and hold no more than one of them and a chunk.

    What is inside of an object is left for whoever decodes it, so that bare NaN may stand there.

    Parameters
    ----------
    chunks : iterable of bytes
        The document, in pieces of any size.
    where : str
        For messages.

    Raises
    ------
    FormatError
        If it is no such array, it is cut off, or an object is longer than 64 MB or nested deeply.

    Examples
    --------
    >>> [*elements([b'[{"a": "}', b'"}, {"b": [{}]}', b"]"], "")]
    [b'{"a": "}"}', b'{"b": [{}]}']
    """
    held, at, start, depth, before, done, enough = bytearray(), 0, 0, 0, b"[", False, 0
    for chunk in chain(chunks, (b"",)):
        held += chunk
        if chunk and len(held) < enough:
            continue
        while found := _TO_BRACKET.match(held, at):
            at = found.end()
            if found[1] in b"{[":
                depth += 1
                if depth > DEEPEST:
                    raise FormatError(
                        f"it is nested more than {DEEPEST:,} deep.",
                        where=where,
                        fix="Check how the file was written.",
                    )
                if depth == 2:
                    _check(_bare(held[start : at - 1]) == before, where)
                    start, before = at - 1, b","
            else:
                depth -= 1
                if depth == 1:
                    yield bytes(held[start:at])
                    start = at
                elif depth < 1:
                    _check(not done and _bare(held[start:at]) in (b"]", b"[]"), where)
                    start, done = at, True
        del held[:start]
        # What goes on beyond a chunk is looked at again when there is twice as much of it.
        at, start, enough = at - start, 0, 2 * len(held)
        if len(held) > LONGEST:
            raise FormatError(
                f"one element is longer than {LONGEST >> 20} MB.",
                where=where,
                fix="Check how the file was written.",
            )
    if not done:
        raise FormatError(
            "the array is not closed: it is cut off, or still being written.",
            where=where,
            fix="Wait until it is whole, or copy it again.",
        )
    _check(not _bare(held), where)


def _bare(between: bytearray) -> bytes:
    return bytes(between.translate(None, b" \t\r\n"))


def _check(sound: bool, where: str) -> None:
    if not sound:
        raise FormatError(
            "an array of objects is expected here.", where=where, fix="Check how it was written."
        )
