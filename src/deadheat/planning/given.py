"""What a plan was given, and which of it goes together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deadheat import amounts
from deadheat.errors import UsageError
from deadheat.planning import checks
from deadheat.planning.design import NAN, Wanted
from deadheat.settings import if_percent

MOST_SYSTEMS = 10_000

THINNEST = 4e-9
"""Levels below this lie in tails that are not computed."""

OF_SHARES = ("correlation", "loading", "discordance")
OF_MEANS = ("sd", "between_variance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a plan was given, unchecked; None for what was not. Names as in `deadheat.plan`."""

    gap: Any = None
    power: Any = 0.8
    items: Any = None
    half_width: Any = None
    confidence_level: Any = 0.95
    baseline: Any = None
    candidate: Any = None
    correlation: Any = None
    loading: Any = None
    discordance: Any = None
    sd: Any = None
    between_variance: Any = None
    answer_variance: Any = None
    answers: Any = None
    cluster_size: Any = None
    icc: Any = None
    design_effect: Any = None
    n_systems: Any = None
    method: Any = None
    test: Any = None
    pilot: bool = False

    def spelled(self, *names: str) -> list[str]:
        """Return those of some options that were given, as the command line spells them."""
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None]


def wanted_of(given: Given) -> Wanted:
    """Check what a plan is to reach.

    Parameters
    ----------
    given : Given
        What the plan was given.

    Raises
    ------
    UsageError
        That names the option.
    """
    meant = if_percent(given.confidence_level)
    fix = f"Give a number between 0.5 and 1, such as 0.95{meant}."
    level = amounts.inside("--confidence", given.confidence_level, 0.5, 1.0, fix, open_ends=True)
    alpha = round(1.0 - level, 12)
    fix = (
        f"Give a number between {alpha:g} (chance alone resolves as often) and 1 (out of reach of "
        f"any number of items), such as 0.8{if_percent(given.power)}."
    )
    power = amounts.inside("--power", given.power, alpha, 1.0, fix, open_ends=True)
    gap = half_width = NAN
    if given.gap is not None:
        fix = "Give the size of the gap, a number above 0: 0.04 is four points of accuracy."
        gap = checks.positive("--gap", given.gap, fix)
    if given.half_width is not None:
        fix = "Give a number above 0: 0.01 is one point of accuracy."
        half_width = checks.positive("--half-width", given.half_width, fix)
    items = None
    if given.items is not None:
        items = checks.whole("--items", given.items, 2, "Give a whole number from 2.")
    m = n_systems_of(given)
    comparisons = 1 if m is None else m * (m - 1) // 2
    if alpha / comparisons < THINNEST:
        raise UsageError(
            f"--confidence {level:.12g} leaves a level of {alpha / comparisons:.2g} to each of "
            f"{comparisons:,} comparisons, in a tail too far out to be computed.",
            fix="Give a lower --confidence, or fewer --systems.",
        )
    return Wanted(
        power=power,
        gap=gap,
        items=items,
        half_width=half_width,
        confidence_level=level,
        comparisons=comparisons,
    )


def n_systems_of(given: Given) -> int | None:
    """Check the number of systems of which all pairs are compared.

    Parameters
    ----------
    given : Given
        What the plan was given.

    Raises
    ------
    UsageError
        If it is no whole number, or more than `MOST_SYSTEMS`.
    """
    if given.n_systems is None:
        return None
    fix = f"Give a whole number from 2 to {MOST_SYSTEMS:,}: all pairs are compared."
    m = checks.whole("--systems", given.n_systems, 2, fix)
    if m > MOST_SYSTEMS:
        raise UsageError(f"--systems is {m:,}.", fix=fix)
    return m


def check_company(given: Given) -> None:
    """Refuse options that say the same thing twice, or nothing without another.

    Parameters
    ----------
    given : Given
        What the plan was given.

    Raises
    ------
    UsageError
        That names them.
    """
    if given.pilot and (twice := given.spelled(*OF_SHARES, *OF_MEANS, "answer_variance")):
        raise UsageError(
            f"{', '.join(twice)} cannot be given beside --pilot, which says it.",
            fix="Choose one of the two.",
        )
    if len(twice := given.spelled(*OF_SHARES)) > 1:
        raise UsageError(
            f"{' and '.join(twice)} were given, and each of them alone says how often the systems "
            "disagree.",
            fix="Choose one; the correlation is the square of the loading.",
        )
    if len(twice := given.spelled(*OF_MEANS)) > 1:
        raise UsageError(f"{' and '.join(twice)} were given.", fix="Choose one of the two.")
    shares = given.spelled("baseline", "candidate", *OF_SHARES)
    if twice and shares:
        raise UsageError(
            f"{twice[0]} is about means of real scores, and {', '.join(shares)} about 0/1 scores.",
            fix="Choose one of the two.",
        )
    if given.answer_variance is not None and given.between_variance is None:
        raise UsageError(
            "--answer-variance says how much answers to one item vary, not how much items do.",
            fix="Give --between-variance as well.",
        )
    if given.answers is not None and given.answer_variance is None and not given.pilot:
        raise UsageError(
            "--answers has nothing to average over.",
            fix="Give --between-variance and --answer-variance, or a --pilot with several answers "
            "to each item.",
        )
    if given.design_effect is not None and (twice := given.spelled("cluster_size", "icc")):
        raise UsageError(
            f"--design-effect and {' and '.join(twice)} were given.", fix="Choose one of the two."
        )
