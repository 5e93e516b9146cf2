"""What the check of a published number holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deadheat._version import __version__
from deadheat.claims.counts import Span
from deadheat.claims.matching import Match
from deadheat.claims.outcome import Outcome
from deadheat.claims.possible import POWER, TYPICAL, Possible, Row, ends_of
from deadheat.claims.reading import ClaimReading
from deadheat.claims.single import Single
from deadheat.claims.stated import Stated
from deadheat.claims.values import Value
from deadheat.claims.wording import scale_of
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.rendering import Rendered, plain_dict
from deadheat.scale import Scale

SCHEMA = "deadheat/claim/1"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claim(Rendered):
    """A published number, checked without per-item data.

    Attributes
    ----------
    n : int
        Number of items.
    confidence_level : float
    stated : Stated
        What was published of the difference.
    baseline, candidate : Value or None
        As published, with the items that they can be and Wilson's interval.
    found : Possible or None
        What discordant counts are possible and what they mean; None where there is no gap.
    unpaired : Interval or None
        Newcombe's interval of the gap as if each system had answered items of its own; shares.
    matches : tuple of Match
        Counts that give what is stated: exactly, or where none do by draws.
    nearest : tuple of Match
        Counts that come near, where there are no matches.
    singles : tuple of Single
        Intervals of one value by several methods, where only one is given.
    reading : ClaimReading
    notes : tuple of Note
    findings : tuple of Note
        Those of the notes that say what cannot be.
    """

    n: int
    confidence_level: float
    stated: Stated
    baseline: Value | None
    candidate: Value | None
    found: Possible | None
    unpaired: Interval | None
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]
    singles: tuple[Single, ...]
    reading: ClaimReading
    notes: tuple[Note, ...]
    findings: tuple[Note, ...]
    version: str = __version__

    @property
    def scale(self) -> Scale:
        """How numbers are shown."""
        return scale_of(self.n, *(self.stated.interval or ()))

    @property
    def discordant(self) -> Span | None:
        """Fewest and most discordant items that the values allow; None where there is no gap."""
        if self.found is None:
            return None
        return self.found.margins.discordant

    @property
    def parity(self) -> str | None:
        """Whether the discordant items are "odd" or "even" in number, or "either"."""
        if self.found is None:
            return None
        low, high = self.found.margins.nets
        return "either" if low != high else "odd" if low % 2 else "even"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/claim/1, in percent and points."""
        found, stated = self.found, self.stated
        ends = self.discordant
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "n": self.n,
                "confidence_level": self.confidence_level,
                "baseline": _value(self.baseline),
                "candidate": _value(self.candidate),
                "gap": None
                if found is None
                else {
                    "points": 100.0 * found.net / self.n,
                    "items": list(found.margins.nets),
                    "unpaired": None if self.unpaired is None else _interval(self.unpaired),
                },
                "discordant": None
                if ends is None
                else {
                    "least": ends[0],
                    "most": ends[1],
                    "parity": self.parity,
                    "stated": stated.discordant,
                },
                "narrowest": None if found is None else _outcome(found.narrowest),
                "widest": None if found is None else _outcome(found.widest),
                "table": [_row(row) for row in found.rows] if found is not None else [],
                "methods": [
                    {"items": one.items, "interval": _interval(one.interval), "fits": one.fits}
                    for one in self.singles
                ],
                "stated": {
                    "interval": None
                    if stated.interval is None
                    else [end.text for end in stated.interval],
                    "p": None if stated.p_value is None else stated.p_value.text,
                    "share": None if stated.share is None else stated.share.text,
                    "gap": None if stated.gap is None else stated.gap.text,
                    "resamples": stated.n_resamples,
                },
                "matches": [_match(match) for match in self.matches],
                "nearest": [_outcome(match.outcome) for match in self.nearest],
                "resolution": None if found is None else _resolution(found),
                "reading": {"code": self.reading.code, "text": self.reading.text},
                "findings": [note.to_dict() for note in self.findings],
                "notes": [note.to_dict() for note in self.notes],
            }
        )


def _value(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {
        "percent": float(value.printed.value),
        "items": list(value.items),
        "interval": _interval(value.interval),
    }


def _interval(interval: Interval) -> dict[str, Any]:
    """Return an interval in percent or points."""
    return {
        "low": 100.0 * interval.low,
        "high": 100.0 * interval.high,
        "confidence_level": interval.confidence_level,
        "method": interval.method,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "discordant": outcome.discordant,
        "only_candidate": outcome.only_candidate,
        "only_baseline": outcome.only_baseline,
        "interval": _interval(outcome.interval("percentile")),
        "tango": _interval(outcome.interval("tango")),
        "p_value": outcome.p_value(),
        "p_value_bound": outcome.p_value_bound,
        "reading": outcome.code,
    }


def _row(row: Row) -> dict[str, Any]:
    return {"what": list(row.what), **_outcome(row.outcome), "items_to_resolve": row.items}


def _match(match: Match) -> dict[str, Any]:
    return {
        **_outcome(match.outcome),
        "methods": list(match.methods),
        "tests": list(match.tests),
        "chance": match.chance,
    }


def _resolution(found: Possible) -> dict[str, Any]:
    border = found.border
    return {
        "border": border,
        "borders": list(found.borders),
        "never": found.never,
        "always": found.always,
        "power": POWER,
        "typical": None
        if found.typical is None
        else {
            "correlation": list(TYPICAL),
            "discordant": list(ends_of(found.typical)),
            "items": [row.items for row in found.typical],
        },
    }
