"""How much room a text takes, and how it is written where there is less."""

from __future__ import annotations

import unicodedata
from html import escape

from deadheat.rendering import printable

SIZE = 13.0
"""Of letters, in units of the drawing."""

LONGEST = 400
"""Characters of a name or hover text beyond which its middle is left out."""

NARROW = frozenset("fijlrtI.,:;|!'`()[]{}/\\- \"")
WIDE = frozenset("mwMW@%&")


def width(text: str, size: float = SIZE) -> float:
    """Return about how wide a text is, rather too much than too little.

    Examples
    --------
    >>> width("il") < width("mm")
    True
    """
    return size * sum(map(_em, text))


def _em(letter: str) -> float:
    if letter in NARROW:
        return 0.38
    if letter in WIDE:
        return 0.95
    if letter.isascii():
        return 0.68 if letter.isupper() else 0.6
    if unicodedata.combining(letter):
        return 0.0
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" else 0.8


def cut(text: str, room: float, size: float = SIZE) -> str:
    """Leave out the middle of a text that is wider than `room`; the ends tell names apart.

    Examples
    --------
    >>> cut("a-model-with-a-long-name-v1", 100.0)
    'a-mode…me-v1'
    """
    if len(text) <= room and width(text, size) <= room:
        return text
    low, high = 0, min(len(text), int(room))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if width(_ends(text, middle), size) <= room else (low, middle - 1)
        )
    return _ends(text, low)


def _ends(text: str, kept: int) -> str:
    tail = kept // 2
    return f"{text[: kept - tail]}…{text[len(text) - tail :] if tail else ''}"


def shown(text: str, *, longest: int | None = LONGEST) -> str:
    """Return a text as characters of a document, so that nothing in it can act."""
    kept = text if longest is None or len(text) <= longest else _ends(text, longest)
    return escape(printable(kept), quote=True)
