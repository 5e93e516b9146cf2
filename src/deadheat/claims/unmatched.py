"""Numbers that no counts give: what comes near, and what draws would print."""

from __future__ import annotations

from dataclasses import replace

from deadheat.claims.counts import Margins
from deadheat.claims.matching import Found, search
from deadheat.claims.outcome import TESTS, UNDRAWN, Outcome
from deadheat.claims.stated import Stated
from deadheat.claims.wording import (
    Remark,
    against,
    chances,
    contradiction,
    interval_text,
    listed,
    printed_interval,
    scale_of,
)
from deadheat.notes import Note
from deadheat.scale import p_bare

USUAL = ("percentile", "bca", "tango", "wald")
"""Methods of most published intervals of a paired difference."""


def unmatched(
    stated: Stated, margins: Margins, found: Found, confidence_level: float
) -> tuple[Remark, ...]:
    """Say what no counts give, where no counts give all that is stated.

    Parameters
    ----------
    stated : Stated
        Without what is known to be wrong for another reason.
    margins : Margins
    found : Found
        By a search for all of it.
    confidence_level : float
    """
    if not stated.infers:
        return ()
    if found.exact:
        return _by_others_alone(stated, found)
    if found.drawn:
        return (_drawn(stated, found),)
    parts = stated.parts
    if len(parts) == 1:
        return (_none(stated, margins, found),)
    alone = [(part, search(margins, part, confidence_level)) for part in parts]
    remarks = tuple(_none(part, margins, one) for part, one in alone if not one.matches)
    return remarks or (
        _searched(
            Note(
                code="no_match",
                message=f"No discordant counts give {_given(stated)} together, though each of "
                "them alone is possible.",
            ),
            found,
        ),
    )


def _by_others_alone(stated: Stated, found: Found) -> tuple[Remark, ...]:
    """Say that only methods that are rarely published give an interval."""
    methods = {method for match in found.exact for method in match.methods}
    if stated.interval is None or not methods or methods & {*USUAL}:
        return ()
    message = (
        f"No counts give {_given(stated)} by the bootstrap, Tango's score or Wald's interval; by "
        f"{listed(sorted(methods))} some do."
    )
    return (Remark(note=Note(code="no_match", message=message)),)


def by_undrawn_test(stated: Stated, margins: Margins, confidence_level: float) -> bool:
    """Whether draws may be those of another number, as a test without any gives the p-value.

    Parameters
    ----------
    stated : Stated
        What is published of the gap.
    margins : Margins
        What the values allow.
    confidence_level : float
        Between 0.5 and 1.
    """
    if stated.p_value is None or (stated.interval is None and stated.share is None):
        return False
    found = search(margins, replace(stated, interval=None, share=None), confidence_level)
    return any(set(match.tests) & {*UNDRAWN, "two_proportions"} for match in found.exact)


def _drawn(stated: Stated, found: Found) -> Remark:
    """Say that draws can print what no counts give exactly."""
    what = "them" if len(stated.parts) > 1 else "it"
    assumed = "" if stated.n_resamples is not None else " (assumed)"
    return Remark(
        note=Note(
            code="no_match",
            message=f"No discordant counts give {_given(stated)} exactly. Drawn "
            f"{stated.draws:,} times{assumed}, counts of {chances(found.drawn, what)}.",
        )
    )


def _none(stated: Stated, margins: Margins, found: Found) -> Remark:
    """Say that neither counts nor draws give one number, and what comes near."""
    head = f"No discordant counts give {_given(stated)}, and no draws from them are likely to"
    if stated.p_value is not None:
        return _searched(
            Note(code="p_impossible", message=f"{head}. {_of_tests(stated, margins)}."), found
        )
    scale = scale_of(margins.n)
    near = [
        f"{against(match.outcome)} {interval_text(match.outcome, scale)}"
        if stated.interval is not None
        else f"{against(match.outcome)} ({100.0 * match.outcome.ahead[0]:.3g}%)"
        for match in found.nearest
    ]
    return _searched(Note(code="no_match", message=f"{head}. The nearest: {listed(near)}."), found)


def _of_tests(stated: Stated, margins: Margins) -> str:
    """Say which p-values are possible."""
    n = margins.n
    if stated.discordant is not None and (nets := margins.allows(stated.discordant)):
        outcome = Outcome.of(n, nets[0], stated.discordant, 0.95)
        each = [f"{test} {p_bare(outcome.p_value(test))}" for test in TESTS]
        return f"Counts of {against(outcome)} have {listed(each)}"
    least = Outcome.of(n, margins.largest, abs(margins.largest), 0.95)
    most = Outcome.of(n, margins.smallest, margins.most(margins.smallest), 0.95)
    return (
        f"The exact McNemar test gives {p_bare(least.p_value())} ({against(least)}) to "
        f"{p_bare(most.p_value())} ({against(most)})"
    )


def _searched(note: Note, found: Found) -> Remark:
    """Return a contradiction, or a note alone where not everything was searched."""
    if found.complete:
        return contradiction(note)
    return Remark(
        note=replace(note, message=f"{note.message} Not all possible counts were searched.")
    )


def _given(stated: Stated) -> str:
    """Name what is stated."""
    given = []
    if stated.interval is not None:
        given.append(f"the interval {printed_interval(stated.interval)}")
    if stated.p_value is not None:
        given.append(f"the p-value {stated.p_value.text}")
    if stated.share is not None:
        given.append(f"a share of {stated.share.text.removesuffix('%')}%")
    return listed(given)
