"""The values and the gap that a publication prints: items, and where they contradict each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from deadheat.claims.counts import Margins, Span, items_of, nearest_items
from deadheat.claims.printed import Printed
from deadheat.claims.wording import Remark, contradiction, items_text, scale_of, span_text
from deadheat.intervals import wilson
from deadheat.intervals.interval import Interval
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """The value of one system.

    Attributes
    ----------
    printed : Printed
        In percent.
    items : (int, int)
        Items that it can have right; the nearest number where none is printed like this.
    interval : Interval
        Wilson's, of the number in the middle, as shares.
    """

    printed: Printed
    items: Span
    interval: Interval

    @property
    def shown(self) -> str:
        """The value as it was written, with its unit."""
        text = self.printed.text
        return text if "/" in text or text.endswith("%") else f"{text}%"

    @property
    def middle(self) -> int:
        """The number of items that the interval is for."""
        return (self.items[0] + self.items[1]) // 2


def value_of(
    printed: Printed, name: str, n: int, confidence_level: float
) -> tuple[Value, tuple[Remark, ...]]:
    """Turn a value into items, and say so where it is no whole number of them.

    Parameters
    ----------
    printed : Printed
        In percent or points.
    name : str
        What it is: baseline, candidate or gap.
    n : int
        Number of items.
    confidence_level : float
        Between 0.5 and 1.
    """
    items = items_of(printed, n)
    remarks: tuple[Remark, ...] = ()
    if items is None:
        items, remark = off_lattice(printed, name, n)
        remarks = (remark,)
    interval = wilson.one_proportion(sum(items) // 2, n, confidence_level=confidence_level)
    return Value(printed=printed, items=items, interval=interval), remarks


def off_lattice(printed: Printed, name: str, n: int) -> tuple[Span, Remark]:
    """Say that a printed number is no whole number of items, and return what it stands for.

    Digits that were cut off instead of rounded are no contradiction.

    Parameters
    ----------
    printed : Printed
        In percent or points.
    name : str
        What it is: baseline, candidate or gap.
    n : int
        Number of items.
    """
    size, scale = abs(printed.value) * n / 100, scale_of(n)
    show = scale.size if name == "gap" else scale.value
    unit = " points" if name == "gap" else "%"
    neighbours = " and ".join(
        f"{items_text(items)} {'is' if items == 1 else 'are'} {show(items / n)}"
        for items in (math.floor(size), math.ceil(size))
    )
    cut = _cut_off(printed, n)
    sign = -1 if printed.value < 0 else 1
    items = nearest_items(printed, n) if cut is None else sign * cut
    as_share = items_of(_times(printed, 100), n) if name == "gap" else None
    hint = ""
    if cut is None and name == "gap":
        hint = " If it was taken between two values that were rounded first, give these as well."
    if cut is None and as_share is not None and abs(printed.value) < 1 and abs(as_share[0]) <= n:
        hint += f" If it is a share of 1, write {float(100 * printed.value):g}."
    more = "takes the nearest" if cut is None else "takes the digits as cut off, not rounded"
    note = Note(
        code="off_lattice",
        message=f"A {name} of {printed.text.removesuffix('%')}{unit} is no whole number of {n:,} "
        f"items: it would be {float(size):.6g} items, and {neighbours}. What follows {more}: "
        f"{items_text(items)}.{hint}",
    )
    return (items, items), Remark(note=note, contradicts=cut is None)


def _times(printed: Printed, factor: int) -> Printed:
    return replace(
        printed,
        value=printed.value * factor,
        low=printed.low * factor,
        high=printed.high * factor,
    )


def _cut_off(printed: Printed, n: int) -> int | None:
    """Return the number of items that is printed like this if digits are cut off, if any is."""
    unit = 2 * max(printed.high - printed.value, printed.value - printed.low)
    items = math.ceil(abs(printed.value) * n / 100)
    return items if items < (abs(printed.value) + unit) * n / 100 else None


def margins_of(
    n: int, baseline: Value | None, candidate: Value | None, gap: Printed | None
) -> tuple[Margins, tuple[Remark, ...]]:
    """Put values and gap together; the values decide where they contradict each other.

    Parameters
    ----------
    n : int
        Number of items.
    baseline : Value or None
        None where it is not given.
    candidate : Value or None
        None where it is not given.
    gap : Printed or None
        In points.
    """
    first = None if baseline is None else baseline.items
    second = None if candidate is None else candidate.items
    alone = Margins.of(n, baseline=first, candidate=second, net=None)
    assert alone is not None
    if gap is None:
        return alone, ()
    net = items_of(gap, n)
    if baseline is not None and candidate is not None:
        agreed = Margins.of(n, baseline=first, candidate=second, net=net) if net else None
        if agreed is not None:
            return agreed, ()
        return alone, (_disagreement(gap, baseline, candidate, alone),)
    remarks: tuple[Remark, ...] = ()
    if net is None:
        net, remark = off_lattice(gap, "gap", n)
        remarks = (remark,)
    found = Margins.of(n, baseline=first, candidate=second, net=net)
    if found is None:
        # One value and a gap that leads below 0 or above n.
        known = baseline or candidate
        assert known is not None
        beyond = contradiction(
            Note(
                code="margins",
                message=f"A gap of {gap.text} points from {known.shown} leads out of "
                "0% to 100%. What follows leaves the value aside.",
            )
        )
        found = Margins.of(n, baseline=None, candidate=None, net=net)
        assert found is not None
        return found, (*remarks, beyond)
    return found, remarks


def _disagreement(gap: Printed, baseline: Value, candidate: Value, margins: Margins) -> Remark:
    """Say how a stated gap and that of the values are related."""
    n, (low, high) = margins.n, margins.nets
    scale = scale_of(n)
    of_items = f"{items_text(high) if low == high else f'{span_text(low, high)} items'} of {n:,}"
    of_values = f"candidate - baseline is {scale.difference(high / n)} ({of_items})"
    if low != high:
        of_values = (
            f"candidate - baseline is {scale.signed(low / n)} to {scale.difference(high / n)} "
            f"({of_items})"
        )
    first, second = baseline.printed.value, candidate.printed.value
    if gap.value == second - first:
        return Remark(
            note=Note(
                code="rounded_difference",
                message=f"The gap of {gap.text} points is the difference of the rounded values; "
                f"of the items themselves, {of_values}.",
            )
        )

    def fits(factor: Fraction | int) -> bool:
        ends = sorted((gap.low * factor * n / 100, gap.high * factor * n / 100))
        return ends[0] <= high and ends[1] >= low

    if fits(-1):
        return contradiction(
            Note(
                code="sign",
                message=f"The gap of {gap.text} points has the other sign: {of_values}. The "
                "difference is always candidate - baseline here.",
            )
        )
    if low <= abs(gap.value) <= high or -high <= abs(gap.value) <= -low:
        why = f"{gap.text} is the number of items, not of points"
    elif fits(100):
        why = f"{gap.text} is a share of 1; in points it is {float(100 * gap.value):g}"
    elif first and gap.low <= 100 * (second - first) / first <= gap.high:
        why = f"{gap.text}% is the change relative to the baseline, not the difference in points"
    else:
        return contradiction(
            Note(
                code="margins",
                message=f"The gap of {gap.text} points is not that of the values: {of_values}. "
                "What follows takes the values.",
            )
        )
    return contradiction(
        Note(code="unit", message=f"{why}: {of_values}. What follows takes the values.")
    )
