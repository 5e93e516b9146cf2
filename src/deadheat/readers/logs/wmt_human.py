"""Human scores of WMT: direct assessment of 2022 and before, and ESA of 2024."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.speech import words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "WMT human scores"
VERSIONS = "heads of ad-*-good-*.csv of 2022 and of ESA of 2024"
QUIRKS = (
    "An item is a segment; several scores of one segment are its runs, in their order.",
    "Rows of quality control (BAD_REF, REPEAT, BAD) and of tutorials are left out, with a note.",
    "Not every segment was scored for every system: --missing drop takes those that were, "
    "--unpaired all of them.",
    "Direct assessment files name their columns with blanks and part their rows with tabs.",
    "automatic-scores.tsv holds values of whole systems.",
)

_DA = re.compile(rb"HITId\s+WorkerId\s+Input\.src\s+Input\.trg\s+Input\.item\s+hit\s+sys_id\s")
_AUTOMATIC = re.compile(rb"pair\tsystem\tid\tis_constrained\tmetric\tscore\s")
_ESA = re.compile(
    rb"[^,\s]+,[^,\r\n]+,\d+,[A-Z]+[^,]*,[a-z]{2,3}(?:[_-]\w+)?,[a-z]{2,3}(?:[_-]\w+)?,-?[\d.]+,"
    rb"[^,\r\n]+,(?:True|False),"
)
_DA_FIELDS, _ESA_FIELDS = 12, 12


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a header of WMT, or a row of ESA."""
    return any(kind.match(head[:4096]) for kind in (_DA, _AUTOMATIC, _ESA))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each score of a segment.

    Raises
    ------
    NoAnswersError
        If the scores are those of whole systems.
    FormatError
        If a row is of another shape, or none is a score of a system.
    """
    if _AUTOMATIC.match(log.head[:4096]):
        raise NoAnswersError(
            "these are automatic scores of whole systems.",
            where=log.path,
            fix="Give the outputs, one segment a line, and --reference.",
        )
    rows = _assessed(log) if _DA.match(log.head[:4096]) else _annotated(log)
    systems: list[str] = []
    items: list[str] = []
    tasks: list[str] = []
    documents: list[str] = []
    scores: list[float | None] = []
    runs: list[int] = []
    lines: list[int] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    left: Counter[str] = Counter()
    for number, kind, system, item, task, document, score in rows:
        if kind not in ("SYSTEM", "TGT"):
            left[kind] += 1
            continue
        seen[system, task, item] += 1
        systems.append(system)
        items.append(item)
        tasks.append(task)
        documents.append(document)
        scores.append(score)
        runs.append(seen[system, task, item])
        lines.append(number)
    if not items:
        raise FormatError("no row is a score of a system: 0 rows.", where=log.path)
    columns = {
        "segment": pl.Series(items, dtype=pl.String),
        "system": pl.Series(systems, dtype=pl.String),
        "task": pl.Series(tasks, dtype=pl.String),
        "score": pl.Series(scores, dtype=pl.Float64),
    }
    roles = {"item": "segment", "system": "system", "task": "task"}
    if any(documents):
        columns["document"] = pl.Series(documents, dtype=pl.String)
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    notes: tuple[Note, ...] = ()
    if left:
        listed = ", ".join(f"{n:,} {kind}" for kind, n in sorted(left.items()))
        message = f"{log.path}: rows that are no scores of systems were left out: {listed}."
        notes = (Note(code="not_item_scores", message=message),)
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="line", lines=np.array(lines, dtype=np.int64)),
        source=log.source("wmt_human"),
        roles=roles,
        scores=("score",),
        notes=notes,
    )


Row = tuple[int, str, str, str, str, str, float | None]
"""Line, kind, system, item, language pair, document and score."""


def _assessed(log: Log) -> Iterator[Row]:
    """Yield the rows of a direct assessment."""
    for number, line in log.lines():
        if number == 1:
            continue
        fields = words(log, number, line).split("\t")
        if len(fields) != _DA_FIELDS:
            raise _odd(log, number, len(fields), _DA_FIELDS)
        _, _, source, target, _, _, system, _, kind, item, score, _ = fields
        yield number, kind, system, item, f"{source}-{target}", "", _score(log, number, score)


def _annotated(log: Log) -> Iterator[Row]:
    """Yield the rows of ESA, which have no header."""
    for number, line in log.lines():
        text = words(log, number, line)
        try:
            fields = next(csv.reader([text]), [])
        except csv.Error as error:
            raise FormatError(
                f"the line cannot be taken apart ({error}).",
                where=f"{log.path}, line {number}",
                fix="Save the file with line feeds, and fields that hold line breaks in quotes.",
            ) from None
        if len(fields) < _ESA_FIELDS:
            raise _odd(log, number, len(fields), _ESA_FIELDS)
        _, system, item, kind, source, target, score, document, *_ = fields
        if "tutorial" in system or "tutorial" in document:
            kind = "tutorial"
        yield (
            *(number, kind, system, item, f"{source}-{target}"),
            *(re.sub(r"_\d+$", "", document.partition("#")[0]), _score(log, number, score)),
        )


def _score(log: Log, number: int, text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        if text.strip().lower() in ("", "na", "none", "null"):
            return None
        raise FormatError(
            f"{text!r} is no score.",
            where=f"{log.path}, line {number}",
            fix="Check how the file was written.",
        ) from None
    return value if np.isfinite(value) else None


def _odd(log: Log, number: int, n: int, expected: int) -> FormatError:
    return FormatError(
        f"the line has {n} fields, and {expected} are expected.",
        where=f"{log.path}, line {number}",
        fix="The file may be cut off: copy it again, or remove the line.",
    )
