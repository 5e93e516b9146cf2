"""AlpacaEval: the preferences of an annotator between a system and one opponent."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import occurrences, score, stated, texts, unscored
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "AlpacaEval"

VERSIONS = "1 and 2 (annotations.json)"

QUIRKS = (
    "The system is generator_2, the opponent generator_1.",
    "preference is 1 for the opponent, 2 for the system, 1.5 (formerly 0) for a draw, and what "
    "lies between a weighted preference. The score win is the same from 0 to 1: its mean is the "
    "win rate.",
    "A preference of null, or of anything else, is missing.",
    "Instructions are no unique ids: one that stands more than once is INSTRUCTION (2) and so on, "
    "in the order of the file, and how many did is said.",
    "dataset says where an instruction comes from (--stratum dataset).",
)

_LOOK = 1 << 18
_MARKS = (b'"instruction"', b'"generator_1"', b'"generator_2"', b'"annotator"')


class _Annotation(msgspec.Struct):
    instruction: str
    generator_1: str | None = None
    generator_2: str | None = None
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
        If the file is broken.
    NoAnswersError
        If there is no annotation.
    """
    found = log.document(list[_Annotation], "annotations of AlpacaEval")
    if not found:
        raise NoAnswersError("there are no annotations: 0 rows.", where=log.path)
    win = pl.Series([_win(one.preference) for one in found], dtype=pl.Float64)
    systems = [one.generator_2 or "generator_2" for one in found]
    again = occurrences(
        (system, one.instruction) for system, one in zip(systems, found, strict=True)
    )
    items = [
        one.instruction if k == 1 else f"{one.instruction} ({k})"
        for one, k in zip(found, again, strict=True)
    ]
    columns = {
        "item": pl.Series(items, dtype=pl.String),
        "system": pl.Series(systems, dtype=pl.String),
        "win": win,
        "preference": pl.Series([one.preference for one in found], dtype=pl.Float64),
        "dataset": texts(one.dataset for one in found),
    }
    opponent = ", ".join(sorted({one.generator_1 for one in found if one.generator_1}))
    judge = ", ".join(sorted({one.annotator for one in found if one.annotator}))
    return Table(
        columns=columns,
        height=len(found),
        rows=Rows(word="annotation"),
        source=log.source("alpaca_eval"),
        roles={"item": "item", "system": "system"},
        scores=("win", "preference"),
        about={"": stated(against=opponent, judge=judge)},
        notes=(
            Note(
                code="scored_in_pairs",
                message=f"The score win is a preference against {opponent}: 1 for the system, 0 "
                "for the other.",
            ),
            *_repeated(log, sum(k > 1 for k in again)),
            *unscored(log.path, win.null_count(), "annotations are of no known preference"),
        ),
    )


def _win(preference: float | None) -> float | None:
    """Return a preference as a share from 0 to 1; None where it is none.

    Examples
    --------
    >>> [_win(value) for value in (1.0, 1.25, 1.5, 2.0, 0.0, None, -1.0)]
    [0.0, 0.25, 0.5, 1.0, 0.5, None, None]
    """
    value = score(preference)
    if value == 0.0:
        return 0.5
    return value - 1.0 if value is not None and 1.0 <= value <= 2.0 else None


def _repeated(log: Log, n: int) -> tuple[Note, ...]:
    if not n:
        return ()
    message = (
        f"{log.path}: {n:,} instructions stood there before, and are told apart by their order."
    )
    return (Note(code="items_by_order", message=message),)
