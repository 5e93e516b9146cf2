"""Counts of items that printed values leave possible."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

from deadheat.claims.printed import Printed

Span = tuple[int, int]
"""Least and most of a count, both included."""


def items_of(printed: Printed, n: int) -> Span | None:
    """Return the counts of `n` items that are printed like this; None where there is none.

    Parameters
    ----------
    printed : Printed
        In percent or points.
    n : int
        Number of items.

    Examples
    --------
    >>> from deadheat.claims.printed import points
    >>> items_of(points("0.4", "gap", 300), 300), items_of(points("0.3", "gap", 300), 300)
    (None, (1, 1))
    """
    low, high = math.ceil(printed.low * n / 100), math.floor(printed.high * n / 100)
    return (low, high) if low <= high else None


def nearest_items(printed: Printed, n: int) -> int:
    """Return the count whose share is nearest.

    Parameters
    ----------
    printed : Printed
        In percent or points.
    n : int
        Number of items.
    """
    return round(printed.value * n / 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """How many items each system can have got right, and how far apart the two can be.

    Attributes
    ----------
    n : int
        Number of items.
    baseline, candidate : (int, int)
        Items that each can have right.
    nets : (int, int)
        Items that the candidate can be ahead by; each is possible with some of the others.
    """

    n: int
    baseline: Span
    candidate: Span
    nets: Span

    @classmethod
    def of(
        cls, n: int, *, baseline: Span | None, candidate: Span | None, net: Span | None
    ) -> Margins | None:
        """Put together what is known; None where it contradicts itself.

        Parameters
        ----------
        n : int
            Number of items.
        baseline : (int, int) or None
            Least and most right answers; None where nothing is known.
        candidate : (int, int) or None
            The same of the candidate.
        net : (int, int) or None
            Least and most items by which the candidate is ahead.
        """
        first, second = baseline or (0, n), candidate or (0, n)
        nets = (second[0] - first[1], second[1] - first[0])
        if net is not None:
            nets = (max(nets[0], net[0]), min(nets[1], net[1]))
        if nets[0] > nets[1]:
            return None
        return cls(
            n=n,
            baseline=(max(first[0], second[0] - nets[1]), min(first[1], second[1] - nets[0])),
            candidate=(max(second[0], first[0] + nets[0]), min(second[1], first[1] + nets[1])),
            nets=nets,
        )

    def most(self, net: int) -> int:
        """Return the most items on which exactly one system can be right.

        With k and l right answers it is min(k + l, 2n - k - l).

        Parameters
        ----------
        net : int
            Items by which the candidate is ahead; negative where it is behind.
        """
        low = max(self.baseline[0], self.candidate[0] - net)
        high = min(self.baseline[1], self.candidate[1] - net)
        # The nearer the sum is to n, the more items there can be.
        wanted = (self.n - net) // 2
        sums = (2 * min(max(right, low), high) + net for right in (wanted, wanted + 1))
        return max(min(total, 2 * self.n - total) for total in sums)

    @property
    def discordant(self) -> Span:
        """Fewest and most items on which exactly one system is right, over all net numbers.

        From the least sum of right answers to the most, every sum is possible, or every other
        one where there is but one net number.
        """
        if self.nets[0] == self.nets[1]:
            return abs(self.nets[0]), self.most(self.nets[0])
        low, high = (self.baseline[end] + self.candidate[end] for end in (0, 1))
        total = min(max(self.n, low), high)
        return abs(self.smallest), min(total, 2 * self.n - total)

    @property
    def narrowest(self) -> tuple[int, int]:
        """Net and discordant number with the least variance, D - net^2 / n.

        With the fewest discordant items it is |net| - net^2 / n, which is least at an end.
        """
        nets = (self.smallest, self.largest)
        return min(((net, abs(net)) for net in nets), key=lambda at: self._variance(*at))

    @property
    def widest(self) -> tuple[int, int]:
        """Net and discordant number with the most variance, D - net^2 / n.

        But for odd and even it is concave in the net number, so that bisection finds the most.
        """
        every = range(self.nets[0], self.nets[1])

        def stops(net: int) -> bool:
            after, here = (self._variance(at, self._bound(at)) for at in (net + 1, net))
            return after <= here

        at = self.nets[0] + bisect_left(every, True, key=stops)
        near = range(max(at - 2, self.nets[0]), min(at + 2, self.nets[1]) + 1)
        pairs = ((net, self.most(net)) for net in near)
        return max(pairs, key=lambda pair: (self._variance(*pair), pair[1]))

    def _variance(self, net: int, discordant: int) -> int:
        """Return n times the variance of the net number."""
        return self.n * discordant - net * net

    def _bound(self, net: int) -> int:
        """Return `most` as if sums of right answers could be odd and even for every net number."""
        low = max(self.baseline[0], self.candidate[0] - net)
        high = min(self.baseline[1], self.candidate[1] - net)
        total = min(max(self.n, 2 * low + net), 2 * high + net)
        return min(total, 2 * self.n - total)

    def discordants(self, net: int) -> range:
        """Return all numbers of discordant items that go with a net number.

        Parameters
        ----------
        net : int
            Items by which the candidate is ahead; negative where it is behind.
        """
        return range(abs(net), self.most(net) + 1, 2)

    @property
    def smallest(self) -> int:
        """The net number that is nearest to zero."""
        low, high = self.nets
        return 0 if low <= 0 <= high else min(low, high, key=abs)

    @property
    def largest(self) -> int:
        """The net number that is furthest from zero."""
        return max(self.nets, key=abs)

    def allows(self, discordant: int) -> Span | None:
        """Return least and most net numbers with so many discordant items; None without any.

        Those between them that are odd or even as `discordant` is go with it too.

        Parameters
        ----------
        discordant : int
            Items on which exactly one system is right.
        """
        high = min(
            self.nets[1],
            discordant,
            2 * self.candidate[1] - discordant,
            2 * (self.n - self.baseline[0]) - discordant,
        )
        low = max(
            self.nets[0],
            -discordant,
            discordant - 2 * self.baseline[1],
            discordant - 2 * (self.n - self.candidate[0]),
        )
        # A net number is odd where the discordant items are.
        low, high = low + (low - discordant) % 2, high - (high - discordant) % 2
        return (low, high) if low <= high and discordant <= self.n else None

    def both(self, net: int, discordant: int) -> range:
        """Return how many items both systems can have right, beside these.

        Parameters
        ----------
        net : int
            Items by which the candidate is ahead; negative where it is behind.
        discordant : int
            Items on which exactly one system is right.
        """
        only = (discordant - net) // 2
        low = max(self.baseline[0], self.candidate[0] - net) - only
        high = min(self.baseline[1], self.candidate[1] - net) - only
        return range(max(low, 0), min(high, self.n - discordant) + 1)

    def sizes(self, discordant: int) -> Span:
        """Return the net numbers nearest to zero and furthest from it, of so many items.

        Parameters
        ----------
        discordant : int
            Items on which exactly one system is right.
        """
        allowed = self.spread(discordant)
        ends = {allowed[0], allowed[-1]}
        ends |= {at for at in (-1, 0, 1) if at in allowed}
        return min(ends, key=abs), max(ends, key=abs)

    def spread(self, discordant: int | None) -> range:
        """Return all net numbers, or those that go with so many discordant items.

        Parameters
        ----------
        discordant : int or None
            Items on which exactly one system is right; None for any number.
        """
        if discordant is None:
            return range(self.nets[0], self.nets[1] + 1)
        allowed = self.allows(discordant)
        return range(0) if allowed is None else range(allowed[0], allowed[1] + 1, 2)
