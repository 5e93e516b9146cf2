"""What is worth knowing of any claim."""

from __future__ import annotations

from deadheat.claims.outcome import Outcome
from deadheat.claims.possible import POWER, TYPICAL, Possible
from deadheat.claims.wording import Remark, against, items_text, span_text
from deadheat.notes import Note

ASSUMED = Note(
    code="assumed",
    message="This takes every item as right or wrong, scored once for each system on the same "
    "items. Averages over runs or tasks, partial credit, weights, dropped items and clusters make "
    "other numbers possible.",
)


def unresolvable(found: Possible) -> tuple[Remark, ...]:
    """Say that no discordant counts resolve a gap.

    Parameters
    ----------
    found : Possible
        What the values allow.
    """
    if not found.never:
        return ()
    net = found.margins.largest
    best = Outcome.of(found.margins.n, net, abs(net), found.narrowest.confidence_level)
    if net == 0:
        said = "No gap, no direction: no discordant counts resolve a difference of 0 items"
    else:
        said = (
            f"{items_text(abs(net)).capitalize()} can never resolve the direction: even counts of "
            f"{against(best)} have an exact McNemar p-value of {best.p_value():.3g}"
        )
    return (Remark(note=Note(code="never_resolvable", message=f"{said}.")),)


def to_resolve(found: Possible) -> tuple[Remark, ...]:
    """Say how many items the gap would need at usual discordances.

    Parameters
    ----------
    found : Possible
        What the values allow.
    """
    if found.typical is None or found.net == 0:
        return ()
    rows = sorted(found.typical, key=lambda row: row.outcome.discordant)
    items = sorted(row.items or 0 for row in rows)
    low, high = (row.outcome.discordant for row in rows)
    return (
        Remark(
            note=Note(
                code="to_resolve",
                message=f"Systems on one benchmark usually have latent correlations of "
                f"{min(TYPICAL):g} to {max(TYPICAL):g}: {span_text(low, high)} discordant items "
                f"here. A true gap of this size then takes {span_text(*items)} items for "
                f"{100 * POWER:g}% power. Published gaps flatter, so that it takes rather more.",
            )
        ),
    )


ASK = Note(
    code="ask",
    message="What settles it: the two discordant counts (items that only the candidate has right, "
    "and only the baseline), or better the scores of both systems item by item, for "
    "`deadheat compare`.",
)
