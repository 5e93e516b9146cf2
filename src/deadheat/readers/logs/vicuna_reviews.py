"""Reviews of the Vicuna evaluation: a judge scores two answers to each question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import score, stated, unscored
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "Vicuna reviews"

VERSIONS = "reviews of the Vicuna evaluation of 2023 (review_A_B.jsonl), and of what follows it"

QUIRKS = (
    "A line scores two answers to one question, usually from 1 to 10, and becomes a row for each "
    "of the two systems.",
    "The name of the file, review_A_B.jsonl, names the systems; under another name they are answer "
    "1 and answer 2.",
    "A pair of scores with -1 in it says that the review could not be read: both are missing.",
    "A judge scores an answer beside the other one: a system that was reviewed against several "
    "has several runs, and that they differ in the opponent is said.",
    "Answers were not swapped, so that a liking of the judge for the first place is in the scores.",
)

_LOOK = 1 << 16
_MARKS = (b'"answer1_id"', b'"answer2_id"', b'"question_id"', b'"score"')
_NAME = re.compile(r"review_([^_]+)_([^_]+)$")
_PLACES = 2


class _Review(msgspec.Struct):
    question_id: int | str
    score: list[Any] = []
    reviewer_id: Any = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line scores two answers."""
    line = head[:_LOOK].lstrip().partition(b"\n")[0]
    return line.startswith(b"{") and all(mark in line for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read two rows for each review, one for each of two systems.

    Raises
    ------
    FormatError
        If a line is broken.
    """
    named = _NAME.search(Path(log.path).stem)
    systems = named.groups() if named else ("answer 1", "answer 2")
    questions: list[str] = []
    scores: list[float | None] = []
    lines: list[int] = []
    judges: dict[str, None] = {}
    for number, review in log.records(_Review, "a review of two answers"):
        found = [score(value) for value in review.score]
        valid = len(found) == _PLACES and all(v is not None and v >= 0 for v in found)
        questions.append(str(review.question_id))
        scores.extend(found if valid else (None, None))
        lines.append(number)
        if isinstance(review.reviewer_id, str):
            judges[review.reviewer_id] = None
    missing = scores.count(None)
    columns = {
        "question_id": pl.Series([q for q in questions for _ in systems], dtype=pl.String),
        "system": pl.Series([*systems] * len(questions), dtype=pl.String),
        "score": pl.Series(scores, dtype=pl.Float64),
    }
    judge = ", ".join(judges)
    message = f"{log.path}: a judge scored each answer beside the other one."
    return Table(
        columns=columns,
        height=len(scores),
        rows=Rows(word="line", lines=np.repeat(np.asarray(lines, dtype=np.int64), _PLACES)),
        source=log.source("vicuna_reviews"),
        roles={"item": "question_id", "system": "system"},
        scores=("score",),
        about={
            system: stated(against=other, judge=judge)
            for system, other in zip(systems, reversed(systems), strict=True)
        },
        notes=(
            Note(code="scored_in_pairs", message=message),
            *unscored(log.path, missing, "scores could not be read from their reviews"),
        ),
    )
