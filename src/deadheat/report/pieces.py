"""Sentences and tables that several reports share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from deadheat.dependence import Unit
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.report.report import Sentence, Table
from deadheat.scale import Scale, p_text
from deadheat.significance.significance import Significance


class OfMetric(Protocol):
    """A result by one metric."""

    @property
    def metric(self) -> str: ...

    @property
    def notes(self) -> tuple[Note, ...]: ...


DIRECTIONS = {"two-sided": "two-sided", "greater": "candidate greater", "less": "candidate less"}


FIRST = frozenset({"settings_differ", "different_items"})
"""Codes of notes that stand before the numbers: the systems may differ in more than themselves."""


def split_notes(notes: Iterable[Note]) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Lay out the notes that stand before the numbers, and the others."""
    every = tuple(notes)
    return (
        notes_of(note for note in every if note.code in FIRST),
        notes_of(note for note in every if note.code not in FIRST),
    )


def notes_of(notes: Iterable[Note]) -> tuple[Sentence, ...]:
    """Lay out notes, each under its code."""
    return tuple(
        Sentence(text=note.message, role="note", label=note.code.replace("_", " "))
        for note in notes
    )


def notes_by_metric(results: Sequence[OfMetric]) -> tuple[Sentence, ...]:
    """Lay out the notes of several results, each once, with the metrics if it is not about all."""
    about: dict[Note, list[str]] = {}
    for result in results:
        for note in result.notes:
            about.setdefault(note, []).append(result.metric)
    return tuple(
        replace(sentence, label=f"{sentence.label} ({', '.join(metrics)})")
        if len(metrics) < len(results)
        else sentence
        for metrics, sentence in zip(about.values(), notes_of(about), strict=True)
    )


def tests_table(tests: Iterable[Significance]) -> Table:
    """Lay out tests, the companion of the reading first."""
    rows = tuple(
        (
            test.name,
            test.variant,
            DIRECTIONS[test.alternative],
            "exact" if test.exact else f"{test.n_resamples:,} draws" if test.n_resamples else "",
            p_text(test.p_value, test.p_value_bound, test.monte_carlo_error),
        )
        for test in tests
    )
    return Table(
        title="Tests (the first is the companion of the reading)",
        columns=("test", "variant", "alternative", "distribution", "p-value"),
        rows=rows,
        numeric=("p-value",),
    )


def level_text(confidence_level: float) -> str:
    """Show a level, such as 95%.

    Examples
    --------
    >>> level_text(0.95), level_text(0.999)
    ('95%', '99.9%')
    """
    return f"{100.0 * confidence_level:.10g}%"


def counted(n: int, noun: str) -> str:
    """Show a number of things.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{n:,} {noun}{'' if abs(n) == 1 else 's'}"


def unit_text(unit: Unit, n: int, more: str = "") -> str:
    """Say what was resampled, and for which claim where there are strata.

    Examples
    --------
    >>> unit_text(Unit(kind="item", n=84, n_strata=3), 84)
    'item (84) within 3 strata, pooled; the claim is about these strata'
    >>> unit_text(Unit(kind="stratum", n=3, n_strata=3, strata="random"), 3, ", design effect 4.30")
    'stratum (3, design effect 4.30), pooled; the claim is about new strata'
    """
    said = f"{unit.kind} ({n:,}{more})"
    if unit.n_strata is None:
        return said
    if unit.kind == "stratum":
        return f"{said}, {unit.weighting}; the claim is about new strata"
    within = "1 stratum" if unit.n_strata == 1 else f"{unit.n_strata:,} strata"
    return f"{said} within {within}, {unit.weighting}; the claim is about these strata"


def effect_text(effect: float) -> str:
    """Show a design effect.

    Examples
    --------
    >>> effect_text(1.853), effect_text(math.nan)
    ('1.85', 'undefined')
    """
    return "undefined" if math.isnan(effect) else f"{effect:.2f}"


def error_text(interval: Interval, scale: Scale) -> str:
    """Show the Monte Carlo error of the ends of an interval, with what comes before it."""
    error = interval.monte_carlo_error
    if not interval.defined:
        return ""
    if error is None:
        return ", exact (no Monte Carlo)"
    # Neighbouring draws that are equal but for rounding do not move an end.
    error = 0.0 if error < 1e-12 else error
    shown = 100.0 * error if scale.in_points else error
    return f", ends move by up to {shown:.2g}{scale.unit} if drawn again"
