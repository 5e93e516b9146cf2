"""What a plan says."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from deadheat._version import __version__
from deadheat.notes import Note
from deadheat.planning.design import Design, Wanted
from deadheat.rendering import Rendered, plain_dict
from deadheat.tabular import FrameKind

SCHEMA = "deadheat/plan/1"

FIRST = ("reading", "exact", "t", "connor", "miller", "normal", "half_width")
"""Of several numbers of items, the one that a plan leads with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """Items that reach what is wanted.

    Attributes
    ----------
    by : str
        "reading" (interval and companion test together), a test ("exact", "midp", "chi2",
        "chi2_cc", "t"), an interval ("percentile"), a formula ("connor", "miller", "normal"),
        "unpaired" (for each system, on items of its own) or "half_width".
    items : int or None
        None where no number of items is known to suffice.
    power : float
        At so many items; NaN for a half-width.
    """

    by: str
    items: int | None
    power: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerBy:
    """Probability of resolving the gap, by one test, interval or both."""

    by: str
    power: float


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """What the items that there are can do.

    Attributes
    ----------
    items : int
    effective_items : float
        Independent items that they are worth.
    power : tuple of PowerBy
        Empty where no gap is given.
    half_width : float
        Of the interval of the difference, or of the value of a single system.
    smallest_gap : float
        That is resolved with the power wanted.
    coverage : float
        Of the interval, by enumeration.
    wrong_sign, exaggeration : float
        Type S and type M error: how often a resolved gap has the wrong sign, and by what factor
        it is too large on average.
    """

    items: int
    effective_items: float
    power: tuple[PowerBy, ...]
    half_width: float
    smallest_gap: float
    coverage: float
    wrong_sign: float
    exaggeration: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Type S and type M error at the number of items that is needed."""

    items: int | None
    wrong_sign: float
    exaggeration: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One number of items of a curve."""

    items: int
    power: float
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One gap at one discordance, or one half-width.

    Attributes
    ----------
    gap : float
    discordance : float
        NaN for scores that are not 0/1.
    what : str
        "usual"; "observed" (in the pilot); "least" or "most" (discordance that is possible);
        "independent" (errors that have nothing to do with each other).
    items : int or None
        That resolve the gap with the power wanted, by formula, or reach the half-width.
    items_low, items_high : int or None
        Over the interval of what the pilot says of the spread.
    items_for_half_width : int or None
        That reach the half-width wanted.
    power : float
        Of the items that there are, by the companion test.
    half_width : float
        With the items that there are; of a single system, what is to be reached.
    smallest_gap : float
        That the items that there are resolve.
    """

    gap: float = math.nan
    discordance: float = math.nan
    what: str = "usual"
    items: int | None = None
    items_low: int | None = None
    items_high: int | None = None
    items_for_half_width: int | None = None
    power: float = math.nan
    half_width: float = math.nan
    smallest_gap: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What repeated answers to each item buy.

    Attributes
    ----------
    baseline, candidate : int
        Answers to each item.
    items : int or None
        That resolve the gap.
    in_all : int or None
        Answers to all these items by both systems.
    saved : int or None
        Items that one more answer by each system to every item would save.
    price : float
        Answers that are given more for each item saved; below 0 where answers are saved too.
    noise : float
        Share of the variance that is due to answers.
    half_width, smallest_gap : float
        With the items that there are.
    worth : float
        Items that one more answer by each system to every item is worth, beside those there are.
    """

    baseline: int
    candidate: int
    items: int | None
    in_all: int | None
    saved: int | None
    price: float
    noise: float
    half_width: float
    smallest_gap: float
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Rendered):
    """Items that a gap needs, and what items can do.

    Attributes
    ----------
    design : Design
        What is known of the scores.
    wanted : Wanted
    needed : tuple of Needed
        Items, by each way to resolve the gap or for the half-width.
    at : At or None
        What the items that there are can do; None where their number was not given, or where the
        discordance is not known and `table` has it instead.
    errors : Errors
    curve : tuple of Point
    curve_by : str or None
        What the power of the curve is that of; None where no gap is known.
    table : tuple of Row
    answers : tuple of Answers
    notes : tuple of Note
    frame : {"polars", "pandas", "pyarrow"}
        Library of the frames or series that came in; "polars" where none did.
    """

    design: Design
    wanted: Wanted
    needed: tuple[Needed, ...]
    at: At | None
    errors: Errors
    curve: tuple[Point, ...]
    curve_by: str | None
    table: tuple[Row, ...]
    answers: tuple[Answers, ...]
    notes: tuple[Note, ...]
    frame: FrameKind = "polars"
    version: str = __version__

    @property
    def lead(self) -> Needed | None:
        """The number of items that the plan leads with; None where no reading has the power."""
        if self.never_read:
            return None
        found = {need.by: need for need in self.needed if need.items is not None}
        tests = [self.design.test, *FIRST]
        order = ["reading", *tests] if self.design.kind == "paired_binary" else FIRST
        return next((found[by] for by in order if by in found), None)

    @property
    def never_read(self) -> bool:
        """Whether interval and test together have the power at no number of items tried."""
        return any(need.by == "reading" and need.items is None for need in self.needed)

    @property
    def items(self) -> int | None:
        """Items that are needed, by what the plan leads with; None where none are known."""
        return None if self.lead is None else self.lead.items

    @property
    def signature(self) -> str:
        """The settings in one line."""
        wanted, design = self.wanted, self.design
        numbers = {
            "gap": wanted.gap,
            "items": wanted.items,
            "half_width": wanted.half_width,
            "baseline": design.baseline,
            "candidate": design.candidate,
            "discordance": design.discordance,
            "latent_correlation": design.latent_correlation,
            "sd": design.sd,
            "design_effect": design.clustering.design_effect,
        }
        parts = {
            "plan": design.kind,
            **{
                name: f"{value:.6g}"
                for name, value in numbers.items()
                if value is not None and not math.isnan(value)
            },
            "power": f"{wanted.power:g}",
            "confidence": f"{wanted.confidence_level:g}",
            "comparisons": str(wanted.comparisons),
            "deadheat": self.version,
        }
        if design.kind == "paired_binary":
            parts = {
                "plan": parts.pop("plan"),
                "method": design.method,
                "test": design.test,
            } | parts
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/plan/1; undefined is None with a note."""
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "design": self.design.to_dict(),
                "wanted": self.wanted.to_dict(),
                "needed": [dataclasses.asdict(need) for need in self.needed],
                "at": None if self.at is None else dataclasses.asdict(self.at),
                "errors": dataclasses.asdict(self.errors),
                "curve": [dataclasses.asdict(point) for point in self.curve],
                "curve_by": self.curve_by,
                "table": [dataclasses.asdict(row) for row in self.table],
                "answers": [
                    {
                        "answers": [row.baseline, row.candidate],
                        "items": row.items,
                        "answers_in_all": row.in_all,
                        "items_saved": row.saved,
                        "answers_per_item_saved": row.price,
                        "noise_share": row.noise,
                        "half_width": row.half_width,
                        "smallest_gap": row.smallest_gap,
                        "worth_items": row.worth,
                    }
                    for row in self.answers
                ],
                "signature": self.signature,
                "notes": [note.to_dict() for note in self.notes],
            }
        )
