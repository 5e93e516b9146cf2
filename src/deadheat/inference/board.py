"""Many systems from one set of resamples: pairs, ranks and bands that hold together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.errors import InferenceError, MetricError, UsageError, known
from deadheat.inference import clustered, corpus
from deadheat.inference.pairs import (
    Correction,
    Pairs,
    ahead_of,
    by_t,
    compared,
    few_discordant,
    few_noted,
    together,
)
from deadheat.notes import Note
from deadheat.ranking.best import against_best
from deadheat.ranking.draws import Draws
from deadheat.ranking.letters import letters
from deadheat.ranking.pairs import against, all_pairs, symmetric
from deadheat.ranking.ranks import (
    best_first,
    point_ranks,
    rank_sets,
    rank_sets_of_intervals,
)
from deadheat.resampling.bootstrap import bootstrap_together
from deadheat.resampling.functionals import Sums
from deadheat.resampling.types import collapse
from deadheat.scores import Scores
from deadheat.scores.units import PLURAL
from deadheat.settings import Settings
from deadheat.significance.multiplicity import adjust

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


FEW_ITEMS = 20
"""Fewer items than this and a board of means is flagged (STATISTICS.md 0.2)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Board:
    """Systems in order, with what is known of the order.

    Attributes
    ----------
    order : ndarray of int, shape (system,)
        From best to worst.
    ranks, lowest, highest : ndarray of int, shape (system,)
        Rank by value, and the ranks that it may have, simultaneously.
    bands : tuple of str
        Letters: systems that share one are not put in order by these items.
    top, best : ndarray of bool, shape (system,)
        The band at the top (Hsu), and the systems that may have rank 1.
    pairs : Pairs
    draws : ndarray, shape (resample, system), or None
        Values on the shared resamples, where they were drawn.
    letters_by : str
        How the letters were found.
    critical_value : float
        Of the simultaneous intervals of all pairs.
    notes : tuple of Note
    """

    order: Ints
    ranks: Ints
    lowest: Ints
    highest: Ints
    bands: tuple[str, ...]
    top: Flags
    best: Flags
    pairs: Pairs
    draws: Floats | None
    letters_by: str
    critical_value: float
    notes: tuple[Note, ...]


def board(
    scores: Scores,
    settings: Settings,
    *,
    correction: Correction = "max-t",
    baseline: int | None = None,
) -> Board:
    """Rank all systems of `scores`.

    Parameters
    ----------
    scores : Scores
    settings : Settings
    correction : {"max-t", "holm", "bh", "none"}
        Of the p-values and intervals of pairs. Ranks and bands are always simultaneous.
    baseline : int, optional
        The pairs are those with this system; all pairs otherwise.

    Raises
    ------
    InferenceError
        If there is one item, or one cluster.
    MetricError
        If the metric of a system is undefined.
    UsageError
        If there is no such correction.
    """
    if correction not in get_args(Correction):
        names = get_args(Correction)
        raise UsageError(f"the correction is {correction!r}.", fix=known(names, correction))
    _check_defined(scores)
    _check_several(scores)
    n_systems = len(scores.systems)
    family = all_pairs(n_systems) if baseline is None else against(baseline, n_systems)
    if _few_clusters(scores):
        return _of_clusters(scores, family, settings, correction)
    values, notes = drawn_values(scores, settings)
    draws = Draws.of(scores.values, values, n_units=scores.n)
    return _of_draws(scores, draws, values, family, settings, correction, notes)


def _check_defined(scores: Scores) -> None:
    undefined = [
        system
        for system, value in zip(scores.systems, scores.values, strict=True)
        if math.isnan(value)
    ]
    if undefined:
        raise MetricError(
            f"{scores.metrics[0].name} is undefined for {', '.join(undefined[:8])}.",
            fix="Leave these systems out (--system), or choose another metric.",
        )


def _check_several(scores: Scores) -> None:
    kind, n = "item", scores.n
    if scores.units is not None:
        kind, n = scores.units.kind, scores.units.n
    if n < 2:
        raise InferenceError(
            f"there is one {kind}, which cannot show how much {PLURAL[kind]} vary.",
            fix="Give more items." if kind == "item" else f"Rank by finer {PLURAL[kind]}.",
        )


def _few_clusters(scores: Scores) -> bool:
    units = scores.units
    return (
        units is not None
        and units.kind != "item"
        and units.strata is None
        and scores.per_item is not None
        and units.n < clustered.ENOUGH
    )


def drawn_values(scores: Scores, settings: Settings) -> tuple[Floats, tuple[Note, ...]]:
    """Return the value of every system on shared resamples, shape (resample, system)."""
    if scores.per_item is not None and scores.units is None:
        return _drawn_means(scores, settings), _few(scores.n)
    (found,) = corpus.resampled([scores], settings, left_out=False)
    refused = corpus.refused(found)
    if refused:
        raise InferenceError(
            refused + ".",
            fix="Rank by a mean without strata, or leave --cluster out."
            if scores.units is not None and scores.units.kind == "cluster"
            else "Take strata as fixed.",
        )
    kept = ~np.isnan(found.draws).any(axis=1)
    notes = corpus.remarks(found.n, found.n_undefined, int(np.count_nonzero(~kept)), found.units)
    said = () if found.units is None else clustered.said(found.units)
    return found.draws[kept], (*notes, *said)


def _few(n: int) -> tuple[Note, ...]:
    """Flag a board of few items."""
    if n >= FEW_ITEMS:
        return ()
    return (
        Note(
            code="small_n",
            message=f"{n} items are few to be resampled: intervals, ranks and bands may claim "
            "more than they should.",
        ),
    )


def _drawn_means(scores: Scores, settings: Settings) -> Floats:
    """Draw means of scores of items; the number of items is the same in every resample."""
    assert scores.per_item is not None
    n = scores.n
    by_name = sorted(range(len(scores.systems)), key=lambda at: scores.systems[at])
    types = collapse(scores.per_item[:, by_name], multiplicities=scores.multiplicities)
    statistics = types.rows[:, np.argsort(by_name), None]
    return bootstrap_together(
        [Sums.of(statistics, lambda totals: totals[..., 0] / n)],
        types.multiplicities,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        threads=settings.threads,
        engine=settings.engine,
        progress=settings.progress,
    )


def _of_draws(
    scores: Scores,
    draws: Draws,
    values: Floats,
    family: Ints,
    settings: Settings,
    correction: Correction,
    notes: tuple[Note, ...],
) -> Board:
    greater = scores.metrics[0].greater_is_better
    everyone = all_pairs(draws.n_systems)
    few = few_discordant(scores)
    whole = together(scores, draws, everyone, few, settings.alpha)
    apart = symmetric(everyone, whole.by_counts, draws.n_systems)
    ahead = ahead_of(whole, draws.n_systems, greater)
    # Pairs judged by counts take their share of the error; what is left is that of the others.
    left = 1.0 if whole.by_counts.all() else 1.0 - float(whole.by_counts.mean())
    level = 1.0 - settings.alpha * left
    sets = rank_sets(
        draws, confidence_level=level, greater_is_better=greater, apart=apart, apart_ahead=ahead
    )
    top = against_best(
        draws, confidence_level=level, greater_is_better=greater, apart=apart, apart_ahead=ahead
    ).top
    order = best_first(scores.values, greater_is_better=greater)
    lettered = letters(symmetric(everyone, whole.separated, draws.n_systems), order)
    return Board(
        order=order,
        ranks=point_ranks(scores.values, greater_is_better=greater),
        lowest=sets.lowest,
        highest=sets.highest,
        bands=lettered.labels,
        letters_by=lettered.method,
        top=top,
        best=sets.may_be_among(1),
        pairs=whole
        if correction == "max-t" and len(family) == len(everyone)
        else compared(scores, draws, family, few, settings, correction),
        draws=values,
        critical_value=whole.critical_value,
        notes=(*notes, *few_noted(few)),
    )


def _of_clusters(scores: Scores, family: Ints, settings: Settings, correction: Correction) -> Board:
    """Rank by cluster-robust errors where there are too few clusters to resample them."""
    assert scores.per_item is not None
    assert scores.units is not None
    greater = scores.metrics[0].greater_is_better
    errors, df = clustered.errors_of_pairs(scores.per_item, scores.units)
    everyone = all_pairs(len(scores.systems))

    def tested(pairs: Ints, rule: Correction) -> Pairs:
        differences = scores.values[pairs[:, 1]] - scores.values[pairs[:, 0]]
        spread = errors[pairs[:, 0], pairs[:, 1]]
        p_values, low, high = by_t(differences, spread, df, len(pairs), settings, rule)
        used = "holm" if rule == "max-t" else rule
        return Pairs(
            members=pairs,
            differences=differences,
            standard_errors=spread,
            low=low,
            high=high,
            p_values=p_values,
            adjusted=p_values if used == "none" else adjust(p_values, used),
            separated=(low > 0.0) | (high < 0.0),
            by_counts=np.zeros(len(pairs), dtype=np.bool_),
            critical_value=math.nan,
        )

    whole = tested(everyone, "max-t")
    lead_low, lead_high = _table(whole, greater)
    lowest, highest = rank_sets_of_intervals(lead_low, lead_high)
    order = best_first(scores.values, greater_is_better=greater)
    lettered = letters(symmetric(everyone, whole.separated, len(scores.systems)), order)
    return Board(
        order=order,
        ranks=point_ranks(scores.values, greater_is_better=greater),
        lowest=lowest,
        highest=highest,
        bands=lettered.labels,
        letters_by=lettered.method,
        top=lowest == 1,
        best=lowest == 1,
        pairs=tested(family, correction),
        draws=None,
        critical_value=-float(special.stdtrit(df, settings.alpha / 2.0 / len(everyone))),
        notes=(
            *clustered.said(scores.units, df),
            Note(
                code="holm_on_clusters",
                message=f"Pairs are compared by cluster-robust t tests, because so few "
                f"{PLURAL[scores.units.kind]} cannot be resampled; ranks and bands follow from "
                "Bonferroni's intervals of all pairs.",
            ),
        ),
    )


def _table(pairs: Pairs, greater: bool) -> tuple[Floats, Floats]:
    """Return the ends for row less column, greater being better, shape (m, m)."""
    m = int(pairs.members.max()) + 1
    low, high = np.zeros((m, m)), np.zeros((m, m))
    first, second = pairs.members.T
    low[second, first], high[second, first] = pairs.low, pairs.high
    low[first, second], high[first, second] = -pairs.high, -pairs.low
    return (low, high) if greater else (-high, -low)
