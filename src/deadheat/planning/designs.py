"""From what a plan is given to the design it is about."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from deadheat import amounts
from deadheat.errors import InputError, UsageError, known
from deadheat.intervals import wilson
from deadheat.planning import accuracies, checks
from deadheat.planning.design import NAN, Clustering, Design, Variances, Wanted
from deadheat.planning.given import Given, check_company, n_systems_of
from deadheat.planning.pilot import Piloted
from deadheat.power.copula import Cells, cells_of_discordance
from deadheat.power.enumeration import METHODS
from deadheat.power.mcnemar import TESTS

T = TypeVar("T")


def design_of(given: Given, wanted: Wanted, piloted: Piloted | None) -> Design:
    """Put together what is known of the scores.

    Parameters
    ----------
    given : Given
        What the plan was given.
    wanted : Wanted
        What the plan is to reach.
    piloted : Piloted or None
        What a pilot showed; None without.

    Raises
    ------
    UsageError
        If options contradict each other, or there is nothing to plan from.
    InputError
        If the pilot shows no spread.
    """
    check_company(given)
    if piloted is not None:
        design = replace(_from_pilot(given, wanted, piloted), pilot=piloted.pilot)
    elif given.spelled("sd", "between_variance"):
        design = _means(given, wanted)
    else:
        design = accuracies.from_numbers(given, wanted)
    if design.binary:
        checks.part_of_one("--half-width", wanted.half_width)
    if design.kind != "paired_binary" and (unused := given.spelled("method", "test")):
        raise UsageError(
            f"{' and '.join(unused)} chooses how the gap between two systems with 0/1 scores is "
            "read, and this plan is about another design.",
            fix="Leave it out.",
        )
    if not design.paired and wanted.comparisons > 1:
        raise UsageError(
            "--systems counts pairs, and this plan is about the value of a single system.",
            fix="Leave it out, or give --gap.",
        )
    return replace(
        design,
        clustering=_clustering(given, piloted),
        n_systems=n_systems_of(given),
        method=_name("--method", given.method, METHODS),
        test=_name("--test", given.test, TESTS),
    )


def _name(option: str, value: Any, names: tuple[str, ...]) -> str:
    """Return a name that is known; the first one by default."""
    if value is None:
        return names[0]
    if value not in names:
        raise UsageError(f"{option} is {value!r}.", fix=known(names, str(value)))
    return str(value)


def _from_pilot(given: Given, wanted: Wanted, piloted: Piloted) -> Design:
    pilot = piloted.pilot
    if given.answers is not None and piloted.variances is None:
        raise UsageError(
            "--answers needs a pilot in which both systems answered every item several times.",
            fix="Name the column of runs with --run, or leave --answers out.",
        )
    if len(pilot.systems) == 1:
        return _of_one(wanted, piloted)
    if not pilot.sd > 0.0:
        same = "no item separates them" if pilot.gap == 0.0 else "it is the same on every item"
        raise InputError(
            f"the pilot shows no spread of the gap between {pilot.systems[0]} and "
            f"{pilot.systems[1]}: {same}.",
            fix=_instead(piloted, wanted),
        )
    if piloted.counts is not None:
        return _of_counts(wanted, piloted)
    design = Design(
        kind="paired_mean",
        baseline=pilot.values[0],
        candidate=pilot.values[1],
        gap=wanted.gap,
        sd=pilot.sd,
        side_variances=(piloted.side_variances[0], piloted.side_variances[1]),
    )
    if piloted.variances is None:
        return design
    planned = _answers(given.answers, piloted.variances.answers)
    if planned != piloted.variances.answers:
        # With other numbers of answers the two sides have other variances.
        design = replace(design, side_variances=(NAN, NAN))
    return _with_variances(design, replace(piloted.variances, answers=planned))


def _of_one(wanted: Wanted, piloted: Piloted) -> Design:
    pilot = piloted.pilot
    if piloted.binary:
        gap = checks.part_of_one("--gap", wanted.gap)
        found = accuracies.of_one(pilot.values[0], f"the accuracy of {pilot.systems[0]}")
        if math.isnan(gap):
            return found
        return accuracies.of_accuracies(
            pilot.values[0], accuracies.above(pilot.values[0], gap, "the pilot's accuracy of")
        )
    if not math.isnan(wanted.gap):
        raise UsageError(
            f"the pilot has one system, {pilot.systems[0]}, and how much the gap to another "
            "varies from item to item cannot be seen from it.",
            fix="Give a pilot of two systems, or --sd, or leave --gap out.",
        )
    if not pilot.sd > 0.0:
        raise InputError(
            f"all scores of {pilot.systems[0]} in the pilot are alike.", fix="Give a larger pilot."
        )
    return Design(kind="single_mean", baseline=pilot.values[0], sd=pilot.sd)


def _of_counts(wanted: Wanted, piloted: Piloted) -> Design:
    """Return the pilot's systems, with the gap that is wanted and their discordance."""
    counts, pilot = piloted.counts, piloted.pilot
    assert counts is not None
    cells = Cells(
        both=counts.both / counts.n,
        only_baseline=counts.only_baseline / counts.n,
        only_candidate=counts.only_candidate / counts.n,
        neither=counts.neither / counts.n,
    )
    observed = accuracies.of_cells(cells)
    if math.isnan(wanted.gap):
        # How the discordance falls to the two sides is known for no other gap than the observed.
        return replace(observed, gap=NAN, only_baseline=NAN, only_candidate=NAN)
    gap = checks.part_of_one("--gap", wanted.gap)
    signed = -gap if pilot.gap < 0.0 else gap
    baseline = pilot.values[0]
    candidate = accuracies.above(baseline, signed, "the pilot's accuracy of")
    least, most = accuracies.range_of(baseline, candidate)
    share = cells.discordance
    if not least - accuracies.SAME <= share <= most + accuracies.SAME:
        raise UsageError(
            f"a gap of {gap:g} from the pilot's accuracy of {baseline:g} does not go with its "
            f"discordance of {share:.4g}: such systems differ on {least:.4g} to {most:.4g} of the "
            "items.",
            fix="Plan without --pilot, with --baseline, --candidate and a --discordance from that "
            "range.",
        )
    return accuracies.of_cells(cells_of_discordance(baseline, candidate, share))


def _instead(piloted: Piloted, wanted: Wanted) -> str:
    """Say what to do where a pilot shows no spread."""
    if piloted.counts is None:
        return "Give a larger pilot, or the --sd of the differences."
    most = wilson.one_proportion(
        piloted.counts.discordant, piloted.counts.n, confidence_level=wanted.confidence_level
    ).high
    return (
        f"Give a larger pilot, or plan with --discordance: after {piloted.counts.n:,} items a "
        f"discordance of up to {most:.2g} is not excluded."
        if piloted.counts.discordant == 0
        else "Give a larger pilot, or plan with --discordance."
    )


def _means(given: Given, wanted: Wanted) -> Design:
    if given.sd is not None:
        fix = "Give the standard deviation of the per-item differences, a number above 0."
        return Design(kind="paired_mean", gap=wanted.gap, sd=checks.positive("--sd", given.sd, fix))
    fix = "Give a variance, a number of 0 or more."

    def variance(option: str, value: Any) -> float:
        return amounts.inside(option, value, 0.0, 1e100, fix)

    variances = Variances(
        between=variance("--between-variance", given.between_variance),
        within=_two(
            "--answer-variance",
            given.answer_variance,
            lambda one: variance("--answer-variance", one),
            (0.0, 0.0),
        ),
        answers=_answers(given.answers, (1, 1)),
    )
    return _with_variances(Design(kind="paired_mean", gap=wanted.gap), variances)


def _with_variances(design: Design, variances: Variances) -> Design:
    if not variances.total > 0.0:
        raise UsageError(
            "no item and no answer differs from another, so there is nothing to plan for.",
            fix="Give a variance above 0.",
        )
    return replace(design, variances=variances, sd=math.sqrt(variances.total))


def _answers(value: Any, otherwise: tuple[int, int]) -> tuple[int, int]:
    fix = "Give how many answers each system gives to every item, from 1, such as 5 or 5,3."
    return _two("--answers", value, lambda one: checks.whole("--answers", one, 1, fix), otherwise)


def _two(
    option: str, value: Any, checked: Callable[[Any], T], otherwise: tuple[T, T]
) -> tuple[T, T]:
    """Return what was given once for both systems, or for each of them."""
    if value is None:
        return otherwise
    parts = value if isinstance(value, (tuple, list)) else (value,)
    if len(parts) not in (1, 2):
        raise UsageError(
            f"{option} has {len(parts)} numbers for two systems.",
            fix="Give one for both, or one for each.",
        )
    return checked(parts[0]), checked(parts[-1])


def _clustering(given: Given, piloted: Piloted | None) -> Clustering:
    found = None if piloted is None else piloted.clustering
    if given.design_effect is not None:
        fix = "Give a number above 0; independent items have 1."
        return Clustering(
            design_effect=checks.positive("--design-effect", given.design_effect, fix)
        )
    if given.cluster_size is None and given.icc is None:
        return found or Clustering()
    if given.cluster_size is None and found is None:
        raise UsageError(
            "--icc says how alike the items of a cluster are.",
            fix="Give --cluster-size as well, or a --pilot with clusters.",
        )
    if given.icc is None and found is None:
        raise UsageError(
            "--cluster-size says how many items a cluster has, and not how alike they are.",
            fix="Give --icc as well, or a --pilot with clusters.",
        )
    size = NAN if found is None else found.size
    if given.cluster_size is not None:
        fix = "Give the number of items of an average cluster, from 1."
        most = float(checks.MOST_ITEMS)
        size = amounts.inside("--cluster-size", given.cluster_size, 1.0, most, fix)
    # The mean of a cluster cannot vary less than not at all.
    least = -1.0 / (size - 1.0) if size > 1.0 else -1.0
    icc = NAN if found is None else max(found.icc, 0.0)
    if given.icc is not None:
        fix = (
            "Give the intra-class correlation of the per-item differences, from 0 (independent) "
            f"to 1 (all alike); {size:g} items to a cluster allow none below {least:.4g}."
        )
        icc = amounts.inside("--icc", given.icc, least, 1.0, fix)
    effect = 1.0 + (size - 1.0) * icc
    if effect < 1e-9:
        raise UsageError(
            f"--icc {icc:g} with {size:g} items to a cluster leaves no variation between clusters.",
            fix="Give a greater --icc.",
        )
    return Clustering(design_effect=effect, size=size, icc=icc)
