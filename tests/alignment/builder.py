"""Hand-made answers, and what came of aligning them, short enough to read in a test."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from deadheat.alignment import Alignment, align
from deadheat.errors import AlignmentError
from deadheat.evaluation import Answers, Evaluation, References, Source


def series(values: Any, dtype: Any = None) -> pl.Series | None:
    return None if values is None else pl.Series(values, dtype=dtype)


def source(format_: str = "jsonl", path: str = "") -> Source:
    return Source(path=path, sha256="", format=format_)


def system(
    name: str, items: Any = None, outputs: Any = None, scores: Any = None, *,
    references: Any = None, runs: Any = None, clusters: Any = None, strata: Any = None,
    format_: str = "jsonl", path: str = "",
) -> Answers:  # fmt: skip
    return Answers(
        system=name,
        items=series(items),
        outputs=series(outputs),
        scores=series(scores, pl.Float64),
        references=series(references),
        runs=series(runs),
        clusters=series(clusters),
        strata=series(strata),
        source=source(format_, path),
    )


def right(
    values: Any, items: Any = None, *, clusters: Any = None, strata: Any = None,
    format_: str = "jsonl",
) -> References:  # fmt: skip
    return References(
        items=series(items),
        values=pl.Series(values),
        clusters=series(clusters),
        strata=series(strata),
        source=source(format_),
    )


def evaluation(*answers: Answers, references: References | None = None) -> Evaluation:
    return Evaluation(answers=answers, references=references)


def codes(alignment: Alignment) -> list[str]:
    return [note.code for note in alignment.notes]


def lists(columns) -> list:
    return [None if c is None else c.to_list() for c in columns]


def refused(ev: Evaluation, *parts: str, error=AlignmentError, **policy) -> str:
    with pytest.raises(error) as caught:
        align(ev, **policy)
    message = str(caught.value)
    for part in parts:
        assert part in message
    return message
