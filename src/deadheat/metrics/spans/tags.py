"""From tags to spans, by a scheme.

Under "conll" every sequence of tags is a sequence of spans: a span begins where conlleval begins
one (Tjong Kim Sang and Buchholz 2000), also at I- without B-. The other schemes are strict, as
seqeval defines it (Nakayama 2018): what breaks the rules is no span.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Codes = NDArray[np.intp]
Whole = NDArray[np.int64]

PREFIXES = {"conll": "BIESLU", "bio": "BI", "bioes": "BIESLU", "iob1": "BI"}
"""What the tags of each scheme may begin with, beside O; L is E and U is S by another name."""

UNTYPED = "_"
"""Type of the spans of tags that are a bare prefix, such as B."""

_LETTERS = "OBIES"
_TAG = re.compile(r"O|([BIESLU])(?:-(.+))?", re.DOTALL)


def is_tag(text: str, scheme: str) -> bool:
    """Whether a text is a tag of a scheme: O, or a prefix, mostly with a hyphen and a type.

    Examples
    --------
    >>> is_tag("E-PER", "bioes"), is_tag("E-PER", "bio"), is_tag("PER", "bio")
    (True, False, False)
    """
    match = _TAG.fullmatch(text)
    return match is not None and (match[1] or "B") in PREFIXES[scheme]


def tagged(tags: Sequence[str], counts: Whole, scheme: str) -> tuple[tuple[str, ...], Whole, int]:
    """Find the spans of the tags of items.

    Parameters
    ----------
    tags : sequence of str
        Of the scheme; those of the first item, then those of the next.
    counts : ndarray of int64, shape (item,)
        Number of tags of each item.
    scheme : {"conll", "bio", "bioes", "iob1"}

    Returns
    -------
    names : tuple of str
        Types of the spans, sorted.
    rows : ndarray of int64, shape (span, 4)
        Item, position of the type in `names`, start, and the position after the last tag.
    loose : int
        Number of tags other than O that belong to no span.

    Examples
    --------
    I- without B- begins a span under the lenient rules only:

    >>> tags, counts = ["I-PER", "I-PER", "O", "B-LOC"], np.array([4])
    >>> tagged(tags, counts, "conll")[1][:, 2:].tolist()
    [[0, 2], [3, 4]]
    >>> tagged(tags, counts, "bio")[1][:, 2:].tolist()
    [[3, 4]]
    """
    distinct = ["O", *sorted(set(tags) - {"O"})]
    letters, types = zip(*map(_parsed, distinct), strict=True)
    names = sorted(set(types))
    position = {tag: code for code, tag in enumerate(distinct)}
    # An O after each item, so that no span reaches from one item into the next.
    after = np.cumsum(counts + 1) - 1
    tape = np.zeros(len(tags) + len(counts), dtype=np.intp)
    inside = np.ones(len(tape), dtype=bool)
    inside[after] = False
    tape[inside] = np.fromiter(map(position.__getitem__, tags), np.intp, len(tags))

    prefixes = np.array([_LETTERS.index(letter) for letter in letters])[tape]
    kinds = np.array([names.index(name) for name in types])[tape]
    same = kinds == np.concatenate([kinds[:1], kinds[:-1]])
    starts, continues, closes = _SCHEMES[scheme](np.insert(prefixes[:-1], 0, 0), prefixes, same)
    begins = np.flatnonzero(starts)
    breaks = np.flatnonzero(~continues)
    ends = breaks[np.searchsorted(breaks, begins, side="right")]
    valid = closes[ends]
    begins, ends = begins[valid], ends[valid]

    items = np.repeat(np.arange(len(counts)), counts + 1)[begins]
    offsets = (after - counts)[items]
    used, codes = np.unique(kinds[begins], return_inverse=True)
    rows = np.stack([items, codes, begins - offsets, ends - offsets], axis=1)
    loose = int(np.count_nonzero(prefixes) - (ends - begins).sum())
    return tuple(names[code] for code in used), rows, loose


def _parsed(tag: str) -> tuple[str, str]:
    """Return prefix and type of a tag, under the names that the schemes use."""
    prefix, _, name = tag.partition("-")
    return {"L": "E", "U": "S"}.get(prefix, prefix), name or UNTYPED


def _among(prefixes: Codes, letters: str) -> Flags:
    return np.array([letter in letters for letter in _LETTERS])[prefixes]


def _conll(before: Codes, now: Codes, same: Flags) -> tuple[Flags, ...]:
    starts = _among(now, "BS") | (_among(now, "IE") & (_among(before, "OES") | ~same))
    return starts, ~starts & ~_among(now, "O"), np.ones_like(same)


def _bio(before: Codes, now: Codes, same: Flags) -> tuple[Flags, ...]:
    continues = _among(now, "I") & _among(before, "BI") & same
    return _among(now, "B"), continues, np.ones_like(same)


def _bioes(before: Codes, now: Codes, same: Flags) -> tuple[Flags, ...]:
    continues = _among(now, "IE") & _among(before, "BI") & same
    return _among(now, "BS"), continues, _among(before, "ES")


def _iob1(before: Codes, now: Codes, same: Flags) -> tuple[Flags, ...]:
    # B- only parts a span from one of the same type before it; elsewhere it is an error.
    parts = _among(now, "B") & _among(before, "BI") & same
    astray = _among(before, "B") & ~np.insert(parts[:-1], 0, False)
    starts = parts | (_among(now, "I") & (_among(before, "O") | ~same | astray))
    continues = _among(now, "I") & _among(before, "BI") & same
    return starts, continues, ~(_among(before, "B") & _among(now, "B") & ~same)


_SCHEMES: Mapping[str, Callable[..., tuple[Flags, ...]]] = {
    "conll": _conll,
    "bio": _bio,
    "bioes": _bioes,
    "iob1": _iob1,
}
"""From the prefixes before and at each position, and whether both have one type: whether a span
starts here, whether one that came this far goes on, and whether one that ended before it is one."""
