"""A JSON object whose names are ids of items: each name once."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from deadheat.errors import FormatError
from deadheat.readers.log import Log

T = TypeVar("T")


def entries(log: Log, shape: type[T], what: str) -> dict[str, T]:
    """Decode an object of ids and values of one shape.

    Parameters
    ----------
    log : Log
    shape : type
        Of each value, for msgspec.
    what : str
        What the file looks like, for messages.

    Raises
    ------
    FormatError
        If the document is broken or of another shape, or an id stands in it twice.
    """
    found = log.document(dict[str, shape], what)  # type: ignore[valid-type]  # msgspec takes it
    top: list[tuple[str, Any]] = []

    def last(pairs: list[tuple[str, Any]]) -> None:
        # Objects end from the inside out: the whole is the last one.
        nonlocal top
        top = pairs

    json.loads(log.data(), object_pairs_hook=last)
    if len(top) > len(found):
        seen: set[str] = set()
        twice = next(name for name, _ in top if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise FormatError(
            f"the id {twice!r} stands in the file twice.",
            where=log.path,
            fix="An object can hold an id once; write the file again.",
        )
    return found
