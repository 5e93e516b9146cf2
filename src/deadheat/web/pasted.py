"""A table that was pasted, or counts that were typed, as a file that the readers know."""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deadheat.errors import FormatError, UsageError
from deadheat.readers.columns import is_alias

DELIMITERS = ("\t", ";", ",")
LETTERS = "abcdefghijklmnopqrstuvwxyz"

CELLS = ("both", "only_baseline", "only_candidate", "neither")
SCORES = {"both": "1,1", "only_baseline": "1,0", "only_candidate": "0,1", "neither": "0,0"}

HEAD = 2_000
"""Lines by which it is decided whether the first one names columns."""

NONE, FIRST, LAST = "none", "first", "last"
"""Where the reference stands, beside the name of its column."""


def stored(source: Path, folder: Path, values: dict[str, Any], rows: int) -> tuple[str, list[str]]:
    """Store a pasted table as a file, changed as little as possible.

    Where the first line names no columns, names are put before it: `reference` where it was said
    to be, and a, b, ... for the systems.

    Parameters
    ----------
    source : Path
        What was pasted.
    folder : Path
        Where the file goes.
    values : dict
        Options; columns that follow from the table are added.
    rows : int
        Most rows.

    Returns
    -------
    name : str
    said : list of str
        What was taken for granted.

    Raises
    ------
    FormatError
        If it is no table, or has more rows.
    """
    try:
        text = source.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("what was pasted is not UTF-8 text.", fix="Drop the file.") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not text.strip():
        raise FormatError("nothing was pasted.", fix="Paste a table, or drop a file.")
    lines = text.count("\n") + 1
    if lines > rows + 1:
        raise FormatError(
            f"{lines:,} lines were pasted, and the page takes {rows:,}.",
            fix="Drop a file instead, which may have more.",
        )
    if text[0] in "[{":
        kind = "jsonl" if text[0] == "{" else "json"
        return _made(folder, kind, text), []
    text = "\n".join(line for line in text.split("\n") if line.strip())
    try:
        delimiter = _delimiter(text)
        if delimiter is None:
            text = "\n".join("\t".join(line.split()) for line in text.split("\n"))
            delimiter = "\t"
        head = list(csv.reader(text.split("\n", HEAD)[:HEAD], delimiter=delimiter))
    except csv.Error as error:  # A cell, or what a quote that is not closed makes of many.
        raise FormatError(
            f"what was pasted cannot be divided into cells: {error}.",
            fix="Close all quotes, or drop it as a file.",
        ) from None
    if len(head[0]) < 2:
        raise FormatError(
            "what was pasted has one column.",
            fix="Paste two columns or more, with tabs, commas or semicolons between them.",
        )
    head = [[field.strip() for field in row] for row in head if len(row) == len(head[0])]
    reference = values.get("reference_column")
    columns, said = head[0], []
    if not _is_header(head, reference):
        columns = _names(head, reference)
        text = f"{delimiter.join(columns)}\n{text}"
        said.append(
            "The first line was taken for data; the columns were called "
            f"{', '.join(columns)}, in their order."
        )
        values.setdefault("systems", [name for name in columns if name != "reference"])
    elif reference in (FIRST, LAST) and reference not in columns:
        values["reference_column"] = columns[0 if reference == FIRST else -1]
    elif len(columns) == 2 and not any(map(is_alias, columns)):
        values.setdefault("systems", list(columns))
    # Said of a table without names, it has been done: the column is called `reference` now.
    said_where = reference in (FIRST, LAST, NONE) and reference not in columns
    if said_where and values.get("reference_column") == reference:
        del values["reference_column"]
    return _made(folder, "csv", text), said


def _made(folder: Path, kind: str, text: str) -> str:
    """Store a table beside what was sent, over none of it; its name."""
    further = (f"pasted-{number}" for number in itertools.count(2))
    names = (f"{stem}.{kind}" for stem in itertools.chain(("data", "pasted"), further))
    name = next(name for name in names if not (folder / name).exists())
    (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return name


def _delimiter(text: str) -> str | None:
    """Return what separates the fields of every line; None for blanks."""
    lines = text.split("\n", 200)[:200]
    found = {
        delimiter: Counter(len(row) for row in csv.reader(lines, delimiter=delimiter))
        for delimiter in DELIMITERS
    }
    for delimiter, fields in found.items():
        if len(fields) == 1 and min(fields) > 1:
            return delimiter
    blanks = {len(line.split()) for line in lines}
    if len(blanks) == 1 and min(blanks) > 1:
        return None
    return max(DELIMITERS, key=lines[0].count) if any(d in lines[0] for d in DELIMITERS) else None


def _is_header(head: Sequence[Sequence[str]], reference: str | None) -> bool:
    """Whether the first line names columns."""
    first, rest = head[0], head[1:]
    if not rest or len(set(first)) < len(first) or "" in first or any(map(_is_number, first)):
        return False
    if any(map(is_alias, first)) or (reference is not None and reference in first):
        return True
    below = [{row[k] for row in rest} for k in range(len(first))]
    if any(all(map(_is_number, values)) for values in below):
        return True
    # Labels: the names of columns are no labels.
    return not any(name in values for name, values in zip(first, below, strict=True))


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?", text) is not None


def _names(head: Sequence[Sequence[str]], reference: str | None) -> list[str]:
    """Name the columns of a table without names."""
    width = len(head[0])
    if width > len(LETTERS):
        raise FormatError(
            f"there are {width} columns and no line with their names.",
            fix="Put a line with names first.",
        )
    if reference in (FIRST, LAST):
        systems = list(LETTERS[: width - 1])
        return ["reference", *systems] if reference == FIRST else [*systems, "reference"]
    if reference not in (None, NONE):
        raise UsageError(
            f"there is no column {reference!r}: the first line names no columns.",
            fix="Say that the reference is the first or the last column, or put a line with names "
            "first.",
        )
    if not all(_is_number(field) or not field for row in head for field in row):
        raise FormatError(
            "these are labels or texts, and it is not said which column holds the right answers.",
            fix="Say that the reference is the first or the last column, or put a line with names "
            "first.",
        )
    return list(LETTERS[:width])


def counted(counts: object, folder: Path, rows: int) -> str:
    """Store counts of items as a table with a line for each item.

    Raises
    ------
    UsageError
        If they are not four whole numbers, or too many items.
    """
    if not isinstance(counts, Mapping) or set(counts) != set(CELLS):
        raise UsageError("these are not four counts.", fix=f"Send {', '.join(CELLS)}.")
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise UsageError(
                f"the count of {name.replace('_', ' ')} is {str(count)[:50]}.",
                fix="Give a whole number from 0.",
            )
    total = sum(counts.values())
    if not 0 < total <= rows:
        raise UsageError(
            f"the counts are of {total:,} items.", fix=f"Give from 1 to {rows:,} items."
        )
    lines = ["baseline,candidate\n", *(f"{SCORES[cell]}\n" * counts[cell] for cell in CELLS)]
    return _made(folder, "csv", "".join(lines).rstrip("\n"))
