"""The interval of a gap if each system had answered items of its own."""

from __future__ import annotations

from deadheat.claims.printed import Printed
from deadheat.claims.values import Value
from deadheat.claims.wording import Remark, listed, printed_interval
from deadheat.intervals import agresti_caffo, newcombe, percentile, wald
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.resampling import exact


def unpaired(baseline: int, candidate: int, n: int, confidence_level: float) -> list[Interval]:
    """Return the intervals by several methods, Newcombe's first.

    Parameters
    ----------
    baseline : int
        Right answers.
    candidate : int
        Right answers.
    n : int
        Number of items.
    confidence_level : float
        Between 0.5 and 1.
    """
    found = [
        module.two_proportions(baseline, n, candidate, n, confidence_level=confidence_level)
        for module in (newcombe, agresti_caffo, wald)
    ]
    distribution = exact.two_counts(baseline, n, candidate, n)
    if distribution is not None:
        found.append(
            percentile.from_distribution(
                distribution,
                estimate=(candidate - baseline) / n,
                confidence_level=confidence_level,
                n_units=n,
            )
        )
    return found


def unpaired_note(
    stated: tuple[Printed, Printed], baseline: Value, candidate: Value, intervals: list[Interval]
) -> Remark | None:
    """Say that a stated interval ignores the pairing; None where it is none of these.

    Parameters
    ----------
    stated : (Printed, Printed)
        Ends of an interval, in points.
    baseline : Value
        As it is published.
    candidate : Value
        As it is published.
    intervals : list of Interval
        Of two separate sets of items.
    """
    fitting = [
        one.method
        for one in intervals
        if stated[0].holds(100.0 * one.low) and stated[1].holds(100.0 * one.high)
    ]
    if not fitting:
        return None
    return Remark(
        note=Note(
            code="unpaired",
            message=f"The interval {printed_interval(stated)} is that of two systems on items of "
            f"their own ({listed(fitting, 'or')}, {baseline.middle:,} and {candidate.middle:,} "
            "right): it does not use that the items are the same.",
        )
    )


def p_unpaired(p_value: Printed) -> Remark:
    """Say that a p-value ignores the pairing.

    Parameters
    ----------
    p_value : Printed
        As it is published.
    """
    return Remark(
        note=Note(
            code="unpaired",
            message=f"The p-value {p_value.text} is that of two systems on items of their own "
            "(two-proportion z): it does not use that the items are the same.",
        )
    )
