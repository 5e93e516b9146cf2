"""OpenCompass: the details of one data set, keyed by the number of the item."""

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
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "OpenCompass"
VERSIONS = "results of 2023 to 2025 with --dump-eval-details"
QUIRKS = (
    "Among the keys of details, type is no item.",
    "The system is the folder that holds the file of the data set (results/MODEL/DATASET.json).",
    "Without details a file has nothing but an aggregate, and is refused.",
)

_DETAILS = re.compile(rb'"details"\s*:\s*\{')
_TYPE = re.compile(rb'"type"\s*:\s*"(?:GEN|PPL|CLP|LL|MINK|[A-Z_]{2,12})"')
_LOOK = 1 << 16


class _Results(msgspec.Struct):
    details: dict[str, Any] | None = None
    accuracy: float | None = None
    score: float | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has details of items by their numbers, and says how they were made."""
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"{")
        and _DETAILS.search(look) is not None
        and _TYPE.search(look) is not None
        and b'"predictions"' in look
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each item.

    Raises
    ------
    FormatError
        If the items have no correct.
    """
    found = log.document(_Results, "results of OpenCompass")
    details = {
        number: one for number, one in (found.details or {}).items() if isinstance(one, dict)
    }
    if not details:
        raise NoAnswersError(
            "there are no details of items.",
            where=log.path,
            fix="Run OpenCompass with --dump-eval-details.",
        )
    right = [_right(one) for one in details.values()]
    if all(value is None for value in right):
        raise FormatError(
            "no item says whether it was correct.",
            where=log.path,
            fix="Only evaluators that give correct for each item can be compared.",
        )
    path = Path(log.path)
    columns = {
        "index": pl.Series([*details], dtype=pl.String),
        "system": pl.repeat(log.folder(), len(details), dtype=pl.String, eager=True),
        "task": pl.repeat(path.stem, len(details), dtype=pl.String, eager=True),
        "correct": pl.Series(right, dtype=pl.Float64),
        "reference": pl.Series([_text(one.get("references")) for one in details.values()]),
        "prediction": pl.Series([_text(one.get("predictions")) for one in details.values()]),
    }
    roles = {"item": "index", "system": "system", "task": "task", "reference": "reference"}
    stated = found.accuracy if found.accuracy is not None else found.score
    claims = [] if stated is None else [Published(score="correct", value=stated)]
    shares = columns | {"correct": columns["correct"] * 100.0}
    return Table(
        columns=columns,
        height=len(details),
        rows=Rows(word="item"),
        source=log.source("opencompass"),
        roles=roles,
        scores=("correct",),
        notes=disagreements(log.path, shares, roles, claims),
    )


def _right(one: dict[str, Any]) -> float | None:
    value = one.get("correct")
    if isinstance(value, list) and value:  # one for each of several answers
        truths = [float(v) for v in value if isinstance(v, (bool, int, float))]
        return sum(truths) / len(truths) if len(truths) == len(value) else None
    return float(value) if isinstance(value, (bool, int, float)) else None


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
