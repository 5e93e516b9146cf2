"""The account of who has which items, in numbers and as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Items by who has them.

    Attributes
    ----------
    systems : tuple of str
    n : int
        Items that any system or the references have.
    matched : int
        Items that every system has.
    only : tuple of int
        Per system: items that it has and at least one other lacks.
    """

    systems: tuple[str, ...]
    n: int
    matched: int
    only: tuple[int, ...]

    def __str__(self) -> str:
        """Say the account.

        Examples
        --------
        >>> str(Account(systems=("a", "b"), n=5, matched=2, only=(1, 2)))
        'matched 2, only a 1, only b 2'
        >>> str(Account(systems=("a", "b", "c"), n=5, matched=2, only=(0, 1, 2)))
        'matched 2, not of all but of b 1, not of all but of c 2'
        """
        two = len(self.systems) == 2
        parts = [
            f"{'only' if two else 'not of all but of'} {system} {k}"
            for system, k in zip(self.systems, self.only, strict=True)
            if two or k
        ]
        return ", ".join([f"matched {self.matched}", *(parts if len(self.systems) > 1 else [])])


def account(
    systems: Sequence[str], ids: Sequence[pl.Series], n_of: Callable[[pl.Series], int] = len
) -> Account:
    """Count items by who has them.

    Parameters
    ----------
    systems : sequence of str
    ids : sequence of polars.Series
        Sorted item ids of each system, of which repeated ones count once; then of the references
        where they were given apart.
    n_of : callable, optional
        Number of items that different ids stand for.
    """
    distinct = [values.filter(values.ne_missing(values.shift(1))) for values in ids]
    if all(values.equals(distinct[0]) for values in distinct):
        n = n_of(distinct[0])
        return Account(systems=tuple(systems), n=n, matched=n, only=(0,) * len(systems))
    holders = (
        pl.concat(distinct[: len(systems)]).alias("item").to_frame().group_by("item").len("held")
    )
    everywhere = n_of(holders.filter(pl.col("held") == len(systems))["item"])
    return Account(
        systems=tuple(systems),
        n=n_of(pl.concat(distinct).unique()),
        matched=everywhere,
        only=tuple(n_of(values) - everywhere for values in distinct[: len(systems)]),
    )
