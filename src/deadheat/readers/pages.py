"""Records as services hand them out: a list, a page that holds one, or one a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
import numpy as np

from deadheat.evaluation import Rows
from deadheat.readers.content import Content
from deadheat.readers.documents import decoded, one_document
from deadheat.readers.log import Log

T = TypeVar("T")


def records(
    log: Log, shape: type[T], what: str, word: str, fields: Sequence[str]
) -> tuple[list[T], Rows]:
    """Read the records of a file in whichever form it has.

    Parameters
    ----------
    log : Log
    shape : type
        Of a record, for msgspec.
    what : str
        What the records are, for messages.
    word : str
        What one is called.
    fields : sequence of str
        Under which a page holds its list.

    Returns
    -------
    records : list
    rows : Rows

    Raises
    ------
    FormatError
        If the file is broken or of another shape.
    """
    head = log.head.lstrip()
    if head.startswith(b"["):
        return log.document(list[shape], what), Rows(word=word)  # type: ignore[valid-type]
    if one_document(head):
        page = log.document(dict[str, msgspec.Raw], what)
        listed = next((page[field] for field in fields if field in page), None)
        if listed is not None:
            content = Content(path=log.path, data=bytes(listed), sha256="")
            return decoded(content, list[shape], what), Rows(word=word)  # type: ignore[valid-type]
    lines = [*log.records(shape, what)]
    numbers = np.asarray([number for number, _ in lines], dtype=np.int64)
    return [record for _, record in lines], Rows(word="line", lines=numbers)
