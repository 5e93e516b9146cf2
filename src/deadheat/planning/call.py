"""`deadheat.plan`: how many items a gap needs, and what items can do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from deadheat.alignment import Missing, Unparseable
from deadheat.errors import UsageError
from deadheat.metrics import Metric
from deadheat.planning.assemble import assembled
from deadheat.planning.designs import design_of
from deadheat.planning.given import Given, wanted_of
from deadheat.planning.pilot import Piloted, read_pilot
from deadheat.planning.result import Plan
from deadheat.tabular import frame_kind

OF_READING = (
    "metric",
    "references",
    "item",
    "system_column",
    "systems",
    "score",
    "output_column",
    "reference_column",
    "cluster",
    "stratum",
    "run",
    "label_map",
    "names",
    "different_items",
)


def plan(
    *,
    gap: float | None = None,
    power: float = 0.8,
    items: int | None = None,
    half_width: float | None = None,
    confidence_level: float = 0.95,
    baseline: float | str | None = None,
    candidate: float | str | None = None,
    correlation: float | None = None,
    loading: float | None = None,
    discordance: float | None = None,
    sd: float | None = None,
    between_variance: float | None = None,
    answer_variance: float | Sequence[float] | None = None,
    answers: int | Sequence[int] | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    design_effect: float | None = None,
    n_systems: int | None = None,
    method: str | None = None,
    test: str | None = None,
    pilot: Any = None,
    metric: str | Metric | None = None,
    missing: Missing = "error",
    unparseable: Unparseable = "wrong",
    references: Any = None,
    item: str | None = None,
    system_column: str | None = None,
    systems: Sequence[str] | None = None,
    score: str | None = None,
    output_column: str | None = None,
    reference_column: str | int | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    run: str | None = None,
    label_map: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    different_items: bool = False,
) -> Plan:
    """Plan how many items a gap needs, and what items can do.

    Parameters
    ----------
    gap : float, optional
        True gap to be resolved, on the metric's own scale: 0.04 is four points of accuracy.
    power : float
        Probability of resolving it.
    items : int, optional
        Items that there are.
    half_width : float, optional
        Half-width that the interval is to have.
    confidence_level : float
        Of the interval; tests have the level 1 - confidence_level.
    baseline, candidate : float or str, optional
        Accuracies, as shares; with a pilot, names of its systems.
    correlation : float, optional
        Of the two latent normal scores behind 0/1 scores.
    loading : float, optional
        Loading of both on one common factor: their correlation is its square.
    discordance : float, optional
        Share of items on which exactly one system is right.
    sd : float, optional
        Standard deviation of the per-item differences of real scores.
    between_variance : float, optional
        Variance, over items, of the expected difference.
    answer_variance : float or (float, float), optional
        Variance of repeated answers to one item, for both systems or for each.
    answers : int or (int, int), optional
        Answers of each system to every item.
    cluster_size, icc : float, optional
        Items of a cluster, and the intra-class correlation of their differences.
    design_effect : float, optional
        Factor on the variance of a mean, instead of these two.
    n_systems : int, optional
        Systems of which all pairs are compared, by Bonferroni.
    method : {"auto", "percentile", "tango"}, optional
        Interval of the reading, for 0/1 scores.
    test : {"exact", "midp", "chi2", "chi2_cc"}, optional
        Companion test of the reading, for 0/1 scores.
    pilot : path, data frame, array, mapping, or several of these in a tuple or list, optional
        Scores or outputs of two systems, or of one, as `deadheat.compare` takes them.
    metric : str or Metric, optional
        A mean of item scores, such as "accuracy" or "mean".
    missing, unparseable, references, item, system_column, systems, score, output_column, \
    reference_column, cluster, stratum, run, label_map, names, different_items
        How the pilot is read; see `deadheat.compare`.

    Returns
    -------
    Plan

    Raises
    ------
    DeadheatError
        If numbers cannot be meant or contradict each other, there is nothing to plan from, or
        the pilot cannot be used.

    Examples
    --------
    >>> import deadheat
    >>> found = deadheat.plan(baseline=0.72, candidate=0.76, correlation=0.36, items=500)
    >>> {need.by: need.items for need in found.needed}["exact"]
    1533
    >>> round(found.at.power[0].power, 3)
    0.339
    """
    arguments = locals()
    given = Given(
        **{name: arguments[name] for name in Given.__slots__ if name != "pilot"},
        pilot=pilot is not None,
    )
    wanted = wanted_of(given)
    piloted = _piloted(arguments)
    design = design_of(given, wanted, piloted)
    size = abs(design.gap)
    wanted = replace(wanted, gap=size if size > 0.0 else math.nan)
    found = assembled(design, wanted, () if piloted is None else piloted.notes)
    return replace(found, frame=frame_kind(pilot if isinstance(pilot, (tuple, list)) else (pilot,)))


def _piloted(arguments: Mapping[str, Any]) -> Piloted | None:
    pilot = arguments["pilot"]
    if pilot is None:
        idle = [
            name
            for name in OF_READING
            if arguments[name] is not None and arguments[name] is not False
        ]
        if idle:
            option = "system" if idle[0] == "systems" else idle[0].replace("_", "-")
            raise UsageError(
                f"--{option} says how a pilot is read, and there is none.", fix="Give --pilot."
            )
        return None
    for role in ("baseline", "candidate"):
        if arguments[role] is not None and not isinstance(arguments[role], str):
            raise UsageError(
                f"--{role} is {arguments[role]!r}; with --pilot it names a system.",
                fix="Give the name, or leave the pilot out.",
            )
    return read_pilot(
        pilot,
        {name: arguments[name] for name in OF_READING if name != "metric"},
        metric=arguments["metric"],
        baseline=arguments["baseline"],
        candidate=arguments["candidate"],
        missing=arguments["missing"],
        unparseable=arguments["unparseable"],
    )
