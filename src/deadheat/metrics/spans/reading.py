"""Spans of items: read from tags by a scheme, or given as objects.

A span has a type, a start and an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np

from deadheat.errors import ItemError
from deadheat.metrics.spans.tags import PREFIXES, Whole, is_tag, tagged

Side = Literal["output", "reference"]
_KEYS = {
    "start": ("start", "begin", "start_offset", "start_char"),
    "end": ("end", "stop", "end_offset", "end_char"),
    "label": ("label", "type", "entity_type", "entity_group"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spans:
    """The spans of all items.

    Attributes
    ----------
    names : tuple of str
        Types that occur, sorted.
    rows : ndarray of int64, shape (span, 4)
        Item, position of the type in `names`, start and end. The end of a span of tags is the
        position after its last one; other ends are as given.
    lengths : ndarray of int64, shape (item,)
        Number of tags or of spans given; -1 where there is no output.
    kind : {"tags", "spans", "nothing"}
        What the items hold; "nothing" where all are empty.
    loose : int
        Number of tags other than O that belong to no span.
    """

    names: tuple[str, ...]
    rows: Whole
    lengths: Whole
    kind: Literal["tags", "spans", "nothing"]
    loose: int = 0


def read_spans(values: Sequence[Any], *, scheme: str, side: Side) -> Spans:
    """Read the spans of items.

    Parameters
    ----------
    values : sequence, length n
        For each item a list of tags, or of spans (objects with start, end and label or type, or
        lists of these three); None for no output, which has no spans.
    scheme : {"conll", "bio", "bioes", "iob1"}
        Of the tags.
    side : {"output", "reference"}
        For messages.

    Raises
    ------
    ItemError
        If an item holds something else, a tag is not of the scheme or a reference is None.

    Examples
    --------
    Tags and objects say the same:

    >>> by_tags = read_spans([["B-PER", "I-PER", "O"]], scheme="conll", side="output")
    >>> objects = [[{"start": 0, "end": 2, "label": "PER"}]]
    >>> as_given = read_spans(objects, scheme="conll", side="output")
    >>> by_tags.rows.tolist() == as_given.rows.tolist() == [[0, 0, 0, 2]]
    True
    """
    _check_items(values, side)
    lengths = np.array([-1 if value is None else len(value) for value in values], dtype=np.int64)
    flat = list(chain.from_iterable(value for value in values if value is not None))
    if not flat:
        none = np.zeros((0, 4), dtype=np.int64)
        return Spans(names=(), rows=none, lengths=lengths, kind="nothing")
    textual = {issubclass(kind, str) for kind in set(map(type, flat))}
    if len(textual) == 2:
        first = isinstance(flat[0], str)
        odd = next(i for i, entry in enumerate(flat) if isinstance(entry, str) is not first)
        raise _odd(flat, lengths, odd, side, "and the entries before it are not of that kind")
    if textual == {True}:
        bad = {tag for tag in set(flat) if not is_tag(tag, scheme)}
        if bad:
            odd = next(i for i, tag in enumerate(flat) if tag in bad)
            raise _bad_tag(flat[odd], *_place(lengths, odd), scheme, side)
        names, rows, loose = tagged(flat, np.maximum(lengths, 0), scheme)
        return Spans(names=names, rows=rows, lengths=lengths, kind="tags", loose=loose)
    return _as_given(flat, lengths, side)


def check_pair(references: Spans, outputs: Spans) -> None:
    """Refuse outputs that cannot be compared with their references.

    Raises
    ------
    ItemError
        If one side has tags and the other spans, or their numbers of tags differ.
    """
    kinds = {references.kind, outputs.kind}
    if kinds == {"tags", "spans"}:
        row = int(np.argmax(outputs.lengths > 0))
        raise ItemError(
            f"the references are {references.kind} and the outputs are {outputs.kind}.",
            row=row,
            fix="Give both as tags or both as spans: positions of tags are not those of text.",
        )
    if "tags" not in kinds:
        return
    differ = (outputs.lengths >= 0) & (outputs.lengths != references.lengths)
    if differ.any():
        row = int(np.argmax(differ))
        raise ItemError(
            f"the output has {outputs.lengths[row]:,} tags and its reference "
            f"{references.lengths[row]:,}.",
            row=row,
            fix="Every token needs one tag on both sides; check that both are split alike.",
        )


def _check_items(values: Sequence[Any], side: Side) -> None:
    for row, value in enumerate(values):
        if isinstance(value, (list, tuple)) or (value is None and side == "output"):
            continue
        found = "there is no reference" if value is None else f"{_shown(value)} is no list"
        raise ItemError(
            f"{found}.", row=row, side=side, fix="Give a list of tags or of spans for each item."
        )


def _as_given(flat: Sequence[Any], lengths: Whole, side: Side) -> Spans:
    found: list[tuple[int, int, str]] = []
    for place, entry in enumerate(flat):
        span = _span(entry)
        if span is None:
            raise _odd(flat, lengths, place, side, "which is no span")
        if span[1] < span[0]:
            raise _odd(flat, lengths, place, side, "which ends before it starts")
        found.append(span)
    names = sorted({label for _, _, label in found})
    code = {name: position for position, name in enumerate(names)}
    counts = np.maximum(lengths, 0)
    rows = np.empty((len(found), 4), dtype=np.int64)
    rows[:, 0] = np.repeat(np.arange(len(counts)), counts)
    rows[:, 1:] = [(code[label], start, end) for start, end, label in found]
    return Spans(names=tuple(names), rows=rows, lengths=lengths, kind="spans")


def _span(entry: Any) -> tuple[int, int, str] | None:
    """Return start, end and label of what may be a span; None where one is missing or not clear."""
    if isinstance(entry, dict):
        fields = [[entry[key] for key in keys if key in entry] for keys in _KEYS.values()]
        if any(len(values) != 1 for values in fields):
            return None
        start, end, label = (values[0] for values in fields)
    elif isinstance(entry, (list, tuple)) and len(entry) == 3:
        start, end, label = entry
    else:
        return None
    return (int(start), int(end), label) if _is_whole(start, end) and _is_text(label) else None


def _is_whole(*values: Any) -> bool:
    return all(type(v) in (int, float) and abs(v) < 2**53 and int(v) == v for v in values)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _place(lengths: Whole, index: int) -> tuple[int, int, int]:
    """Return the item of an entry of the flat list, its position there from 1, and their number."""
    ends = np.cumsum(np.maximum(lengths, 0))
    row = int(np.searchsorted(ends, index, side="right"))
    return row, int(index - ends[row] + lengths[row]) + 1, int(lengths[row])


def _bad_tag(tag: str, row: int, position: int, n: int, scheme: str, side: Side) -> ItemError:
    prefixes = ", ".join(f"{letter}-" for letter in PREFIXES[scheme])
    other = "" if scheme == "conll" else " --scheme conll takes B-, I-, E-, S-, L- and U-."
    return ItemError(
        f"tag {position} of {n} is {tag!r}, which is no tag of the scheme {scheme}.",
        row=row,
        side=side,
        fix=f"Its tags are O, and a type behind one of {prefixes}.{other}",
    )


def _odd(flat: Sequence[Any], lengths: Whole, index: int, side: Side, why: str) -> ItemError:
    row, position, n = _place(lengths, index)
    return ItemError(
        f"entry {position} of {n} is {_shown(flat[index])}, {why}.",
        row=row,
        side=side,
        fix="Give a list of tags (text), or a list of spans, each with start and end as whole "
        'numbers and a label: {"start": 0, "end": 2, "label": "PER"} or [0, 2, "PER"].',
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
