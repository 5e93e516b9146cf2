"""Whether systems did the same task, and items of one name asked the same, by what logs say."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from deadheat.alignment.kinds import shown
from deadheat.errors import AlignmentError
from deadheat.evaluation import Answers
from deadheat.notes import Note

_LISTED = 6


def check_same_items(answers: Sequence[Answers], *, different: bool) -> tuple[Note, ...]:
    """Refuse systems of different tasks, or whose items of one name asked for something else.

    Parameters
    ----------
    answers : sequence of Answers
    different : bool
        Whether they are compared all the same, with a note.

    Raises
    ------
    AlignmentError
        If two logs state different tasks, or different hashes of an item, with the first such
        item.
    """
    notes = [*_same_task(answers, different=different)]
    stated = [a for a in answers if a.item_hashes is not None and a.items is not None]
    for other in stated[1:]:
        first = stated[0]
        if _alike(first, other):
            continue
        both = _hashes(first).join(_hashes(other), on="item", suffix="_other")
        differ = both.filter(pl.col("hash") != pl.col("hash_other"))
        if not len(differ):
            continue
        found = (
            f"{first.system} and {other.system} were asked something else in {len(differ):,} of "
            f"{len(both):,} items of one name, by the hashes in their logs; the first is "
            f"{shown(differ['item'][0])}"
        )
        if not different:
            raise AlignmentError(
                f"{found}.",
                fix="Compare logs of one version of the task, or say --different-items to compare "
                "them all the same.",
            )
        notes.append(Note(code="different_items", message=f"{found}. They were compared."))
    return tuple(notes)


def _alike(first: Answers, other: Answers) -> bool:
    """Whether two logs have the same items and hashes row by row, so that no join is needed."""
    columns = [(first.items, other.items), (first.item_hashes, other.item_hashes)]
    return all(a is not None and b is not None and a.equals(b) for a, b in columns)


def _same_task(answers: Sequence[Answers], *, different: bool) -> tuple[Note, ...]:
    """Refuse systems that did one task each, and not the same one."""
    tasks = {a.system: a.tasks.unique().to_list() for a in answers if a.tasks is not None}
    if any(len(done) > 1 for done in tasks.values()):
        return ()  # Tasks are parts of the item ids then, and pair or do not.
    by_system = {system: done[0] for system, done in tasks.items() if done}
    if len(set(by_system.values())) <= 1:
        return ()
    said = "; ".join(f"{system} {task}" for system, task in [*by_system.items()][:_LISTED])
    if not different:
        raise AlignmentError(
            f"the systems did different tasks: {said}.",
            fix="Give logs of one task, or say --different-items if their items are the same.",
        )
    message = f"The systems did different tasks, and were compared all the same: {said}."
    return (Note(code="different_items", message=message),)


def _hashes(answers: Answers) -> pl.DataFrame:
    assert answers.items is not None
    assert answers.item_hashes is not None
    frame = pl.DataFrame(
        {"item": answers.items.cast(pl.String), "hash": answers.item_hashes.cast(pl.String)}
    )
    return frame.drop_nulls().unique("item", keep="first", maintain_order=True)
