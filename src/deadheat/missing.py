"""What missing answers could do to each value and to a difference, in the worst case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.alignment import Alignment
from deadheat.alignment.policies import other_policy
from deadheat.errors import AlignmentError, MetricError
from deadheat.notes import Note
from deadheat.scale import Scale, ends
from deadheat.scores import Scores
from deadheat.scores.given import absent_shares, given_scores, present_range, range_of

Scored = Callable[[Alignment], Scores]
"""Scores the items of an alignment as the result at hand was scored."""

LISTED = 8
"""Systems that a note spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Between which a value lies whatever the missing answers are.

    Attributes
    ----------
    system : str
    low, high : float
    missing : float
        Items without an answer or a score; a share of one where only some of its runs lack one.
    n : int
        Items with a place in the value.
    """

    system: str
    low: float
    high: float
    missing: float
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "system": self.system,
            "low": self.low,
            "high": self.high,
            "missing": self.missing,
            "n": self.n,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingBounds:
    """Worst cases over all that missing answers could have been (Manski 1989).

    Attributes
    ----------
    systems : tuple of Bounds
    difference : tuple of float, or None
        Least and greatest candidate - baseline, where there are two systems.
    """

    systems: tuple[Bounds, ...]
    difference: tuple[float, float] | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        ends = None
        if self.difference is not None:
            ends = {"low": self.difference[0], "high": self.difference[1]}
        return {"systems": [bounds.to_dict() for bounds in self.systems], "difference": ends}

    def note(self, metric: str, scale: Scale) -> Note:
        """Say the bounds in a note "missing_bounds".

        Examples
        --------
        >>> a = Bounds(system="a", low=0.70, high=0.70, missing=0.0, n=100)
        >>> b = Bounds(system="b", low=0.68, high=0.73, missing=5.0, n=100)
        >>> found = MissingBounds(systems=(a, b), difference=(b.low - a.high, b.high - a.low))
        >>> print(found.note("accuracy", Scale(in_points=True, decimals=0)).message)
        If all that is missing were scored worst or best, accuracy on all items would be: b 68% to \
73% (5 missing of 100). The difference would lie between -2 points and +3 points: what is missing \
could turn its sign.
        """
        with_gaps = [bounds for bounds in self.systems if bounds.missing]
        listed = ", ".join(
            f"{b.system} {ends(scale.value(b.low), scale.value(b.high))} "
            f"({_count(b.missing)} missing of {b.n:,})"
            for b in with_gaps[:LISTED]
        )
        more = f" and {len(with_gaps) - LISTED} more" if len(with_gaps) > LISTED else ""
        message = (
            f"If all that is missing were scored worst or best, {metric} on all items would be: "
            f"{listed}{more}."
        )
        if self.difference is not None:
            low, high = self.difference
            turned = (
                "what is missing could turn its sign"
                if low < 0.0 < high
                else "nothing that is missing could turn its sign"
            )
            message += (
                f" The difference would lie between {scale.difference(low)} and "
                f"{scale.difference(high)}: {turned}."
            )
        return Note(code="missing_bounds", message=message)


def missing_bounds(alignments: Sequence[Alignment], scored: Scored) -> MissingBounds | None:
    """Return the bounds of values, and of the difference of two systems.

    All items that any of the systems (or the references) have are counted, dropped ones too; null
    outputs are missing as far as the alignment takes them so. Every missing answer of a system is
    set to the worst and then to the best score possible, whatever those of the other are.

    Parameters
    ----------
    alignments : sequence of Alignment
        One of all systems, or one for each.
    scored : callable
        Scores an alignment, as `deadheat.scores.score_items` with the metric does.

    Returns
    -------
    MissingBounds or None
        None where nothing is missing, where the metric is no mean, is not bounded or is one of
        runs, or where items without a reference would have to be scored.

    References
    ----------
    Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24, 343-360.
    """
    if not any(alignment.dropped or any(alignment.absent) for alignment in alignments):
        return None
    if any(alignment.runs != "average" or alignment.read.averaged for alignment in alignments):
        return None
    found: list[Bounds] = []
    for alignment in alignments:
        try:
            whole = other_policy(alignment, missing="wrong")
        except AlignmentError:
            return None
        bounds = _bounds(whole, scored)
        if bounds is None:
            return None
        found.extend(bounds)
    if not any(bounds.missing for bounds in found):
        return None
    difference = None
    if len(found) == 2:
        first, second = found
        difference = (second.low - first.high, second.high - first.low)
    return MissingBounds(systems=tuple(found), difference=difference)


def _bounds(whole: Alignment, scored: Scored) -> list[Bounds] | None:
    """Bound the values of systems of which all items are kept."""
    try:
        scores = scored(whole)
    except MetricError:
        return None
    if scores.kind == "corpus":
        return None
    given = given_scores(whole)
    ends = scores.metrics[0].bounds
    if given is not None:
        ends = range_of(scores.metrics[0], *present_range(given))
    if ends is None or not all(np.isfinite(ends)):
        return None
    found = []
    for at, system in enumerate(whole.systems):
        absent = _absent(whole, at)
        reach = absent * (ends[1] - ends[0]) / whole.n
        value = float(scores.values[at])
        better = scores.metrics[at].greater_is_better
        low, high = (value, value + reach) if better else (value - reach, value)
        found.append(Bounds(system=system, low=low, high=high, missing=absent, n=whole.n))
    return found


def _absent(whole: Alignment, at: int) -> float:
    """Count the items of a system that are missing, some of them in part."""
    scores = whole.scores[at]
    if scores is None or not whole.lacking or whole.lacking[at] is None:
        return float(whole.absent[at])
    shares = absent_shares(scores, whole.lacking[at])
    return 0.0 if shares is None else float(shares.sum())


def _count(items: float) -> str:
    return f"{items:,.0f}" if items == round(items) else f"{items:,.1f}"
