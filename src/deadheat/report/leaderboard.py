"""Lay out a leaderboard."""

from __future__ import annotations

import numpy as np

from deadheat.leaderboard import Leaderboard, Ranked
from deadheat.report.pieces import counted, level_text, split_notes, unit_text
from deadheat.report.report import Report, Sentence, Table
from deadheat.scale import p_text

MOST_ROWS = 60
"""Systems that a table lists; JSON has them all."""

MOST_PAIRS = 45
"""Pairs that a table lists in full; beyond, each system is compared with the next."""


MOST_BANDS = 6
"""Bands of a system that the table names, where the names have several letters."""


def layout(result: Leaderboard) -> Report:
    """Lay out a leaderboard: who may be best, the board, pairs, account, notes."""
    better = "greater" if result.greater_is_better else "lower"
    first, others = split_notes(result.notes)
    return Report(
        title=f"{result.metric} ({better} is better) of {counted(len(result.systems), 'system')} "
        f"on {counted(result.n_items, 'item')}",
        blocks=(
            *first,
            Sentence(text=_reading(result), role="reading", label="order"),
            board(result),
            pairs_table(result),
            _account(result),
            *others,
            Sentence(text=result.signature, role="signature"),
        ),
    )


def _reading(result: Leaderboard) -> str:
    """Say which systems may be the best, and how much of the order is settled."""
    best, pairs = result.best_set, result.pairs
    if len(best) == 1:
        first = f"{best[0]} is the best of these systems on such items."
    else:
        shown = ", ".join(best[:8]) + (f" and {len(best) - 8:,} more" if len(best) > 8 else "")
        first = f"These items do not say which of {len(best):,} is the best: {shown}."
    settled = int(np.count_nonzero(pairs.separated))
    level = level_text(result.settings.confidence_level)
    together = "for all of them together" if result.correction in ("max-t", "holm") else "each"
    order = (
        f"{settled:,} of {len(pairs.members):,} pairs {'is' if settled == 1 else 'are'} put in "
        f"order at {level} {together}"
        if len(pairs.members) > 1
        else f"The one pair is {'' if settled else 'not '}put in order at {level}"
    )
    return (
        f"{first} {order}, and the ranks that the {len(result.systems):,} systems may have span "
        f"{_mean_span(result):.1f} places on average."
    )


def _mean_span(result: Leaderboard) -> float:
    spans = [row.rank_interval[1] - row.rank_interval[0] + 1 for row in result.systems]
    return sum(spans) / len(spans)


def board(result: Leaderboard, *, titled: bool = False) -> Table:
    """Lay out the systems from best to worst."""
    scale = result.scale
    level = f"{level_text(result.settings.confidence_level)} interval"
    shown = result.systems[:MOST_ROWS]
    extra = {
        "first in": [_share(row.best_share) for row in shown],
        "in set": [_yes(row.in_confidence_set) for row in shown],
        "arena": [_number(row.arena_rank) for row in shown],
        "cost": ["" if row.cost is None else f"{row.cost:.4g}" for row in shown],
        "front": [_yes(row.on_front) for row in shown],
        "null outputs": [f"{row.unparseable:,}" if row.unparseable else "" for row in shown],
    }
    used = {name: column for name, column in extra.items() if any(column)}
    rows = [
        (
            f"{row.rank}",
            row.system,
            scale.value(row.value),
            scale.ends(row.interval, signed=False),
            _ranks(row),
            f"{letters(row)}{' *' if row.top else ''}",
            *(column[at] for column in used.values()),
        )
        for at, row in enumerate(shown)
    ]
    left = len(result.systems) - len(shown)
    if left:
        rows.append(("", f"and {left:,} more (JSON has all)", *("" for _ in range(4 + len(used)))))
    return Table(
        title=f"{result.metric}" if titled else "Board (* is in the band at the top)",
        columns=("rank", "system", result.metric, level, "ranks", "band", *used),
        rows=tuple(rows),
        numeric=("rank", result.metric, level, "ranks", "first in", "arena", "cost"),
    )


def _ranks(row: Ranked) -> str:
    low, high = row.rank_interval
    return f"{low}" if low == high else f"{low}-{high}"


def letters(row: Ranked) -> str:
    """Show the letters of a system; of names with more than one letter the first alone."""
    names = row.band.split(",")
    more = f" +{len(names) - MOST_BANDS}" if len(names) > MOST_BANDS else ""
    return ",".join(names[:MOST_BANDS]) + more


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _yes(flag: bool | None) -> str:
    return "" if flag is None else "yes" if flag else "no"


def _number(number: int | None) -> str:
    return "" if number is None else f"{number}"


def pairs_table(result: Leaderboard) -> Table:
    """List all pairs, or each system against the next where there are many."""
    pairs, scale = result.pairs, result.scale
    place = {row.system: at for at, row in enumerate(result.systems)}
    order = np.array([place[name] for name in result.names])
    first, second = order[pairs.members[:, 0]], order[pairs.members[:, 1]]
    everything = len(pairs.members) <= MOST_PAIRS
    chosen = np.arange(len(first))
    if not everything:
        chosen = np.flatnonzero(
            np.abs(first - second) == 1 if result.baseline is None else np.ones(len(first), bool)
        )[: 4 * MOST_ROWS]
        chosen = chosen[np.argsort(np.minimum(first, second)[chosen], kind="stable")][:MOST_ROWS]
    rows = []
    for at in chosen.tolist():
        one, other = (result.names[member] for member in pairs.members[at])
        gap, low, high = (
            float(column[at]) for column in (pairs.differences, pairs.low, pairs.high)
        )
        if result.baseline is None and first[at] < second[at]:
            # The better one is the candidate: gaps are those that the order claims.
            one, other, gap, low, high = other, one, -gap, -high, -low
        rows.append(
            (
                f"{other} - {one}",
                scale.difference(gap),
                f"[{scale.signed(low)}, {scale.signed(high)}]",
                *_p_values(result, at),
            )
        )
    what = "Pairs" if everything else "Each system and the next (JSON has all pairs)"
    if result.baseline is not None:
        what = f"Against {result.baseline}"
    return Table(
        title=what,
        columns=("candidate - baseline", "estimate", "interval", "p-value", "adjusted"),
        rows=tuple(rows),
        numeric=("estimate", "interval", "p-value", "adjusted"),
    )


def _p_values(result: Leaderboard, at: int) -> tuple[str, str]:
    """Show the p-value of a pair and its adjusted one; drawn ones have a least value."""
    pairs = result.pairs
    least: list[float | None] = [None, None]
    if result.correction == "max-t" and not pairs.by_counts[at]:
        floor = 1.0 / (result.settings.n_resamples + 1)
        least = [floor, floor / (1.0 - float(pairs.by_counts.mean()))]
    return (
        p_text(float(pairs.p_values[at]), least[0]),
        p_text(float(pairs.adjusted[at]), least[1]),
    )


def _account(result: Leaderboard) -> Table:
    options, settings = result.recipe.options, result.settings
    draws = "none (exact)" if result.exact else f"{settings.n_resamples:,}, seed {settings.seed}"
    dropped = "; ".join(f"{n:,} {why}" for why, n in result.dropped) or "none"
    rows = [
        ("metric", result.metric_signature),
        ("unit of resampling", unit_text(result.unit, result.unit.n)),
        ("resamples", draws),
        ("comparisons", f"{len(result.pairs.members):,}, {result.correction}"),
        ("dropped", dropped),
        ("missing items or scores", options["missing"]),
        ("null outputs", options["unparseable"]),
        ("rows", result.items_hash),
    ]
    return Table(title="How it was made", columns=("", "value"), rows=tuple(rows))
