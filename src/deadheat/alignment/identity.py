"""Whether items of one name asked the same, by the hashes that logs state of them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from deadheat.alignment.kinds import shown
from deadheat.errors import AlignmentError
from deadheat.evaluation import Answers
from deadheat.notes import Note


def check_same_items(answers: Sequence[Answers], *, different: bool) -> tuple[Note, ...]:
    """Refuse systems whose items, by name the same, asked for something else.

    Parameters
    ----------
    answers : sequence of Answers
    different : bool
        Whether they are compared all the same, with a note.

    Raises
    ------
    AlignmentError
        If two logs state different hashes of an item, with the first such item.
    """
    stated = [a for a in answers if a.item_hashes is not None and a.items is not None]
    notes = []
    for other in stated[1:]:
        first = stated[0]
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


def _hashes(answers: Answers) -> pl.DataFrame:
    assert answers.items is not None
    assert answers.item_hashes is not None
    frame = pl.DataFrame(
        {"item": answers.items.cast(pl.String), "hash": answers.item_hashes.cast(pl.String)}
    )
    return frame.drop_nulls().unique("item", keep="first", maintain_order=True)
