"""What the numbers of a check mean: each with what was found, why it matters and what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deadheat.benchmark.parts import (
    Baselines,
    Ceiling,
    DesignEffect,
    LabelNoise,
    Resolution,
    Spread,
)
from deadheat.scale import Scale, ends

Severity = Literal["ok", "notice", "warning", "problem"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "notice", "ok")

NEAR_CEILING, EXHAUSTED = 0.05, 0.01
"""Headroom, as a share of the scale, at which a set is nearly and wholly used up."""

LITTLE = 0.2
"""Share of the way from the best baseline to the limit below which a set is near its floor."""

WIDE, NARROW = 3.0, 1.0
"""Spread of the systems in standard errors of a difference: good, and hardly more than noise."""

COSTLY = 1.2
"""Design effect from which on clusters are pointed out."""

FEW_CLUSTERS = 30
"""Clusters below which standard errors are uncertain themselves."""

LISTED = 6
"""Names that a sentence spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    code : str
        The check.
    severity : {"ok", "notice", "warning", "problem"}
    found : str
        What was found, with its numbers.
    why : str
        Why it matters.
    action : str
        What can be done; empty where nothing has to be.
    """

    code: str
    severity: Severity
    found: str
    why: str
    action: str = ""


def listed(names: Sequence[str], n: int | None = None) -> str:
    """Show the first few of n names, of which those after `names` are not known.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], 10)
    ('a, b, c', 'a, b, c and 7 more')
    """
    left = (len(names) if n is None else n) - min(len(names), LISTED)
    return ", ".join(names[:LISTED]) + (f" and {left:,} more" if left else "")


def of_ceiling(part: Ceiling, scale: Scale, alpha: float) -> Finding:
    """Judge how much room the best system leaves."""
    found = (
        f"The best system, {part.system}, has {scale.value(part.value)} of "
        f"{scale.value(part.limit)}: {scale.size(part.headroom)} of headroom"
    )
    if not math.isnan(part.half_width):
        found += f", and its own interval is {scale.size(part.half_width)} to either side"
    # Shares are compared with thresholds as people write them: 0.95 is 0.95.
    level = part.share - 1e-12
    severity: Severity = (
        "problem" if level <= EXHAUSTED else "warning" if level <= NEAR_CEILING else "ok"
    )
    if severity == "ok":
        return Finding(
            code="ceiling",
            severity=severity,
            found=f"{found}.",
            why="Better systems have room to show that they are better.",
        )
    stage = "used up" if severity == "problem" else "nearly used up"
    found += f". The set is {stage} at the top"
    if part.perfect_p_value >= alpha:
        found += (
            ", and not even a system without a mistake could be told from the best one "
            f"(McNemar's exact p = {part.perfect_p_value:.2g})"
        )
    return Finding(
        code="ceiling",
        severity=severity,
        found=f"{found}.",
        why="What is left of the items is mostly ambiguous, wrongly labelled or trivial, and the "
        "order at the top is made by it.",
        action="Use harder items for systems of this strength; keep this set as a check that "
        "nothing has been unlearnt.",
    )


def of_headroom(part: Ceiling, scale: Scale) -> Finding | None:
    """Judge whether an improvement over the best system could be seen at all."""
    if math.isnan(part.minimum_detectable):
        return None
    gap = scale.size(part.minimum_detectable)
    if part.minimum_detectable > part.headroom:
        return Finding(
            code="headroom",
            severity="problem",
            found=f"The headroom of {scale.size(part.headroom)} is less than the {gap} that two "
            "systems on these items typically have to differ by to be told apart (80% power).",
            why="No improvement over the best system can be counted on to show.",
            action="Add items, above all harder ones.",
        )
    return Finding(
        code="headroom",
        severity="ok",
        found=f"The headroom of {scale.size(part.headroom)} is more than the {gap} that two "
        "systems on these items typically have to differ by to be told apart (80% power).",
        why="An improvement over the best system can show.",
    )


_KINDS = {
    "majority": "always answering {name}, the most frequent reference",
    "constant": "always answering {name}",
    "random": "a random choice ({name})",
    "trivial": "{name}, named as trivial",
}


def of_baselines(part: Baselines, scale: Scale, unknown: Sequence[str] = ()) -> Finding:
    """Judge how far the systems are above what needs no ability.

    Parameters
    ----------
    part : Baselines
    scale : Scale
    unknown : sequence of str
        Systems whose interval is undefined: only their value is held against the baseline.
    """
    what = _KINDS[part.best.kind].format(name=part.best.name)
    found = f"The best baseline has {scale.value(part.best.value)} ({what})"
    if not math.isnan(part.margin):
        found += (
            ", and the best system lies below it"
            if part.margin < 0.0
            else f", and the best system has covered {part.margin:.0%} of the way from it to the "
            "limit"
        )
    if part.reached_by:
        found += f". Systems whose interval reaches it: {listed(part.reached_by)}"
    why = (
        "What needs no ability to be reached is no sign of ability, and differences near it are "
        "differences in guessing or in format."
    )
    near = part.margin < LITTLE
    if not part.reached_by and not near and unknown:
        return Finding(
            code="floor",
            severity="notice",
            found=f"{found}. {_undefined(unknown)}",
            why=why,
            action="Add items, so that every system has an interval.",
        )
    if not part.reached_by and not near:
        return Finding(
            code="floor", severity="ok", found=f"{found}.", why="All systems are clear of it."
        )
    return Finding(
        code="floor",
        severity="problem" if part.best_reached else "warning",
        found=f"{found}.",
        why=why,
        action="Compare no systems that the baseline reaches; report values above the baseline, "
        "and look at which items the baseline gets right.",
    )


def _undefined(systems: Sequence[str]) -> str:
    return f"Only values could be held against it where intervals are undefined: {listed(systems)}."


def no_baseline() -> Finding:
    """Say that no baseline is known."""
    return Finding(
        code="floor",
        severity="notice",
        found="No baseline is known, so nobody can say how much of these values is ability.",
        why="A set on which a trivial strategy does well measures format, not ability.",
        action="Give the number of options (--options), a trivial system among the files "
        "(--trivial), or references.",
    )


def of_spread(part: Spread, scale: Scale) -> Finding:
    """Judge the spread of the systems against the standard error of a difference."""
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
    """Judge how many pairs of systems are put in order."""
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
    """Say what gap can be resolved, and whether the first two systems are that far apart."""
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


def of_label_noise(
    part: LabelNoise, best: str, scale: Scale, unknown: Sequence[str] = ()
) -> Finding:
    """Judge values against what wrong references leave to be measured; as `of_baselines`."""
    found = (
        f"With {part.share:.1%} of the references wrong, a system that is always right scores "
        f"about {scale.value(part.limit)}"
    )
    why = (
        "Above that a value means agreement with wrong references, and near it the order is made "
        "by them."
    )
    action = "Correct the references, starting with the suspects; else read such values as equal."
    if part.above:
        return Finding(
            code="label_noise",
            severity="problem",
            found=f"{found}. Above it: {listed(part.above)}.",
            why=why,
            action=action,
        )
    if part.within:
        return Finding(
            code="label_noise",
            severity="warning",
            found=f"{found}. The interval reaches it of {listed(part.within)}.",
            why=why,
            action=action,
        )
    found += f"; {best}, the best one, is {scale.size(part.headroom)} below."
    if unknown:
        return Finding(
            code="label_noise",
            severity="notice",
            found=f"{found} {_undefined(unknown)}",
            why=why,
            action="Add items, so that every system has an interval.",
        )
    return Finding(
        code="label_noise",
        severity="ok",
        found=found,
        why="Wrong references do not yet decide the order at the top.",
    )


def of_clusters(n_items: int, n_clusters: int, effect: DesignEffect | None) -> Finding | None:
    """Judge what the dependence of items costs."""
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
