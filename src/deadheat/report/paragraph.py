"""A paragraph on methods for a paper: what a reader needs to make a comparison again.

What nobody stated stands as ``[FILL IN: ...]``. Every number is shown as the report shows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from deadheat.comparison import Comparison
from deadheat.intervals.interval import Interval
from deadheat.leaderboard import Leaderboard
from deadheat.notes import Note
from deadheat.remarks import ABOUT, NOT_COVERED
from deadheat.report.pieces import counted, level_text
from deadheat.scale import p_text
from deadheat.scorecard import Scorecard

SET = "[FILL IN: name, version and split of the evaluation set]"
GRADING = "[FILL IN: how refusals, ties and answers that could not be parsed were scored]"

OTHERS = "[FILL IN: how many others were made on these items]"

MOST = 12
"""Systems whose settings are listed."""


def methods(result: Any) -> str:
    """Return the paragraph, one for each metric; empty for results that are no measurement.

    Parameters
    ----------
    result : Comparison, Comparisons, Leaderboard, Leaderboards, Scorecard, Scorecards or another
    """
    found = (
        " ".join(KINDS[type(part).__name__](part))
        for part in getattr(result, "parts", (result,))
        if type(part).__name__ in KINDS
    )
    return "\n\n".join(found)


def _comparison(result: Comparison) -> Iterator[str]:
    one, other, scale = result.baseline, result.candidate, result.scale
    items, found = result.items, result.difference
    yield (
        f"{other.system} was compared with {one.system} by {_metric(result)} on "
        f"{counted(items.n, 'item')} of {SET} (rows {items.hash[:24]})."
    )
    if result.pairing == "paired":
        by = "order" if _has(result.notes, "paired_by_order") else "item id"
        yield f"Both systems answered the same items, which were paired by {by}."
    else:
        yield "The items of the two systems were treated as independent of each other."
    yield _left_out(items.dropped)
    yield _policies(result.recipe.options, {side.system: side.unparseable for side in (one, other)})
    yield GRADING + "."
    yield _about({side.system: side.about for side in (one, other)})
    yield (
        f"What was resampled is the {result.units[0].kind} "
        f"({sum(unit.n for unit in result.units):,}). The "
        f"{level_text(found.interval.confidence_level)} interval of the difference, candidate "
        f"minus baseline, is that of the {found.interval.method} method, "
        f"{_draws(found.interval, result)}."
    )
    dual = p_text(found.p_value, found.p_value_bound, found.p_value_error)
    yield (
        f"{one.system} reached {scale.value(one.value)} {scale.ends(one.interval, signed=False)} "
        f"and {other.system} {scale.value(other.value)} "
        f"{scale.ends(other.interval, signed=False)}; the difference is "
        f"{scale.difference(found.estimate)}{_in_items(result)}, with the interval "
        f"{scale.interval(found.interval)} and {dual} dual to it ({result.settings.alternative})."
    )
    if math.isfinite(found.detectable):
        yield f"These items resolve a gap of {scale.size(found.detectable)} with 80% power."
    if found.tests:
        test = found.tests[0]
        shown = p_text(test.p_value, test.p_value_bound, test.monte_carlo_error)
        yield f"The companion test is {test.name} ({test.variant}): {shown}."
    yield f"Reading: {result.reading.code}. {result.reading.text}"
    made = (
        "1 comparison was made here"
        if result.n_comparisons == 1
        else f"{result.n_comparisons:,} comparisons were made here, without a correction for that"
    )
    yield f"{made}; {OTHERS}."
    yield from _end(result.version)


def _leaderboard(result: Leaderboard) -> Iterator[str]:
    pairs, level = result.pairs, level_text(result.settings.confidence_level)
    yield (
        f"{counted(len(result.systems), 'system')} answered the same "
        f"{counted(result.n_items, 'item')} of {SET} (rows {result.items_hash[:24]}) and were "
        f"ranked by {_metric(result)}."
    )
    yield _left_out(result.dropped)
    yield _policies(result.recipe.options, {row.system: row.unparseable for row in result.systems})
    yield GRADING + "."
    yield _about({row.system: row.about for row in result.systems})
    family = "all pairs" if result.baseline is None else f"pairs with {result.baseline}"
    drawn = (
        "computed without draws"
        if result.exact
        else f"from {result.settings.n_resamples:,} resamples shared by all systems, seed "
        f"{result.settings.seed}"
    )
    yield (
        f"What was resampled is the {result.unit.kind} ({result.unit.n:,}). Differences of "
        f"{family} ({len(pairs.members):,}) have {level} intervals and p-values by the correction "
        f"{result.correction}, {drawn}."
    )
    settled = int(pairs.separated.sum())
    best = (
        f"{result.best_set[0]} is the best of these systems on such items"
        if len(result.best_set) == 1
        else f"the items do not say which of {len(result.best_set):,} systems is the best"
    )
    yield (
        f"{settled:,} of {counted(len(pairs.members), 'pair')} "
        f"{'is' if settled == 1 else 'are'} put in order, and {best}. Systems that share a band "
        "are not put in order by these items, which is no evidence that they are equal."
    )
    yield from _end(result.version)


def _scorecard(result: Scorecard) -> Iterator[str]:
    yield (
        f"{counted(len(result.systems), 'system')} "
        f"{'was' if len(result.systems) == 1 else 'were'} scored by {_metric(result)} on {SET}."
    )
    yield _policies(result.recipe.options, {row.system: row.unparseable for row in result.systems})
    yield GRADING + "."
    yield _about({row.system: row.about for row in result.systems})
    for row in result.systems[:MOST]:
        yield (
            f"{row.system} reached {result.scale.value(row.value)} on {counted(row.n, 'item')} "
            f"(rows {row.items_hash[:24]}), {level_text(row.interval.confidence_level)} interval "
            f"{result.scale.ends(row.interval, signed=False)} by the {row.interval.method} method, "
            f"{_draws(row.interval, result)}."
        )
    if len(result.systems) > MOST:
        yield f"[FILL IN: the other {len(result.systems) - MOST:,} systems.]"
    yield "Whether two of these intervals overlap says nothing about the difference."
    yield from _end(result.version)


def _metric(result: Comparison | Leaderboard | Scorecard) -> str:
    better = "greater" if result.greater_is_better else "lower"
    return f"{result.metric} ({better} is better; {result.metric_signature})"


def _has(notes: Sequence[Note], code: str) -> bool:
    return any(note.code == code for note in notes)


def _in_items(result: Comparison) -> str:
    counts = result.difference.counts
    if counts is None:
        return ""
    gain = counts.only_candidate - counts.only_baseline
    return f" ({'+' if gain > 0 else ''}{counted(gain, 'item')})"


def _left_out(dropped: Sequence[tuple[str, int]]) -> str:
    if not dropped:
        return "No item was left out."
    listed = "; ".join(f"{n:,} {why}" for why, n in dropped)
    return f"Items left out: {listed}."


def _policies(options: Mapping[str, Any], unparseable: Mapping[str, int]) -> str:
    missing = {
        "error": "No item or score was missing",
        "drop": "Items that a system lacked were left out of all",
        "wrong": "Items and scores that a system lacked were scored wrong",
    }[options["missing"]]
    counts = ", ".join(f"{n:,} of {system}" for system, n in unparseable.items() if n) or "none"
    null = {"wrong": "scored wrong", "missing": "treated as missing"}[options["unparseable"]]
    return f"{missing}; null outputs ({counts}) were {null}."


def _about(about: Mapping[str, Mapping[str, str]]) -> str:
    """Say how outputs were made, with the fields of the template that nobody gave."""
    if not any(about.values()):
        return f"Settings of each system: [FILL IN: {', '.join(ABOUT)}]."
    said = []
    for system, stated in list(about.items())[:MOST]:
        absent = [name for name in ABOUT if name not in stated]
        parts = [f"{name} {value}" for name, value in stated.items()]
        if absent:
            parts.append(f"[FILL IN: {', '.join(absent)}]")
        said.append(f"{system}: {', '.join(parts)}")
    if len(about) > MOST:
        said.append(f"[FILL IN: the other {len(about) - MOST:,} systems]")
    return f"Settings: {'; '.join(said)}."


def _draws(interval: Interval, result: Comparison | Scorecard) -> str:
    if interval.monte_carlo_error is None:
        return "computed without draws"
    return f"from {result.settings.n_resamples:,} resamples, seed {result.settings.seed}"


def _end(version: str) -> Iterator[str]:
    yield NOT_COVERED.message
    yield f"Computed with deadheat {version}."


KINDS: dict[str, Callable[[Any], Iterator[str]]] = {
    "Comparison": _comparison,
    "Leaderboard": _leaderboard,
    "Scorecard": _scorecard,
}
