"""MT-bench judgements: single answers graded, or two answers set against each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "MT-bench"
VERSIONS = "FastChat of 2023 and 2024 (single and pair judgements)"
QUIRKS = (
    "An item is a turn of a question (81/1); the question is the cluster.",
    "The score -1 and the judgement $ERROR$ are missing scores, never -1.",
    "A pair judgement becomes a score for each of the two models: 1 for a win in both orders, 0 "
    "for a loss, 0.5 for a tie or where the orders disagree.",
    "Judgements are appended, so that a question that was judged twice stands twice: it is refused "
    "as a duplicate.",
)

_LOOK = 1 << 15
_JUDGE = re.compile(rb'"judge"\s*:\s*\[')


class _Line(msgspec.Struct):
    question_id: int | str
    turn: int = 1
    model: str | None = None
    score: float | None = None
    judgment: str = ""
    model_1: str | None = None
    model_2: str | None = None
    g1_winner: str | None = None
    g2_winner: str | None = None
    judge: list[str] | str | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a judgement."""
    line = head[:_LOOK].lstrip().partition(b"\n")[0]
    if not line.startswith(b"{") or b'"question_id"' not in line:
        return False
    single = b'"judgment"' in line and b'"score"' in line
    return (single or b'"g1_winner"' in line) and _JUDGE.search(line) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each graded turn, or two for each turn of a pair."""
    items: list[str] = []
    systems: list[str] = []
    questions: list[str] = []
    scores: list[float | None] = []
    against: list[str | None] = []
    judges: dict[str, None] = {}
    for _, line in log.records(_Line, "a judgement of MT-bench"):
        judge = line.judge if isinstance(line.judge, str) else "/".join(line.judge or ())
        judges[judge] = None
        graded: list[tuple[str, float | None, str | None]]
        if line.g1_winner is not None and line.model_1 and line.model_2:
            first = _first_wins(line.g1_winner, line.g2_winner)
            second = None if first is None else 1.0 - first
            graded = [(line.model_1, first, line.model_2), (line.model_2, second, line.model_1)]
        else:
            failed = line.score is None or line.score < 0 or line.judgment == "$ERROR$"
            graded = [(line.model or "unknown", None if failed else line.score, None)]
        for system, score, other in graded:
            items.append(f"{line.question_id}/{line.turn}")
            questions.append(str(line.question_id))
            systems.append(system)
            scores.append(score)
            against.append(other)
    columns = {
        "item": pl.Series(items, dtype=pl.String),
        "system": pl.Series(systems, dtype=pl.String),
        "question_id": pl.Series(questions, dtype=pl.String),
        "score": pl.Series(scores, dtype=pl.Float64),
    }
    if any(against):
        columns["against"] = pl.Series(against, dtype=pl.String)
    unscored = sum(score is None for score in scores)
    notes: tuple[Note, ...] = ()
    if unscored:
        message = f"{log.path}: {unscored:,} judgements failed and have no score."
        notes = (Note(code="unscored_samples", message=message),)
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="judgement"),
        source=log.source("mt_bench"),
        roles={"item": "item", "system": "system", "cluster": "question_id"},
        scores=("score",),
        about={"": {"judge": ", ".join(judges)}},
        notes=notes,
    )


def _first_wins(first: str, second: str | None) -> float | None:
    """Return the score of model 1 from the winners in both orders; None where the judge failed."""
    winners = [first] if second is None else [first, second]
    if any(winner not in ("model_1", "model_2", "tie") for winner in winners):
        return None
    if len(set(winners)) > 1:
        return 0.5
    return {"model_1": 1.0, "model_2": 0.0, "tie": 0.5}[winners[0]]
