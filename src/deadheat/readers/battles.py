"""Verdicts on two answers: scores of systems only where all of them are on the same two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from deadheat.notes import Note
from deadheat.readers.assembly import occurrences
from deadheat.readers.unreadable import NoAnswersError


@dataclass(frozen=True, slots=True, kw_only=True)
class Battle:
    """One verdict on the answers of two systems.

    Attributes
    ----------
    item : str
        What both answered.
    first, second : str
        Names of the systems.
    score : float or None
        Of the first: 1 where it won, 0 where it lost, 0.5 for a tie; None where there is no
        verdict.
    row : int
        Which row of the file it is, from 0.
    """

    item: str
    first: str
    second: str
    score: float | None
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Verdicts as a score for each of two systems.

    Attributes
    ----------
    columns : dict of str to polars.Series
        item, system, score and, where items have several verdicts, run.
    roles : dict of str to str
    at : list of int
        Row of the file of each row.
    notes : tuple of Note
    """

    columns: dict[str, pl.Series]
    roles: dict[str, str]
    at: list[int]
    notes: tuple[Note, ...]


def scored(battles: Sequence[Battle], path: str) -> Scored:
    """Return a score for each of the two systems that all verdicts are on.

    Verdicts on a system and itself say nothing and are left out.

    Raises
    ------
    NoAnswersError
        If verdicts are on more than two systems, or none is on two: then they are no scores of
        systems on common items.
    """
    own = [battle for battle in battles if battle.first == battle.second]
    kept = [battle for battle in battles if battle.first != battle.second]
    systems = [*dict.fromkeys(name for b in kept for name in (b.first, b.second))]
    if len(systems) != 2:
        between = {frozenset((b.first, b.second)) for b in kept}
        with_itself = f", {len(own):,} of them of a system and itself" if own else ""
        raise NoAnswersError(
            f"these are {len(battles):,} verdicts on pairs of {len(systems)} systems "
            f"({len(between)} different pairs{with_itself}). A verdict on two answers is no score "
            "of a system on an item that the others have too.",
            where=path,
            fix="Ratings from such verdicts are not computed yet. Those on two systems alone can "
            "be compared: write them into a file of their own.",
        )
    rows = [
        (battle.item, name, score, battle.row)
        for battle in kept
        for name, score in (
            (battle.first, battle.score),
            (battle.second, None if battle.score is None else 1.0 - battle.score),
        )
    ]
    columns = {
        "item": pl.Series([row[0] for row in rows], dtype=pl.String),
        "system": pl.Series([row[1] for row in rows], dtype=pl.String),
        "score": pl.Series([row[2] for row in rows], dtype=pl.Float64),
    }
    roles = {"item": "item", "system": "system"}
    runs = occurrences((item, name) for item, name, _, _ in rows)
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    message = (
        f"{path} holds verdicts on the answers of {systems[0]} and {systems[1]}: each has 1 where "
        "it won, 0 where it lost and 0.5 for a tie."
    )
    notes = [Note(code="verdicts", message=message)]
    if own:
        message = f"{path}: {len(own):,} verdicts on a system and itself were left out."
        notes.append(Note(code="verdicts_on_itself", message=message))
    void = sum(battle.score is None for battle in kept)
    if void:
        message = f"{path}: {void:,} verdicts could not be read or were none, and are missing."
        notes.append(Note(code="unscored_samples", message=message))
    return Scored(columns=columns, roles=roles, at=[row[3] for row in rows], notes=tuple(notes))
