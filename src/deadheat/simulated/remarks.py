"""What a reader of a simulation has to know of its design."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.notes import Note
from deadheat.power.copula import Cells, cells
from deadheat.simulation import Design, Pilot, Points

LISTED = 4
"""Systems whose numbers a note gives."""


def remarks(
    design: Design | Pilot, names: Sequence[str], together: Cells | None
) -> tuple[Note, ...]:
    """Say which correlations are meant, where the true difference is from, and what is uneven.

    Parameters
    ----------
    design : Design or Pilot
    names : sequence of str
        Of the systems.
    together : Cells or None
        How often two systems are right together, where scores are 0/1.
    """
    if isinstance(design, Pilot):
        return _of_pilot(design)
    found = [_latent(design, names, together)]
    if len(design.marginals) == 2:
        found.append(
            Note(
                code="true_difference",
                message="The true difference is exact: a score is a quantile of its distribution "
                "at a uniform number, so that each mean is as given whatever the correlations "
                "are.",
            )
        )
    if design.items % design.cluster_size:
        found.append(
            Note(
                code="last_cluster",
                message=f"The last of {design.n_clusters:,} clusters has "
                f"{design.items % design.cluster_size:,} of {design.cluster_size:,} items.",
            )
        )
    return tuple(found)


def _of_pilot(design: Pilot) -> tuple[Note, ...]:
    what = "whole clusters" if design.n_clusters is not None else "items"
    more = ""
    if design.n_clusters is not None:
        more = (
            f" A data set has {design.n_clusters:,} clusters, and so about {design.items:,} items."
        )
    return (
        Note(
            code="pilot",
            message=f"The pilot is taken for the truth: {what} are drawn from it with "
            f"replacement, and its difference is the true one.{more} What the pilot is wrong "
            "about, this is wrong about.",
        ),
    )


def _latent(design: Design, names: Sequence[str], together: Cells | None) -> Note:
    """Name the correlation and the loading, and what they come to in 0/1 scores."""
    c, k = design.correlation, design.answer_correlation
    said = f"The correlation {c:.10g} is that of the latent scores of two systems on one item"
    if c >= 0.0:
        said += f"; their loading on the shared factor is its square root, {design.loading:.10g}"
    said += "."
    if together is not None and not math.isnan(together.phi):
        said += f" Of their 0/1 scores it is {together.phi:.4g}."
    if k < 1.0:
        said += f" Two answers to one item have {k:.10g}{_of_scores(design, names, k)}."
    if design.cluster_size > 1:
        within = design.icc * k
        said += (
            f" Two items of a cluster have {within:.10g}, of one system"
            f"{_of_scores(design, names, within)}."
        )
    return Note(code="latent_correlation", message=said)


def _of_scores(design: Design, names: Sequence[str], latent: float) -> str:
    """Say what a latent correlation within one system is in 0/1 scores."""
    listed = []
    for name, marginal in zip(names[:LISTED], design.marginals, strict=False):
        if not isinstance(marginal, Points) or marginal.points > 1:
            return ""
        phi = cells(marginal.mean, marginal.mean, latent).phi
        if not math.isnan(phi):
            listed.append(f"{phi:.4g} ({name})")
    if not listed:
        return ""
    more = f" and {len(names) - LISTED:,} more systems" if len(names) > LISTED else ""
    return f", and their 0/1 scores {', '.join(listed)}{more}"
