"""Scores whose truth is known, and what an interval, a test and a reading make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from deadheat.amounts import whole
from deadheat.errors import UsageError
from deadheat.replays import MOST, replayed
from deadheat.rng import checked_seed
from deadheat.settings import Settings
from deadheat.simulated.arguments import (
    Kind,
    correlation_given,
    designed,
    marginals_given,
    named_means,
    refuse_beside,
)
from deadheat.simulated.pilots import read_pilot
from deadheat.simulated.result import Simulation
from deadheat.simulation import Pilot
from deadheat.simulation.design import MOST_SCORES
from deadheat.tabular import frame_kind


def simulate(
    *,
    items: int | None = None,
    baseline: float | None = None,
    candidate: float | None = None,
    means: Sequence[float] | None = None,
    correlation: float | None = None,
    loading: float | None = None,
    scores: Kind = "binary",
    levels: int | None = None,
    sd: float | None = None,
    shape: str | None = None,
    cluster_size: int | None = None,
    icc: float | None = None,
    runs: int | None = None,
    answer_correlation: float | None = None,
    pilot: Any = None,
    rng: int = 0,
    replays: int | None = None,
    drawn: bool = False,
    method: str = "auto",
    test: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9_999,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """Simulate an evaluation of known truth: its table, and on request how inference does on it.

    Parameters
    ----------
    items : int, optional
        Number of items; may be left out with a pilot, whose number it then is.
    baseline, candidate : float, optional
        True means of two systems; of 0/1 scores their accuracies.
    means : sequence of float, optional
        Of any number of systems, instead.
    correlation : float, optional
        Of the latent scores of two systems on one item, from -1 (0 for more than two) to 1.
    loading : float, optional
        Square root of it: the loading of a latent score on the factor that the systems share.
    scores : {"binary", "graded", "real"}
        0 or 1; so many of `levels` points, as a share; or real numbers.
    levels : int, optional
        Points of a graded score.
    sd : float, optional
        Standard deviation of real scores.
    shape : {"normal", "beta", "lognormal", "gamma", "zeros"}, optional
        Of real scores; normal by default. "zeros" are mostly 0, else exponential.
    cluster_size : int, optional
        Items of a cluster.
    icc : float, optional
        Latent correlation of two items of a cluster, of one system; where answers to an item
        differ, relative to that of two answers.
    runs : int, optional
        Answers of each system to each item.
    answer_correlation : float, optional
        Latent correlation of two answers of one system to one item.
    pilot : path, data frame, or mapping of names to arrays, optional
        Paired scores of two systems that are taken for the truth, instead of all this.
    rng : int
        Seed.
    replays : int, optional
        Data sets on which the inference of `compare` is held against the truth.
    drawn : bool
        Whether a bootstrap distribution is drawn, by `n_resamples`, where it would be computed.
    method, test, confidence_level, n_resamples
        Of each inference, as of `compare`.
    threads : int, optional
        Processes that replays are spread over; never changes a number.
    progress : callable, optional
        Told how many replays are done, of how many.

    Raises
    ------
    DeadheatError
        If numbers are missing, out of range or do not go together, or the pilot cannot be read.

    Examples
    --------
    >>> import deadheat
    >>> found = deadheat.simulate(items=500, baseline=0.72, candidate=0.76, loading=0.6, replays=1)
    >>> found.replays.exact, round(found.replays.coverage.value, 3)
    (True, 0.954)
    >>> found.to_frame().columns
    ['item', 'system_baseline', 'system_candidate']
    """
    settings = Settings(
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        test=test,
        threads=threads,
    )
    seed = checked_seed(rng)
    model = {
        "baseline": baseline,
        "candidate": candidate,
        "means": means,
        "correlation": correlation,
        "loading": loading,
        "levels": levels,
        "sd": sd,
        "shape": shape,
        "cluster_size": cluster_size,
        "icc": icc,
        "runs": runs,
        "answer_correlation": answer_correlation,
    }
    found = (
        _of_model(items, scores, seed, model)
        if pilot is None
        else _of_pilot(pilot, items, scores, seed, model)
    )
    if replays is None:
        if drawn:
            raise UsageError("--drawn is about replays.", fix="Give --replays.")
        if (method, test) != ("auto", "auto"):
            raise UsageError("--method and --test are about replays.", fix="Give --replays.")
        return found
    n = whole("--replays", replays, 1, MOST, f"Give the number of data sets, 1 to {MOST:,}.")
    if len(found.names) != 2:
        raise UsageError(
            f"replays compare two systems, and there are {len(found.names):,}.",
            fix="Give two means, or leave --replays out.",
        )
    held = replayed(
        found.design,
        settings,
        n,
        seed=seed,
        redraw=drawn,
        cores=threads,
        progress=progress,
    )
    return replace(found, replays=held)


def _of_model(items: Any, kind: Any, seed: int, given: dict[str, Any]) -> Simulation:
    names, values = named_means(given["baseline"], given["candidate"], given["means"])
    marginals = marginals_given(
        kind, values, levels=given["levels"], sd=given["sd"], shape=given["shape"]
    )
    design = designed(
        marginals,
        items=items,
        correlation=correlation_given(given["correlation"], given["loading"]),
        cluster_size=given["cluster_size"],
        icc=given["icc"],
        runs=given["runs"],
        answer_correlation=given["answer_correlation"],
    )
    return Simulation(
        design=design,
        names=names,
        scores=kind,
        levels=None if given["levels"] is None else int(given["levels"]),
        sd=None if given["sd"] is None else float(given["sd"]),
        shape=(given["shape"] or "normal") if kind == "real" else None,
        seed=seed,
    )


def _of_pilot(source: Any, items: Any, kind: Any, seed: int, given: dict[str, Any]) -> Simulation:
    given = given | {"scores": None if kind == "binary" else kind}
    refuse_beside("--pilot says what scores are like", given)
    pilot = read_pilot(source)
    fix = f"Give 2 to {MOST_SCORES // 2:,} items."
    n_items = pilot.items if items is None else whole("--items", items, 2, MOST_SCORES // 2, fix)
    return Simulation(
        design=Pilot(scores=pilot.scores, items=n_items, of_item=pilot.of_item),
        names=pilot.systems,
        scores="binary" if pilot.binary else "real",
        pilot=pilot,
        seed=seed,
        frame=frame_kind((source,)),
    )
