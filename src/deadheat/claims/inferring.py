"""Interval, p-value and share of a gap, checked one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deadheat.claims import checks
from deadheat.claims.matching import Found, search
from deadheat.claims.possible import Possible
from deadheat.claims.stated import Stated
from deadheat.claims.unmatched import by_undrawn_test, unmatched
from deadheat.claims.unpaired import p_unpaired
from deadheat.claims.wording import Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of a check.

    Attributes
    ----------
    searched : Found
        For what is left of the claim without what is wrong by itself.
    remarks : tuple of Remark
    """

    searched: Found
    remarks: tuple[Remark, ...]


def check_inference(
    stated: Stated, found: Possible, confidence_level: float, *, apart: Remark | None
) -> Checked:
    """Check what is stated of a gap beyond its size.

    Parameters
    ----------
    stated : Stated
    found : Possible
        What the values allow.
    confidence_level : float
    apart : Remark or None
        Where the interval is that of separate items.
    """
    margins, alpha = found.margins, round(1.0 - confidence_level, 12)
    remarks = [] if apart is None else [apart]
    kept, of_interval = _interval(stated, found)
    # An interval of two separate sets of items may be wider or narrower than any of pairs.
    remarks += of_interval if apart is None else []
    if checks.below_floor(kept):
        explained = by_undrawn_test(kept, margins, confidence_level)
        floor = checks.floor_of_draws(kept, explained=explained)
        remarks.append(floor)
        kept = replace(kept, p_value=None) if floor.contradicts else kept
    of_share = checks.of_share(kept, alpha)
    remarks += of_share
    if any(remark.contradicts for remark in of_share):
        kept = replace(kept, p_value=None)
    searched = _search(kept, found, confidence_level)
    if apart is not None and not searched.exact:
        kept = replace(kept, interval=None)
        searched = _search(kept, found, confidence_level)
    zero = checks.against_zero(kept, searched, alpha)
    if zero is not None:
        remarks.append(zero)
    if zero is None or searched.matches:
        remarks += unmatched(kept, margins, searched, confidence_level)
    if any("two_proportions" in match.tests for match in searched.exact):
        assert kept.p_value is not None
        remarks.append(p_unpaired(kept.p_value))
    if stated.interval is not None and not searched.exact:
        off = checks.ends_off_lattice(stated.interval, margins.n)
        remarks += [] if off is None else [off]
    return Checked(searched=searched, remarks=tuple(remarks))


def _interval(stated: Stated, found: Possible) -> tuple[Stated, list[Remark]]:
    """Check an interval by itself, and leave it aside where it is wrong."""
    if stated.interval is None:
        return stated, []
    wrong = checks.beside_gap(stated.interval, found.margins) or checks.width(
        stated.interval, found
    )
    if wrong is None:
        return stated, []
    return replace(stated, interval=None), [wrong]


def _search(stated: Stated, found: Possible, confidence_level: float) -> Found:
    return search(found.margins, stated, confidence_level) if stated.infers else Found()
