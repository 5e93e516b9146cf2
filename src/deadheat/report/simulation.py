"""Lay out a simulation: what is drawn, and what replays of it come to."""

from __future__ import annotations

import math

from deadheat.replays import Replays
from deadheat.report.pieces import counted, level_text, notes_of
from deadheat.report.report import Report, Sentence, Table
from deadheat.scale import Scale, scale_for
from deadheat.simulated.result import Simulation
from deadheat.simulation import Design

MOST_SYSTEMS = 20
"""Systems that the table lists; JSON has them all."""

SHARES = {
    "both": "both right",
    "only_baseline": "only the baseline right",
    "only_candidate": "only the candidate right",
    "neither": "neither right",
}


def layout(result: Simulation) -> Report:
    """Lay out the verdict on the coverage, the design, the replays and the notes."""
    replays = result.replays
    scale = _scale(result)
    blocks: list[Sentence | Table] = [_design(result, scale)]
    if replays is not None:
        verdict = Sentence(text=_verdict(replays, scale), role="reading", label="coverage")
        blocks = [verdict, *blocks, _found(replays, scale), _readings(replays)]
        blocks.append(_how(result, replays))
    return Report(
        title=f"{'Replays of' if replays else 'Simulated:'} {_what(result)}",
        blocks=(
            *blocks,
            *notes_of(result.notes),
            Sentence(text=result.signature, role="signature"),
        ),
    )


def _what(result: Simulation) -> str:
    kind = {"binary": "0/1", "graded": "graded", "real": "real"}[result.scores]
    systems = counted(len(result.names), "system")
    return f"{systems} with {kind} scores on {counted(result.design.items, 'item')}"


def _scale(result: Simulation) -> Scale:
    """Show shares in points; real scores by the spread of their means."""
    n = result.design.items
    if result.scores != "real":
        return scale_for(n, (0.0, 1.0), math.nan)
    spread = result.sd if result.sd is not None else 0.3
    return scale_for(n, None, spread / math.sqrt(n))


def _verdict(replays: Replays, scale: Scale) -> str:
    nominal = level_text(replays.settings.confidence_level)
    share = _share(replays, replays.coverage.value)
    if replays.n is None:
        held = f"the interval holds the true difference of {scale.difference(replays.gap)} with "
        held += f"probability {share}"
    else:
        ends = (
            f"{_share(replays, replays.coverage.low)} to {_share(replays, replays.coverage.high)}"
        )
        held = f"the interval holds the true difference of {scale.difference(replays.gap)} in "
        held += f"{share} of {counted(replays.n, 'data set')} (95% interval {ends})"
    if replays.holds:
        return f"holds: {held}; nominal {nominal}."
    if replays.holds is None:
        return f"open: {held}, too few to say; nominal {nominal}."
    side = "below" if replays.deviation < 0.0 else "above"
    return f"fails: {held}, more than a point {side} the nominal {nominal}."


def _share(replays: Replays, share: float) -> str:
    """Show a share with the digits that the replays support."""
    if math.isnan(share):
        return "undefined"
    return f"{share:.2%}" if replays.exact or (replays.n or 0) >= 10_000 else f"{share:.1%}"


def _design(result: Simulation, scale: Scale) -> Table:
    design, cells = result.design, result.cells
    rows = [("scores", _scores(result)), ("items", f"{design.items:,}")]
    if design.n_clusters is not None:
        rows.append(("clusters", f"{design.n_clusters:,}"))
    shown = list(zip(result.names, result.means, strict=True))
    rows += [(f"mean of {name}", _mean(result, mean)) for name, mean in shown[:MOST_SYSTEMS]]
    if len(shown) > MOST_SYSTEMS:
        rows.append(("", f"and {len(shown) - MOST_SYSTEMS:,} more (JSON has all)"))
    if len(shown) == 2:
        rows.append(("true difference, candidate - baseline", scale.difference(design.gap)))
    if isinstance(design, Design):
        rows += _dependence(design)
    if result.pilot is not None:
        rows.append(("pilot", f"{result.pilot.source}, {counted(result.pilot.items, 'item')}"))
    if cells is not None:
        rows += [(said, f"{getattr(cells, name):.2%}") for name, said in SHARES.items()]
        rows.append(("discordant: exactly one right", f"{cells.discordance:.2%}"))
        rows.append(("correlation of the 0/1 scores (phi)", _number(cells.phi)))
    if result.replays is None:
        rows.append(("seed", f"{result.seed}"))
    return Table(title="Design", columns=("", "value"), rows=tuple(rows))


def _dependence(design: Design) -> list[tuple[str, str]]:
    rows = [
        ("correlation of the latent scores", f"{design.correlation:.10g}"),
        ("loading on the shared factor", _number(design.loading, 10)),
    ]
    if design.cluster_size > 1:
        rows += [
            ("items of a cluster", f"{design.cluster_size:,}"),
            ("latent icc in clusters", f"{design.icc:.10g}"),
        ]
    if design.runs > 1 or design.answer_correlation < 1.0:
        rows += [
            ("runs of each system", f"{design.runs:,}"),
            ("latent correlation of answers", f"{design.answer_correlation:.10g}"),
        ]
    return rows


def _scores(result: Simulation) -> str:
    if result.scores == "binary":
        return "0 or 1"
    if result.levels is not None:
        return f"shares of {counted(result.levels, 'point')}"
    if result.sd is not None:
        return f"{result.shape}, standard deviation {result.sd:.10g}"
    return "those of the pilot"


def _mean(result: Simulation, mean: float) -> str:
    return f"{mean:.10g}" if result.scores == "real" else f"{100.0 * mean:.10g}%"


def _number(value: float, digits: int = 4) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}g}"


def _found(replays: Replays, scale: Scale) -> Table:
    rows = [
        ("interval holds the true difference", replays.coverage.value, _ends(replays, "coverage")),
        ("interval lies wholly below it", replays.below, ""),
        ("interval lies wholly above it", replays.above, ""),
        ("there is no interval", replays.undefined, ""),
        ("interval excludes 0", replays.interval_power.value, _ends(replays, "interval_power")),
        (f"{replays.test} rejects", replays.test_power.value, _ends(replays, "test_power")),
        ("both: the difference is resolved", replays.power.value, _ends(replays, "power")),
    ]
    shown = [
        (what, _share(replays, share), ends)
        for what, share, ends in rows
        if what != "there is no interval" or share > 0.0
    ]
    shown += [
        ("mean width of the interval", _width(replays.width, scale), ""),
        ("wrong sign among the resolved (type S)", _share(replays, replays.wrong_sign), ""),
        ("exaggeration of the resolved (type M)", _times(replays.exaggeration), ""),
    ]
    columns = ("", "share", "95% interval")[: 2 if replays.exact else 3]
    return Table(
        title="Intervals and tests",
        columns=columns,
        rows=tuple(row[: len(columns)] for row in shown),
        numeric=columns[1:],
    )


def _ends(replays: Replays, name: str) -> str:
    """Show Wilson's interval of a share over replays."""
    found = getattr(replays, name)
    low, high = (_share(replays, end).removesuffix("%") for end in (found.low, found.high))
    return f"[{low}, {high}]"


def _width(width: float, scale: Scale) -> str:
    """Show a mean width, with a digit more than a difference has."""
    if math.isnan(width):
        return "undefined"
    shown = 100.0 * width if scale.in_points else width
    return f"{shown:.{scale.decimals + 1}f}{scale.unit}"


def _times(factor: float) -> str:
    return "undefined" if math.isnan(factor) else f"{factor:.2f} times"


def _readings(replays: Replays) -> Table:
    rows = tuple((code, _share(replays, share)) for code, share in replays.readings.items())
    return Table(title="Readings", columns=("", "share"), rows=rows, numeric=("share",))


def _how(result: Simulation, replays: Replays) -> Table:
    settings = replays.settings
    by = ", ".join(f"{name} {_share(replays, share)}" for name, share in replays.methods.items())
    rows = (
        ("replays", "none (exact)" if replays.n is None else f"{replays.n:,}, seed {result.seed}"),
        ("method", f"{settings.method} ({by})" if settings.method == "auto" else settings.method),
        ("companion test", replays.test),
        ("confidence level", level_text(settings.confidence_level)),
        ("resamples", f"{settings.n_resamples:,}" if replays.drawn else "none (exact)"),
    )
    return Table(title="How it was made", columns=("", "value"), rows=rows)
