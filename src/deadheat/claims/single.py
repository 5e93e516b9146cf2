"""One value on its own: which interval methods give what is printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from deadheat.claims import closed
from deadheat.claims.corrected import acceleration_of
from deadheat.claims.drawn import bca_drawn, interval_drawn
from deadheat.claims.printed import Printed
from deadheat.claims.stated import Stated
from deadheat.claims.values import Value
from deadheat.claims.wording import (
    Remark,
    contradiction,
    items_text,
    listed,
    printed_interval,
    scale_of,
)
from deadheat.intervals import (
    agresti_coull,
    bca,
    clopper_pearson,
    jeffreys,
    percentile,
    uniform,
    wald,
    wilson,
    wilson_cc,
)
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.resampling import exact

MOST = 25
"""Numbers of right answers that are tried where the digits leave many."""


def _percentile(k: int, n: int, *, confidence_level: float) -> Interval:
    return percentile.from_distribution(
        exact.one_count(k, n), estimate=k / n, confidence_level=confidence_level, n_units=n
    )


def _bca(k: int, n: int, *, confidence_level: float) -> Interval:
    return bca.from_distribution(
        exact.one_count(k, n),
        estimate=k / n,
        confidence_level=confidence_level,
        n_units=n,
        acceleration=acceleration_of((0, 1), (n - k, k)),
    )


def _of_mean(name: str, k: int, n: int, *, confidence_level: float) -> Interval:
    return closed.of_mean(name, (0, 1), (n - k, k), confidence_level)


METHODS: dict[str, Callable[..., Interval]] = {
    "wilson": wilson.one_proportion,
    "wilson_cc": wilson_cc.one_proportion,
    "clopper_pearson": clopper_pearson.one_proportion,
    "jeffreys": jeffreys.one_proportion,
    "uniform": uniform.one_proportion,
    "agresti_coull": agresti_coull.one_proportion,
    "wald": wald.one_proportion,
    "percentile": _percentile,
    "bca": _bca,
    **{name: partial(_of_mean, name) for name in closed.OF_MEANS},
}
"""Methods of which a printed interval of one value may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """An interval of one value by one method, as shares.

    Attributes
    ----------
    items : int
        Right answers that it is for.
    interval : Interval
    fits : bool or None
        Whether it is printed as stated; None where no interval is stated.
    """

    items: int
    interval: Interval
    fits: bool | None


def singles(
    value: Value, stated: Stated, n: int, confidence_level: float
) -> tuple[tuple[Single, ...], tuple[Remark, ...]]:
    """Hold a stated interval of one value against what each method gives.

    Parameters
    ----------
    value : Value
        The only one that is given.
    stated : Stated
        What is published of the gap.
    n : int
        Number of items.
    confidence_level : float
        Between 0.5 and 1.

    Returns
    -------
    tuple of Single
        One a method, at the number of right answers that fits or else the one in the middle.
    tuple of Remark
    """
    low, high = value.items
    tried = range(max(low, value.middle - MOST // 2), min(high, value.middle + MOST // 2) + 1)
    rows = tuple(_best(name, tried, value.middle, stated, n, confidence_level) for name in METHODS)
    if stated.interval is None:
        return rows, ()
    if fitting := [row for row in rows if row.fits]:
        names = listed([row.interval.method for row in fitting], "or")
        return rows, (
            Remark(
                note=Note(
                    code="interval_method",
                    message=f"The interval {printed_interval(stated.interval)} is that of {names}.",
                )
            ),
        )
    return rows, (_unlike(rows, stated, stated.interval, n, len(tried) == high - low + 1),)


def _best(
    name: str, tried: range, middle: int, stated: Stated, n: int, confidence_level: float
) -> Single:
    """Return the interval of a method, of the number of right answers that fits if one does."""
    method, wanted = METHODS[name], stated.interval
    if wanted is not None:
        for k in tried:
            found = method(k, n, confidence_level=confidence_level)
            if wanted[0].holds(100.0 * found.low) and wanted[1].holds(100.0 * found.high):
                return Single(items=k, interval=found, fits=True)
    found = method(middle, n, confidence_level=confidence_level)
    return Single(items=middle, interval=found, fits=None if wanted is None else False)


def _unlike(
    rows: tuple[Single, ...],
    stated: Stated,
    interval: tuple[Printed, Printed],
    n: int,
    complete: bool,
) -> Remark:
    """Say that no method gives an interval, and which come near."""

    def distance(row: Single) -> float:
        ends = zip(interval, (row.interval.low, row.interval.high), strict=True)
        return sum(abs(100.0 * end - float(wanted.value)) for wanted, end in ends)

    scale = scale_of(n, *interval)
    shown = printed_interval(interval)
    near = [
        f"{row.interval.method} {scale.ends(row.interval, signed=False)}"
        for row in sorted(rows, key=distance)[:2]
    ]
    right = f"{items_text(rows[0].items)} of {n:,}"
    tail = (1.0 - rows[0].interval.confidence_level) / 2.0
    items = rows[0].items
    distribution, name = exact.one_count(items, n), "percentile"
    likely = interval_drawn(distribution, interval, n, n_resamples=stated.draws, tail=tail)
    if not likely.plausible and 0 < items < n:
        name = "BCa"
        likely = bca_drawn(
            distribution,
            interval,
            n,
            estimate=items / n,
            corrected=bca.correction(
                distribution, items / n, acceleration_of((0, 1), (n - items, items))
            ),
            n_resamples=stated.draws,
            tail=tail,
        )
    message = f"No method gives {right} the interval {shown}. The nearest: {listed(near)}."
    if likely.plausible:
        assumed = "" if stated.n_resamples else " (assumed)"
        return Remark(
            note=Note(
                code="no_match",
                message=f"{message} A {name} interval of {stated.draws:,} draws{assumed} "
                f"comes out like this with a chance of {100.0 * likely.chance:.2g}%.",
            )
        )
    note = Note(code="no_match", message=message)
    return contradiction(note) if complete else Remark(note=note)
