"""What a plan has to say besides its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deadheat.notes import Note
from deadheat.planning.design import Design
from deadheat.planning.engines import ENUMERATED, MOST_SEARCHED
from deadheat.planning.formulas import MOST_EXACT, effective
from deadheat.planning.result import Plan

USUAL = (0.4, 0.9)
"""Latent correlations of systems on one benchmark (docs/methods/planning.md has what was measured:
medians of .55 to .87, and nine of ten above .4)."""

OFTEN = 0.005
"""Probability from which on it is said that an interval is a point."""


def notes_on(plan: Plan) -> Iterator[Note]:
    """Say what is unknown, what was assumed, and what is easily mistaken.

    Parameters
    ----------
    plan : Plan
        Finished but for its notes.
    """
    design, wanted = plan.design, plan.wanted
    if design.kind == "paired_binary" and not design.known:
        yield Note(code="discordance_unknown", message=_bounds(design))
    if design.kind == "paired_binary" and not math.isnan(design.latent_correlation):
        yield Note(code="latent_correlation", message=_correlation(design))
    elif design.cells is not None:
        yield Note(
            code="no_correlation",
            message="A system that is always right, or never, has no correlation with another: how "
            "often the two disagree follows from their accuracies.",
        )
    if design.paired and design.known and math.isnan(wanted.gap):
        yield Note(
            code="no_gap",
            message="No gap is given, so no power is stated; the table has the items for usual gaps"
            + ("." if design.pilot is None else ", and for the observed one."),
        )
    if not design.paired:
        yield Note(
            code="single_system",
            message="This is about the value of one system. How many items a gap between two "
            "systems needs depends on how often they disagree: give --gap.",
        )
    if design.pilot is not None and design.pilot.gap == 0.0:
        yield Note(
            code="no_observed_gap",
            message="The pilot's systems have the same value: no number of items resolves a gap of "
            "0, and none is given.",
        )
    elif design.pilot is not None and len(design.pilot.systems) == 2:
        yield Note(
            code="observed_gap",
            message="The gap that a pilot shows is itself uncertain, and large gaps are shown more "
            "often than their share: items planned for it are optimistic. Plan for the smallest "
            "gap that would matter.",
        )
    if wanted.comparisons > 1:
        yield Note(
            code="family",
            message=f"All {wanted.comparisons:,} pairs of {design.n_systems:,} systems: each is "
            f"held to the level {wanted.alpha:.3g}, and has an interval of level "
            f"{100.0 * wanted.level:.6g}%, by Bonferroni. The simultaneous intervals of deadheat "
            "rank (max-t) are a little shorter, so the numbers of items are on the safe side.",
        )
    if plan.answers:
        yield Note(
            code="answers",
            message="Noise is the share of the variance that answers add. One more answer of each "
            "system to every item does as much as some more items; its price is in answers, all "
            "taken together, for each item saved. It pays where an item costs more than that.",
        )
    yield from _on_clusters(design)
    yield from _on_points(plan)
    yield from _on_limits(plan)


def _bounds(design: Design) -> str:
    least, most = design.discordance_range
    hint = "A pilot of 100 items shows it (--pilot)."
    if not math.isnan(design.candidate):
        low, high = USUAL
        hint += (
            f" Without one --correlation assumes it: latent scores of two systems on one benchmark "
            f"usually correlate by {low:g} to {high:g}, the more, the more alike the systems are."
        )
    said = (
        "How often exactly one of the two systems is right (the discordance) decides the number of "
        "items, and is not known"
    )
    if not least > 0.0:
        return f"{said}. It is at least the gap. {hint}"
    within = f"It is at least the gap, {_percent(least)}"
    if not math.isnan(design.candidate):
        within += f", and with these accuracies at most {_percent(most)}"
    return f"{said}. {within}. {hint}"


def _correlation(design: Design) -> str:
    loading = (
        "no loading of a one-factor model has it"
        if math.isnan(design.loading)
        else f"it is that of a one-factor model with loading {design.loading:.4g}"
    )
    return (
        f"The latent correlation, {design.latent_correlation:.4g}, is that of two normal scores "
        f"behind the 0/1 scores ({loading}). The 0/1 scores themselves correlate by "
        f"{design.phi:.4g} (phi).{_usual(design)}"
    )


def _usual(design: Design) -> str:
    """Say which latent correlations are usual, beside one that was assumed and is none of them."""
    low, high = USUAL
    if design.pilot is not None or low <= design.latent_correlation <= high:
        return ""
    return f" Between two systems on one benchmark {low:g} to {high:g} is usual."


def _on_clusters(design: Design) -> Iterator[Note]:
    clustering = design.clustering
    if clustering.design_effect == 1.0 and math.isnan(clustering.icc):
        return
    cause = (
        ""
        if math.isnan(clustering.icc)
        else f" (clusters of {clustering.size:.4g} items, intra-class correlation "
        f"{clustering.icc:.3g})"
    )
    small = (
        ""
        if clustering.design_effect >= 1.0
        else ", so that items are worth more than independent ones, which clusters of like items "
        "never are"
    )
    yield Note(
        code="design_effect",
        message=f"A design effect of {clustering.design_effect:.4g}{cause}: so many items are "
        f"worth one independent item{small}. It is taken as it is, while intervals from fewer than "
        "some 30 clusters are wider still.",
    )


def _on_points(plan: Plan) -> Iterator[Note]:
    """Say that percentile intervals from few items are points where a gap is all but 1."""
    design, needed = plan.design, {need.by: need.items for need in plan.needed}
    share = max(design.only_baseline, design.only_candidate)
    there = [] if plan.at is None else [plan.at.items]
    tried = [n for n in (needed.get(design.test), *there) if n is not None]
    if design.method != "percentile" or math.isnan(plan.wanted.gap) or not tried:
        return
    n = min(tried)
    chance = share ** effective(n, design)
    if chance < OFTEN:
        return
    reading = needed.get("reading")
    takes = (
        f"no number of items up to {MOST_SEARCHED:,} makes that rare enough"
        if reading is None
        else f"the reading takes {reading:,} items to have the power"
    )
    often = f"{chance:.2%}" if chance < 0.9999 else "all but 100%"
    yield Note(
        code="point_interval",
        message=f"On {n:,} items one system alone gets every item right with a probability of "
        f"{often}. The percentile interval is a point then, which says nothing of how items vary: "
        f"the reading is degenerate and not resolved, although a test may reject, and {takes}. The "
        "power of the interval alone counts points as excluding 0. --method auto takes Tango's "
        "interval there.",
    )


def _on_limits(plan: Plan) -> Iterator[Note]:
    """Say which numbers come from a formula instead, and which are not there."""
    design, wanted, at = plan.design, plan.wanted, plan.at
    if plan.lead is not None and plan.lead.by == "connor":
        yield Note(
            code="by_formula",
            message=f"Beyond {MOST_SEARCHED:,} items the number is that of Connor's formula, right "
            "to about a part in a thousand there.",
        )
    named = at is not None and not math.isnan(at.smallest_gap) and design.binary
    if design.binary and design.paired and (named or plan.table):
        yield Note(
            code="connor",
            message="The smallest gap, and items in the table by discordance or by gap, are by "
            "Connor's formula for McNemar's test; the reading, for which interval and test have to "
            "agree, takes some items more.",
        )
    if at is not None and math.isnan(at.smallest_gap) and design.paired:
        yield Note(
            code="no_smallest_gap",
            message=f"{at.items:,} items resolve no gap that this discordance allows with "
            f"{_percent(wanted.power)} power.",
        )
    if at is None or not at.power:
        return
    if at.effective_items > MOST_EXACT and design.binary:
        yield Note(
            code="power_by_formula",
            message=f"Beyond {MOST_EXACT:,} items power is that of Connor's formula.",
        )
    if math.isnan(at.coverage):
        why = (
            f"beyond {ENUMERATED:,} items outcomes are not enumerated"
            if design.binary
            else "for means it depends on how skewed the differences are (deadheat simulate)"
        )
        yield Note(
            code="coverage_unknown",
            message=f"The coverage of the interval is not stated: {why}. Wrong signs and "
            "exaggeration are those of a normal estimate.",
        )
    if math.isnan(at.wrong_sign):
        yield Note(
            code="never_resolved",
            message=f"No outcome of {at.items:,} items is resolved: how often a resolved gap has "
            "the wrong sign, and how large it is, is undefined.",
        )


def _percent(share: float) -> str:
    return f"{100.0 * share:.4g}%"
