"""Where records and fields of delimited text begin and end, quotes respected or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

QUOTE, NEWLINE, RETURN = 34, 10, 13

_CHUNK = 8 << 20

Positions = np.ndarray[tuple[int], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """Records of delimited text under one reading of its quotes.

    Attributes
    ----------
    ends : numpy.ndarray
        Position after the last byte of each record, its line end not counted.
    fields : numpy.ndarray
        Number of fields of each record.
    bad_quote : int or None
        Position of the first quote that neither opens nor closes a whole field.
    """

    ends: Positions
    fields: Positions
    bad_quote: int | None

    def irregular(self) -> int | None:
        """First record whose number of fields is not that of the first one."""
        odd = np.flatnonzero(self.fields != self.fields[0])
        return int(odd[0]) if odd.size else None

    def regular(self) -> bool:
        """Whether every record has the same fields, two or more, and every quote its place."""
        return self.bad_quote is None and self.fields[0] >= 2 and self.irregular() is None


def records(data: bytes, delimiter: int, *, quoted: bool) -> Records:
    r"""Find the records of delimited text; trailing empty lines are none.

    Parameters
    ----------
    data : bytes
        UTF-8, lines end in ``\n`` or ``\r\n``.
    delimiter : int
        Byte that separates fields.
    quoted : bool
        Whether ``"`` encloses fields, doubled inside them (RFC 4180); otherwise it is a
        character like any other.
    """
    data_end = len(data.rstrip(b"\r\n"))
    whole = np.frombuffer(data, dtype=np.uint8)[:data_end]
    ends, before, bad = [], [], []
    inside, n_delimiters = 0, 0
    for start in range(0, data_end, _CHUNK):
        part = whole[start : start + _CHUNK]
        newlines, delimiters = part == NEWLINE, part == delimiter
        if quoted:
            # Inside after an odd number of quotes; a doubled quote leaves and enters again.
            quotes = part == QUOTE
            state = np.bitwise_xor.accumulate(quotes.view(np.uint8)) ^ np.uint8(inside)
            outside = state == 0
            newlines &= outside
            delimiters &= outside
            bad.append(_misplaced(whole, np.flatnonzero(quotes) + start, inside, delimiter))
            inside = int(state[-1])
        at = np.flatnonzero(newlines)
        found = np.flatnonzero(delimiters)
        ends.append(at + start)
        before.append(np.searchsorted(found, at) + n_delimiters)
        n_delimiters += found.size
    all_ends = np.concatenate([*ends, np.array([data_end])])
    all_before = np.concatenate([*before, np.array([n_delimiters])])
    misplaced = np.concatenate(bad) if bad else np.empty(0, dtype=np.int64)
    first_bad = int(misplaced[0]) if misplaced.size else None
    if first_bad is None and inside:
        first_bad = int(np.flatnonzero(whole == QUOTE)[-1])
    return Records(ends=all_ends, fields=np.diff(all_before, prepend=0) + 1, bad_quote=first_bad)


def _misplaced(whole: np.ndarray, at: Positions, inside: int, delimiter: int) -> Positions:
    """Quotes that open in the middle of a field or close before its end."""
    last = whole.size - 1
    opens = (np.arange(at.size) + inside) % 2 == 0
    previous = np.where(at > 0, whole[np.maximum(at - 1, 0)], NEWLINE)
    following = np.where(at < last, whole[np.minimum(at + 1, last)], NEWLINE)
    second = np.where(at + 1 < last, whole[np.minimum(at + 2, last)], NEWLINE)
    edge = (NEWLINE, QUOTE, delimiter)
    good_open = np.isin(previous, edge)
    good_close = np.isin(following, edge) | ((following == RETURN) & (second == NEWLINE))
    return at[~np.where(opens, good_open, good_close)]
