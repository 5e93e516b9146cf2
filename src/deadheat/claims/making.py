"""Check a published number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deadheat.claims import checks, printed
from deadheat.claims.counts import Margins
from deadheat.claims.inferring import check_inference
from deadheat.claims.matching import Match
from deadheat.claims.outcome import Outcome
from deadheat.claims.possible import possible
from deadheat.claims.printed import Printed
from deadheat.claims.reading import alone, by_counts, by_matches, contradicted
from deadheat.claims.remarks import ASK, ASSUMED, to_resolve, unresolvable
from deadheat.claims.result import Claim
from deadheat.claims.shares import refuse_shares
from deadheat.claims.single import Single, singles
from deadheat.claims.stated import Stated
from deadheat.claims.unpaired import unpaired, unpaired_note
from deadheat.claims.values import Value, margins_of, value_of
from deadheat.claims.wording import Remark
from deadheat.errors import UsageError
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.settings import Settings

MOST_ITEMS = 1_000_000_000

MOST_MATCHES = 40
"""Matches that are kept where there are more: the first, the last and some between."""


def claim(
    *,
    n: int,
    baseline: str | float | None = None,
    candidate: str | float | None = None,
    gap: str | float | None = None,
    interval: Sequence[str | float] | None = None,
    p: str | float | None = None,
    discordant: int | None = None,
    share: str | float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
) -> Claim:
    """Check a published gap in accuracy without per-item data.

    Numbers are read with the precision of their digits: 71.2 stands for 71.15 to 71.25, and the
    text "71.20" for a tenth of that. Values and `share` are in percent, `gap` and `interval` in
    points.

    Parameters
    ----------
    n : int
        Items that both systems answered.
    baseline, candidate : str or float, optional
        Values in percent, such as 71.2, or counts, such as "356/500".
    gap : str or float, optional
        Candidate - baseline.
    interval : (low, high), optional
        Of the gap; of the value, where only one value is given.
    p : str or float, optional
        A p-value as it is printed, such as ".004" or "<0.001".
    discordant : int, optional
        Items on which exactly one system is right.
    share : str or float, optional
        Percentage of resamples in which the candidate is ahead.
    confidence_level : float
        Between 0.5 and 1; of the published interval, and of those held against it.
    n_resamples : int, optional
        Draws behind the published numbers.

    Raises
    ------
    UsageError
        If a number is none, is out of its range or is a share of 1 where percent are wanted, or
        nothing is given that can be checked.

    Examples
    --------
    >>> found = claim(n=400, gap="1.5", interval=("1.1", "1.9"))
    >>> found.reading.code, [note.code for note in found.findings]
    ('inconsistent', ['too_narrow'])
    """
    Settings(
        confidence_level=confidence_level, n_resamples=2 if n_resamples is None else n_resamples
    )
    n = _whole(n, "number of items", 1, MOST_ITEMS)
    stated = Stated(
        gap=None if gap is None else printed.points(gap, "gap", n),
        interval=None if interval is None else _interval(interval, n),
        p_value=None if p is None else printed.p_value(p),
        share=None if share is None else printed.share(share),
        discordant=None
        if discordant is None
        else _whole(discordant, "number of discordant items", 0, n),
        n_resamples=n_resamples,
    )
    if n_resamples is not None and not stated.infers:
        raise UsageError(
            f"{n_resamples:,} draws are those of no number.",
            fix="Give the --interval, --p or --share that was drawn, or leave --resamples out.",
        )
    sides = {
        name: printed.percent(given, name, n)
        for name, given in (("baseline", baseline), ("candidate", candidate))
        if given is not None
    }
    refuse_shares(n, sides, stated.gap, stated.share)
    values: dict[str, Value] = {}
    remarks: list[Remark] = []
    for name, read in sides.items():
        values[name], more = value_of(read, name, n, confidence_level)
        remarks += more
    if len(values) == 2 or stated.gap is not None:
        return _of_gap(n, values, stated, remarks, confidence_level)
    return _of_less(n, values, stated, remarks, confidence_level)


def _of_gap(
    n: int,
    values: dict[str, Value],
    stated: Stated,
    remarks: list[Remark],
    confidence_level: float,
) -> Claim:
    """Check a gap, and what is stated of it."""
    baseline, candidate = values.get("baseline"), values.get("candidate")
    margins, more = margins_of(n, baseline, candidate, stated.gap)
    remarks += more
    kept = stated
    if stated.discordant is not None:
        wrong = checks.of_discordant(stated.discordant, margins, confidence_level)
        if wrong is not None:
            remarks.append(wrong)
            kept = replace(stated, discordant=None)
    net = _net(margins, baseline, candidate, kept)
    found = possible(margins, net, confidence_level, known=len(values) == 2, stated=kept.discordant)
    separate: list[Interval] = []
    apart: Remark | None = None
    if baseline is not None and candidate is not None:
        separate = unpaired(baseline.middle, candidate.middle, n, confidence_level)
        if stated.interval is not None:
            apart = unpaired_note(stated.interval, baseline, candidate, separate)
    checked = check_inference(kept, found, confidence_level, apart=apart)
    remarks += checked.remarks
    remarks += (*unresolvable(found), *to_resolve(found))
    findings = _findings(remarks)
    matches = checked.searched.matches
    if findings:
        reading = contradicted(findings, n)
    elif matches:
        reading = by_matches(matches)
    else:
        reading = by_counts(found, _at(kept.discordant, margins, net, confidence_level))
    notes = [remark.note for remark in remarks]
    notes += [ASK] if reading.code in ("open", "inconsistent") else []
    return Claim(
        n=n,
        confidence_level=confidence_level,
        stated=stated,
        baseline=baseline,
        candidate=candidate,
        found=found,
        unpaired=separate[0] if separate else None,
        matches=_spread(matches),
        nearest=checked.searched.nearest,
        singles=(),
        reading=reading,
        notes=(*notes, ASSUMED),
        findings=findings,
    )


def _of_less(
    n: int,
    values: dict[str, Value],
    stated: Stated,
    remarks: list[Remark],
    confidence_level: float,
) -> Claim:
    """Check one value, or a p-value and a share without a gap."""
    _check_alone(stated, bool(values))
    alpha = round(1.0 - confidence_level, 12)
    remarks += checks.of_share(stated, alpha)
    if checks.below_floor(stated):
        remarks.append(checks.floor_of_draws(stated, explained=False))
    rows: tuple[Single, ...] = ()
    for value in values.values():
        rows, more = singles(value, stated, n, confidence_level)
        remarks += more
    findings = _findings(remarks)
    return Claim(
        n=n,
        confidence_level=confidence_level,
        stated=stated,
        baseline=values.get("baseline"),
        candidate=values.get("candidate"),
        found=None,
        unpaired=None,
        matches=(),
        nearest=(),
        singles=rows,
        reading=contradicted(findings, n) if findings else alone(list(values.values()), n),
        notes=(*(remark.note for remark in remarks), ASSUMED),
        findings=findings,
    )


def _check_alone(stated: Stated, value: bool) -> None:
    """Refuse what says nothing without a gap."""
    loose = {
        "the number of discordant items": stated.discordant is not None,
        "the interval": stated.interval is not None and not value,
        "the p-value": stated.p_value is not None and stated.n_resamples is None,
    }
    for what, there in loose.items():
        if there:
            raise UsageError(
                f"{what} cannot be checked without a gap.",
                fix="Give --baseline and --candidate, or --gap.",
            )
    if not value and not stated.infers:
        raise UsageError(
            "there is nothing to check.", fix="Give --baseline and --candidate, or --gap."
        )


def _net(margins: Margins, baseline: Value | None, candidate: Value | None, stated: Stated) -> int:
    """Return the possible net number that is nearest to what is printed."""
    every = margins.spread(stated.discordant)
    if baseline is not None and candidate is not None:
        wanted = candidate.printed.value - baseline.printed.value
    else:
        assert stated.gap is not None
        wanted = stated.gap.value
    at = round((wanted * margins.n / 100 - every[0]) / every.step)
    return every[min(max(at, 0), len(every) - 1)]


def _at(
    discordant: int | None, margins: Margins, net: int, confidence_level: float
) -> list[Outcome]:
    """Return what stated discordant items mean, over all net numbers that go with them."""
    if discordant is None:
        return []
    every = margins.spread(discordant)
    return [
        Outcome.of(margins.n, one, discordant, confidence_level)
        for one in sorted({every[0], net, every[-1]})
    ]


def _spread(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Keep the first, the last and some between of many matches."""
    if len(matches) <= MOST_MATCHES:
        return matches
    places = np.linspace(0, len(matches) - 1, MOST_MATCHES)
    return tuple(matches[round(float(place))] for place in places)


def _findings(remarks: Sequence[Remark]) -> tuple[Note, ...]:
    return tuple(remark.note for remark in remarks if remark.contradicts)


def _interval(given: Any, n: int) -> tuple[Printed, Printed]:
    """Read two ends."""
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 2:
        raise UsageError(
            f"the interval is {given!r}.", fix="Give its two ends, the lower one first."
        )
    low, high = (
        printed.points(end, f"{which} end of the interval", n)
        for which, end in zip(("lower", "upper"), given, strict=True)
    )
    if low.value > high.value:
        raise UsageError(
            f"the lower end of the interval, {low.text}, is above the upper end, {high.text}.",
            fix="Give the lower one first.",
        )
    return low, high


def _whole(given: Any, name: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`."""
    whole = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if not whole or not least <= given <= most:
        shown = f"{given:,}" if whole else repr(given)
        raise UsageError(
            f"the {name} is {shown}.", fix=f"Give a whole number from {least:,} to {most:,}."
        )
    return int(given)
