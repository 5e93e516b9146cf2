"""Shares of 1 where percent or points are wanted: refused, with what to write instead."""

from __future__ import annotations

from collections.abc import Mapping

from deadheat.claims.counts import items_of
from deadheat.claims.printed import Printed
from deadheat.claims.wording import listed
from deadheat.errors import UsageError


def refuse_shares(
    n: int, values: Mapping[str, Printed], gap: Printed | None, share: Printed | None
) -> None:
    """Refuse numbers that are shares of 1 in all likelihood.

    Both values below 1% are hardly ever meant, a gap below one item never can be, and nobody
    reports that less than 1% of resamples favour a candidate. A percent sign says that it is.

    Parameters
    ----------
    n : int
        Number of items.
    values : mapping of str to Printed
        In percent, by the name of the side.
    gap : Printed or None
        In points; what contradicts two values is left to a finding.
    share : Printed or None
        Percentage of resamples.

    Raises
    ------
    UsageError
        With the number as percent.
    """
    bare = {name: one for name, one in values.items() if _bare(one)}
    inside = [one for one in bare.values() if 0 < one.value < 1]
    if inside and len(bare) == len(values) and all(one.value <= 1 for one in bare.values()):
        _refuse({f"--{name}": one for name, one in bare.items()}, "percent")
    if gap is not None and len(values) < 2 and _bare(gap) and _below_one_item(gap, n):
        _refuse({"--gap": gap}, "points")
    if share is not None and _bare(share) and 0 < share.value <= 1:
        _refuse({"--share": share}, "percent")


def as_percent(printed: Printed) -> str:
    """Return a share of 1 as it is written in percent, with all its digits.

    Parameters
    ----------
    printed : Printed
        A share of 1.
    """
    digits = max(printed.decimals - 2, 0)
    return f"{float(100 * printed.value):.{digits}f}"


def _bare(printed: Printed) -> bool:
    return not printed.text.endswith("%") and "/" not in printed.text


def _below_one_item(gap: Printed, n: int) -> bool:
    """Whether points, which would be less than an item, may be a share."""
    return 0 < abs(gap.value) < 1 and abs(gap.value) * n < 100 and items_of(gap, n) is None


def _refuse(given: Mapping[str, Printed], unit: str) -> None:
    """Refuse shares, by the option that they are of."""
    said = listed([f"{name} {one.text}" for name, one in given.items()])
    meant = " ".join(f"{name} {as_percent(one)}" for name, one in given.items())
    small = " ".join(f"{name} {one.text}%" for name, one in given.items())
    one, least = len(given) == 1, "1 percent" if unit == "percent" else "1 point"
    raise UsageError(
        f"{said} {'looks like a share' if one else 'look like shares'} of 1, and {unit} "
        f"{'is' if unit == 'percent' else 'are'} wanted.",
        fix=f"Write {meant}; or, if {'it is' if one else 'they are'} below {least} indeed, "
        f"{small}.",
    )
