"""Differences of the items, where scores are graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.comparison import Comparison
from deadheat.report.figure import Axis, Boxes, Figure, Mark, Role, Rule
from deadheat.report.figures.axes import difference_axis, number_axis, round_step
from deadheat.report.pieces import counted
from deadheat.report.table import Table

MOST = 200
"""Items of which each has a bar; of more there is a histogram."""

BINS = 40

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def of_comparison(result: Comparison) -> Figure | None:
    """Draw the per-item differences; None for 0/1 scores and for metrics of the whole set."""
    part = result.part
    if part is None or result.pairing != "paired" or part.n_runs is not None:
        return None
    scores = part.items[0]
    if scores.kind != "mean" or scores.per_item is None or part.alignments[0].read.averaged:
        return None
    gaps = _gaps(scores.per_item, scores.multiplicities, greater=result.greater_is_better)
    names = part.alignments[0].items
    said = (
        f"The candidate is better on {gaps.better:,}, worse on {gaps.worse:,} and equal on "
        f"{gaps.equal:,} of {counted(gaps.n, 'item')}."
    )
    each = gaps.n <= MOST and scores.multiplicities is None
    if each:
        given = [] if names is None else [str(name) for name in names]
        marks, axes = _sorted(result, gaps.values, given)
    else:
        marks, axes = _histogram(result, gaps)
    roles: tuple[tuple[Role, str], ...] = (
        ("ahead", "candidate better"),
        ("behind", "candidate worse"),
    )
    return Figure(
        name="items",
        title=f"Difference in {result.metric} on each item"
        if each
        else f"Differences in {result.metric} of the items",
        description=said
        + (" Items are in the order of their differences." if each else " Bars count items."),
        x=axes[0],
        y=axes[1],
        marks=marks,
        table=_table(result, gaps),
        height=0.32,
        legend=tuple(one for one in roles if any(getattr(m, "role", "") == one[0] for m in marks)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Differences:
    """Differences of items, or of kinds of items, candidate - baseline.

    Attributes
    ----------
    values : ndarray, shape (row,)
    weights : ndarray of int, shape (row,)
        Items that each row stands for.
    better, worse, equal : int
        Items on which the candidate is so.
    """

    values: Floats
    weights: Ints
    better: int
    worse: int
    equal: int

    @property
    def n(self) -> int:
        """Number of items."""
        return self.better + self.worse + self.equal

    @property
    def mean(self) -> float:
        """Of the items."""
        return float((self.values * self.weights).sum()) / self.n

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """Return the least differences that so large shares of the items are at most."""
        order = np.argsort(self.values, kind="stable")
        below = np.cumsum(self.weights[order])
        at = np.searchsorted(below, np.asarray(shares) * self.n, side="left")
        return [float(self.values[order[k]]) for k in np.minimum(at, len(order) - 1)]


def _gaps(per_item: Floats, multiplicities: Ints | None, *, greater: bool) -> Differences:
    values = per_item[:, 1] - per_item[:, 0]
    weights = np.ones(len(values), dtype=np.int64) if multiplicities is None else multiplicities
    above, below = (int(weights[one].sum()) for one in (values > 0.0, values < 0.0))
    return Differences(
        values=values,
        weights=weights,
        better=above if greater else below,
        worse=below if greater else above,
        equal=int(weights.sum()) - above - below,
    )


Drawn = tuple[tuple[Mark, ...], tuple[Axis, Axis]]


def _sorted(result: Comparison, gaps: Floats, names: Sequence[str]) -> Drawn:
    """Draw a bar for each item, from the greatest loss to the greatest gain."""
    order = np.argsort(gaps, kind="stable")
    marks: list[Mark] = []
    for role, positive in (("behind", False), ("ahead", True)):
        if not result.greater_is_better:
            role = "ahead" if role == "behind" else "behind"
        own = [
            (at, item, float(gaps[item]))
            for at, item in enumerate(order.tolist())
            if gaps[item] != 0.0 and (gaps[item] > 0.0) == positive
        ]
        if own:
            marks.append(
                Boxes(
                    left=tuple(at - 0.5 for at, _, _ in own),
                    right=tuple(at + 0.5 for at, _, _ in own),
                    bottom=tuple(min(gap, 0.0) for _, _, gap in own),
                    top=tuple(max(gap, 0.0) for _, _, gap in own),
                    role="ahead" if role == "ahead" else "behind",
                    hover=tuple(
                        f"{names[item] if names else f'item {item + 1}'}: "
                        f"{result.scale.difference(gap)}"
                        for _, item, gap in own
                    ),
                )
            )
    mean = float(gaps.mean())
    marks += [
        Rule(at=0.0, across="y"),
        Rule(
            at=mean,
            across="y",
            label=f"mean {result.scale.difference(mean)}",
            label_at="start" if mean > 0.0 else "end",
            role="plain",
        ),
    ]
    x = Axis(
        label=f"items in order of their difference ({len(gaps):,})",
        low=-1.0,
        high=float(len(gaps)),
        ticks=(),
    )
    return tuple(marks), (x, difference_axis("candidate - baseline", gaps.tolist(), result.scale))


def _histogram(result: Comparison, gaps: Differences) -> Drawn:
    """Count items by their difference, in bins of a round width with an edge at zero."""
    values = gaps.values
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    if low == high:
        high = 1.0
    step = round_step(high - low, BINS)
    first, last = int(np.floor(low / step)), int(np.floor(high / step)) + 1
    moved = values[values != 0.0]
    # A value on an edge belongs to the bin that lies towards zero.
    at = np.where(moved > 0.0, np.ceil(moved / step - 1e-9) - 1.0, np.floor(moved / step + 1e-9))
    counts = np.bincount(
        (at - first).astype(np.int64), gaps.weights[values != 0.0], minlength=last - first
    )
    marks: list[Mark] = []
    bins = [(first + k, int(n)) for k, n in enumerate(counts) if n]
    for positive in (False, True):
        own = [(k, n) for k, n in bins if (k >= 0) == positive]
        if own:
            marks.append(
                Boxes(
                    left=tuple(k * step for k, _ in own),
                    right=tuple((k + 1) * step for k, _ in own),
                    bottom=(0.0,) * len(own),
                    top=tuple(float(n) for _, n in own),
                    role="ahead" if positive == result.greater_is_better else "behind",
                    hover=tuple(
                        f"{result.scale.signed(k * step)} to "
                        f"{result.scale.difference((k + 1) * step)}: {counted(n, 'item')}"
                        for k, n in own
                    ),
                )
            )
    mean = gaps.mean
    marks.append(Rule(at=0.0, label=f"equal: {gaps.equal:,}"))
    marks.append(Rule(at=mean, label=f"mean {result.scale.difference(mean)}", role="plain"))
    return tuple(marks), (
        difference_axis("candidate - baseline", [low, high], result.scale),
        number_axis(
            "items that differ",
            0.0,
            1.06 * max((n for _, n in bins), default=1),
            most=5,
            whole=True,
        ),
    )


def _table(result: Comparison, gaps: Differences) -> Table:
    show = result.scale.difference
    rows = [
        ("candidate better", counted(gaps.better, "item")),
        ("candidate worse", counted(gaps.worse, "item")),
        ("equal", counted(gaps.equal, "item")),
        ("mean", show(gaps.mean)),
        *zip(
            ("least", "lower quartile", "median", "upper quartile", "greatest"),
            map(show, gaps.quantiles([0.0, 0.25, 0.5, 0.75, 1.0])),
            strict=True,
        ),
    ]
    return Table(
        title="Differences of the items",
        columns=("", "value"),
        rows=tuple(rows),
        numeric=("value",),
    )
