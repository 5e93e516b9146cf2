"""Put a plan together: items needed, what items do, errors, curve, tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from scipy import special

from deadheat import power
from deadheat.errors import UsageError
from deadheat.notes import Note
from deadheat.planning import tables
from deadheat.planning.design import NAN, Design, Wanted
from deadheat.planning.engines import Behaviour, Engine, engine_of
from deadheat.planning.formulas import effective, scaled
from deadheat.planning.notes import notes_on
from deadheat.planning.result import At, Errors, Needed, Plan, Point, Row

MOST_NEEDED = 1e15
"""Items beyond which a plan is about nothing that could be built."""

LARGEST_EFFECT = 1e6
"""Standard deviations beyond which a gap is a slip of its unit."""

PARTS_OF_NEED = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0)
ROUND_NUMBERS = (100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Numbers of items of a curve, where one is known to be of interest, and where none is."""


def assembled(design: Design, wanted: Wanted, said: Sequence[Note] = ()) -> Plan:
    """Compute what a design allows to be said.

    Parameters
    ----------
    design : Design
    wanted : Wanted
        With the gap of the design, where it has one.
    said : sequence of Note
        What reading a pilot had to say.

    Raises
    ------
    UsageError
        If there are too few items, or more would be needed than could ever be built.
    """
    _check_reach(design, wanted)
    if wanted.items is not None and effective(wanted.items, design) < 2:
        raise UsageError(
            f"--items is {wanted.items:,}, and with a design effect of "
            f"{design.clustering.design_effect:.3g} they are worth less than two independent ones.",
            fix="Give more items.",
        )
    engine = engine_of(design, wanted)
    resolving = None if math.isnan(wanted.gap) else engine
    plan = Plan(
        design=design,
        wanted=wanted,
        needed=(
            *_by_power(resolving, design),
            *_unpaired(design, wanted),
            *_for_half_width(design, wanted),
        ),
        at=_at(engine, resolving, design, wanted),
        errors=Errors(items=None, wrong_sign=NAN, exaggeration=NAN),
        curve=(),
        curve_by=None if resolving is None else resolving.leads,
        table=tuple(_table(design, wanted)),
        answers=tuple(tables.over_answers(design, wanted)),
        notes=(),
    )
    plan = replace(plan, errors=_errors(plan, resolving), curve=tuple(_curve(plan, resolving)))
    return replace(plan, notes=tuple(dict.fromkeys((*said, *notes_on(plan)))))


def _check_reach(design: Design, wanted: Wanted) -> None:
    """Refuse gaps and half-widths that are slips of a unit."""
    sd = design.sd if design.known else 1.0
    z = -float(special.ndtri(wanted.alpha / 2.0))
    for option, size in (("--gap", wanted.gap), ("--half-width", wanted.half_width)):
        if size > LARGEST_EFFECT * sd:
            raise UsageError(
                f"{option} is {size:g}, and per-item values have a standard deviation of {sd:.3g}.",
                fix="Give it on the scale of the scores.",
            )
        if (2.0 * z * sd / size) ** 2 > MOST_NEEDED:
            raise UsageError(
                f"{option} is {size:g}, which takes more than {MOST_NEEDED:.0e} items.",
                fix="Give a greater one.",
            )


def _by_power(resolving: Engine | None, design: Design) -> list[Needed]:
    if resolving is None:
        return []
    return [
        need if need.items is None else replace(need, items=scaled(need.items, design))
        for need in resolving.needed()
    ]


def _unpaired(design: Design, wanted: Wanted) -> list[Needed]:
    """Items of each system, where the two have items of their own."""
    variance = sum(design.side_variances)
    if math.isnan(variance) or math.isnan(wanted.gap) or variance == 0.0:
        return []
    if design.clustering.design_effect != 1.0:
        # The design effect is that of differences; scores have another.
        return []
    n = power.miller_items(wanted.gap, variance, power=wanted.power, alpha=wanted.alpha)
    return [Needed(by="unpaired", items=math.ceil(n - 1e-9), power=wanted.power)]


def _for_half_width(design: Design, wanted: Wanted) -> list[Needed]:
    if math.isnan(wanted.half_width) or not design.known:
        return []
    n = power.items_for_half_width(design.sd, wanted.half_width, confidence_level=wanted.level)
    return [Needed(by="half_width", items=scaled(n, design))]


def _at(
    engine: Engine | None, resolving: Engine | None, design: Design, wanted: Wanted
) -> At | None:
    if wanted.items is None or not design.known:
        return None
    n = effective(wanted.items, design)
    found = Behaviour() if resolving is None else resolving.behaviour(n)
    return At(
        items=wanted.items,
        effective_items=wanted.items / design.clustering.design_effect,
        power=() if resolving is None else tuple(resolving.powers(n)),
        half_width=power.half_width(design.sd, n, confidence_level=wanted.level),
        smallest_gap=NAN if engine is None else engine.smallest_gap(n),
        coverage=found.coverage,
        wrong_sign=found.wrong_sign,
        exaggeration=found.exaggeration,
    )


def _errors(plan: Plan, resolving: Engine | None) -> Errors:
    """Type S and type M error at the items needed, or of any gap that has the power wanted."""
    lead, wanted = plan.lead, plan.wanted
    if resolving is not None and lead is not None and lead.items is not None:
        found = resolving.behaviour(effective(lead.items, plan.design))
        return Errors(
            items=lead.items, wrong_sign=found.wrong_sign, exaggeration=found.exaggeration
        )
    if not plan.design.paired:
        return Errors(items=None, wrong_sign=NAN, exaggeration=NAN)
    reach = -float(special.ndtri(wanted.alpha / 2.0)) + float(special.ndtri(wanted.power))
    if not reach > 0.0:
        return Errors(items=None, wrong_sign=NAN, exaggeration=NAN)
    wrong, size = power.of_normal(reach, 1.0, alpha=wanted.alpha)
    return Errors(items=None, wrong_sign=wrong, exaggeration=size)


def _curve(plan: Plan, resolving: Engine | None) -> list[Point]:
    design, wanted = plan.design, plan.wanted
    if not design.known:
        return []
    points = []
    for items in _numbers(plan):
        n = effective(items, design)
        if n < 2:
            continue
        points.append(
            Point(
                items=items,
                power=NAN if resolving is None else resolving.power(n),
                half_width=power.half_width(design.sd, n, confidence_level=wanted.level),
            )
        )
    return points


def _numbers(plan: Plan) -> list[int]:
    """Numbers of items from a tenth of what is of interest to three times that."""
    there = [] if plan.wanted.items is None else [plan.wanted.items]
    centre = plan.items or next(iter(there), None)
    if centre is None:
        return list(ROUND_NUMBERS)
    around = [_two_digits(part * centre) for part in PARTS_OF_NEED if part != 1.0]
    return sorted({*around, centre, *there})


def _two_digits(items: float) -> int:
    """Round a number of items to two digits, for a table that is easily read."""
    step: int = 10 ** max(math.floor(math.log10(max(items, 1.0))) - 1, 0)
    return max(round(items / step) * step, 2)


def _table(design: Design, wanted: Wanted) -> list[Row]:
    if not design.paired:
        asked = wanted.items is not None or not math.isnan(wanted.half_width)
        return [] if asked else tables.over_half_widths(design, wanted)
    if not design.known:
        return tables.over_discordances(design, wanted)
    if math.isnan(wanted.gap) or design.pilot is not None:
        return tables.over_gaps(design, wanted)
    return []
