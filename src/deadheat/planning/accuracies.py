"""Designs of 0/1 scores from numbers: accuracies, a correlation, a discordance, a gap."""

from __future__ import annotations

import math
from typing import Any

from deadheat import amounts
from deadheat.errors import UsageError
from deadheat.planning import checks
from deadheat.planning.design import NAN, Design, Wanted
from deadheat.planning.given import Given
from deadheat.power.copula import Cells, cells, cells_of_discordance, correlation_of

SAME = 1e-9
"""Gaps that differ by less are one gap: shares are typed in decimals."""


def from_numbers(given: Given, wanted: Wanted) -> Design:
    """Return the design that accuracies, a correlation, a discordance or a gap describe.

    Parameters
    ----------
    given : Given
        What the plan was given.
    wanted : Wanted
        What the plan is to reach.

    Raises
    ------
    UsageError
        If they contradict each other, or say nothing.
    InferenceError
        If two accuracies do not allow a discordance.
    """
    gap = checks.part_of_one("--gap", wanted.gap)
    baseline, candidate = _accuracies(given, gap)
    correlation = _correlation(given)
    discordance = NAN
    if given.discordance is not None:
        fix = "Give the share of items on which exactly one system is right, such as 0.2."
        discordance = amounts.inside("--discordance", given.discordance, 0.0, 1.0, fix)
        if discordance == 0.0:
            raise UsageError("--discordance is 0: the systems never differ.", fix=fix)
    if not math.isnan(correlation):
        if math.isnan(candidate):
            raise UsageError(
                "a correlation says how often the systems disagree only for two accuracies, and "
                f"{_lacking(baseline, gap)}.",
                fix=_accuracies_to_give(baseline, gap),
            )
        return of_cells(cells(baseline, candidate, correlation), correlation=correlation)
    if not math.isnan(candidate):
        if math.isnan(discordance):
            if baseline == candidate and wanted.items is None and math.isnan(wanted.half_width):
                raise UsageError(
                    "the two accuracies are equal, and there is no gap to resolve.",
                    fix="Give --items or --half-width, or accuracies that differ.",
                )
            return of_accuracies(baseline, candidate)
        return of_cells(cells_of_discordance(baseline, candidate, discordance))
    if not math.isnan(discordance):
        return _of_discordance(discordance, gap)
    if not math.isnan(baseline):
        return of_one(baseline, "--baseline")
    if math.isnan(gap) and wanted.items is None and math.isnan(wanted.half_width):
        raise UsageError(
            "there is nothing to plan from.",
            fix="Give a gap (--gap 0.02), a number of items (--items 500), a --half-width, two "
            "accuracies (--baseline 0.72 --candidate 0.76 --correlation 0.4), a --discordance, the "
            "--sd of differences, or a --pilot file.",
        )
    return Design(
        kind="paired_binary",
        gap=gap,
        discordance_range=(NAN, NAN) if math.isnan(gap) else (gap, 1.0),
    )


def of_cells(found: Cells, *, correlation: float | None = None) -> Design:
    """Return the design of two systems of which all is known.

    Parameters
    ----------
    found : Cells
        The four cells.
    correlation : float or None
        Latent correlation that the cells were made from; else it is found.

    Raises
    ------
    UsageError
        If the systems never differ, or the difference is the same on every item.
    """
    if not found.discordance > 0.0:
        raise _never_differ()
    if not found.sd > 0.0:
        raise UsageError(
            "the difference is the same on every item, so one item shows it.",
            fix="Give a gap or accuracies that are less extreme.",
        )
    latent = correlation_of(found) if correlation is None else correlation
    if math.isnan(found.phi):
        # A system that is always right, or never: any correlation gives the same cells.
        latent = NAN
    return Design(
        kind="paired_binary",
        baseline=found.baseline,
        candidate=found.candidate,
        # The sums and differences of shares carry rounding that none of their tests can see.
        gap=round(found.gap, 15),
        discordance=round(found.discordance, 15),
        only_baseline=found.only_baseline,
        only_candidate=found.only_candidate,
        discordance_range=range_of(found.baseline, found.candidate),
        latent_correlation=latent,
        loading=math.sqrt(latent) if latent >= 0.0 else NAN,
        phi=found.phi,
        sd=found.sd,
        side_variances=(_variance(found.baseline), _variance(found.candidate)),
    )


def of_accuracies(baseline: float, candidate: float) -> Design:
    """Return the design of two accuracies of which nothing says how often they disagree.

    Parameters
    ----------
    baseline : float
        An accuracy.
    candidate : float
        Another accuracy.

    Raises
    ------
    UsageError
        If both systems are always right, or both never.
    """
    if not range_of(baseline, candidate)[1] > 0.0:
        raise _never_differ()
    return Design(
        kind="paired_binary",
        baseline=baseline,
        candidate=candidate,
        gap=round(candidate - baseline, 15),
        discordance_range=range_of(baseline, candidate),
        side_variances=(_variance(baseline), _variance(candidate)),
    )


def of_one(accuracy: float, source: str) -> Design:
    """Return the design of a single system.

    Parameters
    ----------
    accuracy : float
        Of the system.
    source : str
        What gave the accuracy, for an error.

    Raises
    ------
    UsageError
        If it is always right or always wrong.
    """
    if not 0.0 < accuracy < 1.0:
        raise UsageError(
            f"{source} is {accuracy:g}: a system that is always "
            f"{'right' if accuracy else 'wrong'} has no spread to plan with.",
            fix="Give an accuracy between 0 and 1.",
        )
    return Design(kind="single_binary", baseline=accuracy, sd=math.sqrt(_variance(accuracy)))


def above(baseline: float, gap: float, source: str) -> float:
    """Return the accuracy that lies a signed gap above another.

    Parameters
    ----------
    baseline : float
        An accuracy.
    gap : float
        Signed: the other accuracy less this one.
    source : str
        What gave the accuracy, for an error.

    Raises
    ------
    UsageError
        If there is no room for it.
    """
    candidate = round(baseline + gap, 15)
    if not -SAME <= candidate <= 1.0 + SAME:
        room = 1.0 - baseline if gap > 0.0 else baseline
        raise UsageError(
            f"a gap of {abs(gap):g} from {source} {baseline:g} leads to an accuracy of "
            f"{candidate:g}.",
            fix=f"There is room for {room:g}.",
        )
    return min(max(candidate, 0.0), 1.0)


def _never_differ() -> UsageError:
    return UsageError(
        "these two systems are right on the same items and never differ.",
        fix="Give accuracies that differ, or a lower correlation.",
    )


def _of_discordance(discordance: float, gap: float) -> Design:
    if math.isnan(gap):
        return Design(kind="paired_binary", discordance=discordance, sd=math.sqrt(discordance))
    if gap > discordance * (1.0 + SAME):
        raise UsageError(
            f"a gap of {gap:g} does not go with --discordance {discordance:g}: the systems differ "
            "on at least as many items as the gap counts.",
            fix=f"Give a discordance from {gap:g} to 1.",
        )
    return Design(
        kind="paired_binary",
        gap=gap,
        discordance=discordance,
        only_baseline=max((discordance - gap) / 2.0, 0.0),
        only_candidate=(discordance + gap) / 2.0,
        discordance_range=(gap, 1.0),
        sd=math.sqrt(max(discordance - gap * gap, 0.0)),
    )


def _accuracies(given: Given, gap: float) -> tuple[float, float]:
    """Return both accuracies as far as they are known."""
    baseline, candidate = (
        NAN if value is None else checks.share(f"--{role}", _number(role, value))
        for role, value in (("baseline", given.baseline), ("candidate", given.candidate))
    )
    if math.isnan(baseline):
        if not math.isnan(candidate):
            raise UsageError(
                "--candidate is the accuracy of one of two systems.", fix="Give --baseline as well."
            )
        return NAN, NAN
    if math.isnan(gap):
        return baseline, candidate
    if math.isnan(candidate):
        return baseline, above(baseline, gap, "--baseline")
    if abs(abs(candidate - baseline) - gap) > SAME:
        raise UsageError(
            f"--gap is {gap:g}, and --baseline {baseline:g} and --candidate {candidate:g} are "
            f"{abs(candidate - baseline):.10g} apart.",
            fix="Leave one of the three out.",
        )
    return baseline, candidate


def _number(role: str, value: Any) -> Any:
    """Read an accuracy of the command line, where a name could stand as well."""
    if not isinstance(value, str):
        return value
    try:
        if "_" in value:
            raise ValueError
        return float(value)
    except ValueError:
        raise UsageError(
            f"--{role} is {value!r}, which is no number, and there is no --pilot in which it could "
            "name a system.",
            fix="Give an accuracy as a share, such as 0.72, or a pilot.",
        ) from None


def _lacking(baseline: float, gap: float) -> str:
    return (
        "one is missing"
        if not math.isnan(baseline)
        else ("both are missing" if math.isnan(gap) else "a gap alone does not say where they lie")
    )


def _accuracies_to_give(baseline: float, gap: float) -> str:
    """Say which options complete what was given, with numbers that go with it."""
    if not math.isnan(baseline):
        return "Give --candidate, or --gap, as well."
    if math.isnan(gap):
        return "Give --baseline 0.72 --candidate 0.76 with your numbers, or --baseline and --gap."
    return (
        f"Give --baseline with it, such as --baseline 0.7 --gap {gap:g}, or --discordance instead "
        "of the correlation."
    )


def _correlation(given: Given) -> float:
    if given.correlation is not None:
        fix = "Give the correlation of the two latent scores, from -1 to 1."
        return amounts.inside("--correlation", given.correlation, -1.0, 1.0, fix)
    if given.loading is not None:
        fix = "Give the loading of both systems on the common factor, from 0 to 1."
        return amounts.inside("--loading", given.loading, 0.0, 1.0, fix) ** 2
    return NAN


def range_of(baseline: float, candidate: float) -> tuple[float, float]:
    """Return the least and the greatest discordance that two accuracies allow.

    Parameters
    ----------
    baseline : float
        An accuracy.
    candidate : float
        Another accuracy.
    """
    total = baseline + candidate
    return round(abs(candidate - baseline), 15), round(min(total, 2.0 - total), 15)


def _variance(accuracy: float) -> float:
    return accuracy * (1.0 - accuracy)
