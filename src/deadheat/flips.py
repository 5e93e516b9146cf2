"""Items on which two systems differ: which went from wrong to right, and which back."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import UsageError, known
from deadheat.measuring import Measured

Kind = Literal["gained", "lost"]

FLIPS = {
    "item": "its id; where there are none, its place from 1",
    "cluster": "where items are clustered",
    "stratum": "where there are strata",
    "reference": "the right answer, where there is one",
    "baseline_output": "what the baseline answered, where outputs were read",
    "candidate_output": "what the candidate answered",
    "baseline_score": "score of the baseline; 0 or 1 where the answer is wrong or right",
    "candidate_score": "score of the candidate",
    "difference": "candidate - baseline",
    "kind": "gained where the candidate is better on the item, lost where it is worse",
}
"""Columns, in order; those of which nothing was read are left out."""


def flips_of(
    part: Measured | None,
    *,
    greater_is_better: bool,
    kind: Kind | None = None,
) -> pl.DataFrame:
    """Return the items on which the scores of two systems differ, what was lost first.

    Parameters
    ----------
    part : Measured or None
        What was read and scored.
    greater_is_better : bool
    kind : {"gained", "lost"}, optional
        One of the two alone.

    Returns
    -------
    polars.DataFrame
        With the columns of `FLIPS`; within a kind the largest differences come first, and items
        of one difference are in the order of their ids.

    Raises
    ------
    UsageError
        If the systems have items of their own, or if items have no scores.
    """
    if kind is not None and kind not in get_args(Kind):
        raise UsageError(f"there are no flips of kind {kind!r}.", fix=known(get_args(Kind), kind))
    if part is None or len(part.alignments) != 1:
        raise UsageError(
            "the systems were compared on sets of items of their own, so no item is shared that "
            "could flip.",
            fix="Compare them paired.",
        )
    alignment = part.alignments[0]
    if alignment.multiplicities is not None:
        raise UsageError(
            "the table was counted in passing, and its items are not at hand.",
            fix="Let it be held with a greater --memory.",
        )
    scores = _scores(part, alignment)
    if scores is None:
        raise UsageError(
            f"{part.scores[0].metrics[0].name} has no scores of items, so no item can flip.",
            fix="Compare by a metric that is a mean over items, such as accuracy.",
        )
    first, second = scores
    gain = (second - first) * (1.0 if greater_is_better else -1.0)
    columns: dict[str, pl.Series | None] = {
        "item": _items(alignment),
        "cluster": alignment.clusters,
        "stratum": alignment.strata,
        "reference": _text(alignment.references),
        **{
            f"{side}_output": _text(output)
            for side, output in zip(("baseline", "candidate"), alignment.outputs, strict=True)
        },
        "baseline_score": pl.Series(first),
        "candidate_score": pl.Series(second),
        "difference": pl.Series(second - first),
        "kind": pl.Series(np.where(gain > 0.0, "gained", "lost"), dtype=pl.String),
    }
    given = {name: column for name in FLIPS if (column := columns[name]) is not None}
    frame = pl.DataFrame([column.alias(name) for name, column in given.items()])
    changed = np.flatnonzero(gain != 0.0)
    order = changed[np.lexsort((-np.abs(gain[changed]), gain[changed] > 0.0))]
    found = frame[order]
    return found if kind is None else found.filter(pl.col("kind") == kind)


def _scores(
    part: Measured, alignment: Alignment
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return what each item scored by baseline and candidate; averaged over runs."""
    of_items = part.scores[0].items or part.scores[0]
    if of_items.per_item is not None and len(of_items.per_item) == alignment.n:
        counts = (1, 1) if part.n_runs is None else part.n_runs[0]
        first, second = np.split(of_items.per_item, [counts[0]], axis=1)
        return first.mean(axis=1), second.mean(axis=1)
    # An average over strata stands around the metric that items are scored by.
    metric = part.scores[0].metrics[0]
    takes = getattr(metric, "metric", metric).takes
    one, other = alignment.scores
    of_scores = takes in ("scores", "scores_or_labels") and part.n_runs is None
    if of_scores and one is not None and other is not None:
        return one.to_numpy().astype(np.float64), other.to_numpy().astype(np.float64)
    if takes in ("labels", "scores_or_labels") and alignment.references is not None:
        right, also = (_right(output, alignment.references) for output in alignment.outputs)
        if right is not None and also is not None:
            return right, also
    return None


def _right(output: pl.Series | None, reference: pl.Series) -> NDArray[np.float64] | None:
    if output is None or output.dtype != reference.dtype or output.dtype.is_nested():
        return None
    return (output == reference).fill_null(value=False).to_numpy().astype(np.float64)


def _items(alignment: Alignment) -> pl.Series:
    if alignment.items is not None:
        return alignment.items
    return pl.Series(range(1, alignment.n + 1), dtype=pl.Int64)


def _text(values: pl.Series | None) -> pl.Series | None:
    """Return values of one cell each; lists are JSON."""
    if values is None:
        return None
    if values.dtype == pl.Binary:
        return values.cast(pl.String)
    if values.dtype.is_nested():
        return pl.DataFrame({"v": values}).select(
            pl.when(pl.col("v").is_not_null()).then(
                pl.col("v").map_elements(_json, return_dtype=pl.String)
            )
        )["v"]
    return values


def _json(value: object) -> str:
    import msgspec

    plain = value.to_list() if isinstance(value, pl.Series) else value
    return msgspec.json.encode(plain, enc_hook=_decoded).decode("utf-8")


def _decoded(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value)
