"""The two sides of a comparison, and the account of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deadheat.alignment import Alignment, Runs, align
from deadheat.errors import AlignmentError, InputError, UsageError, known
from deadheat.evaluation import Evaluation
from deadheat.intervals.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two systems.

    Attributes
    ----------
    system : str
        Its name.
    value : float
        The metric on its items.
    interval : Interval
        Of the value, on its own.
    hash : str
        Of its outputs or scores.
    unparseable : int
        Null outputs that were scored wrong.
    about : dict of str to str
        What is known of how the outputs were made.
    """

    system: str
    value: float
    interval: Interval
    hash: str
    unparseable: int
    about: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "system": self.system,
            "value": self.value,
            "interval": self.interval.to_dict(),
            "hash": self.hash,
            "unparseable": self.unparseable,
            "about": self.about,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The account of the rows: what was matched, what was missing, what was left out."""

    n: int
    hash: str
    matched: int
    only_baseline: int
    only_candidate: int
    duplicated: int
    dropped: tuple[tuple[str, int], ...]


def chosen_pair(
    systems: Sequence[str], baseline: str | None, candidate: str | None
) -> tuple[str, str]:
    """Return the names of baseline and candidate; the first system is the baseline by default.

    Raises
    ------
    InputError
        If a name is not there, or there are no two systems.
    UsageError
        If more than two systems leave the choice open.
    """
    for role, name in (("baseline", baseline), ("candidate", candidate)):
        if name is not None and name not in systems:
            raise InputError(f"there is no system {name!r} ({role}).", fix=known(systems, name))
    if len(systems) < 2:
        raise InputError(
            f"only one system was found: {', '.join(systems)}.",
            fix="Give a second file, or a table with two systems.",
        )
    if len(systems) > 2 and (baseline is None or candidate is None):
        raise UsageError(
            f"{len(systems)} systems were found: {shortened(systems)}.",
            fix="Choose two with --baseline and --candidate.",
        )
    first = baseline or next(name for name in systems if name != candidate)
    second = candidate or next(name for name in systems if name != first)
    if first == second:
        raise UsageError(f"baseline and candidate are both {first!r}.", fix="Name two systems.")
    return first, second


def shortened(names: Sequence[str], most: int = 12) -> str:
    """List names, with a count for what is too many to list.

    Examples
    --------
    >>> shortened(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    listed = ", ".join(names[:most])
    return listed if len(names) <= most else f"{listed} and {len(names) - most:,} more"


def account_of(alignments: Sequence[Alignment], shared: Alignment | None) -> Items:
    """Return the account of one paired alignment, or of the two sides of an unpaired one."""
    if len(alignments) == 1:
        (found,) = alignments
        matched, (only_baseline, only_candidate) = found.matched, found.only
    else:
        matched = 0 if shared is None or shared.items is None else shared.n
        only_baseline, only_candidate = (part.n - matched for part in alignments)
    return Items(
        n=sum(part.n for part in alignments),
        hash="+".join(dict.fromkeys(part.hash for part in alignments)),
        matched=matched,
        only_baseline=only_baseline,
        only_candidate=only_candidate,
        duplicated=sum(part.duplicated for part in alignments),
        dropped=tuple((part.reason, part.n) for side in alignments for part in side.dropped),
    )


def shared_items(
    evaluation: Evaluation, pair: tuple[str, str], runs: Runs = "average"
) -> Alignment | None:
    """Pair the items that two sides treated as independent share, by id or else by order."""
    try:
        return align(evaluation, pair, missing="drop", runs=runs)
    except AlignmentError:
        return None
