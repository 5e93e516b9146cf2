"""What is wrong with an interval, a p-value, a share or a count that is stated of a gap."""

from __future__ import annotations

import math
from fractions import Fraction

from deadheat.claims.counts import Margins
from deadheat.claims.matching import Found
from deadheat.claims.outcome import METHODS, Outcome
from deadheat.claims.possible import Possible
from deadheat.claims.printed import Printed
from deadheat.claims.stated import Stated
from deadheat.claims.wording import (
    Remark,
    against,
    contradiction,
    interval_text,
    items_text,
    listed,
    printed_interval,
    scale_of,
)
from deadheat.notes import Note
from deadheat.scale import p_text

ROOM = 0.8
"""Part of Wald's width that other methods, and draws, do not fall short of."""


def of_discordant(discordant: int, margins: Margins, confidence_level: float) -> Remark | None:
    """Check a number of discordant items against the values; None where it is possible.

    Parameters
    ----------
    discordant : int
        Items on which exactly one system is right.
    margins : Margins
        What the values allow.
    confidence_level : float
        Between 0.5 and 1.
    """
    if margins.allows(discordant) is not None:
        return None
    low, high = margins.nets
    near = [at for at in (discordant - 1, discordant + 1) if margins.allows(at) is not None]
    if low != high or not near:
        least, most = margins.discordant
        return contradiction(
            Note(
                code="infeasible",
                message=f"{discordant:,} discordant items do not go with these values, which "
                f"need {least:,} to {most:,} of them.",
            )
        )
    outcomes = [Outcome.of(margins.n, low, at, confidence_level) for at in near]
    each = listed([f"{against(one)} ({p_text(one.p_value())})" for one in outcomes], "or")
    return contradiction(
        Note(
            code="parity",
            message=f"A gap of {items_text(abs(low))} cannot come from {discordant:,} discordant "
            f"items: it needs an {'odd' if low % 2 else 'even'} number of them, for example "
            f"{each}.",
        )
    )


def beside_gap(interval: tuple[Printed, Printed], margins: Margins) -> Remark | None:
    """Check that an interval contains the gap; None where it does.

    Parameters
    ----------
    interval : (Printed, Printed)
        Its ends, in points.
    margins : Margins
        What the values allow.
    """
    low, high = (end * margins.n / 100 for end in (interval[0].low, interval[1].high))
    least, most = margins.nets
    if low <= most and high >= least:
        return None
    gap = scale_of(margins.n).difference(most / margins.n)
    shown = printed_interval(interval)
    if low <= -least and high >= -most:
        return contradiction(
            Note(
                code="sign",
                message=f"The interval {shown} is on the other side of zero than the gap of "
                f"{gap}: it may be that of baseline - candidate. What follows leaves it aside.",
            )
        )
    if 100 * low <= most and 100 * high >= least and -1 < low * 100 / margins.n < 1:
        ends = ", ".join(f"{float(100 * end.value):g}" for end in interval)
        return contradiction(
            Note(
                code="unit",
                message=f"The interval {shown} is one of shares of 1; in points it is [{ends}], "
                f"which contains the gap of {gap}. What follows leaves it aside.",
            )
        )
    return contradiction(
        Note(
            code="outside",
            message=f"The gap of {gap} lies outside its interval {shown}.",
        )
    )


def width(interval: tuple[Printed, Printed], found: Possible) -> Remark | None:
    """Hold the width of an interval against the narrowest and the widest; None if between.

    Parameters
    ----------
    interval : (Printed, Printed)
        Its ends, in points.
    found : Possible
        What the values allow.
    """
    low, high = interval
    most, least = float(high.high - low.low), float(high.low - low.high)
    narrowest, widest = found.limits
    narrow, wide = _widths(narrowest), _widths(widest)
    shown = printed_interval(interval)
    least_of = [narrow[method] for method in ("percentile", "bca", "tango")]
    if most < min(*least_of, ROOM * narrow["wald"]):
        return contradiction(
            Note(
                code="too_narrow",
                message=f"The interval {shown} is narrower than these items allow. The narrowest "
                f"is that of {_described(narrowest)}.",
            )
        )
    if least > max(*wide.values(), wide["wald"] / ROOM):
        return contradiction(
            Note(
                code="too_wide",
                message=f"The interval {shown} is wider than these items allow. The widest is "
                f"that of {_described(widest)}.",
            )
        )
    return None


def _widths(outcome: Outcome) -> dict[str, float]:
    """Return widths in points; NaN, which nothing is below or above, where there is no interval."""
    found = {method: outcome.interval(method) for method in METHODS}
    return {method: 100.0 * (one.high - one.low) for method, one in found.items()}


def _described(outcome: Outcome) -> str:
    scale = scale_of(outcome.n)
    return (
        f"{against(outcome)} discordant items: {interval_text(outcome, scale)} by the exact "
        f"bootstrap and {interval_text(outcome, scale, 'tango')} by Tango's score"
    )


def ends_off_lattice(interval: tuple[Printed, Printed], n: int) -> Remark | None:
    """Say which ends are no whole number of items; None where both are.

    Parameters
    ----------
    interval : (Printed, Printed)
        Its ends, in points.
    n : int
        Number of items.
    """
    off = [
        end.text
        for end in interval
        if math.ceil(end.low * n / 100) > math.floor(end.high * n / 100)
    ]
    if not off:
        return None
    which = f"The end {off[0]} is" if len(off) == 1 else f"The ends {listed(off)} are"
    return Remark(
        note=Note(
            code="off_lattice",
            message=f"{which} no whole number of {n:,} items (steps of {100 / n:.4g} points), as "
            "ends of a bootstrap interval of right-or-wrong scores are. Other methods, and "
            "quantiles interpolated between draws, can end anywhere.",
        )
    )


def against_zero(stated: Stated, found: Found, alpha: float) -> Remark | None:
    """Hold p-value and interval against each other about zero; None where they agree.

    Parameters
    ----------
    stated : Stated
        What is published of the gap.
    found : Found
        What a search found.
    alpha : float
        Share of misses that the level allows.
    """
    if stated.interval is None or stated.p_value is None:
        return None
    low, high = stated.interval
    excludes, includes = low.low > 0 or high.high < 0, low.high < 0 < high.low
    below, above = stated.p_value.high < alpha, stated.p_value.low > alpha
    if not ((excludes and above) or (includes and below)):
        return None
    what = (
        f"The interval {printed_interval(stated.interval)} "
        f"{'excludes' if excludes else 'includes'} zero, and the p-value {stated.p_value.text} "
        f"is {'above' if above else 'below'} {alpha:g}"
    )
    if found.matches:
        names = sorted({test for match in found.matches for test in match.tests})
        return Remark(
            note=Note(
                code="p_against_interval",
                message=f"{what}. That can be where they come from different methods, as with "
                f"the p-value of {listed(names, 'or')} here; the gap is then borderline.",
            )
        )
    note = Note(code="p_against_interval", message=f"{what}: they contradict each other.")
    return Remark(note=note, contradicts=found.complete)


def below_floor(stated: Stated) -> bool:
    """Whether a p-value is below the smallest that the stated draws can give.

    Parameters
    ----------
    stated : Stated
        What is published of the gap.
    """
    draws, p = stated.n_resamples, stated.p_value
    return draws is not None and p is not None and p.high < Fraction(2, draws + 1)


def floor_of_draws(stated: Stated, *, explained: bool) -> Remark:
    """Say that a p-value is below the smallest that draws can give.

    Parameters
    ----------
    stated : Stated
        With a p-value and a number of draws.
    explained : bool
        Whether a test that draws nothing gives it, and the draws may be those of another number.
    """
    assert stated.p_value is not None
    note = Note(
        code="p_floor",
        message=f"{stated.draws:,} draws cannot give a two-sided p-value of "
        f"{stated.p_value.text}: it goes in steps of 2 in {stated.draws:,}, and the least that "
        f"can be said is p < {2 / stated.draws:.2g}.",
    )
    return Remark(note=note, contradicts=not explained)


def of_share(stated: Stated, alpha: float) -> tuple[Remark, ...]:
    """Say what a percentage of resamples is as a two-sided p-value, and what it contradicts.

    Parameters
    ----------
    stated : Stated
        What is published of the gap.
    alpha : float
        Share of misses that the level allows.
    """
    share, p = stated.share, stated.p_value
    if share is None:
        return ()
    ahead = share.value >= 50
    sides = sorted((1 - end / 100) if ahead else end / 100 for end in (share.low, share.high))
    low, high = (min(2.0 * float(end), 1.0) for end in sides)
    value = min(2.0 * float(1 - share.value / 100 if ahead else share.value / 100), 1.0)
    held = "below" if high < alpha else "at the edge of" if low < alpha else "not below"
    shown = share.text.removesuffix("%")
    of_digits = f"{value:.3g} ({low:.3g} to {high:.3g} by its digits)"
    if value == 0.0:
        # All of the draws: nothing is said but that it is small.
        of_digits = f"at most {high:.3g} by its digits"
    said = Remark(
        note=Note(
            code="one_sided_share",
            message=f"{shown}% of resamples with the candidate ahead is a statement about one "
            f"side of zero. As a two-sided p-value it is {of_digits}, {held} {alpha:g}.",
        )
    )
    one_side = p is not None and p.low <= sides[1] and p.high >= sides[0]
    if p is None or not one_side or (p.low <= high and p.high >= low):
        return (said,)
    return (
        said,
        contradiction(
            Note(
                code="share_against_p",
                message=f"The p-value {p.text} is that of one side alone: {shown}% of resamples "
                f"are a two-sided p-value of {value:.3g}.",
            )
        ),
    )
