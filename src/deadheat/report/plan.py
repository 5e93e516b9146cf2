"""Lay out a plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from deadheat.planning import Plan
from deadheat.planning.result import Needed, Row
from deadheat.report.pieces import counted, level_text, notes_of
from deadheat.report.plan_answer import answer
from deadheat.report.plan_numbers import (
    BY,
    bar,
    chance,
    number,
    pair,
    percent,
    price,
    size,
    sized,
    tenths,
    tenths_of_percent,
    times,
    whole,
)
from deadheat.report.report import Report, Sentence, Table
from deadheat.scale import ends

INTERVALS = {
    "auto": "percentile interval (Tango's with few items)",
    "percentile": "percentile interval",
    "tango": "Tango's interval",
}

WHAT = {
    "usual": "",
    "observed": "observed (optimistic)",
    "least": "the least possible",
    "most": "the most possible",
    "independent": "independent errors",
}


def layout(result: Plan) -> Report:
    """Lay out a plan: answer, design, items needed, what items do, tables, curve, notes."""
    blocks: list[Sentence | Table] = [
        Sentence(text=answer(result), role="reading", label="plan"),
        _design(result),
    ]
    if result.needed:
        blocks.append(_needed(result))
    if result.at is not None:
        blocks.append(_at(result))
    if not math.isnan(result.errors.exaggeration):
        blocks.append(_worth(result))
    if result.table:
        blocks.append(_rows(result))
    if result.answers:
        blocks.append(_answers(result))
    if result.curve:
        blocks.append(curve_table(result))
    blocks.extend(notes_of(result.notes))
    blocks.append(Sentence(text=result.signature, role="signature"))
    return Report(title=_title(result), blocks=tuple(blocks))


def _title(result: Plan) -> str:
    design, wanted = result.design, result.wanted
    kind = {
        "paired_binary": "two systems on the same items, 0/1 scores",
        "paired_mean": "two systems on the same items, real scores",
        "single_binary": "one system, 0/1 scores",
        "single_mean": "one system, real scores",
    }[design.kind]
    power = f", {percent(wanted.power)} power" if design.paired else ""
    return f"Plan: {kind}{power}, {level_text(wanted.confidence_level)} confidence"


def _design(result: Plan) -> Table:
    design, wanted = result.design, result.wanted
    value = percent if design.binary else number
    rows: list[tuple[str, str]] = []
    if design.pilot is not None:
        rows.append(("pilot", _pilot(result)))
    if not math.isnan(design.baseline):
        rows.append(("baseline" if design.paired else "system", value(design.baseline)))
    if not math.isnan(design.candidate):
        rows.append(("candidate", value(design.candidate)))
    if not math.isnan(wanted.gap):
        rows.append(("gap", size(result, wanted.gap)))
    if not math.isnan(design.discordance):
        rows.append(("discordance (exactly one is right)", percent(design.discordance)))
    least, most = design.discordance_range
    if not math.isnan(least):
        rows.append(("discordance that is possible", ends(percent(least), percent(most))))
    if design.cells is not None:
        both, lost, won, neither = map(percent, design.cells.values())
        rows += [
            ("both right, neither right", f"{both}, {neither}"),
            ("only baseline right, only candidate right", f"{lost}, {won}"),
        ]
    if not math.isnan(design.latent_correlation):
        rows.append(("latent correlation", number(design.latent_correlation)))
    if not math.isnan(design.loading):
        rows.append(("loading on a common factor", number(design.loading)))
    if not math.isnan(design.phi):
        rows.append(("correlation of the 0/1 scores (phi)", number(design.phi)))
    if design.variances is not None:
        first, second = design.variances.within
        ours, theirs = design.variances.answers
        rows += [
            ("variance between items", number(design.variances.between)),
            ("variance of answers to one item", f"{number(first)}, {number(second)}"),
            ("answers to each item", f"{ours}, {theirs}"),
        ]
    if design.known:
        what = "per-item differences" if design.paired else "scores"
        rows.append((f"standard deviation of {what}", number(design.sd)))
    if design.clustering.design_effect != 1.0:
        rows.append(("design effect", number(design.clustering.design_effect)))
    if design.kind == "paired_binary":
        rows.append(("reading", f"{INTERVALS[design.method]} and {BY[design.test]}"))
    if wanted.comparisons > 1:
        rows.append(("comparisons", f"{wanted.comparisons:,}, Bonferroni"))
    if design.paired:
        rows.append(("two-sided level", number(wanted.alpha)))
    return Table(title="Design", columns=("", "value"), rows=tuple(rows))


def _pilot(result: Plan) -> str:
    pilot = result.design.pilot
    assert pilot is not None
    named = " and ".join(pilot.systems)
    more = "" if pilot.clusters is None else f", {counted(pilot.clusters, 'cluster')}"
    return f"{named} ({pilot.metric}) on {counted(pilot.items, 'item')}{more}"


def _needed(result: Plan) -> Table:
    lead = result.lead
    rows = tuple(
        (
            BY[need.by],
            "none" if need.items is None else f"{need.items:,}",
            "" if math.isnan(need.power) else tenths_of_percent(need.power),
            _marked(need, lead),
        )
        for need in result.needed
    )
    return Table(
        title="Items needed",
        columns=("by", "items", "power", ""),
        rows=rows,
        numeric=("items", "power"),
    )


def _marked(need: Needed, lead: Needed | None) -> str:
    return "plan with this" if need is lead and need.by != "half_width" else ""


def _at(result: Plan) -> Table:
    at = result.at
    assert at is not None
    rows = [(f"power, {BY[one.by]}", percent(one.power)) for one in at.power]
    rows.append(("half-width of the interval", size(result, at.half_width)))
    if result.design.clustering.design_effect != 1.0:
        rows.insert(0, ("independent items they are worth", f"{at.effective_items:,.1f}"))
    if result.design.paired:
        by = " (Connor's formula)" if result.design.binary else ""
        rows.append((f"smallest gap they resolve{by}", size(result, at.smallest_gap)))
    if not math.isnan(at.coverage):
        rows.append(("coverage of the interval", percent(at.coverage)))
    return Table(title=f"With {counted(at.items, 'item')}", columns=("", "value"), rows=tuple(rows))


def _worth(result: Plan) -> Table:
    """Lay out type S and type M errors."""
    errors, at = result.errors, result.at
    power = percent(result.wanted.power)
    items = "any that have it" if errors.items is None else f"{errors.items:,}"
    rows = [(items, power, chance(errors.wrong_sign), times(errors.exaggeration))]
    if at is not None and at.power and at.items != errors.items:
        found = (chance(at.wrong_sign), times(at.exaggeration))
        rows.append((f"{at.items:,}", percent(at.power[0].power), *found))
    columns = ("items", "power", "wrong sign (type S)", "size on average (type M)")
    return Table(
        title="What a resolved gap is worth", columns=columns, rows=tuple(rows), numeric=columns
    )


def _rows(result: Plan) -> Table:
    design, wanted, rows = result.design, result.wanted, result.table
    power = percent(wanted.power)
    have = "" if wanted.items is None else f"{wanted.items:,} items"

    # Columns of few decimals, and of as many as each number needs.
    even, short = partial(sized, result), partial(size, result)
    width = "half-width" if not design.paired else f"half-width of {have}"
    goal = "" if math.isnan(wanted.half_width) else f" of {short(wanted.half_width)}"
    columns: list[tuple[str, list[str]]] = [
        ("gap", _column(rows, lambda row: row.gap, short)),
        ("discordance", _column(rows, lambda row: row.discordance, percent)),
        (f"items for {power} power", _column(rows, lambda row: row.items, whole)),
        ("from", _column(rows, lambda row: row.items_low, whole)),
        ("to", _column(rows, lambda row: row.items_high, whole)),
        (f"power of {have}", _column(rows, lambda row: row.power, tenths_of_percent)),
        (width, _column(rows, lambda row: row.half_width, even)),
        (f"items for a half-width{goal}", _column(rows, lambda r: r.items_for_half_width, whole)),
        (f"gap {have} resolve", _column(rows, lambda row: row.smallest_gap, even)),
    ]
    shown = [(name, cells) for name, cells in columns if any(cells)]
    numeric = tuple(name for name, _ in shown)
    what = [WHAT[row.what] for row in rows]
    if any(what):
        shown.append(("", what))
    title = "By discordance" if design.paired and not design.known else "By gap"
    return Table(
        title=title if design.paired else "By half-width",
        columns=tuple(name for name, _ in shown),
        rows=tuple(zip(*(cells for _, cells in shown), strict=True)),
        numeric=numeric,
    )


def _column(
    rows: Sequence[Row], value: Callable[[Row], float | None], show: Callable[[float], str]
) -> list[str]:
    """Show what rows have of one kind; nothing where a row has none."""
    found = [value(row) for row in rows]
    return ["" if x is None or math.isnan(x) else show(x) for x in found]


def _answers(result: Plan) -> Table:
    def shown(x: float | None, show: Callable[[float], str]) -> str:
        return "" if x is None or math.isnan(x) else show(x)

    even = partial(sized, result)
    planned = None if result.design.variances is None else result.design.variances.answers
    columns: list[tuple[str, list[str]]] = [
        ("answers", [pair(row.baseline, row.candidate) for row in result.answers]),
        ("noise", [percent(row.noise) for row in result.answers]),
        ("items", [shown(row.items, whole) for row in result.answers]),
        ("in all", [shown(row.in_all, whole) for row in result.answers]),
        ("one more saves", [shown(row.saved, whole) for row in result.answers]),
        ("price", [price(row.price) for row in result.answers]),
        ("half-width", [shown(row.half_width, even) for row in result.answers]),
        ("smallest gap", [shown(row.smallest_gap, even) for row in result.answers]),
        ("one more is worth", [shown(row.worth, tenths) for row in result.answers]),
    ]
    chosen = [(name, cells) for name, cells in columns if any(cells)]
    numeric = tuple(name for name, _ in chosen)
    chosen.append(
        ("", ["planned" if (r.baseline, r.candidate) == planned else "" for r in result.answers])
    )
    return Table(
        title="By answers of each system to every item",
        columns=tuple(name for name, _ in chosen),
        rows=tuple(zip(*(cells for _, cells in chosen), strict=True)),
        numeric=numeric,
    )


def curve_table(result: Plan) -> Table:
    """Lay out power and half-width by the number of items."""
    powers = result.curve_by is not None
    marks: dict[int | None, str] = {result.wanted.items: "given", result.items: "needed"}
    rows = []
    for point in result.curve:
        row = [f"{point.items:,}"]
        if powers:
            row += [tenths_of_percent(point.power), bar(point.power)]
        rows.append((*row, sized(result, point.half_width), marks.get(point.items, "")))
    names = ("items", *(("power", "0% to 100%") if powers else ()), "half-width", "")
    by = "" if result.curve_by is None else f" of the power ({BY[result.curve_by]})"
    return Table(
        title=f"Curve{by}" if powers else "Curve",
        columns=names,
        rows=tuple(rows),
        numeric=("items", "power", "half-width"),
    )
