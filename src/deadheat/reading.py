"""The sentence that says what an interval shows and does not show (STATISTICS.md 2.9)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from deadheat.inference.result import Inference
from deadheat.intervals import tango
from deadheat.scale import Scale, p_text
from deadheat.settings import Settings
from deadheat.significance.significance import Significance

Code = Literal["resolved", "unresolved", "borderline", "equivalent", "degenerate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One of five codes, and the sentences that go with the numbers."""

    code: Code
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Who is compared, on what, and which way is better."""

    baseline: str
    candidate: str
    metric: str
    greater_is_better: bool
    n: int

    def better(self, difference: float) -> tuple[str, str]:
        """Return the better system and the other for a difference that is not zero."""
        candidate_wins = (difference > 0) == self.greater_is_better
        pair = (self.candidate, self.baseline)
        return pair if candidate_wins else (pair[1], pair[0])


def read_inference(found: Inference, named: Named, settings: Settings, scale: Scale) -> Reading:
    """Return the first that applies of degenerate, equivalent, borderline, resolved, unresolved."""
    if not found.varies or not found.interval.defined or found.interval.low == found.interval.high:
        return Reading(code="degenerate", text=_degenerate(found, named, settings, scale))
    margin, inner = settings.margin, found.margin_interval
    if margin is not None and inner is not None and -margin < inner.low <= inner.high < margin:
        return Reading(code="equivalent", text=_equivalent(found, settings, scale))
    excludes = found.interval.excludes(0.0)
    companion = found.tests[0] if found.tests else None
    agrees = companion is None or math.isnan(companion.p_value)
    if companion is not None and not agrees:
        agrees = (companion.p_value <= settings.alpha) == excludes
    if not agrees and companion is not None:
        return Reading(code="borderline", text=_borderline(found, companion, settings, scale))
    if excludes:
        return Reading(code="resolved", text=_resolved(found, named, settings, scale))
    return Reading(code="unresolved", text=_unresolved(found, settings, scale))


def settled_by_runs(reading: Reading, found: Inference, named: Named) -> Reading:
    """Take back what runs contradict: a comparison that a run wins and another loses is open."""
    pairs = None if found.runs is None else found.runs.pairs
    if reading.code != "resolved" or pairs is None or not pairs.contradict:
        return reading
    counts = pairs.to_dict()
    return Reading(
        code="borderline",
        text=f"Runs contradict each other: of {counts['n']:,} pairs of runs, alone, "
        f"{counts['resolved_above']:,} put {named.candidate} above {named.baseline} with an "
        f"interval that excludes zero and {counts['resolved_below']:,} below, although the "
        "interval over all runs excludes zero. Count it as unresolved.",
    )


def _interval(found: Inference, scale: Scale) -> str:
    level = f"{100.0 * found.interval.confidence_level:g}%"
    return f"{level} interval {scale.interval(found.interval)}"


def _degenerate(found: Inference, named: Named, settings: Settings, scale: Scale) -> str:
    gap = scale.difference(found.estimate)
    if math.isnan(found.estimate):
        return (
            f"On these items {named.metric} is undefined for {named.baseline}, {named.candidate} "
            "or both, so there is no difference to read."
        )
    if named.n == 1:
        return (
            f"One item was compared. It gives a difference of {gap} and no measure of how much "
            "items vary, so there is no interval and nothing to read."
        )
    if math.isnan(found.standard_error):
        # Not for want of variation: too few items or clusters to see any.
        return f"There is no interval around the difference of {gap}: {found.interval.note}."
    if found.estimate == 0.0:
        same = f"{named.baseline} and {named.candidate} have the same value on {named.n:,} items"
        bound = _bound(found, settings, scale)
        if found.counts is not None:
            same = (
                f"{named.baseline} and {named.candidate} are right on the same items of {named.n:,}"
            )
        if bound:
            return (
                f"No item separates the systems: {same}. At the "
                f"{100.0 * settings.confidence_level:g}% level the difference is {bound}; smaller "
                "ones are not excluded, and this is no proof that the systems are equal."
            )
    share = -math.expm1(math.log(settings.alpha) / named.n)
    favour = "" if found.estimate == 0.0 else f" in favour of {named.better(found.estimate)[0]}"
    return (
        f"Nothing varies: the difference is {gap}{favour} whichever items are drawn. What "
        f"{named.n:,} items that agree exclude, at the {100.0 * settings.confidence_level:g}% "
        f"level, is that more than {100.0 * share:.2g}% of items like these behave otherwise."
    )


def _bound(found: Inference, settings: Settings, scale: Scale) -> str:
    """Say how large a difference may be that no item shows; empty where that is not known."""
    interval = found.interval
    has_width = interval.defined and interval.high > interval.low
    if not has_width:
        if found.counts is None:
            return ""
        # By Tango's interval whatever the method: this one has no width here, or no ends.
        interval = tango.paired_proportions(
            found.counts.both,
            0,
            0,
            found.counts.neither,
            confidence_level=settings.confidence_level,
            alternative=settings.alternative,
        )
    if settings.alternative == "greater":
        return f"no lower than {scale.difference(interval.low)}"
    if settings.alternative == "less":
        return f"no higher than {scale.difference(interval.high)}"
    return f"at most {scale.size(interval.high)} either way"


def _equivalent(found: Inference, settings: Settings, scale: Scale) -> str:
    inner = found.margin_interval
    assert inner is not None
    assert settings.margin is not None
    return (
        f"A dead heat within the margin: the {100.0 * inner.confidence_level:g}% interval "
        f"{scale.interval(inner)} lies inside a margin of "
        f"{scale.size(settings.margin)} either way. "
        "Differences beyond the margin are excluded by two one-sided tests; a difference inside "
        "it may exist."
    )


def _borderline(found: Inference, companion: Significance, settings: Settings, scale: Scale) -> str:
    says = "excludes" if found.interval.excludes(0.0) else "includes"
    test = f"{companion.name} ({companion.variant})"
    return (
        f"Interval and companion test disagree about zero: the {found.interval.method} "
        f"{_interval(found, scale)} {says} zero, while {test} gives "
        f"{p_text(companion.p_value, companion.p_value_bound)} against "
        f"{settings.alpha:g}. Count it as unresolved."
    )


def _resolved(found: Inference, named: Named, settings: Settings, scale: Scale) -> str:
    better, worse = named.better(found.estimate)
    text = (
        f"{better} is ahead of {worse} by {scale.size(found.estimate)} of {named.metric}: the "
        f"{_interval(found, scale)} excludes zero"
    )
    companion = found.tests[0] if found.tests else None
    if companion is not None and not math.isnan(companion.p_value):
        text += (
            f" and {companion.name} ({companion.variant}) agrees "
            f"({p_text(companion.p_value, companion.p_value_bound)})"
        )
    if settings.margin is None:
        return f"{text}. Whether a gap of this size matters is the reader's question."
    margin = scale.size(settings.margin)
    if min(abs(found.interval.low), abs(found.interval.high)) >= settings.margin:
        return f"{text}. The whole interval lies beyond the margin of {margin}."
    if max(abs(found.interval.low), abs(found.interval.high)) < settings.margin:
        return f"{text}. The whole interval lies below the margin of {margin}."
    return (
        f"{text}. Whether the gap reaches the margin of {margin} is still open: part of the "
        "interval lies below it."
    )


def _unresolved(found: Inference, settings: Settings, scale: Scale) -> str:
    what = {
        "two-sided": "settle the direction",
        "greater": "show that candidate - baseline is above zero",
        "less": "show that candidate - baseline is below zero",
    }[settings.alternative]
    text = (
        f"These items do not {what}: the {_interval(found, scale)} includes zero. "
        "That is no evidence that the systems are equal."
    )
    if found.resolving is None:
        return text
    low, high = found.resolving
    items = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return (
        f"{text} If the true gap is the observed {scale.size(found.estimate)}, about {items} items "
        "would resolve it with 80% power (optimistic: the observed gap is itself uncertain)."
    )
