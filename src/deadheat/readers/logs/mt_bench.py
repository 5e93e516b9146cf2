"""MT-bench judgements: single answers graded, or two answers set against each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import score, stated, unscored
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "MT-bench"

VERSIONS = "FastChat of 2023 to 2025 (MODEL_single.jsonl and MODEL_pair.jsonl)"

QUIRKS = (
    "An item is a turn of a question (81/1); the question is the cluster.",
    "A score below 0 and the judgement $ERROR$ are missing scores, as FastChat leaves out -1.",
    "A judgement of a pair is a score for each of the two models: 1 for a win in both orders, 0 "
    "for a loss, and 0.5 for a tie or where the orders disagree, as FastChat counts them. An error "
    "in either order is missing.",
    "Where all pairs have one model in common it is the baseline: the others have their scores "
    "against it, and it has none. Pairs of any other kind are refused: ratings are not computed.",
    "Pairs that were judged one by one (m1_score, m2_score) have these scores.",
    "Judgements are appended, so that a question that was judged twice stands twice: it is refused "
    "as a duplicate when systems are paired.",
)

_LOOK = 1 << 17
_JUDGE = re.compile(rb'"judge"\s*:\s*\[')
_SINGLE = (b'"judgment"', b'"score"', b'"model"')
_PAIR = (b'"g1_winner"', b'"model_1"', b'"model_2"')
_WINNERS = {"model_1": 1.0, "model_2": 0.0, "tie": 0.5}
_ERROR = "$ERROR$"


class _Line(msgspec.Struct):
    question_id: int | str
    turn: int = 1
    model: str | None = None
    score: Any = None
    judgment: str | None = None
    model_1: str | None = None
    model_2: str | None = None
    g1_winner: str | None = None
    g2_winner: str | None = None
    m1_score: Any = None
    m2_score: Any = None
    judge: list[str] | str | None = None

    @property
    def grades(self) -> list[tuple[str, float | None, str | None]]:
        """Return systems, their scores, and whom they were set against."""
        if self.model_1 is None or self.model_2 is None:
            given = None if self.judgment == _ERROR else _grade(self.score)
            return [(self.model or "model", given, None)]
        if self.m1_score is not None and self.m2_score is not None:
            first, second = _grade(self.m1_score), _grade(self.m2_score)
        else:
            first = self._first_wins()
            second = None if first is None else 1.0 - first
        return [(self.model_1, first, self.model_2), (self.model_2, second, self.model_1)]

    def _first_wins(self) -> float | None:
        """Return the score of model 1 from the winners in both orders."""
        winners = [self.g1_winner] if self.g2_winner is None else [self.g1_winner, self.g2_winner]
        found = [_WINNERS.get(winner or "") for winner in winners]
        if any(value is None for value in found):
            return None
        return found[0] if len(set(found)) == 1 else 0.5


def _grade(value: object) -> float | None:
    found = score(value)
    return None if found is None or found < 0 else found


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a judgement."""
    line = head[:_LOOK].lstrip().partition(b"\n")[0]
    if not line.startswith(b"{") or b'"question_id"' not in line:
        return False
    known = any(all(mark in line for mark in marks) for marks in (_SINGLE, _PAIR))
    return known and _JUDGE.search(line) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each graded turn, or two for each turn of a pair.

    Raises
    ------
    FormatError
        If a line is broken.
    NoAnswersError
        If pairs are of more than two models and have no model in common.
    """
    items: list[str] = []
    questions: list[str] = []
    grades: list[tuple[str, float | None, str | None]] = []
    lines: list[int] = []
    judges: dict[str, None] = {}
    for number, line in log.records(_Line, "a judgement of MT-bench"):
        judges[line.judge if isinstance(line.judge, str) else "/".join(line.judge or ())] = None
        for grade in line.grades:
            items.append(f"{line.question_id}/{line.turn}")
            questions.append(str(line.question_id))
            grades.append(grade)
            lines.append(number)
    baseline = _baseline(grades, log.path)
    kept = [at for at, (system, _, _) in enumerate(grades) if system != baseline]
    columns = {
        "item": pl.Series([items[at] for at in kept], dtype=pl.String),
        "system": pl.Series([grades[at][0] for at in kept], dtype=pl.String),
        "question_id": pl.Series([questions[at] for at in kept], dtype=pl.String),
        "score": pl.Series([grades[at][1] for at in kept], dtype=pl.Float64),
    }
    against = {grades[at][0]: grades[at][2] for at in kept}
    judge = ", ".join(judges)
    failed = columns["score"].null_count()
    return Table(
        columns=columns,
        height=len(kept),
        rows=Rows(word="line", lines=np.asarray(lines, dtype=np.int64)[kept]),
        source=log.source("mt_bench"),
        roles={"item": "item", "system": "system", "cluster": "question_id"},
        scores=("score",),
        about={system: stated(judge=judge, against=other) for system, other in against.items()},
        notes=(
            *_against(log, baseline, grades),
            *unscored(log.path, failed, "grades could not be read from judgements"),
        ),
    )


def _baseline(grades: Sequence[tuple[str, float | None, str | None]], path: str) -> str | None:
    """Return the model that all pairs of more than two models have in common.

    Raises
    ------
    NoAnswersError
        If there is none.
    """
    pairs = {frozenset((system, other)) for system, _, other in grades if other is not None}
    systems = frozenset().union(*pairs)
    if len(systems) < 3:
        return None
    common = frozenset.intersection(*pairs)
    if len(common) != 1:
        raise NoAnswersError(
            f"these are judgements of {len(pairs):,} different pairs of {len(systems)} models, "
            "which have none in common. A judgement of two answers is no score of a model on an "
            "item that the others have too.",
            where=path,
            fix="Ratings from pairs are not computed yet. Judgements of one pair, or against one "
            "baseline model, can be compared: write them into a file of their own.",
        )
    return next(iter(common))


def _against(
    log: Log, baseline: str | None, grades: Sequence[tuple[str, float | None, str | None]]
) -> tuple[Note, ...]:
    if all(other is None for _, _, other in grades):
        return ()
    whom = "the other model" if baseline is None else baseline
    message = f"{log.path}: scores are judgements against {whom}, 1 for a win and 0.5 for a tie."
    return (Note(code="scored_in_pairs", message=message),)
