"""OpenCompass: the details of one data set, by the number or the name of the item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers.assembly import constant, score, scores, texts, unscored
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "OpenCompass"

VERSIONS = "results of 2023 to 2026 with --dump-eval-details, with details as objects and as lists"

QUIRKS = (
    "Among the keys of details, type is no item.",
    "The score is correct, or is_correct or cascade_correct where an evaluator calls it so.",
    "Since 0.4 details are a list of items by example_abbr, and each holds a list of verdicts, one "
    "for each of n runs.",
    "In results/MODEL/DATASET.json the folder names the system and the file the task. Elsewhere "
    "the file names the system.",
    "The accuracy or score that stands beside the details is in percent and is held against them.",
    "Without details, or where an evaluator gives no verdict on single items, a file is an "
    "aggregate and refused.",
)

_LOOK = 1 << 20
_DETAILS = re.compile(rb'"details"\s*:\s*(?:\{\s*"(?:type|\d+)"\s*:|\[\s*\{)')
_TYPE = re.compile(rb'"type"\s*:\s*"[A-Z_]{2,12}"')
_MARKS = (b'"predictions"', b'"pred"', b'"origin_prediction"')
_VERDICTS = ("correct", "is_correct", "cascade_correct")
_REFERENCES = ("references", "answer", "refr", "gold")


class _Results(msgspec.Struct):
    details: dict[str, Any] | list[dict[str, Any]] | None = None
    accuracy: Any = None
    score: Any = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has details of items by their numbers, or by example_abbr."""
    look = head[:_LOOK]
    if not look.lstrip().startswith(b"{") or b'"details"' not in look:
        return False
    if _DETAILS.search(look) is None or not any(mark in look for mark in _MARKS):
        return False
    verdict = any(b'"%s"' % name.encode() in look for name in _VERDICTS[1:])
    return b'"example_abbr"' in look or verdict or _TYPE.search(look) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each item, or for each run of one.

    Raises
    ------
    FormatError
        If the file is broken.
    NoAnswersError
        If nothing says which items were right.
    """
    found = log.document(_Results, "results of OpenCompass")
    rows = [
        (name, run, verdict, one)
        for name, one in _details(found)
        for run, verdict in enumerate(_verdicts(one), start=1)
    ]
    right = scores("correct", (verdict for _, _, verdict, _ in rows))
    if right.null_count() == len(right):
        raise NoAnswersError(
            "no item says whether it was correct: the file is an aggregate.",
            where=log.path,
            fix="Run OpenCompass with --dump-eval-details, and an evaluator that judges each item.",
        )
    columns = {
        "index": pl.Series([name for name, _, _, _ in rows], dtype=pl.String),
        "correct": right,
        "reference": texts(_reference(one) for _, _, _, one in rows),
    }
    roles = {"item": "index"}
    if columns["reference"].null_count() == 0:
        roles["reference"] = "reference"
    if log.folder(2) == "results":
        columns["system"] = constant(log.folder(), len(rows))
        columns["task"] = constant(Path(log.path).stem, len(rows))
        roles |= {"system": "system", "task": "task"}
    if max(run for _, run, _, _ in rows) > 1:
        columns["run"] = pl.Series([run for _, run, _, _ in rows], dtype=pl.Int64)
        roles["run"] = "run"
    percent = columns | {"correct": right.cast(pl.Float64) * 100.0}
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="item"),
        source=log.source("opencompass"),
        roles=roles,
        scores=("correct",),
        notes=(
            *disagreements(log.path, percent, roles, _published(found)),
            *unscored(log.path, right.null_count(), "items were not judged"),
        ),
    )


def _details(found: _Results) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the items with their names, in either form of details."""
    if isinstance(found.details, list):
        return [(str(one.get("example_abbr", at)), one) for at, one in enumerate(found.details)]
    items: list[tuple[str, Mapping[str, Any]]] = [
        (name, one) for name, one in (found.details or {}).items() if isinstance(one, dict)
    ]
    return [(name, one) for name, one in items if name.isdecimal()] or items


def _verdicts(one: Mapping[str, Any]) -> list[object]:
    """Return whether an item was right, for each of its runs."""
    value = next((one[name] for name in _VERDICTS if one.get(name) is not None), None)
    listed = value if isinstance(value, list) and value else [value]
    return [v if score(v) is not None else None for v in listed]


def _reference(one: Mapping[str, Any]) -> str | None:
    """Return what was right, where that is one text; sets are written in any order."""
    value = next((one[name] for name in _REFERENCES if one.get(name) is not None), None)
    if isinstance(value, list) and value and all(v == value[0] for v in value):
        value = value[0]
    return value if isinstance(value, str) else None


def _published(found: _Results) -> list[Published]:
    stated = (score(found.accuracy), score(found.score))
    value = next((one for one in stated if one is not None), None)
    return [] if value is None else [Published(score="correct", value=value)]
