"""The answer of a plan in a few sentences."""

from __future__ import annotations

import math

from deadheat.planning import Plan
from deadheat.report.pieces import counted
from deadheat.report.plan_numbers import BY, percent, size, span
from deadheat.scale import ends


def answer(result: Plan) -> str:
    """Say what the items needed are, and what those that there are can do."""
    said = [*_said_of_need(result), *_said_of_items(result), *_said_of_half_width(result)]
    if not said:
        said = _said_of_table(result)
    return " ".join(said)


def _said_of_need(result: Plan) -> list[str]:
    lead, wanted, design = result.lead, result.wanted, result.design
    if math.isnan(wanted.gap):
        return []
    gap = size(result, wanted.gap)
    if result.never_read:
        return [
            f"No number of items that was tried resolves a gap of {gap} with "
            f"{percent(wanted.power)} power ({BY['reading']})."
        ]
    if lead is None or lead.by == "half_width":
        items = [row.items for row in result.table if row.items is not None]
        shares = [row.discordance for row in result.table if row.items is not None]
        return [
            f"A gap of {gap} takes {span(items)} to be resolved with {percent(wanted.power)} "
            f"power: the more, the more often the two systems disagree (here on "
            f"{ends(percent(min(shares)), percent(max(shares)))} of the items)."
        ]
    both = ""
    if not math.isnan(design.baseline) and design.binary:
        both = f" ({percent(design.baseline)} against {percent(design.candidate)})"
    said = [
        f"A gap of {gap}{both} takes about {counted(lead.items or 0, 'item')} to be resolved with "
        f"{percent(wanted.power)} power ({BY[lead.by]})."
    ]
    unpaired = next((need for need in result.needed if need.by == "unpaired"), None)
    if unpaired is not None and unpaired.items is not None and lead.items is not None:
        said.append(f"On items of their own each system would need {unpaired.items:,}.")
    return said


def _said_of_items(result: Plan) -> list[str]:
    at, wanted = result.at, result.wanted
    if wanted.items is None:
        return []
    have = f"{wanted.items:,} items"
    if at is None:
        rows = [row for row in result.table if not math.isnan(row.smallest_gap)]
        if not rows:
            return [f"{have} are too few to resolve any gap with {percent(wanted.power)} power."]
        gaps = [row.smallest_gap for row in rows]
        return [
            f"{have} resolve gaps of {ends(size(result, min(gaps)), size(result, max(gaps)))} "
            f"with {percent(wanted.power)} power, by how often the two systems disagree "
            f"({ends(percent(rows[0].discordance), percent(rows[-1].discordance))} of the items)."
        ]
    width = f"a half-width of {size(result, at.half_width)}"
    if at.power:
        return [f"{have} resolve it with {percent(at.power[0].power)} power and have {width}."]
    if math.isnan(at.smallest_gap):
        return [f"{have} have {width}."]
    return [
        f"{have} resolve a gap of about {size(result, at.smallest_gap)} with "
        f"{percent(wanted.power)} power and have {width}."
    ]


def _said_of_half_width(result: Plan) -> list[str]:
    wanted = result.wanted
    if math.isnan(wanted.half_width):
        return []
    width = size(result, wanted.half_width)
    found = next((need.items for need in result.needed if need.by == "half_width"), None)
    if found is not None:
        return [f"A half-width of {width} takes {counted(found, 'item')}."]
    items = [row.items_for_half_width for row in result.table]
    some = [n for n in items if n is not None]
    if not some:
        return []
    return [
        f"A half-width of {width} for the gap takes {span(some)}, by how often the two systems "
        "disagree."
    ]


def _said_of_table(result: Plan) -> list[str]:
    if not result.design.paired:
        row = result.table[len(result.table) // 2]
        return [
            f"A half-width of {size(result, row.half_width)} takes "
            f"{counted(row.items_for_half_width or 0, 'item')}; the table has others."
        ]
    rows = [row for row in result.table if row.items is not None]
    chosen = next((row for row in rows if row.what == "observed"), rows[len(rows) // 2])
    which = "The observed gap" if chosen.what == "observed" else "A gap"
    optimistic = " (optimistic)" if chosen.what == "observed" else ""
    return [
        f"{which} of {size(result, chosen.gap)} takes about {counted(chosen.items or 0, 'item')}"
        f"{optimistic}; the table has others."
    ]
