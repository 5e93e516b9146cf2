"""Win rate: how often a system is preferred to its opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError, MetricError, UsageError, known
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes
from deadheat.notes import Note

Scale = Literal["0-1", "1-2"]

TIES = {"half": 0.5, "win": 1.0, "loss": 0.0}
"""What a tie counts, by policy."""

OF_TIES = {
    "half": "a tie counts half",
    "win": "a tie counts as a win",
    "loss": "a tie counts as a loss",
    "drop": "ties are left out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRate(OfValues):
    """The mean preference for a system over one opponent that is the same for all systems.

    Attributes
    ----------
    ties : {"half", "win", "loss"}
        What a tie counts.
    scale : {"0-1", "1-2"}
        How scores are read: 0 a loss, 0.5 a tie, 1 a win, or as AlpacaEval writes preferences (Li
        et al. 2023), 1 for the opponent's output, 1.5 (formerly 0) for a tie, 2 for the system's.
        What lies between is a weighted preference on either.

    Examples
    --------
    >>> scores = np.array([1.0, 0.0, 0.5, 0.8])
    >>> WinRate().statistics(None, scores)[:, 0]
    array([1. , 0. , 0.5, 0.8])
    >>> bound = WinRate(ties="win").bind_values(None, [np.array([2.0, 1.0, 1.5, 1.8])])
    >>> bound.statistics(None, np.array([2.0, 1.0, 1.5, 1.8]))[:, 0]
    array([1. , 0. , 1. , 0.8])
    """

    ties: str = "half"
    scale: Scale = "0-1"
    name: ClassVar[str] = "win_rate"
    takes: ClassVar[Takes] = "scores"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def signature(self) -> str:
        """Name, policy on ties, scale of the scores, version."""
        return f"win_rate|ties:{self.ties}|scale:{self.scale}|v:{VERSION}"

    @property
    def worst(self) -> float:
        """The score that stands for a loss."""
        return 1.0 if self.scale == "1-2" else 0.0

    def bind_values(self, references: None, outputs: Sequence[Floats]) -> Self:
        """Settle the scale by the scores of all systems.

        Parameters
        ----------
        references : None
        outputs : sequence of ndarray, shape (item,)
            Scores of every system.

        Raises
        ------
        MetricError
            If scores of both scales occur.
        """
        scores = np.unique(np.concatenate(outputs))
        above = scores[scores > 1.0]
        between = scores[(scores > 0.0) & (scores < 1.0)]
        if above.size and between.size and above[-1] <= 2.0:
            raise MetricError(
                f"some scores lie between 0 and 1, such as {between[0]:g}, and some above 1, such "
                f"as {above[0]:g}: a win rate takes preferences from 0 to 1 or from 1 to 2.",
                fix="Bring the scores of all systems to one scale.",
            )
        # What lies outside of both scales is left to `statistics`, which knows the item.
        if not above.size or between.size:
            return replace(self, scale="0-1")
        return replace(self, scale="1-2")

    def statistics(self, references: None, outputs: Floats) -> Floats:
        """Return the preference of each item and 1, shape (item, 2).

        Parameters
        ----------
        references : None
        outputs : ndarray, shape (item,)

        Raises
        ------
        ItemError
            If a score lies outside of the scale.
        """
        preferences, tied = self._preferences(outputs)
        rows = np.ones((len(outputs), 2))
        rows[:, 0] = np.where(tied, TIES[self.ties], preferences)
        return rows

    def remarks(self, system: str, references: None, outputs: Floats) -> Sequence[Note]:
        """Count wins, ties and losses; say how the scores were read if not from 0 to 1."""
        preferences, tied = self._preferences(outputs)
        wins, losses = int((preferences > 0.5).sum()), int((preferences < 0.5).sum())
        counts = (
            f"Of {len(outputs):,} items {system} wins {wins:,}, ties {int(tied.sum()):,} and loses "
            f"{losses:,}; {OF_TIES[self.ties]}."
        )
        notes = [Note(code="wins_ties_losses", message=counts)]
        if self.scale == "1-2":
            read = (
                "Scores were read as preferences from 1 (the opponent's output) to 2 (the "
                "system's), where 1.5 and 0 are ties."
            )
            notes.append(Note(code="preference_scale", message=read))
        return notes

    def _preferences(self, scores: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return preferences from 0 to 1, and where they are ties."""
        if self.scale == "1-2":
            preferences = np.where(scores == 0.0, 0.5, scores - 1.0)
        else:
            preferences = np.asarray(scores, dtype=np.float64)
        others = np.flatnonzero(~((preferences >= 0.0) & (preferences <= 1.0)))
        if others.size:
            row = int(others[0])
            more = f" {others.size - 1:,} more do." if others.size > 1 else ""
            raise ItemError(
                f"the score {scores[row]:g} lies outside of the scale of a win rate.{more}",
                row=row,
                fix="Give preferences from 0 (loss) to 1 (win) with 0.5 for a tie, or from 1 to 2 "
                "with 1.5 for a tie.",
            )
        return preferences, preferences == 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRateOfDecided(WinRate):
    """The mean preference over the items that are no ties, a ratio of sums.

    Examples
    --------
    >>> WinRateOfDecided().statistics(None, np.array([1.0, 0.5, 0.0]))
    array([[1., 1.],
           [0., 0.],
           [0., 1.]])
    """

    ties: str = "drop"
    is_mean: ClassVar[bool] = False

    def statistics(self, references: None, outputs: Floats) -> Floats:
        """Return the preference of each item and 1, both 0 for a tie, shape (item, 2)."""
        preferences, tied = self._preferences(outputs)
        return np.stack([np.where(tied, 0.0, preferences), ~tied], axis=1)


OPTIONS = ("ties",)
"""Settings that the metric has."""


def metric(settings: Settings) -> WinRate:
    """Make the metric.

    Raises
    ------
    UsageError
        If the policy on ties is not known.
    """
    if settings.ties == "drop":
        return WinRateOfDecided()
    if settings.ties not in TIES:
        raise UsageError(f"ties = {settings.ties!r}.", fix=known(OF_TIES, settings.ties))
    return WinRate(ties=settings.ties)
