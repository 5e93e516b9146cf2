"""Values that a log publishes, held against its own samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from deadheat.notes import Note

_LISTED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A value that a log states of a system.

    Attributes
    ----------
    score : str
        Column of scores of which it should be the mean.
    value : float
        As stated; its digits say how exactly.
    system : str, optional
        Of several.
    task : str, optional
        Of several.
    place : str
        File that states it, if another than that of the samples.
    exact : bool
        Whether the value was not rounded.
    """

    score: str
    value: float
    system: str | None = None
    task: str | None = None
    place: str = ""
    exact: bool = False


def disagreements(
    path: str, columns: dict[str, pl.Series], roles: dict[str, str], stated: Sequence[Published]
) -> tuple[Note, ...]:
    """Compare stated values with means over samples, to the digits that were stated.

    Samples without a score do not count.

    Parameters
    ----------
    path : str
        Of the samples.
    columns : dict of str to polars.Series
    roles : dict
        Column by role.
    stated : sequence of Published

    Returns
    -------
    tuple of Note
        One with the code "published_disagrees", or none.
    """
    frame = pl.DataFrame(columns)
    said = []
    for claim in stated:
        rows = frame
        for role, wanted in (("system", claim.system), ("task", claim.task)):
            if wanted is not None and role in roles:
                rows = rows.filter(pl.col(roles[role]) == wanted)
        if claim.score not in rows.columns or not math.isfinite(claim.value):
            continue
        scores = rows[claim.score].cast(pl.Float64, strict=False).drop_nulls().drop_nans()
        if not len(scores):
            continue
        mean = float(scores.sum()) / len(scores)
        if abs(mean - claim.value) > _half_a_digit(claim.value, exact=claim.exact):
            of = "".join(f" of {name}" for name in (claim.system, claim.task) if name is not None)
            said.append(
                f"{claim.score}{of} {claim.value:g} (its {len(scores):,} samples: {mean:g})"
            )
    if not said:
        return ()
    more = f"; and {len(said) - _LISTED} more" if len(said) > _LISTED else ""
    return (
        Note(
            code="published_disagrees",
            message=f"{path} comes with published values that its samples do not give: "
            f"{'; '.join(said[:_LISTED])}{more}. The samples were used.",
        ),
    )


def _half_a_digit(value: float, *, exact: bool) -> float:
    mantissa, _, exponent = repr(value).partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return (0.0 if exact else 0.5 * 10.0**-decimals) + 1e-9 * max(1.0, abs(value))
