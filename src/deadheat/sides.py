"""The two sides of a comparison, and the account of their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deadheat.alignment import Alignment
from deadheat.errors import UsageError, known
from deadheat.intervals.interval import Interval
from deadheat.notes import Note

ABOUT = ("checkpoint", "temperature", "top_p", "max_tokens", "stop", "seed", "date")
"""Fields of the reporting template that a comparison should state of each system."""

About = Mapping[str, Mapping[str, str]]


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
    UsageError
        If a name is not there, or more than two systems leave the choice open.
    """
    for role, name in (("baseline", baseline), ("candidate", candidate)):
        if name is not None and name not in systems:
            raise UsageError(f"there is no system {name!r} ({role}).", fix=known(systems, name))
    if len(systems) < 2:
        raise UsageError(
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


def units_said(alignments: Sequence[Alignment]) -> tuple[Note, ...]:
    """Warn where items may depend on each other although they are resampled one by one."""
    if any(alignment.clusters is not None for alignment in alignments):
        return (
            Note(
                code="clusters_not_resampled",
                message="There is a column of clusters. It enters the hash of the rows, but items "
                "are resampled one by one: where items of one cluster depend on each other, "
                "intervals are too narrow.",
            ),
        )
    return ()


def interval_notes(intervals: Mapping[str, Interval]) -> tuple[Note, ...]:
    """Say why the interval of a system is undefined, or what it fell back to."""
    return tuple(
        Note(code="interval", message=f"interval of {system}: {interval.note}")
        for system, interval in intervals.items()
        if interval.note
    )


def check_about(about: About, pair: tuple[str, str]) -> None:
    """Refuse what is said about a system that is not compared, or under an unknown field."""
    for system, fields in about.items():
        if system not in pair:
            raise UsageError(f"--about names {system!r}, which is not compared.", fix=known(pair))
        for name in fields:
            if name not in ABOUT:
                raise UsageError(
                    f"--about {system}:{name} is not a field of the report.",
                    fix=known(ABOUT, name),
                )


def not_stated(about: About, pair: tuple[str, str]) -> tuple[Note, ...]:
    """List the fields of the reporting template that nobody gave."""
    absent = [
        f"{system}: {', '.join(name for name in ABOUT if name not in about.get(system, {}))}"
        for system in pair
        if any(name not in about.get(system, {}) for name in ABOUT)
    ]
    if not absent:
        return ()
    return (
        Note(code="not_stated", message=f"Not stated (give with --about): {'; '.join(absent)}."),
    )
