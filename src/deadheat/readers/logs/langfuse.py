"""Langfuse: the items of a dataset run, with the scores of their traces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import polars as pl

from deadheat.readers import pages
from deadheat.readers.assembly import (
    no_scores_of_items,
    occurrences,
    score_columns,
    told_apart,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Langfuse"

VERSIONS = "dataset run items of the API of versions 2 and 3, as JSON with their scores"

QUIRKS = (
    "The item is datasetItemId and the system datasetRunName.",
    "Scores of type NUMERIC and BOOLEAN are scores, BOOLEAN as 1 and 0. The number of a "
    "CATEGORICAL one stands for its category, or is 0 where none is known: it is left out.",
    "An item without a score, or with null, is missing.",
    "Several scores of one name on one item, as from an evaluator and a person, are NAME and "
    "NAME (2). Several traces of one item in a run are its runs.",
    "A list, a page of one (data) and a run with its items (datasetRunItems) are read.",
)

_LOOK = 1 << 18
_MARKS = (b'"datasetItemId"', b'"datasetRunName"')
_NUMBERS = (None, "NUMERIC", "BOOLEAN")


class _Score(msgspec.Struct, rename="camel"):
    name: str
    value: Any = None
    string_value: Any = None
    data_type: str | None = None


class _Item(msgspec.Struct, rename="camel"):
    dataset_item_id: str
    dataset_run_name: str | None = None
    scores: list[_Score] | None = None

    @property
    def values(self) -> dict[str, object]:
        """Return the scores by name; what is no number is its text."""
        given = self.scores or []
        names = told_apart(one.name for one in given)
        return {
            name: one.value if one.data_type in _NUMBERS else one.string_value or one.data_type
            for name, one in zip(names, given, strict=True)
        }


def recognises(path: str, head: bytes) -> bool:
    """Whether items of a dataset and of a run of it are named."""
    look = head[:_LOOK]
    return look.lstrip()[:1] in (b"{", b"[") and all(mark in look for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each item of a run.

    Raises
    ------
    FormatError
        If the file is broken.
    NoAnswersError
        If no item has a score that is a number.
    """
    what = "items of a dataset run of Langfuse"
    found, rows = pages.records(log, _Item, what, "item", ("data", "datasetRunItems"))
    scores, left_out = score_columns([one.values for one in found])
    if not scores:
        raise NoAnswersError(
            "no item of the run has a score that is a number.",
            where=log.path,
            fix="Export the run items together with the scores of their traces.",
        )
    items = [one.dataset_item_id for one in found]
    columns = {"datasetItemId": pl.Series(items, dtype=pl.String)}
    roles = {"item": "datasetItemId"}
    names = [one.dataset_run_name for one in found]
    if None not in names:
        columns["system"] = pl.Series(names, dtype=pl.String)
        roles["system"] = "system"
    runs = occurrences(zip(names, items, strict=True))
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    scores = {f"score {n}" if n in columns else n: values for n, values in scores.items()}
    lacking = sum(not one.scores for one in found)
    return Table(
        columns=columns | scores,
        height=len(found),
        rows=rows,
        source=log.source("langfuse"),
        roles=roles,
        scores=tuple(scores),
        notes=(
            *no_scores_of_items(left_out, "Scores of Langfuse"),
            *unscored(log.path, lacking, "items were not scored"),
        ),
    )
