"""What the differences of systems mean: spread, order, the smallest gap and what clusters cost."""

from __future__ import annotations

import math

from deadheat.benchmark.findings import Finding, Severity
from deadheat.benchmark.parts import DesignEffect, Resolution, Spread
from deadheat.scale import Scale, ends

WIDE, NARROW = 3.0, 1.0
"""Spread of the systems in standard errors of a difference: good, and hardly more than noise."""

COSTLY = 1.2
"""Design effect from which on clusters are pointed out."""

FEW_CLUSTERS = 30
"""Clusters below which standard errors are uncertain themselves."""


def of_spread(part: Spread, scale: Scale) -> Finding:
    """Judge the spread of the systems against the standard error of a difference.

    Parameters
    ----------
    part : Spread
        Numbers of the check.
    scale : Scale
        On which values are shown.
    """
    found = (
        f"The values of the systems have a standard deviation of {scale.size(part.sd)}, and a "
        f"difference of two has a standard error of {scale.size(part.standard_error)} (median)"
    )
    if math.isnan(part.ratio):
        return Finding(
            code="spread",
            severity="problem",
            found="No two systems differ on any item.",
            why="Items on which all systems do the same cannot put them in order.",
            action="Check that the files are those of different systems; else use other items.",
        )
    severity: Severity = (
        "ok" if part.ratio >= WIDE else "notice" if part.ratio >= NARROW else "warning"
    )
    return Finding(
        code="spread",
        severity=severity,
        found=f"{found}: a ratio of {part.ratio:.1f}.",
        why="From about 3 on the systems as a whole are spread by more than noise; equally good "
        "systems would have about 0.7.",
        action=""
        if severity == "ok"
        else "Read the order of neighbours as open; add items, or systems that differ more.",
    )


def of_order(part: Spread, level: str) -> Finding:
    """Judge how many pairs of systems are put in order.

    Parameters
    ----------
    part : Spread
        Numbers of the check.
    level : str
        Of confidence, as it is shown.
    """
    share = part.n_resolved / part.n_pairs
    severity: Severity = "ok" if share >= 0.5 else "notice" if part.n_resolved else "warning"
    found = (
        f"{part.n_resolved:,} of {part.n_pairs:,} pairs of systems ({share:.0%}) "
        f"{'is' if part.n_resolved == 1 else 'are'} put in order at {level}, all of them together"
        if part.n_pairs > 1
        else f"The one pair of systems is {'' if part.n_resolved else 'not '}put in order at "
        f"{level}"
    )
    if part.n_identical:
        found += (
            f"; {part.n_identical:,} {'has' if part.n_identical == 1 else 'have'} the same score "
            "on every item"
        )
    return Finding(
        code="order",
        severity=severity,
        found=f"{found}.",
        why="What is not put in order may come out the other way on other items of the kind.",
        action="" if severity == "ok" else "Show ranks with what they may be: deadheat rank.",
    )


def of_resolution(part: Resolution, spread: Spread, scale: Scale) -> Finding:
    """Say what gap can be resolved, and whether the first two systems are that far apart.

    Parameters
    ----------
    part : Resolution
        Numbers of the check.
    spread : Spread
        How far the systems are apart.
    scale : Scale
        On which values are shown.
    """
    gap = scale.size(part.minimum_detectable)
    items = "" if math.isnan(part.items) else f" ({math.ceil(part.items - 1e-9):,} items)"
    found = f"The smallest gap that these items resolve with {part.power:.0%} power is {gap}{items}"
    if part.n_pairs > 1:
        over = ends(scale.size(part.low), scale.size(part.high))
        found += f" for a typical pair, and {over} over the pairs"
    apart = spread.first_gap >= part.minimum_detectable
    found += f"; the first and the second system are {scale.size(spread.first_gap)} apart."
    return Finding(
        code="resolution",
        severity="ok" if apart else "notice",
        found=found,
        why="Smaller gaps are printed by any table and mostly cannot be told from none.",
        action=""
        if apart
        else "Claim no lead that is smaller; deadheat plan says how many items it would take.",
    )


def no_resolution() -> Finding:
    """Say that systems differ on too few items for any gap to be resolved."""
    return Finding(
        code="resolution",
        severity="problem",
        found="Two systems differ on so few of these items that no gap between them could be "
        "resolved with 80% power, not even if one of them were ahead on all.",
        why="Comparisons on these items are decided by a handful of them.",
        action="Use more items, or items on which systems differ more often.",
    )


def of_clusters(n_items: int, n_clusters: int, effect: DesignEffect | None) -> Finding | None:
    """Judge what the dependence of items costs.

    Parameters
    ----------
    n_items : int
        Items.
    n_clusters : int
        Clusters of them.
    effect : DesignEffect or None
        None where there are no clusters.
    """
    if effect is None:
        return None
    worth = min(float(n_items), n_items / effect.median)
    found = (
        f"The {n_items:,} items lie in {n_clusters:,} clusters. For the difference of a typical "
        f"pair of systems they are worth about {worth:,.0f} independent items "
        f"(design effect {effect.median:.2f}"
    )
    low, high = f"{effect.low:.2f}", f"{effect.high:.2f}"
    found += ")." if low == high else f", {low} to {high} over the pairs)."
    if n_clusters < FEW_CLUSTERS:
        return Finding(
            code="clusters",
            severity="notice",
            found=found,
            why="So few clusters leave every standard error uncertain, and intervals are wide for "
            "it, whatever the items are worth.",
            action="Add clusters rather than items.",
        )
    if effect.median > COSTLY:
        return Finding(
            code="clusters",
            severity="notice",
            found=found,
            why="Items of one cluster say in part the same; intervals allow for it here.",
            action="Add clusters rather than items in those there are.",
        )
    return Finding(
        code="clusters",
        severity="ok",
        found=found,
        why="The clusters cost little precision; intervals allow for them here.",
    )
