"""EvalScope: reviews of one data set, a line for each sample."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers.assembly import (
    Whole,
    constant,
    no_scores_of_items,
    occurrences,
    score_columns,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "EvalScope"

VERSIONS = "1.0 to 1.14 (reviews/MODEL/DATASET_SUBSET.jsonl)"

QUIRKS = (
    "A metric is a score column; main_score_name comes first where it is stated.",
    "Samples of one group_id are repeats of an item, and its runs.",
    "In reviews/MODEL/DATASET_SUBSET.jsonl the folder names the system and the file the task. "
    "Elsewhere the file names the system.",
    "A metric that a sample lacks, as where its judge failed, is missing: EvalScope leaves such "
    "samples out of its means.",
    "The report of the data set, reports/MODEL/DATASET.json, is held against the samples where "
    "it lies beside the reviews; alone it is an aggregate and refused.",
)

_LOOK = 1 << 20
_FIRST = re.compile(rb'\s*\{\s*"index"\s*:\s*(?:\d|")')
_REPORT = (b'"dataset_name"', b'"model_name"', b'"metrics"', b'"categories"', b'"subsets"')


class _Score(msgspec.Struct):
    value: dict[str, Any] = {}
    main_score_name: str | None = None
    status: str | None = None


class _SampleScore(msgspec.Struct):
    score: _Score
    sample_id: int | str | None = None
    group_id: int | str | None = None
    generation_index: Whole | None = None


class _Line(msgspec.Struct):
    index: int | str
    sample_score: _SampleScore


class _Subset(msgspec.Struct):
    name: str = ""
    score: float | None = None


class _Category(msgspec.Struct):
    subsets: list[_Subset] = []


class _Metric(msgspec.Struct):
    name: str = ""
    legacy_name: str | None = None
    categories: list[_Category] = []


class _Report(msgspec.Struct):
    dataset_name: str = ""
    metrics: list[_Metric] = []


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line has an index and the score of a sample, or a document is a report."""
    if _FIRST.match(head):
        line = head[:_LOOK].lstrip().partition(b"\n")[0]
        # The messages of one sample can be longer than the head, and stand before its score.
        cut_off = len(line) >= _LOOK - 8 and b'"messages"' in line
        return b'"sample_score"' in line or (cut_off and _is_review(path))
    return _is_report(head)


def _is_review(path: str) -> bool:
    return Path(os.path.abspath(path)).parent.parent.name == "reviews"


def _is_report(head: bytes) -> bool:
    look = head[:_LOOK]
    return look.lstrip().startswith(b"{") and all(mark in look for mark in _REPORT)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample.

    Raises
    ------
    FormatError
        If a line is broken.
    NoAnswersError
        If no sample names a metric, or the file is a report.
    """
    if not _FIRST.match(log.head):
        raise NoAnswersError(
            "this is a report of EvalScope: it states means, and no samples.",
            where=log.path,
            fix="Give the folder reviews that lies beside the folder reports.",
        )
    items: list[str] = []
    values: list[dict[str, Any]] = []
    repeats: list[int | None] = []
    first: dict[str, None] = {}
    for _, line in log.records(_Line, "a review of EvalScope"):
        found = line.sample_score
        items.append(str(line.index if found.group_id is None else found.group_id))
        repeats.append(found.generation_index)
        values.append(found.score.value)
        if found.score.main_score_name:
            first[found.score.main_score_name] = None
    columns, left_out = score_columns(values)
    names = [*(name for name in first if name in columns), *columns]
    names = [*dict.fromkeys(names)]
    if not names:
        raise NoAnswersError("no sample names a metric with scores.", where=log.path)
    everything = {"item": pl.Series(items, dtype=pl.String)}
    roles = {"item": "item"}
    path = Path(os.path.abspath(log.path))
    if _is_review(log.path):
        everything["system"] = constant(log.folder(), len(items))
        everything["task"] = constant(path.stem, len(items))
        roles |= {"system": "system", "task": "task"}
    if len(set(items)) < len(items):
        everything["run"] = _runs(items, repeats)
        roles["run"] = "run"
    everything |= {_apart(name, everything): columns[name] for name in names}
    main = everything[_apart(names[0], {})]
    return Table(
        columns=everything,
        height=len(items),
        rows=Rows(word="sample"),
        source=log.source("evalscope"),
        roles=roles,
        scores=tuple(_apart(name, roles) for name in names),
        notes=(
            *disagreements(log.path, everything, roles, _published(path, names)),
            *no_scores_of_items(left_out, "Values of EvalScope"),
            *unscored(log.path, main.null_count(), f"samples lack {names[0]}"),
        ),
    )


def _apart(name: str, taken: Iterable[str]) -> str:
    """Tell a metric apart from a column of its name."""
    return f"metric {name}" if name in taken else name


def _runs(items: Sequence[str], repeats: Sequence[int | None]) -> pl.Series:
    """Return the number of each repeat: as planned where that is said, else in order."""
    planned = [-1 if k is None else k for k in repeats]
    if -1 not in planned and len(set(zip(items, planned, strict=True))) == len(items):
        return pl.Series([k + 1 for k in planned], dtype=pl.Int64)
    return pl.Series(occurrences(items), dtype=pl.Int64)


def _published(path: Path, names: Sequence[str]) -> list[Published]:
    """Return what the report states of the subset, where one lies in its place."""
    folder = path.parent.parent.parent / "reports" / path.parent.name
    if not _is_review(str(path)) or not folder.is_dir():
        return []
    for report in sorted(folder.glob("*.json"))[:1_000]:
        if not path.stem.startswith(report.stem):
            continue
        try:
            stated = msgspec.json.decode(report.read_bytes(), type=_Report)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        subset = path.stem.removeprefix(report.stem).removeprefix("_")
        return [
            Published(score=name, value=one.score, place=str(report))
            for metric in stated.metrics
            for category in metric.categories
            for one in category.subsets
            for name in names
            if one.score is not None
            and one.name == subset
            and {metric.name, metric.legacy_name} & {name, f"mean_{name}"}
        ]
    return []
