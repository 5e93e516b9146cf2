"""The sentence that says what a claim comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deadheat.claims.matching import Match
from deadheat.claims.outcome import Outcome
from deadheat.claims.possible import Possible
from deadheat.claims.values import Value
from deadheat.claims.wording import against, items_text, listed, scale_of, span_text
from deadheat.notes import Note

Code = Literal["consistent", "inconsistent", "resolved", "unresolved", "open"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReading:
    """One of five codes, and the sentences that go with it."""

    code: Code
    text: str


def contradicted(findings: Sequence[Note], n: int) -> ClaimReading:
    """Read a claim in which something cannot be.

    Parameters
    ----------
    findings : sequence of Note
        What cannot be.
    n : int
        Number of items.
    """
    codes = list(dict.fromkeys(note.code.replace("_", " ") for note in findings))
    names = listed([f'"{code}"' for code in codes])
    return ClaimReading(
        code="inconsistent",
        text=f"Not all of these numbers can be those of right-or-wrong scores on {items_text(n)}: "
        f"see the {'note' if len(codes) == 1 else 'notes'} {names}.",
    )


def by_matches(matches: Sequence[Match]) -> ClaimReading:
    """Read a claim whose numbers are those of some counts.

    Parameters
    ----------
    matches : sequence of Match
        Counts that give the numbers.
    """
    codes = {match.outcome.code for match in matches}
    shown = sorted(matches, key=lambda match: match.outcome.discordant)
    counts = (
        listed([against(match.outcome) for match in shown], "or")
        if len(shown) <= 4
        else f"{against(shown[0].outcome)} up to {against(shown[-1].outcome)}"
    )
    drawn = any(match.chance is not None for match in matches)
    head = f"The numbers {'can come from draws under' if drawn else 'are those of'} discordant "
    head += f"counts of {counts}"
    if codes == {"resolved"}:
        return ClaimReading(code="resolved", text=f"{head}, and the gap is resolved.")
    if "resolved" not in codes:
        more = ": the items do not settle the direction"
        if codes == {"borderline"}:
            more = ": the interval and the exact McNemar test disagree about zero"
        return ClaimReading(code="unresolved", text=f"{head}, and the gap is not resolved{more}.")
    return ClaimReading(
        code="open", text=f"{head}: with some of them the gap is resolved, with others it is not."
    )


def by_counts(found: Possible, outcomes: Sequence[Outcome]) -> ClaimReading:
    """Read a claim that says no more than the values, or their discordant items too.

    Parameters
    ----------
    found : Possible
        What the values allow.
    outcomes : sequence of Outcome
        Of the stated discordant items; empty where none are stated.
    """
    gap = _gap(found)
    if outcomes:
        said = f"{gap}, and {items_text(outcomes[0].discordant)} tell the systems apart"
        codes = {one.code for one in outcomes}
        if codes == {"resolved"}:
            return ClaimReading(code="resolved", text=f"{said}: it is resolved.")
        if "resolved" in codes:
            return ClaimReading(
                code="open", text=f"{said}: the digits do not say whether it is resolved."
            )
        return ClaimReading(code="unresolved", text=f"{said}: it is not resolved.")
    if found.never:
        return ClaimReading(
            code="unresolved",
            text=f"{gap}, and no discordant counts resolve it: these items cannot settle the "
            "direction. That is no evidence of equality.",
        )
    if found.always:
        return ClaimReading(
            code="resolved", text=f"{gap}, and it is resolved whatever the discordant counts are."
        )
    return ClaimReading(code="open", text=f"{gap}. {_border(found)}")


def alone(values: Sequence[Value], n: int) -> ClaimReading:
    """Read a claim without a gap that holds as far as it goes.

    Parameters
    ----------
    values : sequence of Value
        None or one.
    n : int
        Number of items.
    """
    if not values:
        return ClaimReading(
            code="consistent", text="Nothing contradicts these numbers; there is no gap to check."
        )
    (value,) = values
    low, high = value.items
    scale = scale_of(n)
    return ClaimReading(
        code="consistent",
        text=f"{value.shown} is {span_text(low, high)} of {items_text(n)}, with an interval of "
        f"{scale.ends(value.interval, signed=False)} by Wilson's score.",
    )


def _gap(found: Possible) -> str:
    n, (low, high) = found.margins.n, found.margins.nets
    scale = scale_of(n)
    said = f"The gap of {scale.difference(found.net / n)} is {items_text(found.net)} of {n:,}"
    return said if low == high else f"{said} (by the digits {span_text(low, high)})"


def _border(found: Possible) -> str:
    """Say up to how many discordant items the gap is resolved."""
    every = found.margins.discordants(found.net)
    if found.border is None or found.border == every[-1]:
        return "Whether it is resolved depends on the digits that were rounded away."
    edge = Outcome.of(found.margins.n, found.net, found.border, found.narrowest.confidence_level)
    least, most = found.margins.discordant
    single = found.margins.nets[0] == found.margins.nets[1]
    gap = "the gap" if single else f"a gap of {items_text(found.net)}"
    said = (
        f"The systems differ on {least:,} to {most:,} items, and that decides: {gap} is "
        f"resolved if they differ on up to {found.border:,} ({against(edge)}) and not from "
        f"{found.border + 2:,} on"
    )
    return f"{said}{'' if single else _moved(found)}. The values alone do not say."


def _moved(found: Possible) -> str:
    """Say how far the digits move the border."""
    small, large = (items_text(net) for net in (found.margins.smallest, found.margins.largest))
    first, last = ("never" if at is None else f"up to {at:,}" for at in found.borders)
    return f"; one of {small} {first}, one of {large} {last}"
