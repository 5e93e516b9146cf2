"""Lay out a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.comparison import Comparison
from deadheat.report.pieces import (
    counted,
    effect_text,
    error_text,
    level_text,
    split_notes,
    tests_table,
    unit_text,
)
from deadheat.report.report import Report, Sentence, Table
from deadheat.scale import p_text


def layout(result: Comparison) -> Report:
    """Lay out a comparison: reading, values, difference, counts, tests, account, notes."""
    first, others = split_notes(result.notes)
    blocks: list[Sentence | Table] = [
        *first,
        Sentence(text=result.reading.text, role="reading", label=result.reading.code),
        values_table(result),
        difference_table(result),
    ]
    if result.difference.counts is not None:
        blocks.append(counts_table(result))
    if result.difference.tests:
        blocks.append(tests_table(result.difference.tests))
    blocks.append(account((result,)))
    blocks.extend(others)
    blocks.append(Sentence(text=result.signature, role="signature"))
    better = "greater" if result.greater_is_better else "lower"
    return Report(
        title=f"{result.candidate.system} minus {result.baseline.system}: {result.metric} "
        f"({better} is better), {counted(result.items.n, 'item')}, {result.pairing}",
        blocks=tuple(blocks),
    )


def values_table(result: Comparison) -> Table:
    """Lay out the value of each side."""
    scale = result.scale
    rows = tuple(
        (
            role,
            side.system,
            scale.value(side.value),
            scale.ends(side.interval, signed=False),
            side.interval.method,
        )
        for role, side in (("baseline", result.baseline), ("candidate", result.candidate))
    )
    level = level_text(result.settings.confidence_level)
    return Table(
        title="Systems",
        columns=("", "system", result.metric, f"{level} interval", "method"),
        rows=rows,
        numeric=(result.metric, f"{level} interval"),
    )


def difference_table(result: Comparison) -> Table:
    """Lay out the difference, its interval and what goes with them."""
    scale, found = result.scale, result.difference
    interval = found.interval
    level = level_text(interval.confidence_level)
    items = ""
    if found.counts is not None:
        gain = found.counts.only_candidate - found.counts.only_baseline
        items = f" ({'+' if gain > 0 else ''}{counted(gain, 'item')})"
    error = scale.size(found.standard_error) if math.isfinite(found.standard_error) else "undefined"
    rows = [
        ("estimate", f"{scale.difference(found.estimate)}{items}"),
        (f"{level} interval", f"{scale.interval(interval)}"),
        ("method", f"{interval.method}{error_text(interval, scale)}"),
        (
            "p-value dual to it",
            p_text(found.p_value, found.p_value_bound, found.p_value_error),
        ),
        ("standard error", error),
    ]
    rows.extend(_runs(result))
    if found.margin_interval is not None and result.settings.margin is not None:
        inner = found.margin_interval
        rows.append(
            (
                f"{level_text(inner.confidence_level)} interval against the margin",
                f"{scale.interval(inner)}, margin {scale.size(result.settings.margin)}",
            )
        )
    if math.isfinite(found.detectable):
        rows.append(
            (
                f"smallest gap these items{'' if found.runs is None else ' and runs'} resolve",
                f"{scale.size(found.detectable)} (80% power, "
                f"{'two' if result.settings.alternative == 'two-sided' else 'one'}-sided "
                f"{100.0 * result.settings.alpha:g}%)",
            )
        )
    return Table(title="Difference, candidate - baseline", columns=("", "value"), rows=tuple(rows))


def _runs(result: Comparison) -> list[tuple[str, str]]:
    """Lay out what the variance of the difference is due to, where runs are a sample."""
    over = result.difference.runs
    if over is None or not result.difference.interval.defined:
        return []
    names = {"item": "items", "run": "runs", "residual": "what is left"}
    shares = ", ".join(f"{names[name]} {share:.0%}" for name, share in over.mean.shares.items())
    df = [("degrees of freedom", f"{over.mean.df:.1f}")]
    return [
        *(df if result.difference.interval.method == "components" else ()),
        ("its variance is due to", shares),
        ("standard error if only items varied", result.scale.size(over.mean.error_of_these_runs)),
    ]


def _claim(result: Comparison) -> list[tuple[str, str]]:
    """Say what a claim about other runs is about."""
    over = result.difference.runs
    if over is None:
        return []
    counts = " and ".join(str(len(system.values)) for system in over.systems)
    return [("runs", f"random ({counts}): the claim is about new runs of these recipes")]


def counts_table(result: Comparison) -> Table:
    """Lay out how often the two were right on the same items."""
    counts = result.difference.counts
    assert counts is not None
    return Table(
        title="Agreement, in items",
        columns=("", "candidate right", "candidate wrong"),
        rows=(
            ("baseline right", f"{counts.both:,}", f"{counts.only_baseline:,}"),
            ("baseline wrong", f"{counts.only_candidate:,}", f"{counts.neither:,}"),
        ),
        numeric=("candidate right", "candidate wrong"),
    )


def account(results: Sequence[Comparison]) -> Table:
    """Lay out how comparisons of the same rows were made."""
    result = results[0]
    items, settings, options = result.items, result.settings, result.recipe.options
    draws = {
        one.metric: f"{settings.n_resamples:,}, seed {settings.seed}"
        if one.drawn
        else "none (exact)"
        for one in results
    }
    alike = len(set(draws.values())) == 1
    dropped = "; ".join(f"{n:,} {why}" for why, n in items.dropped) or "none"
    unparseable = ", ".join(
        f"{side.unparseable:,} of {side.system}" for side in (result.baseline, result.candidate)
    )
    rows = [
        *(("metric", one.metric_signature) for one in results),
        ("unit of resampling", _unit(result)),
        *_claim(result),
        ("pairing", result.pairing),
        *(
            ("resamples" if alike else f"resamples of {name}", text)
            for name, text in (list(draws.items())[:1] if alike else draws.items())
        ),
        (
            "items",
            f"{items.matched:,} matched, {items.only_baseline:,} only in the baseline, "
            f"{items.only_candidate:,} only in the candidate, {items.duplicated:,} duplicated",
        ),
        ("dropped", dropped),
        ("missing items or scores", options["missing"]),
        ("null outputs", f"{options['unparseable']} ({unparseable})"),
        ("rows", items.hash),
        ("comparisons", f"{result.n_comparisons}, no correction"),
    ]
    for side in (result.baseline, result.candidate):
        if side.about:
            stated = ", ".join(f"{name} {value}" for name, value in side.about.items())
            rows.append((f"about {side.system}", stated))
    title = "How it was made"
    if len(results) < result.n_comparisons:
        title += f" ({result.metric})"
    return Table(title=title, columns=("", "value"), rows=tuple(rows))


def _unit(result: Comparison) -> str:
    unit = result.units[0]
    n = sum(unit.n for unit in result.units)
    effect = result.difference.design_effect
    return unit_text(
        unit, n, "" if unit.kind == "item" else f", design effect {effect_text(effect)}"
    )
