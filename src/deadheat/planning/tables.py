"""Rows over what is not known: discordances, gaps, half-widths, answers to each item."""

from __future__ import annotations

import math
from dataclasses import replace

from scipy import special

from deadheat import power
from deadheat.intervals import wilson
from deadheat.planning.design import NAN, Design, Pilot, Variances, Wanted
from deadheat.planning.formulas import effective, power_of_test, scaled
from deadheat.planning.result import Answers, Row

DISCORDANCES = (0.05, 0.10, 0.20, 0.30)
"""Usual shares of items on which exactly one of two systems is right."""

MORE_DISCORDANCES = (0.5, 0.75, 1.0)
"""For gaps so large that fewer than two of the usual shares are possible."""

POINTS = (0.005, 0.01, 0.02, 0.03, 0.05)
"""Gaps between accuracies."""

EFFECTS = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Gaps between means, in standard deviations of the per-item differences."""

ANSWERS = (1, 2, 3, 5, 10, 20)


def over_discordances(design: Design, wanted: Wanted) -> list[Row]:
    """Return a row for each discordance that is usual and possible.

    Parameters
    ----------
    design : Design
        Of 0/1 scores with no discordance of its own.
    wanted : Wanted
    """
    least, most = design.discordance_range
    least = 0.0 if math.isnan(least) else least
    most = 1.0 if math.isnan(most) else most
    usual = [share for share in DISCORDANCES if least <= share <= most]
    if len(usual) < 2:
        usual += [share for share in MORE_DISCORDANCES if least < share <= most]
    chosen = dict.fromkeys(usual, "usual")
    if least > DISCORDANCES[0]:
        chosen.setdefault(least, "least")
    if not math.isnan(design.candidate):
        first, second = design.baseline, design.candidate
        chosen[first * (1.0 - second) + second * (1.0 - first)] = "independent"
        if len(chosen) < 3:
            chosen.setdefault(most, "most")
    return [
        _share_row(wanted.gap, share, what, design, wanted)
        for share, what in sorted(chosen.items())
        if share > 0.0
    ]


def over_gaps(design: Design, wanted: Wanted) -> list[Row]:
    """Return a row for each usual gap, and one for that of the pilot, at the design's spread.

    Parameters
    ----------
    design : Design
    wanted : Wanted
        What the plan is to reach.
    """
    pilot = design.pilot
    observed = NAN if pilot is None else abs(pilot.gap)
    usual = POINTS if design.binary else tuple(effect * design.sd for effect in EFFECTS)
    chosen = dict.fromkeys(usual, "usual")
    if observed > 0.0:
        chosen[observed] = "observed"
    row = _share_row_of_pilot if design.binary else _mean_row
    return [row(gap, what, design, wanted) for gap, what in sorted(chosen.items())]


def over_half_widths(design: Design, wanted: Wanted) -> list[Row]:
    """Return the items that reach usual half-widths, for the value of a single system.

    Parameters
    ----------
    design : Design
    wanted : Wanted
        What the plan is to reach.
    """
    usual = POINTS if design.binary else tuple(effect * design.sd for effect in EFFECTS)
    return [
        Row(
            half_width=width, items_for_half_width=_for_half_width(design.sd, width, design, wanted)
        )
        for width in usual
    ]


def over_answers(design: Design, wanted: Wanted) -> list[Answers]:
    """Return what several answers to each item buy, and what one more would.

    Parameters
    ----------
    design : Design
    wanted : Wanted
        What the plan is to reach.
    """
    variances = design.variances
    if variances is None or variances.noise == 0.0:
        return []
    numbers = sorted({*((k, k) for k in ANSWERS), variances.answers})
    return [_answers_row(variances, numbers_, design, wanted) for numbers_ in numbers]


def _answers_row(
    given: Variances, answers: tuple[int, int], design: Design, wanted: Wanted
) -> Answers:
    first, second = answers
    now = Variances(between=given.between, within=given.within, answers=answers)
    more = Variances(between=given.between, within=given.within, answers=(first + 1, second + 1))
    levels = {"power": wanted.power, "alpha": wanted.alpha}
    half = smallest = worth = NAN
    items = saved = None
    if not math.isnan(wanted.gap):
        items, fewer = (
            scaled(
                power.miller_items(wanted.gap, one.total, power=wanted.power, alpha=wanted.alpha),
                design,
            )
            for one in (now, more)
        )
        saved = items - fewer
    if wanted.items is not None and now.total > 0.0:
        n, sd = effective(wanted.items, design), math.sqrt(now.total)
        half = power.half_width(sd, n, confidence_level=wanted.level)
        smallest = power.minimum_detectable(n, sd=sd, **levels)
        worth = wanted.items * now.saving / more.total
    each = first + second
    return Answers(
        baseline=first,
        candidate=second,
        items=items,
        in_all=None if items is None else items * each,
        saved=saved,
        price=_price(now, more, each),
        noise=now.noise / now.total,
        half_width=half,
        smallest_gap=smallest,
        worth=worth,
    )


def _price(now: Variances, more: Variances, each: int) -> float:
    """Return the answers that one item saved costs; NaN where it is beyond all numbers.

    At any gap, for items are in proportion to the variance: with `more` an item takes 2 answers
    more, and of all items the share `saving` of the variance is saved.
    """
    found = 2.0 * more.total / now.saving - each if now.saving > 0.0 else NAN
    return found if math.isfinite(found) else NAN


def _share_row(gap: float, share: float, what: str, design: Design, wanted: Wanted) -> Row:
    """Return one gap, or none (NaN), at one discordance."""
    levels = {"power": wanted.power, "alpha": wanted.alpha}
    known = 0.0 if math.isnan(gap) else min(gap, share)
    sd = math.sqrt(max(share - known * known, 0.0))
    half = smallest = chance = NAN
    n = None if wanted.items is None else effective(wanted.items, design)
    if n is not None:
        smallest = power.minimum_detectable(n, discordance=share, **levels)
        if sd > 0.0:
            half = power.half_width(sd, n, confidence_level=wanted.level)
        if known:
            chance = power_of_test(n, known, share, test=design.test, alpha=wanted.alpha)
    found = power.items_to_resolve(known, share, **levels) if known else None
    return Row(
        gap=gap,
        discordance=share,
        what=what,
        items=None if found is None else scaled(found, design),
        items_for_half_width=_for_half_width(sd, wanted.half_width, design, wanted),
        power=chance,
        half_width=half,
        smallest_gap=smallest,
    )


def _share_row_of_pilot(gap: float, what: str, design: Design, wanted: Wanted) -> Row:
    """Return one gap at the design's discordance, or the least that the gap allows."""
    found = _share_row(gap, max(design.discordance, gap), what, design, wanted)
    # What does not depend on the gap is said of the design, once.
    row = replace(found, half_width=NAN, smallest_gap=NAN, items_for_half_width=None)
    if design.pilot is None or design.pilot.discordant is None:
        return row
    interval = wilson.one_proportion(
        design.pilot.discordant, design.pilot.items, confidence_level=wanted.confidence_level
    )
    low, high = (
        power.items_to_resolve(gap, max(end, gap), power=wanted.power, alpha=wanted.alpha)
        for end in (interval.low, interval.high)
    )
    return _ranged(row, low, high, design)


def _mean_row(gap: float, what: str, design: Design, wanted: Wanted) -> Row:
    """Return one gap between means, by a paired t test."""
    levels = {"power": wanted.power, "alpha": wanted.alpha}
    found = power.items_for_means(gap, design.sd, **levels)
    row = Row(
        gap=gap,
        what=what,
        items=None if found is None else scaled(found, design),
        power=NAN
        if wanted.items is None
        else power.t_power(gap, design.sd, effective(wanted.items, design), alpha=wanted.alpha),
    )
    if design.pilot is None:
        return row
    low, high = (
        power.items_for_means(gap, design.sd * factor, **levels)
        for factor in _sd_factors(design.pilot, wanted)
    )
    return _ranged(row, low, high, design)


def _sd_factors(pilot: Pilot, wanted: Wanted) -> tuple[float, float]:
    """Return the ends of the interval of a standard deviation over it, for normal scores."""
    df, tail = pilot.items - 1, (1.0 - wanted.confidence_level) / 2.0
    low, high = float(special.chdtri(df, tail)), float(special.chdtri(df, 1.0 - tail))
    return math.sqrt(df / low), math.sqrt(df / high)


def _ranged(row: Row, low: int | None, high: int | None, design: Design) -> Row:
    """Add the items at both ends of what a pilot says of the spread."""
    return replace(
        row,
        items_low=None if low is None else scaled(low, design),
        items_high=None if high is None else scaled(high, design),
    )


def _for_half_width(sd: float, width: float, design: Design, wanted: Wanted) -> int | None:
    if math.isnan(width) or sd == 0.0:
        return None
    return scaled(power.items_for_half_width(sd, width, confidence_level=wanted.level), design)
