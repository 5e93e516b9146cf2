"""Where lines of plain text are broken: at spaces, and never within a number or an interval."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len

_END = r"(?:[-+]?[\d.,]+\d(?:e[-+]?\d+)?|[-+]?\d|[-+]?inf)%?"
_PIECE = re.compile(rf" *(?:[^ \[(]*[\[(]{_END}, {_END}[\])][^ ]*|[^ ]+)")
"""A word, or an interval such as [-1.2, +8.4], with the spaces before it."""


def wide(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return cell_len(text)


def longest(text: str) -> int:
    """Return the columns of the longest piece of a text that is not broken.

    Examples
    --------
    >>> longest("of the gap"), longest("[-1.2, +8.4] if unpaired")
    (3, 12)
    """
    return max((cell_len(piece.lstrip(" ")) for piece in _PIECE.findall(text)), default=0)


def wrapped(text: str, width: int, indent: str = "") -> str:
    """Break a text at spaces into lines of at most `width` columns, as far as its words allow.

    Parameters
    ----------
    text : str
        Of one line.
    width : int
    indent : str
        Before every line.

    Examples
    --------
    >>> print(wrapped("the gap is +3.6 points, [-1.2, +8.4]", 24, "  "))
      the gap is +3.6
      points, [-1.2, +8.4]
    """
    lines, line = [], ""
    for piece in _PIECE.findall(text):
        if line and cell_len(indent + line + piece) > width:
            lines.append(line)
            piece = piece.lstrip(" ")
            line = ""
        line += piece
    lines.append(line)
    return "\n".join(indent + line for line in lines)


def fitted(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Return widths of columns from `least` to `most` that fit into `room`, if any do.

    The widest column gives way first.

    Examples
    --------
    >>> fitted([5, 5, 8], [5, 40, 20], 40), fitted([5, 5, 8], [5, 40, 20], 10)
    ([5, 17, 18], [5, 5, 8])
    """
    widths = [max(low, min(high, room)) for low, high in zip(least, most, strict=True)]
    while sum(widths) > room:
        able = [at for at, low in enumerate(least) if widths[at] > low]
        if not able:
            break
        widths[max(able, key=widths.__getitem__)] -= 1
    return widths
