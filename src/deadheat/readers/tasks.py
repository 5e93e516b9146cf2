"""Items of several tasks: an item id is one of its task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import Answers
from deadheat.notes import Note

_LISTED = 6


def by_task(
    answers: Sequence[Answers], *, different: bool
) -> tuple[tuple[Answers, ...], tuple[Note, ...]]:
    """Tell the items of tasks apart, and refuse systems that did different tasks.

    Where all systems did one and the same task, nothing changes. Where they did several, item
    ids become TASK/ID, and tasks are strata unless there are others.

    Parameters
    ----------
    answers : sequence of Answers
    different : bool
        Whether systems that each did one task, and not the same one, are compared all the same.

    Raises
    ------
    InputError
        If they are not.
    """
    done = {a.system: _tasks(a) for a in answers if a.tasks is not None}
    every = {task for tasks in done.values() for task in tasks}
    if len(every) <= 1:
        return tuple(answers), ()
    if all(len(tasks) == 1 for tasks in done.values()):
        said = "; ".join(f"{system} {tasks[0]}" for system, tasks in [*done.items()][:_LISTED])
        if not different:
            raise InputError(
                f"the systems did different tasks: {said}.",
                fix="Give logs of one task, or say --different-items if the items are the same.",
            )
        message = f"The systems did different tasks, and were compared all the same: {said}."
        return tuple(answers), (Note(code="different_items", message=message),)
    return tuple(map(qualified, answers)), ()


def qualified(answers: Answers) -> Answers:
    """Put the task of every item before its id, and make tasks the strata if there are none."""
    if answers.tasks is None or answers.items is None:
        return answers
    tasks = answers.tasks.cast(pl.String)
    items = (tasks + "/" + answers.items.cast(pl.String)).alias(answers.items.name)
    strata = tasks if answers.strata is None else answers.strata
    return replace(answers, items=items, strata=strata)


def _tasks(answers: Answers) -> list[str]:
    assert answers.tasks is not None
    return list(answers.tasks.cast(pl.String).unique(maintain_order=True).drop_nulls().to_list())
