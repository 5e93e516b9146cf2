"""Words and numbers that remarks on a claim share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from deadheat.claims.matching import Match
from deadheat.claims.outcome import Outcome
from deadheat.claims.printed import Printed
from deadheat.notes import Note
from deadheat.scale import Scale, scale_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A note, and whether it contradicts what is claimed."""

    note: Note
    contradicts: bool = False


def contradiction(note: Note) -> Remark:
    """Return a remark on what cannot be.

    Parameters
    ----------
    note : Note
        What cannot be, in words.
    """
    return Remark(note=note, contradicts=True)


MOST_DECIMALS = 6


def scale_of(n: int, *stated: Printed) -> Scale:
    """Return a scale on which neighbouring counts of `n` items can be told apart.

    It has the digits of what is `stated` too, so that the two can be compared.

    Parameters
    ----------
    n : int
        Number of items.
    *stated : Stated
        What is published of the gap.

    Examples
    --------
    >>> scale_of(500).difference(18 / 500), scale_of(400).difference(6 / 400)
    ('+3.6 points', '+1.50 points')
    """
    decimals = scale_for(n, (0.0, 1.0), 0.0).decimals
    if (Fraction(100, n) * 10**decimals).denominator > 1:
        decimals += 1
    written = (min(one.decimals, MOST_DECIMALS) for one in stated)
    return Scale(in_points=True, decimals=max(decimals, *written, 0))


def items_text(items: int) -> str:
    """Show a number of items.

    Parameters
    ----------
    items : int
        May be negative.

    Examples
    --------
    >>> items_text(1), items_text(-1200)
    ('1 item', '-1,200 items')
    """
    return f"{items:,} item{'' if abs(items) == 1 else 's'}"


def span_text(low: int, high: int) -> str:
    """Show a count that is only known to lie between two.

    Parameters
    ----------
    low : int
        Least.
    high : int
        Most.

    Examples
    --------
    >>> span_text(18, 18), span_text(16, 24)
    ('18', '16 to 24')
    """
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words.

    Parameters
    ----------
    words : sequence of str
        At least one.
    last : str
        What stands before the last one.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def against(outcome: Outcome) -> str:
    """Show two discordant counts, those of the candidate first.

    Parameters
    ----------
    outcome : Outcome
        Two discordant counts.
    """
    return f"{outcome.only_candidate:,} against {outcome.only_baseline:,}"


def interval_text(outcome: Outcome, scale: Scale, method: str = "percentile") -> str:
    """Show an interval of two counts, in points.

    Parameters
    ----------
    outcome : Outcome
        Two discordant counts.
    scale : Scale
        On which it is shown.
    method : str
        One of `METHODS`.
    """
    return scale.ends(outcome.interval(method), signed=True)


def printed_interval(interval: tuple[Printed, Printed]) -> str:
    """Show an interval as it was written.

    Parameters
    ----------
    interval : (Printed, Printed)
        Its ends, in points.
    """
    return f"[{interval[0].text}, {interval[1].text}]"


def chances(matches: Sequence[Match], what: str, most: int = 3) -> str:
    """Say with which chance draws print `what` under each of some counts.

    Parameters
    ----------
    matches : sequence of Match
        Counts that give the numbers.
    what : str
        What they print.
    most : int
        How many counts are named.
    """
    shown = [
        f"{against(match.outcome)}{f' print {what}' if first else ''} in "
        f"{100.0 * (match.chance or 0.0):.2g}%{' of cases' if first else ''}"
        for first, match in zip((True, *[False] * most), matches[:most], strict=False)
    ]
    return listed(shown)
