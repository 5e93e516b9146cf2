"""Where a value stands in what was read, for messages about one item."""

from __future__ import annotations

from typing import Literal

import polars as pl

from deadheat.alignment.alignment import Alignment
from deadheat.alignment.kinds import shown
from deadheat.alignment.tables import tables
from deadheat.evaluation import Answers, References

Side = Literal["output", "reference"]


def place(
    alignment: Alignment, row: int, *, system: str | None = None, side: Side = "output"
) -> str:
    """Say where an item stands: the file, the line or row, and the item id where there is one.

    Ids are looked up in what was read, so that nothing has to be carried along for the few
    values that are ever asked for. Of several runs the first is named.

    Parameters
    ----------
    alignment : Alignment
    row : int
        Position of the item in the columns of the alignment, from 0.
    system : str, optional
        Whose output, or whose own reference where references were not given apart.
    side : {"output", "reference"}

    Examples
    --------
    >>> from deadheat.alignment import align
    >>> from deadheat.evaluation import Source
    >>> answers = Answers(
    ...     system="a",
    ...     items=pl.Series(["q2", "q1"]),
    ...     outputs=pl.Series(["no", "yes"]),
    ...     scores=None,
    ...     source=Source(path="preds.csv", sha256="", format="csv"),
    ... )
    >>> from deadheat.evaluation import Evaluation
    >>> alignment = align(Evaluation(answers=(answers,)))
    >>> place(alignment, 0, system="a")
    "preds.csv, row 2, item 'q1'"
    """
    item = "" if alignment.items is None else f"item {shown(alignment.items[row])}"
    # The tables of what was read have ids in one form, in the order of the files.
    parts, _ = tables(alignment.read, alignment.answers)
    sources: list[Answers | References] = [*alignment.answers]
    if alignment.right is not None:
        sources.append(alignment.right)
    for at in _candidates(alignment, system, side):
        index = _index(alignment, parts[at], row, side)
        if index is not None:
            return ", ".join(part for part in (_name(sources[at], index), item) if part)
    return item or f"row {row + 1}"


def _candidates(alignment: Alignment, system: str | None, side: Side) -> list[int]:
    """Return the positions of the tables in which to look, in order."""
    if side == "reference" and alignment.right is not None:
        return [len(alignment.systems)]
    first = [] if system is None else [alignment.systems.index(system)]
    if side == "output":
        return first or list(range(len(alignment.systems)))
    return [*first, *(at for at in range(len(alignment.systems)) if at not in first)]


def _index(alignment: Alignment, part: pl.DataFrame, row: int, side: Side) -> int | None:
    """Return the row of a table, in the order of the file, in which the item has its value."""
    if side == "reference" and "reference" not in part.columns:
        return None
    if alignment.items is None:
        return row if alignment.kept is None else int(alignment.kept[row])
    found = part["item"] == alignment.items[row]
    if side == "reference" and (found & part["reference"].is_not_null()).any():
        found = found & part["reference"].is_not_null()
    return found.arg_max() if found.any() else None


def _name(read: Answers | References, index: int) -> str:
    """Name the file, or what was given in memory, and the row."""
    whose = read.system if isinstance(read, Answers) else "the references"
    line = f"row {index + 1}" if read.rows is None else read.rows.name(index)
    return f"{read.source.path or whose}, {line}"
