"""What discordant counts would mean for a gap: narrowest, widest, and where it is resolved."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from deadheat import power
from deadheat.claims.counts import Margins, Span
from deadheat.claims.outcome import Outcome
from deadheat.power.copula import cells
from deadheat.significance.mcnemar import mcnemar

TYPICAL = (0.9, 0.4)
"""Latent correlations between which pairs of systems on one benchmark are usually found."""

POWER = 0.8
"""Wanted probability of resolving the gap."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row:
    """A number of discordant items, and what it would mean.

    Attributes
    ----------
    what : tuple of str
        Why it is listed, such as "narrowest".
    outcome : Outcome
    items : int or None
        Items that resolve a true gap of this size at this discordance with 80% power (Connor
        1987); None for a gap of 0.
    """

    what: tuple[str, ...]
    outcome: Outcome
    items: int | None

    @classmethod
    def of(cls, outcome: Outcome, *what: str) -> Row:
        """Add the items that the gap would need.

        Parameters
        ----------
        outcome : Outcome
            Two discordant counts.
        *what : str
            What they print.
        """
        n = outcome.n
        items = power.items_to_resolve(
            outcome.net / n, outcome.discordant / n, power=POWER, alpha=outcome.alpha
        )
        return cls(what=what, outcome=outcome, items=items)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Possible:
    """What the values leave possible.

    Attributes
    ----------
    margins : Margins
    net : int
        Net number of items that the table is for: the one nearest to the stated gap.
    narrowest, widest : Outcome
        Of all counts that the digits allow, with `net` or another gap.
    limits : (Outcome, Outcome)
        The same, of the stated number of discordant items where a possible one is stated.
    border : int or None
        Most discordant items with which `net` is resolved; None where no number does.
    borders : (int or None, int or None)
        The same of the smallest and the largest gap that the digits allow.
    never, always : bool
        Whether no possible counts, or all of them, resolve the gap.
    typical : (Row, Row) or None
        At the two `TYPICAL` correlations; None where the two accuracies are not known.
    rows : tuple of Row
        By increasing number of discordant items.
    """

    margins: Margins
    net: int
    narrowest: Outcome
    widest: Outcome
    limits: tuple[Outcome, Outcome]
    border: int | None
    borders: tuple[int | None, int | None]
    never: bool
    always: bool
    typical: tuple[Row, Row] | None
    rows: tuple[Row, ...]


def possible(
    margins: Margins, net: int, confidence_level: float, *, known: bool, stated: int | None
) -> Possible:
    """Work out what the counts can be.

    Parameters
    ----------
    margins : Margins
    net : int
        Nearest to the stated gap.
    confidence_level : float
    known : bool
        Whether both accuracies are known, and not only their difference.
    stated : int or None
        Discordant items, where a possible number is stated.
    """
    n = margins.n
    narrowest, widest = (
        Outcome.of(n, *at, confidence_level) for at in (margins.narrowest, margins.widest)
    )
    limits = narrowest, widest
    if stated is not None:
        first, last = margins.sizes(stated)
        limits = (
            Outcome.of(n, last, stated, confidence_level),
            Outcome.of(n, first, stated, confidence_level),
        )
    sides = margins.nets[0] > 0 or margins.nets[1] < 0
    edge, *borders = (
        _border(margins, one, confidence_level) for one in (net, margins.smallest, margins.largest)
    )
    typical = _typical(margins, net, confidence_level) if known else None
    return Possible(
        margins=margins,
        net=net,
        narrowest=narrowest,
        widest=widest,
        limits=limits,
        border=edge,
        borders=(borders[0], borders[1]),
        never=borders[1] is None,
        always=sides
        and Outcome.of(n, margins.smallest, margins.most(margins.smallest), confidence_level).code
        == "resolved",
        typical=typical,
        rows=_rows(margins, net, confidence_level, edge, typical, stated),
    )


def _border(margins: Margins, net: int, confidence_level: float) -> int | None:
    """Return the most discordant items with which a net number is resolved.

    The exact McNemar p-value rises with them: one more item for either side adds a fair step to
    a walk, which takes it across zero more often (checked by enumeration in the tests).
    """
    every = margins.discordants(net)
    alpha = round(1.0 - confidence_level, 12)

    def p_value(discordant: int) -> float:
        return mcnemar((discordant - net) // 2, (discordant + net) // 2).p_value

    at = bisect_right(every, alpha, key=p_value) - 1
    # The interval nearly always excludes zero where the test rejects, but not by necessity.
    while at >= 0 and Outcome.of(margins.n, net, every[at], confidence_level).code != "resolved":
        at -= 1
    return every[at] if at >= 0 else None


def _typical(margins: Margins, net: int, confidence_level: float) -> tuple[Row, Row]:
    """Return rows at the typical latent correlations."""
    first, second = (
        Row.of(
            Outcome.of(margins.n, net, _at(margins, net, correlation), confidence_level),
            f"correlation {correlation:g}",
        )
        for correlation in TYPICAL
    )
    return first, second


def _at(margins: Margins, net: int, correlation: float) -> int:
    """Return the possible number of discordant items that is nearest under a correlation."""
    n, (low, high) = margins.n, margins.baseline
    right = min(max((low + high) // 2, -net, 0), n - net, n)
    expected = n * cells(right / n, (right + net) / n, correlation).discordance
    every = margins.discordants(net)
    return every[min(max(round((expected - every[0]) / 2), 0), len(every) - 1)]


def _rows(
    margins: Margins,
    net: int,
    confidence_level: float,
    edge: int | None,
    typical: Iterable[Row] | None,
    stated: int | None,
) -> tuple[Row, ...]:
    """List the numbers that say most."""
    every = margins.discordants(net)
    labels: dict[tuple[int, int], list[str]] = {}

    def add(discordant: int, what: str, of: int = net) -> None:
        if discordant in margins.discordants(of):
            labels.setdefault((discordant, of), []).append(what)

    # Over all gaps that the digits allow; the rows between are for the one nearest to the stated.
    (tight, least), (loose, most) = margins.narrowest, margins.widest
    add(least, "narrowest", tight)
    if edge is not None and edge < every[-1]:
        add(edge, "last resolved")
        add(edge + 2, "first not resolved")
    for row in typical or ():
        add(row.outcome.discordant, row.what[0])
    if typical is not None:
        add(_at(margins, net, 0.0), "independent")
    elif len(every) > 8:
        for part in (4, 2):
            add(every[len(every) // part], "between")
    if stated is not None:
        add(stated, "stated")
    add(most, "widest", loose)
    return tuple(
        Row.of(Outcome.of(margins.n, of, discordant, confidence_level), *labels[discordant, of])
        for discordant, of in sorted(labels)
    )


def ends_of(rows: Iterable[Row]) -> Span:
    """Return the fewest and the most discordant items of rows.

    Parameters
    ----------
    rows : iterable of Row
        At least one.
    """
    found = sorted(row.outcome.discordant for row in rows)
    return found[0], found[-1]
