"""Clusters that nobody declared and that ids or columns suggest, with what they would change."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.alignment.tables import tables
from deadheat.evaluation import Answers, References
from deadheat.intraclass import intra_class_correlation, kish_design_effect
from deadheat.notes import Note
from deadheat.scores import Scores
from deadheat.scores.units import codes
from deadheat.scores.weighing import OfTotals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEPARATORS = ("__", "::", "/", ":", "#", r"\|", "_", "-", r"\.", " ")
"""What may part the name of a cluster from that of an item inside it, the surest first."""

MOST_IDS = 5_000_000
"""Item ids that are looked through."""

MOST_TOTALS, MOST_WEIGHTINGS = 200_000, 2_000
"""Items up to which a metric of the whole set is taken apart by the jackknife."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """Clusters that could be declared.

    Attributes
    ----------
    option : str
        What `--cluster` would be given.
    where : str
        What suggests them, for a sentence.
    of_item : ndarray of int, shape (item,)
        Cluster of each item, 0 to G - 1.
    """

    option: str
    where: str
    of_item: Ints

    @property
    def sizes(self) -> Ints:
        """Items of each cluster."""
        return np.bincount(self.of_item)


def cluster_hints(alignments: Sequence[Alignment], scores: Sequence[Scores]) -> tuple[Note, ...]:
    """Say which clusters item ids or columns suggest, and how alike their items are.

    Of two systems on the same items the differences are looked at, of more the differences from
    the mean of the systems, of one its scores; where the metric is no mean, what each item
    contributes to it (jackknife pseudo-values).

    Parameters
    ----------
    alignments : sequence of Alignment
        One for each group of systems.
    scores : sequence of Scores
        Of each group, of its items.

    Returns
    -------
    tuple of Note
        Code "cluster_hint"; none where clusters are declared, or rows are kinds of items.
    """
    found: dict[str, list[tuple[Candidate, Floats]]] = {}
    for alignment, group in zip(alignments, scores, strict=True):
        # An item that stands for its kind says nothing of how ids are made.
        if alignment.clusters is not None or alignment.multiplicities is not None:
            return ()
        # A jackknife may be behind them: only where something suggests clusters.
        contributions = cache(partial(contributed, group, alignment.n))
        for candidate in candidates(alignment, contributions):
            correlations = _correlations(contributions(), candidate)
            found.setdefault(candidate.option, []).append((candidate, correlations))
    what = _contribution(scores)
    return tuple(_note(several, what) for several in found.values())


def candidates(
    alignment: Alignment, contributions: Callable[[], Floats | None] = lambda: None
) -> list[Candidate]:
    """Return the clusters that ids or columns suggest, each way to part the items once.

    Of several ways to read clusters out of the ids the one with the largest design effect is
    taken.

    Parameters
    ----------
    alignment : Alignment
    contributions : callable, optional
        Returns those of each item to what is compared, shape (item, column), or None; called
        where ids suggest clusters.
    """
    strata = None if alignment.strata is None else codes(alignment.strata)
    columns, ids = (
        [
            candidate
            for candidate in some
            if 2 <= candidate.sizes.size <= alignment.n // 2
            and (strata is None or not _same(candidate.of_item, strata))
        ]
        for some in (_of_columns(alignment), _of_ids(alignment))
    )
    if ids:
        # Equal ones, and those of which nothing is known, in the order of the separators.
        known = contributions()
        effects = [max([*_design_effects(_correlations(known, c), c), -math.inf]) for c in ids]
        columns.append(ids[int(np.argmax(effects))])
    kept: list[Candidate] = []
    for candidate in columns:
        if not any(_same(candidate.of_item, other.of_item) for other in kept):
            kept.append(candidate)
    return kept


def contributed(scores: Scores, n: int) -> Floats | None:
    """Return what each item contributes to what is compared, shape (item, column).

    None where rows are not the items, or the metric would be evaluated too often.
    """
    values = scores.per_item
    if values is None:
        most = MOST_TOTALS if isinstance(scores.weighing, OfTotals) else MOST_WEIGHTINGS
        if not 1 < scores.n <= most:
            return None
        left_out = scores.weighing.left_out(scores.statistics, np.ones(scores.n, dtype=np.int64))
        values = scores.values - (scores.n - 1) * (left_out - scores.values)
    if len(values) != n:
        return None
    if values.shape[1] == 2:
        return values[:, 1:] - values[:, :1]
    if values.shape[1] > 2:
        return np.asarray(values - values.mean(axis=1, keepdims=True))
    return values


def _of_ids(alignment: Alignment) -> Iterator[Candidate]:
    """Yield the partings of items by what stands before a separator in every id."""
    items = alignment.items
    if items is None or items.dtype != pl.String or len(items) > MOST_IDS:
        return
    for separator in SEPARATORS:
        for rule in (f"^(.+){separator}", f"^(.+?){separator}"):
            if items.head(1_000).str.extract(rule, 1).null_count():
                break
            prefixes = items.str.extract(rule, 1)
            if prefixes.null_count():
                break
            shown = ", ".join(map(repr, prefixes.unique().sort().head(3).to_list()))
            yield Candidate(
                option=f"item:{rule}",
                where=f"Item ids begin with {prefixes.n_unique():,} different prefixes "
                f"({shown}{', ...' if prefixes.n_unique() > 3 else ''})",
                of_item=codes(prefixes),
            )


def _of_columns(alignment: Alignment) -> Iterator[Candidate]:
    """Yield the partings of items by columns that the readers point out."""
    sources: list[Answers | References] = [*alignment.answers]
    if alignment.right is not None:
        sources.append(alignment.right)
    if not any(source.candidates for source in sources):
        return
    parts, _ = tables(alignment.read, alignment.answers)
    seen: set[str] = set()
    for source, part in zip(sources, parts, strict=True):
        for name, column in source.candidates.items():
            if name in seen:
                continue
            seen.add(name)
            values = _by_item(alignment, part, column)
            if values is None:
                continue
            yield Candidate(
                option=name,
                where=f"Column {name!r} has {values.n_unique():,} different values",
                of_item=codes(values),
            )


def _by_item(alignment: Alignment, part: pl.DataFrame, column: pl.Series) -> pl.Series | None:
    """Return the value of a column for each item; None where an item has none, or several."""
    text = column.cast(pl.String)
    if alignment.items is None:
        text = text if alignment.kept is None else text.gather(alignment.kept)
        return None if text.null_count() else text
    pairs = pl.DataFrame({"item": part["item"], "value": text}).unique()
    if pairs["item"].n_unique() < len(pairs):
        return None
    wanted = alignment.items.alias("item").to_frame()
    found = wanted.join(pairs, on="item", how="left", maintain_order="left")["value"]
    return None if found.null_count() else found


def _same(one: Ints, other: Ints) -> bool:
    """Whether two partings are one."""
    joint = np.unique(one * (int(other.max()) + 1) + other).size
    return bool(joint == one.max() + 1 == other.max() + 1)


def _correlations(contributions: Floats | None, candidate: Candidate) -> Floats:
    if contributions is None:
        return np.empty(0)
    found = intra_class_correlation(contributions, candidate.of_item)
    return np.asarray(found[np.isfinite(found)])


def _design_effects(correlations: Floats, candidate: Candidate) -> list[float]:
    return [float(effect) for effect in kish_design_effect(correlations, candidate.of_item)]


def _contribution(scores: Sequence[Scores]) -> str:
    """Say in words what the correlations are of."""
    n_systems = max(len(group.systems) for group in scores)
    means = all(group.per_item is not None for group in scores)
    if n_systems == 1:
        return "the scores" if means else "the contributions of items"
    differences = "the differences" if means else "the differences of contributions"
    return differences if n_systems == 2 else f"{differences} from the mean of the systems"


def _note(several: Sequence[tuple[Candidate, Floats]], what: str) -> Note:
    """Write the hint on one way to part the items, for one or several groups of systems."""
    largest = max((candidate for candidate, _ in several), key=lambda c: c.of_item.size)
    correlations = np.concatenate([values for _, values in several])
    effects = [effect for c, values in several for effect in _design_effects(values, c)]
    sizes = largest.sizes
    span = (
        f"{sizes.min():,}" if sizes.min() == sizes.max() else f"{sizes.min():,} to {sizes.max():,}"
    )
    said = [
        f"{largest.where} in {largest.of_item.size:,} items ({span} each): they may name "
        "clusters, whose items are not independent."
    ]
    if effects:
        low, high = float(correlations.min()), float(correlations.max())
        close = f"{low:.3f}" == f"{high:.3f}"
        is_ = f"is {low:.3f}" if close else f"is {low:.3f} to {high:.3f}"
        worst = max(effects)
        change = (
            f"which would mean a design effect of {'about' if close else 'up to'} {worst:.1f}, "
            f"intervals {math.sqrt(worst):.1f} times as wide"
            if worst >= 1.05
            else "which would hardly widen an interval"
        )
        said.append(f"The intra-class correlation of {what} {is_}, {change}.")
    said.append(f"--cluster '{largest.option}' takes them as clusters.")
    return Note(code="cluster_hint", message=" ".join(said))
