"""AlpacaEval: the preferences of an annotator between a system and one opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "AlpacaEval"
VERSIONS = "1 and 2 (annotations.json)"
QUIRKS = (
    "The system is generator_2, the opponent generator_1.",
    "The score preference is 1 for the opponent, 2 for the system, 1.5 (or 0) for a draw, and what "
    "lies between a weighted preference; the metric win_rate reads it as a share from 0 to 1.",
    "Instructions are no unique ids: an instruction that stands more than once becomes "
    "INSTRUCTION (2) and so on, in the order of the file.",
    "A preference of null is missing.",
)

_LOOK = 1 << 18
_MARKS = (b'"instruction"', b'"generator_1"', b'"generator_2"', b'"annotator"')


class _Annotation(msgspec.Struct):
    instruction: str
    generator_1: str
    generator_2: str
    preference: float | None = None
    dataset: str | None = None
    annotator: str | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a list holds annotations of two generators."""
    look = head[:_LOOK]
    return look.lstrip().startswith(b"[") and all(mark in look for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each annotated instruction.

    Raises
    ------
    FormatError
        If there is none.
    """
    found = log.document(list[_Annotation], "annotations of AlpacaEval")
    if not found:
        raise FormatError("there are no annotations: 0 rows.", where=log.path)
    opponents = {one.generator_1 for one in found}
    seen: Counter[tuple[str, str]] = Counter()
    items = []
    for one in found:
        seen[one.generator_2, one.instruction] += 1
        n = seen[one.generator_2, one.instruction]
        items.append(one.instruction if n == 1 else f"{one.instruction} ({n})")
    columns = {
        "item": pl.Series(items, dtype=pl.String),
        "system": pl.Series([one.generator_2 for one in found], dtype=pl.String),
        "preference": pl.Series([one.preference for one in found], dtype=pl.Float64),
        "dataset": pl.Series([one.dataset for one in found], dtype=pl.String),
    }
    notes = [
        Note(
            code="preferences",
            message=f"Preferences against {', '.join(sorted(opponents))}; --metric win_rate makes "
            "them shares from 0 to 1.",
        )
    ]
    unscored = columns["preference"].null_count()
    if unscored:
        message = f"{log.path}: {unscored:,} annotations have no preference."
        notes.append(Note(code="unscored_samples", message=message))
    annotators = sorted({one.annotator for one in found if one.annotator})
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="annotation"),
        source=log.source("alpaca_eval"),
        roles={"item": "item", "system": "system"},
        scores=("preference",),
        about={"": {"opponent": ", ".join(sorted(opponents)), "annotator": ", ".join(annotators)}},
        notes=tuple(notes),
    )
