"""All outcomes of two systems with 0/1 scores on independent items, instead of replays."""

from __future__ import annotations

import numpy as np
from scipy import special

from deadheat.errors import InferenceError
from deadheat.inference import binary
from deadheat.inference.result import Counts
from deadheat.power.copula import Cells, cells
from deadheat.power.enumeration import (
    MANY_DISCORDANT,
    MANY_ITEMS,
    METHODS,
    Ends,
    Enumerated,
    enumerated,
)
from deadheat.replays.counts import VARIANTS, interval_of, of_discordant
from deadheat.replays.outcomes import outcome_of
from deadheat.replays.summary import Replays, Share
from deadheat.resampling import exact
from deadheat.settings import Settings
from deadheat.simulation import Design, Pilot, Points

Pair = tuple[float, float]

RARE = 1e-12
"""Share of a method that is not worth naming."""

NEWCOMBE = "newcombe"
"""The interval that depends on how many items both systems get right."""


def cells_of(design: Design | Pilot) -> Cells | None:
    """Return how often two systems are right together on an item; None unless scores are 0/1.

    Parameters
    ----------
    design : Design or Pilot
    """
    if isinstance(design, Pilot):
        return _cells_of_pilot(design)
    if len(design.marginals) != 2 or not all(
        isinstance(marginal, Points) and marginal.points == 1 for marginal in design.marginals
    ):
        return None
    baseline, candidate = (marginal.mean for marginal in design.marginals)
    return cells(baseline, candidate, design.correlation)


def _cells_of_pilot(pilot: Pilot) -> Cells | None:
    if not np.isin(pilot.scores, (0.0, 1.0)).all():
        return None
    counts = binary.counts_of(*pilot.scores)
    return Cells(
        both=counts.both / counts.n,
        only_baseline=counts.only_baseline / counts.n,
        only_candidate=counts.only_candidate / counts.n,
        neither=counts.neither / counts.n,
    )


def by_enumeration(design: Design | Pilot, settings: Settings) -> Replays | None:
    """Return what all outcomes come to; None where they cannot be listed or the method draws.

    Parameters
    ----------
    design : Design or Pilot
        Of two systems.
    settings : Settings

    Raises
    ------
    UsageError
        If there is no such method or test.
    """
    found = cells_of(design)
    one_run = isinstance(design, Pilot) or design.runs == 1
    if found is None or design.n_clusters is not None or not one_run:
        return None
    n = design.items
    # Any table refuses a method or a test that there is not, and tells whether draws are made.
    table = binary.paired(of_discordant(n, n // 4, n // 2), settings)
    if settings.test not in VARIANTS or not table.exact:
        return None
    try:
        listed = enumerated(
            n,
            found,
            method=settings.method,
            test=VARIANTS[settings.test],
            confidence_level=settings.confidence_level,
            ends=None if settings.method in METHODS else _ends(settings),
            split=settings.method == NEWCOMBE,
        )
    except InferenceError:
        # Too many items, or outcomes.
        return None
    return _of(listed, found, outcome_of(table, n, settings).test, settings)


def _ends(settings: Settings) -> Ends:
    """Return what gives the ends of the interval that `compare` would give."""

    def ends(both: int, only_baseline: int, only_candidate: int, neither: int) -> Pair:
        counts = Counts(
            both=both,
            only_baseline=only_baseline,
            only_candidate=only_candidate,
            neither=neither,
        )
        found = interval_of(
            counts,
            settings.method,
            lambda: exact.paired_counts(only_baseline, only_candidate, counts.n),
            settings,
        )
        return found.low, found.high

    return ends


def _of(listed: Enumerated, cells: Cells, test: str, settings: Settings) -> Replays:
    return Replays(
        n=None,
        gap=cells.gap,
        settings=settings,
        methods=_methods(listed.n, cells, settings.method),
        test=test,
        drawn=False,
        coverage=Share.exactly(listed.coverage),
        below=listed.below,
        above=listed.above,
        undefined=listed.undefined,
        width=listed.width,
        interval_power=Share.exactly(listed.interval_power),
        test_power=Share.exactly(listed.test_power),
        power=Share.exactly(listed.power),
        wrong_sign=listed.wrong_sign,
        exaggeration=listed.exaggeration,
        readings=_readings(listed, cells, settings),
    )


def _readings(listed: Enumerated, cells: Cells, settings: Settings) -> dict[str, float]:
    """Return the chance of each reading.

    Where one system alone gets every item right, some intervals have no width, and the reading is
    degenerate although they exclude 0 and the test may reject.
    """
    n = listed.n
    corner = outcome_of(binary.paired(of_discordant(n, 0, n), settings), n, settings)
    pointed = float(corner.code == "degenerate") * (
        cells.only_baseline**n + cells.only_candidate**n
    )
    degenerate = (1.0 - min(cells.discordance, 1.0)) ** n + pointed
    excluding = listed.interval_power - pointed
    rejecting = listed.test_power - pointed * (corner.p_value <= settings.alpha)
    borderline = max(excluding + rejecting - 2.0 * listed.power, 0.0)
    unresolved = max(1.0 - listed.power - borderline - degenerate, 0.0)
    return {
        "resolved": listed.power,
        "unresolved": unresolved,
        "borderline": borderline,
        "degenerate": degenerate,
    }


def _methods(n: int, cells: Cells, method: str) -> dict[str, float]:
    """Return how often the automatic choice takes each method."""
    if method != "auto":
        return {method: 1.0}
    if n < MANY_ITEMS:
        return {"tango": 1.0}
    few = float(special.bdtr(MANY_DISCORDANT - 1, n, min(cells.discordance, 1.0)))
    few = min(few + cells.only_baseline**n + cells.only_candidate**n, 1.0)
    shares = {"percentile": 1.0 - few, "tango": few}
    return {name: share for name, share in shares.items() if share > RARE}
