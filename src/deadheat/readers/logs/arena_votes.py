"""Arena votes: which of two answers somebody liked better."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers import csv_logs
from deadheat.readers.assembly import score as as_score
from deadheat.readers.battles import Battle, scored
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "arena votes"

VERSIONS = (
    "Chatbot Arena and MT-bench human judgements (JSON, JSON lines, CSV), the Kaggle table of "
    "Chatbot Arena, Agent Arena"
)

QUIRKS = (
    "A vote is a verdict on two answers. It is no score of a system on an item that other systems "
    "have too: a file of votes on more than two systems is refused, and ratings are not computed.",
    "Where every vote is on the same two systems each has 1 where it won, 0 where it lost and 0.5 "
    "for a tie; tie (bothbad) and Both are bad are ties, and how many is said.",
    "Votes on a system and itself are left out, and so said.",
    "Several votes on one question are its runs; with a turn they are told apart by it.",
    "In the table of Kaggle the verdict stands in three columns of 0 and 1.",
)

_LOOK = 1 << 20
_WINNER = re.compile(rb'"winner"\s*:\s*"(?:model_[ab]|tie|both[_ ]?bad)')
_RATING = re.compile(rb'"rating"\s*:\s*"(?:[AB] is better|Tie|Both are bad)"')
_KAGGLE = ("winner_model_a", "winner_model_b", "winner_tie")
_VERDICTS = {
    "model_a": 1.0,
    "a is better": 1.0,
    "model_b": 0.0,
    "b is better": 0.0,
    "tie": 0.5,
}
_BAD = re.compile(r"both[ _]?(?:are )?bad", re.IGNORECASE)


class _Vote(msgspec.Struct):
    question_id: str | int | None = None
    id: str | int | None = None
    mongo_id: Any = msgspec.field(default=None, name="_id")
    model_a: str | None = None
    model_b: str | None = None
    winner: str | None = None
    left: str | None = msgspec.field(default=None, name="leftSubcomponent")
    right: str | None = msgspec.field(default=None, name="rightSubcomponent")
    rating: str | None = None
    judge: str | list[str] | None = None
    turn: int | str | None = None

    @property
    def name(self) -> str | None:
        known = (self.question_id, self.id, self.mongo_id)
        return next((str(value) for value in known if isinstance(value, (str, int))), None)


def recognises(path: str, head: bytes) -> bool:
    """Whether a file has verdicts on a model a and a model b, or a left one and a right one."""
    if head.lstrip()[:1] in (b"{", b"["):
        look = head[:_LOOK]
        if b'"leftSubcomponent"' in look:
            return b'"rightSubcomponent"' in look and _RATING.search(look) is not None
        both = b'"model_a"' in look and b'"model_b"' in look
        return both and _WINNER.search(look) is not None
    names = csv_logs.header(head)
    if not names >= {"model_a", "model_b"}:
        return False
    if names >= set(_KAGGLE):
        return True
    # Columns of these names can hold scores of two systems too.
    row = csv_logs.first_row(head) if "winner" in names else {}
    named = as_score(row.get("model_a")) is None and as_score(row.get("model_b")) is None
    return bool(row) and named and _verdict(row.get("winner")) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read two rows for each vote, one for each of two systems.

    Raises
    ------
    FormatError
        If the file is broken, or a vote names no two models.
    NoAnswersError
        If there is no vote, or votes are on more than two systems.
    """
    votes, rows = _votes(log)
    names = [vote.name for vote in votes]
    turns = len(set(names)) < len(names) and all(vote.turn is not None for vote in votes)
    battles = []
    for at, (vote, name) in enumerate(zip(votes, names, strict=True)):
        first, second = vote.model_a or vote.left, vote.model_b or vote.right
        if not first or not second:
            raise FormatError(
                "the vote does not name two models.",
                where=f"{log.path}, {rows.name(at)}",
                fix="Check how the file was written.",
            )
        item = name or str(at + 1)
        battles.append(
            Battle(
                item=f"{item}/{vote.turn}" if turns else item,
                first=first,
                second=second,
                score=_verdict(vote.winner or vote.rating),
                row=at,
            )
        )
    found = scored(battles, log.path)
    columns = dict(found.columns)
    judges = [votes[at].judge for at in found.at]
    if any(judge is not None for judge in judges):
        columns["judge"] = pl.Series([_listed(judge) for judge in judges], dtype=pl.String)
    return Table(
        columns=columns,
        height=len(found.at),
        rows=rows.take(np.asarray(found.at, dtype=np.int64)),
        source=log.source("arena_votes"),
        roles=found.roles,
        scores=("score",),
        notes=(*found.notes, *_both_bad(log, votes)),
    )


def _votes(log: Log) -> tuple[list[_Vote], Rows]:
    """Return the votes and how their rows are called."""
    start = log.head.lstrip()[:1]
    if start == b"[":
        return log.document(list[_Vote], "votes of an arena"), Rows(word="vote")
    if start == b"{":
        numbers, votes = [], []
        for number, vote in log.records(_Vote, "a vote of an arena"):
            numbers.append(number)
            votes.append(vote)
        return votes, Rows(word="line", lines=np.asarray(numbers, dtype=np.int64))
    table = csv_logs.read(log)
    return [*_in_csv(table)], table.rows


def _in_csv(table: Table) -> Iterator[_Vote]:
    names = ("question_id", "id", "model_a", "model_b", "winner", "judge", "turn")
    known = {n: csv_logs.values(table, n) for n in names if n in table.columns}
    three = [csv_logs.values(table, name) for name in _KAGGLE if name in table.columns]
    for row in range(table.height):
        cells = {name: column[row] for name, column in known.items()}
        if len(three) == len(_KAGGLE):
            won = [at for at, column in enumerate(three) if as_score(column[row]) == 1.0]
            cells["winner"] = ("model_a", "model_b", "tie")[won[0]] if len(won) == 1 else None
        yield _Vote(**cells)


def _verdict(text: str | None) -> float | None:
    """Return the score of the first of two systems; None where there is no verdict."""
    word = (text or "").strip().casefold()
    if word in _VERDICTS:
        return _VERDICTS[word]
    return 0.5 if _BAD.search(word) else None


def _both_bad(log: Log, votes: Sequence[_Vote]) -> tuple[Note, ...]:
    n = sum(bool(_BAD.search(vote.winner or vote.rating or "")) for vote in votes)
    if not n:
        return ()
    message = f"{log.path}: {n:,} votes say that both answers are bad; they count as ties."
    return (Note(code="both_bad", message=message),)


def _listed(judge: str | list[str] | None) -> str | None:
    return "/".join(judge) if isinstance(judge, list) else judge
