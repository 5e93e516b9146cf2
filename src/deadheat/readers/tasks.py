"""Items of several tasks: an item id is one of its task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from deadheat.evaluation import Answers


def by_task(answers: Sequence[Answers]) -> tuple[Answers, ...]:
    """Tell the items of tasks apart: ids become TASK/ID where a system did several tasks.

    Tasks are then strata unless there are others.
    """
    several = any(a.tasks is not None and a.tasks.n_unique() > 1 for a in answers)
    return tuple(map(qualified, answers)) if several else tuple(answers)


def qualified(answers: Answers) -> Answers:
    """Put the task of every item before its id, and make tasks the strata if there are none."""
    if answers.tasks is None or answers.items is None:
        return answers
    tasks = answers.tasks.cast(pl.String)
    items = (tasks + "/" + answers.items.cast(pl.String)).alias(answers.items.name)
    strata = tasks if answers.strata is None else answers.strata
    return replace(answers, items=items, strata=strata)
