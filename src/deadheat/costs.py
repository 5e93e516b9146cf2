"""What systems cost, and which of them nothing else beats at a lower cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import DeadheatError
from deadheat.measuring import measured
from deadheat.metrics import metrics_of
from deadheat.notes import Note
from deadheat.recipe import READING, chosen

Floats = NDArray[np.float64]


def mean_costs(
    sources: Sequence[Any], options: Mapping[str, Any], cost: str
) -> tuple[dict[str, float], tuple[Note, ...]]:
    """Return the mean cost of each system, and what is to be said of items without one.

    Parameters
    ----------
    sources : sequence
        See `deadheat.readers.read`.
    options : mapping
        Of the call, by name.
    cost : str
        Column of costs.

    Raises
    ------
    DeadheatError
        If it cannot be read.
    """
    reading = chosen(options, READING) | {"score": cost, "references": None, "output_column": None}
    try:
        (part,) = measured(
            sources,
            reading,
            metrics_of("mean"),
            lambda found: [found],
            # What is not known to have cost anything has not cost nothing.
            missing="error" if options["missing"] == "error" else "drop",
            unparseable=options["unparseable"],
        )
    except DeadheatError as error:
        # Costs are read as scores are, but were not asked for by that name.
        error.found, error.fix = (
            text.replace("--score", "--cost") for text in (error.found, error.fix)
        )
        raise
    (scores,) = part.scores
    left_out = tuple(
        replace(note, message=f"Costs: {note.message}")
        for note in part.alignments[0].notes
        if note.code == "items_dropped"
    )
    return dict(zip(scores.systems, scores.values.tolist(), strict=True)), left_out


def on_front(values: Floats, costs: Floats) -> list[bool]:
    """Whether no other system is at least as good and as cheap, and better in one of the two."""
    better = (values > values[:, None]) & (costs <= costs[:, None])
    cheaper = (values >= values[:, None]) & (costs < costs[:, None])
    beaten = np.asarray((better | cheaper).any(axis=1))
    return [not flag for flag in beaten.tolist()]
