"""Pieces that readers of logs put tables together from: columns, runs, hashes and notes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.notes import Note
from deadheat.readers.cells import MISSING
from deadheat.readers.structured import canonical
from deadheat.readers.unreadable import reason_of

Whole = Annotated[int, msgspec.Meta(ge=-(2**62), lt=2**62)]
"""A whole number that a column of them can hold."""

WORDS = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "pass": 1.0, "fail": 0.0}
"""Verdicts in words, and the scores that they are."""


_LONGEST_ID = 400
_CUT_ID = 80


def constant(value: str, n: int) -> pl.Series:
    """Return a column of one text.

    Examples
    --------
    >>> constant("a", 2).to_list()
    ['a', 'a']
    """
    return pl.repeat(value, n, dtype=pl.String, eager=True)


def texts(values: Iterable[object]) -> pl.Series:
    """Return a column of texts; what is None is null."""
    return pl.Series([None if value is None else str(value) for value in values], dtype=pl.String)


def score(value: object) -> float | None:
    """Return the score that a value is; None where it is missing or none.

    Numbers and truths are scores, also as text, and verdicts in words are 1 or 0. What is not
    finite is missing.

    Examples
    --------
    >>> [score(value) for value in (True, 3, "0.5", "yes", "No", "good", None, math.nan)]
    [1.0, 3.0, 0.5, 1.0, 0.0, None, None, None]
    """
    if isinstance(value, str):
        word = value.strip().casefold()
        if word in WORDS:
            return WORDS[word]
        try:
            value = float(word) if "_" not in word else None
        except ValueError:
            return None
    if not isinstance(value, (bool, int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def is_missing(value: object) -> bool:
    """Whether a value says that there is no score.

    Examples
    --------
    >>> [is_missing(value) for value in (None, "", "N/A", math.inf, 0, "good")]
    [True, True, True, True, False, False]
    """
    if isinstance(value, str):
        return value.strip().casefold() in MISSING
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def scores(name: str, values: Iterable[object]) -> pl.Series:
    """Return a column of scores: Boolean where all of them are truths, else Float64."""
    found = list(values)
    if {bool} >= set(map(type, found)) - {type(None)} and any(v is not None for v in found):
        return pl.Series(name, found, dtype=pl.Boolean)
    return pl.Series(name, [score(value) for value in found], dtype=pl.Float64)


def score_columns(
    rows: Sequence[Mapping[str, object]], *, words: bool = False
) -> tuple[dict[str, pl.Series], tuple[str, ...]]:
    """Make a column of each name under which rows have scores.

    Parameters
    ----------
    rows : sequence of mapping
        What stands in each row, by name.
    words : bool
        Whether texts are scores where they are numbers or verdicts.

    Returns
    -------
    columns : dict of str to polars.Series
        Float64, or Boolean where all of them are truths, in the order of first occurrence.
    left_out : tuple of str
        Names under which something stands that is no score, such as a text or a list.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    columns, left_out = {}, []
    for name in names:
        values = [row.get(name) for row in rows]
        if all(_is_score(value, words=words) for value in values):
            columns[name] = scores(name, values)
        else:
            left_out.append(name)
    return columns, tuple(left_out)


def _is_score(value: object, *, words: bool) -> bool:
    if isinstance(value, str) and not words:
        return False
    return is_missing(value) or score(value) is not None


def occurrences(keys: Iterable[Hashable]) -> list[int]:
    """Count for each key, from 1, how often it has occurred.

    Examples
    --------
    >>> occurrences("abaa")
    [1, 1, 2, 3]
    """
    seen: dict[Hashable, int] = {}
    found = []
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        found.append(seen[key])
    return found


def told_apart(names: Iterable[str]) -> list[str]:
    """Make names different: a further occurrence of NAME is NAME (2), and so on.

    Examples
    --------
    >>> told_apart(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    listed = list(names)
    return [
        name if k == 1 else f"{name} ({k})"
        for name, k in zip(listed, occurrences(listed), strict=True)
    ]


def fingerprint(value: object, path: str) -> str:
    """Return the SHA-256 of the canonical JSON of a value.

    Raises
    ------
    FormatError
        If it is nested too deeply.
    """
    try:
        return hashlib.sha256(canonical(value)).hexdigest()
    except (RecursionError, TypeError, ValueError):
        raise FormatError(
            "a value is nested too deeply, or holds a number that JSON cannot.",
            where=path,
            fix="Check how the file was written.",
        ) from None


def unpacked(raw: msgspec.Raw, path: str) -> Any:
    """Decode what was kept as it stood.

    Raises
    ------
    FormatError
        If it is broken, or nested too deeply.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason = reason_of(error)
        raise FormatError(
            f"a value inside the file is broken ({reason}).",
            where=path,
            fix="Check how the file was written.",
        ) from None


def label(value: object, path: str) -> str:
    """Return a value as an item id: a text as it is, what is long cut and told apart by a hash.

    Examples
    --------
    >>> label("Why?", ""), label({"q": 1}, "")
    ('Why?', '{"q":1}')
    """
    text = value if isinstance(value, str) else None
    if text is None:
        fingerprint(value, path)
        text = canonical(value).decode()
    if len(text) <= _LONGEST_ID:
        return text
    return f"{text[:_CUT_ID]}... {fingerprint(value, path)[:16]}"


def by_question(
    asked: Sequence[object], path: str
) -> tuple[dict[str, pl.Series], dict[str, str], tuple[Note, ...]]:
    """Tell items without ids apart by what they asked, where that differs; else by their order.

    Parameters
    ----------
    asked : sequence
        The question of each row, or None.
    path : str

    Returns
    -------
    columns : dict of str to polars.Series
        item and, where it is the number of the row, hash.
    roles : dict of str to str
    notes : tuple of Note
        That items are paired by order, where they are.
    """
    keys = [None if question is None else label(question, path) for question in asked]
    if None not in keys and len(set(keys)) == len(keys):
        return {"item": texts(keys)}, {"item": "item"}, ()
    columns = {"item": texts(row + 1 for row in range(len(keys)))}
    roles = {"item": "item"}
    if any(key is not None for key in keys):
        columns["hash"] = texts(None if q is None else fingerprint(q, path) for q in asked)
        roles["hash"] = "hash"
    message = f"{path} has no ids, and its questions do not tell rows apart: they pair by order."
    return columns, roles, (Note(code="paired_by_order", message=message),)


def stated(**known: object) -> dict[str, str]:
    """Return what a log states as text; lists and objects are JSON, what is missing is left out.

    Examples
    --------
    >>> stated(model="m", temperature=0.0, seed=None, tags=["a"])
    {'model': 'm', 'temperature': '0.0', 'tags': '["a"]'}
    """
    found = {}
    for name, value in known.items():
        if value is None or value == "":
            continue
        nested = isinstance(value, (list, dict))
        found[name] = canonical(value).decode() if nested else str(value)
    return found


def unscored(path: str, n: int, what: str) -> tuple[Note, ...]:
    """Say how many rows have no score, if any.

    Parameters
    ----------
    path : str
    n : int
    what : str
        What they are and why, such as "samples ended in an error".
    """
    if not n:
        return ()
    return (Note(code="unscored_samples", message=f"{path}: {n:,} {what}, and have no score."),)


def no_scores_of_items(names: Sequence[str], what: str) -> tuple[Note, ...]:
    """Name the values of a log that are no scores of items and were left out, if any."""
    if not names:
        return ()
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    message = f"{what} that are no scores of items were left out: {', '.join(names[:12])}{more}."
    return (Note(code="not_item_scores", message=message),)
