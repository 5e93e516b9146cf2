"""From what a user says of a design to the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from deadheat.amounts import inside, number, whole
from deadheat.errors import UsageError, known
from deadheat.simulation import SHAPES, Design, Points
from deadheat.simulation.design import MOST_SCORES
from deadheat.simulation.marginals import MOST_POINTS, Marginal

Kind = Literal["binary", "graded", "real"]

PAIR = ("baseline", "candidate")

MOST_SYSTEMS = 10_000
"""Systems of one table."""


def spelled(name: str) -> str:
    """Return an argument as the command line spells it.

    Parameters
    ----------
    name : str
        As Python calls it.

    Examples
    --------
    >>> spelled("cluster_size")
    '--cluster-size'
    """
    return f"--{name.replace('_', '-')}"


def refuse_beside(what: str, given: Mapping[str, Any]) -> None:
    """Refuse arguments that mean nothing beside another one.

    Parameters
    ----------
    what : str
        The other one, and why.
    given : mapping of str to object
        Arguments by name; None where they were not given.

    Raises
    ------
    UsageError
        If one of them was given.
    """
    there = [spelled(name) for name, value in given.items() if value is not None]
    if there:
        raise UsageError(f"{what}, which leaves no use for {', '.join(there)}.", fix="Choose.")


def named_means(
    baseline: Any, candidate: Any, means: Any
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the names and means of the systems.

    Parameters
    ----------
    baseline : object
        True mean; None where it was not given.
    candidate : object
        True mean; None where it was not given.
    means : object
        True means of all systems; None where two were given.

    Raises
    ------
    UsageError
        If one is missing or not a number, or they are given twice.
    """
    fix = "Give a mean, such as 0.72 for an accuracy of 72%."
    if means is not None:
        refuse_beside("--means names all systems", {"baseline": baseline, "candidate": candidate})
        if isinstance(means, (str, bytes)) or not isinstance(means, Sequence):
            raise UsageError(f"--means is {means!r}.", fix="Give the means of all systems.")
        if not 2 <= len(means) <= MOST_SYSTEMS:
            raise UsageError(
                f"--means has {len(means)} mean{'' if len(means) == 1 else 's'}.",
                fix=f"Give those of 2 to {MOST_SYSTEMS:,} systems.",
            )
        width = len(f"{len(means)}")
        names = tuple(f"s{at:0{width}}" for at in range(1, len(means) + 1))
        return names, tuple(number("a mean", mean, fix) for mean in means)
    for name, value in zip(PAIR, (baseline, candidate), strict=True):
        if value is None:
            raise UsageError(
                f"there is no {spelled(name)}.",
                fix="Give the means of the two systems, --means for more of them, or --pilot.",
            )
    values = (number("--baseline", baseline, fix), number("--candidate", candidate, fix))
    return PAIR, values


def correlation_given(correlation: Any, loading: Any) -> float:
    """Return the correlation of two latent scores, from either of the two ways to give it.

    Parameters
    ----------
    correlation : object
        Of two latent scores; None where it was not given.
    loading : object
        Square root of it; None where it was not given.

    Raises
    ------
    UsageError
        If neither or both are given, or one is out of its range.
    """
    fix = "Give a number from -1 to 1; 0 is for systems that err independently."
    if correlation is not None and loading is not None:
        raise UsageError(
            f"--correlation is {correlation} and --loading {loading}: both say how alike the "
            "systems are.",
            fix="Give one; the correlation is the square of the loading.",
        )
    if loading is not None:
        fix = "Give a number from 0 to 1; a negative correlation is given by --correlation."
        return inside("--loading", loading, 0.0, 1.0, fix) ** 2
    if correlation is not None:
        return inside("--correlation", correlation, -1.0, 1.0, fix)
    raise UsageError(
        "nothing says how alike the systems are on an item.",
        fix="Give --correlation, that of the two latent scores, or --loading, the square root of "
        "it. Between systems on one benchmark a correlation of 0.4 to 0.9 is usual; 0 is for "
        "systems that err independently.",
    )


def marginals_given(
    kind: Any, means: Sequence[float], *, levels: Any, sd: Any, shape: Any
) -> tuple[Marginal, ...]:
    """Return the distribution of the scores of each system.

    Parameters
    ----------
    kind : object
        "binary", "graded" or "real".
    means : sequence of float
        True means of all systems; None where two were given.
    levels : object
        Points of a graded score.
    sd : object
        Standard deviation of real scores.
    shape : object
        Of real scores; None is normal.

    Raises
    ------
    UsageError
        If there is no such kind or shape, or numbers do not go with it.
    """
    if kind not in get_args(Kind):
        raise UsageError(f"--scores is {kind!r}.", fix=known(get_args(Kind), str(kind)))
    if kind == "real":
        refuse_beside("--scores is real", {"levels": levels})
        if sd is None:
            raise UsageError("real scores need --sd.", fix="Give their standard deviation.")
        chosen = "normal" if shape is None else shape
        if chosen not in SHAPES:
            raise UsageError(f"--shape is {shape!r}.", fix=known(SHAPES, str(shape)))
        spread = number("--sd", sd, "Give a standard deviation above 0.")
        return tuple(SHAPES[chosen](mean, spread) for mean in means)
    refuse_beside(f"--scores is {kind}", {"sd": sd, "shape": shape})
    if kind == "graded":
        if levels is None:
            raise UsageError(
                "graded scores need --levels.", fix="Give the points of an item, such as 4."
            )
        fix = f"Give the points of an item, 2 to {MOST_POINTS:,}; scores are shares of them."
        points = whole("--levels", levels, 2, MOST_POINTS, fix)
    else:
        refuse_beside("--scores is binary", {"levels": levels})
        points = 1
    return tuple(Points(points, mean) for mean in _shares(means))


def _shares(means: Sequence[float]) -> Sequence[float]:
    """Refuse percents with the share that is meant."""
    for mean in means:
        if not 0.0 <= mean <= 1.0:
            share = f"; {mean:g}% is {mean / 100.0:g}" if 1.0 < mean <= 100.0 else ""
            raise UsageError(
                f"a mean is {mean:g}.", fix=f"Accuracies and shares lie between 0 and 1{share}."
            )
    return means


def designed(
    marginals: tuple[Marginal, ...],
    *,
    items: Any,
    correlation: float,
    cluster_size: Any,
    icc: Any,
    runs: Any,
    answer_correlation: Any,
) -> Design:
    """Return a design; clusters and runs need both of their numbers.

    Parameters
    ----------
    marginals : tuple of Marginal
        Distribution of the scores of each system.
    items : object
        Number of items.
    correlation : float
        Of two latent scores; None where it was not given.
    cluster_size : object
        Items of a cluster; None without.
    icc : object
        Latent correlation of two items of a cluster; None without.
    runs : object
        Answers of each system to each item; None is one.
    answer_correlation : object
        Latent correlation of two of them.

    Raises
    ------
    UsageError
        If a number is missing or out of its range.
    """
    if items is None:
        raise UsageError("there is no --items.", fix="Give the number of items.")
    fix = f"Give 2 to {MOST_SCORES:,} items."
    n_items = whole("--items", items, 2, MOST_SCORES, fix)
    more: dict[str, Any] = {}
    if (cluster_size is None) != (icc is None):
        raise UsageError(
            f"there is {'no --icc' if icc is None else 'no --cluster-size'}.",
            fix="Clusters need --cluster-size, the items of each, and --icc, the latent "
            "correlation of two items of one.",
        )
    if cluster_size is not None:
        fix = f"Give 2 to {n_items:,} items a cluster: there are {n_items:,} items."
        more["cluster_size"] = whole("--cluster-size", cluster_size, 2, n_items, fix)
        more["icc"] = icc
    if runs is None and answer_correlation is not None:
        raise UsageError(
            "--answer-correlation is about several answers to an item.", fix="Give --runs."
        )
    if runs is not None:
        more["runs"] = whole("--runs", runs, 1, MOST_SCORES, "Give the answers to each item.")
        if answer_correlation is None and more["runs"] > 1:
            raise UsageError(
                "--runs needs --answer-correlation.",
                fix="Give the latent correlation of two answers of one system to one item: 1 is "
                "for answers that are always the same.",
            )
        more["answer_correlation"] = 1.0 if answer_correlation is None else answer_correlation
    return Design(items=n_items, marginals=marginals, correlation=correlation, **more)
