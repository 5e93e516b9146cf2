"""How often two systems were right on the same items, drawn to scale."""

from __future__ import annotations

from deadheat.comparison import Comparison
from deadheat.report.comparison import counts_table
from deadheat.report.figure import Axis, Boxes, Figure, Role
from deadheat.report.pieces import counted


def of_comparison(result: Comparison) -> Figure | None:
    """Draw four areas, as large as the four counts; None where scores are not 0/1."""
    counts = result.difference.counts
    if counts is None or not counts.n:
        return None
    n = counts.n
    right = counts.both + counts.only_baseline
    wrong = n - right
    middle = right / n
    columns = (
        (0.0, middle, right, counts.both, counts.only_baseline),
        (middle, 1.0, wrong, counts.only_candidate, counts.neither),
    )
    kinds: tuple[tuple[Role, str], ...] = (
        ("muted", "both right"),
        ("behind", "only baseline right"),
        ("ahead", "only candidate right"),
        ("open", "both wrong"),
    )
    boxes = []
    for column, (left, edge, whole, first, second) in enumerate(columns):
        height = first / whole if whole else 0.0
        for at, (low, high, items) in enumerate(((0.0, height, first), (height, 1.0, second))):
            role, words = kinds[2 * column + at]
            if items:
                boxes.append(
                    Boxes(
                        left=(left,),
                        right=(edge,),
                        bottom=(low,),
                        top=(high,),
                        role=role,
                        texts=(f"{items:,}\n{words}",),
                        hover=(f"{words}: {counted(items, 'item')} ({items / n:.1%})",),
                    )
                )
    discordant = counts.discordant
    return Figure(
        name="agreement",
        title=f"Agreement on {counted(n, 'item')}",
        description=f"Areas are as large as the numbers of items: {counts.both:,} both right, "
        f"{counts.only_baseline:,} only the baseline, {counts.only_candidate:,} only the "
        "candidate, "
        f"{counts.neither:,} both wrong. The difference rests on the "
        f"{counted(discordant, 'item')} on which one is right.",
        x=Axis(
            label="",
            low=0.0,
            high=1.0,
            ticks=tuple(
                (place, text)
                for place, text, there in (
                    (middle / 2.0, f"baseline right: {right:,}", right),
                    ((1.0 + middle) / 2.0, f"baseline wrong: {wrong:,}", wrong),
                )
                if there
            ),
        ),
        y=Axis(label="", low=0.0, high=1.0, ticks=()),
        marks=tuple(boxes),
        table=counts_table(result),
        height=0.36,
        legend=tuple(
            kind
            for kind, items in zip(
                kinds,
                (counts.both, counts.only_baseline, counts.only_candidate, counts.neither),
                strict=True,
            )
            if items
        ),
    )
