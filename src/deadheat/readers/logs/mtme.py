"""Scores of segments in mt-metrics-eval: a system and a score a line, systems below each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.speech import head_lines, words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "mt-metrics-eval"
VERSIONS = "the layout of version 2 (.seg.score, .doc.score); no real file was tried"
QUIRKS = (
    "Lines have no header and no ids: the item is the position among the lines of a system, from "
    "1. The file is known by its ending and its lines.",
    "None is a missing score.",
    "The name of the file says what was scored and is the task, so that values of two metrics are "
    "not taken for runs of one.",
    "Scores of whole systems and of domains (.sys.score, .domain.score) are refused.",
)

_ENDING = re.compile(r"\.(seg|doc|sys|domain)\.score$")
_LINE = re.compile(
    rb"([^\t]+)\t(?:([^\t]+)\t)?(None|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan)$"
)


def recognises(path: str, head: bytes) -> bool:
    """Whether the name ends as such files do, and all lines are a system and a score."""
    if not _ENDING.search(path):
        return False
    lines = head_lines(head)
    return bool(lines) and all(_LINE.match(line.rstrip(b" ")) for line in lines)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each segment of each system.

    Raises
    ------
    NoAnswersError
        If the scores are those of whole systems or domains.
    FormatError
        If a line is of another shape.
    """
    ending = _ENDING.search(log.path)
    assert ending is not None
    if ending[1] in ("sys", "domain"):
        raise NoAnswersError(
            "these are scores of whole systems."
            if ending[1] == "sys"
            else "these are scores of systems in domains, and not of segments.",
            where=log.path,
            fix="Give the file beside it that ends in .seg.score.",
        )
    seen: dict[str, int] = {}
    systems: list[str] = []
    items: list[int] = []
    scores: list[float | None] = []
    lines: list[int] = []
    for number, line in log.lines():
        found = _LINE.match(line.rstrip(b"\r "))
        if found is None or found[2] is not None:
            raise FormatError(
                "the line is no system and score with a tab between them.",
                where=f"{log.path}, line {number}",
                fix="The file may be cut off: write it again.",
            )
        system = words(log, number, found[1])
        seen[system] = seen.get(system, 0) + 1
        systems.append(system)
        items.append(seen[system])
        scores.append(None if found[3] == b"None" else float(found[3]))
        lines.append(number)
    what = _ENDING.sub("", Path(log.path).name)
    n = len(items)
    return Table(
        columns={
            "segment": pl.Series(items, dtype=pl.Int64),
            "system": pl.Series(systems, dtype=pl.String),
            "score": pl.Series(scores, dtype=pl.Float64).fill_nan(None),
            "task": pl.repeat(what, n, dtype=pl.String, eager=True),
        },
        height=n,
        rows=Rows(word="line", lines=np.array(lines, dtype=np.int64)),
        source=log.source("mtme"),
        roles={"item": "segment", "system": "system", "task": "task"},
        scores=("score",),
    )
