"""EvalScope: reviews of one data set, a line for each sample."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "EvalScope"
VERSIONS = "1.0 (reviews/MODEL/DATASET.jsonl)"
QUIRKS = (
    "A metric is a score column; main_score_name comes first where it is stated.",
    "Samples of one group_id are repeats of an item, and its runs.",
    "The system is the folder of the file.",
)

_LOOK = 1 << 18


class _Score(msgspec.Struct):
    value: dict[str, float | bool | None] = {}
    main_score_name: str | None = None


class _SampleScore(msgspec.Struct):
    score: _Score
    sample_id: int | str | None = None
    group_id: int | str | None = None


class _Line(msgspec.Struct):
    index: int | str
    sample_score: _SampleScore
    target: Any = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line has an index and the score of a sample."""
    line = head[:_LOOK].lstrip().partition(b"\n")[0]
    return re.match(rb'\{\s*"index"\s*:', line) is not None and b'"sample_score"' in line


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample.

    Raises
    ------
    FormatError
        If a line is broken, or no sample has a score.
    """
    items: list[str] = []
    values: list[dict[str, float | bool | None]] = []
    first: dict[str, None] = {}
    for _, line in log.records(_Line, "a review of EvalScope"):
        group = line.sample_score.group_id
        items.append(str(line.index if group is None else group))
        values.append(line.sample_score.score.value)
        if line.sample_score.score.main_score_name:
            first[line.sample_score.score.main_score_name] = None
    names = [*dict.fromkeys((*first, *(name for one in values for name in one)))]
    names = [name for name in names if any(one.get(name) is not None for one in values)]
    if not names:
        raise FormatError("no sample has a score: 0 rows.", where=log.path)
    path = Path(log.path)
    columns = {
        "item": pl.Series(items, dtype=pl.String),
        "system": pl.repeat(log.folder(), len(items), dtype=pl.String, eager=True),
        "task": pl.repeat(path.stem, len(items), dtype=pl.String, eager=True),
    }
    for name in names:
        found = [one.get(name) for one in values]
        numbers = [None if value is None else float(value) for value in found]
        columns[name] = pl.Series(name, numbers, dtype=pl.Float64)
    roles = {"item": "item", "system": "system", "task": "task"}
    if len(set(items)) < len(items):
        seen: dict[str, int] = {}
        runs = [seen.setdefault(item, 0) for item in items]
        for at, item in enumerate(items):
            seen[item] += 1
            runs[at] = seen[item]
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="sample"),
        source=log.source("evalscope"),
        roles=roles,
        scores=tuple(names),
    )
