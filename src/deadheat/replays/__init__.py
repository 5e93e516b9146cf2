"""How an interval, a test and a reading do on a design whose truth is known.

`study` replays a design through the inference of `compare`, `exact` lists all outcomes where that
is possible, `redrawn` draws what would be computed, `summary` is what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from deadheat.errors import UsageError
from deadheat.replays.exact import by_enumeration, cells_of
from deadheat.replays.redrawn import draws_anything, rests_on_distribution
from deadheat.replays.study import Study, outcomes
from deadheat.replays.summary import Replays, summarised
from deadheat.settings import Settings
from deadheat.simulation import Design, Pilot, draw

__all__ = ["MOST", "Replays", "cells_of", "replayed"]

MOST = 1_000_000
"""Replays that may be asked for."""


def replayed(
    design: Design | Pilot,
    settings: Settings,
    n: int,
    *,
    seed: int,
    redraw: bool = False,
    cores: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Replays:
    """Hold the inference of `compare` against the truth of a design of two systems.

    Two systems with 0/1 scores, on items that are drawn freely and with one run, are enumerated
    whatever `n` is, unless the method or `redraw` makes draws.

    Parameters
    ----------
    design : Design or Pilot
    settings : Settings
        Of each inference. Their seed is not used.
    n : int
        Replays, 1 or more.
    seed : int
        Of the data sets, and of what their inference draws.
    redraw : bool
        Whether a bootstrap distribution is drawn where it would be computed.
    cores : int, optional
        By default all; never changes a number.
    progress : callable, optional
        Told how many replays are done, of how many.

    Raises
    ------
    UsageError
        If there is no such method or test, or `redraw` would draw nothing.
    """
    # Replays are what is spread over cores.
    alone = replace(settings, seed=0, threads=1, progress=None)
    if redraw:
        _check_drawable(design, alone, seed)
    elif (found := by_enumeration(design, alone)) is not None:
        return found
    # The studentized bootstrap is drawn as it is.
    redraw = redraw and rests_on_distribution(alone)
    study = Study(design=design, settings=alone, seed=seed, redraw=redraw)
    return summarised(outcomes(study, n, cores=cores, progress=progress), design.gap, alone)


def _check_drawable(design: Design | Pilot, settings: Settings, seed: int) -> None:
    one_run = isinstance(design, Pilot) or design.runs == 1
    zero_one = one_run and cells_of(design) is not None
    if draws_anything(draw(design, seed), settings, zero_one=zero_one):
        return
    why = (
        "on this design the automatic method is read off no bootstrap distribution"
        if settings.method == "auto"
        else f"{settings.method!r} is no method that is read off a bootstrap distribution"
    )
    raise UsageError(
        f"--drawn has nothing to draw: {why}.",
        fix="Give --method percentile, or leave --drawn out.",
    )
