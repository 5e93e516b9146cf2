"""Lay out a check of a benchmark."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from deadheat.benchmark.findings import SEVERITIES, Finding
from deadheat.benchmark.item_parts import Estimate
from deadheat.benchmark.result import Benchmark
from deadheat.report.pieces import counted, level_text, notes_of, unit_text
from deadheat.report.report import Report, Sentence, Table

MOST_ROWS = 60
"""Systems that a table lists; JSON has them all."""

MOST_NAMES = 6
"""Items of a group of duplicates that are named."""


def layout(result: Benchmark) -> Report:
    """Lay out a check: the findings, the systems, what is listed of items, account, notes."""
    better = "greater" if result.greater_is_better else "lower"
    systems = sum(not system.trivial for system in result.systems)
    tables = (
        _systems(result),
        _baselines(result),
        _suspects(result),
        _upsets(result),
        _groups(result),
        _overlapping(result),
        _account(result),
    )
    return Report(
        title=f"Check of {counted(result.items.n, 'item')} by {counted(systems, 'system')}: "
        f"{result.metric} ({better} is better)",
        blocks=(
            Sentence(text=_summary(result), role="reading", label="findings"),
            *(_finding(one) for one in result.findings if one.severity != "ok"),
            *_fine([one for one in result.findings if one.severity == "ok"]),
            *(table for table in tables if table is not None),
            *notes_of(result.notes),
            Sentence(text=result.signature, role="signature"),
        ),
    )


_PLURALS = {"problem": "problems", "warning": "warnings", "notice": "notices"}


def _summary(result: Benchmark) -> str:
    """Count the findings."""
    counts = Counter(finding.severity for finding in result.findings)
    parts = [
        f"{counts[severity]} {severity if counts[severity] == 1 else _PLURALS[severity]}"
        for severity in SEVERITIES
        if severity != "ok"
    ]
    return f"{', '.join(parts)}; {counts['ok']} of {len(result.findings)} are as they should be."


def _finding(finding: Finding) -> Sentence:
    parts = [f"Why it matters: {finding.why}"]
    if finding.action:
        parts.append(f"What to do: {finding.action}")
    return Sentence(
        text=finding.found,
        label=f"{finding.severity}, {finding.code.replace('_', ' ')}",
        parts=tuple(parts),
    )


def _fine(findings: Sequence[Finding]) -> tuple[Sentence, ...]:
    """Lay out what is as it should be, a line each."""
    if not findings:
        return ()
    lines = (f"{one.code.replace('_', ' ')}: {one.found}" for one in findings)
    return (Sentence(text="", label="ok", parts=tuple(lines)),)


def _systems(result: Benchmark) -> Table:
    scale = result.scale
    level = f"{level_text(result.settings.confidence_level)} interval"
    nulls = any(system.unparseable for system in result.systems)
    trivial = any(system.trivial for system in result.systems)
    shown = result.systems[:MOST_ROWS]
    rows = [
        (
            system.system,
            scale.value(system.value),
            scale.ends(system.interval, signed=False),
            *((f"{system.unparseable:,}" if system.unparseable else "",) if nulls else ()),
            *(("trivial" if system.trivial else "",) if trivial else ()),
        )
        for system in shown
    ]
    columns = (
        "system",
        result.metric,
        level,
        *(("null outputs",) if nulls else ()),
        *(("",) if trivial else ()),
    )
    if left := len(result.systems) - len(shown):
        rows.append((f"and {left:,} more (JSON has all)", *("" for _ in columns[1:])))
    return Table(
        title="Systems",
        columns=columns,
        rows=tuple(rows),
        numeric=(result.metric, level, "null outputs"),
    )


def _baselines(result: Benchmark) -> Table | None:
    if result.baselines is None:
        return None
    return Table(
        title="Baselines",
        columns=("baseline", "which", result.metric),
        rows=tuple(
            (row.kind, row.name, result.scale.value(row.value)) for row in result.baselines.rows
        ),
        numeric=(result.metric,),
    )


def _suspects(result: Benchmark) -> Table | None:
    part = result.discrimination
    if part is None or not part.suspects:
        return None
    counts = part.suspects[0].n_right is not None
    head = f"solved by, of {part.n_systems:,}" if counts else "mean score"
    return Table(
        title=f"Suspects ({len(part.suspects):,} of {part.negative:,})",
        columns=("item", head, "r with the total", "r with the rest"),
        rows=tuple(
            (
                row.item,
                f"{row.n_right:,}" if row.n_right is not None else f"{row.difficulty:.3f}",
                _number(row.r_total),
                _number(row.r_rest),
            )
            for row in part.suspects
        ),
        numeric=(head, "r with the total", "r with the rest"),
    )


def _upsets(result: Benchmark) -> Table | None:
    part = result.upsets
    if part is None or not part.items:
        return None
    head = f"solved by, of the {len(part.weak):,} weakest"
    return Table(
        title=f"Upsets ({len(part.items):,} of {part.n:,})",
        columns=("item", head),
        rows=tuple((row.item, f"{row.n_weak:,}") for row in part.items),
        numeric=(head,),
    )


def _groups(result: Benchmark) -> Table | None:
    part = result.duplicates
    if part is None or not part.groups:
        return None
    n = part.exact_groups if part.near_groups is None else part.near_groups
    return Table(
        title=f"Duplicates ({len(part.groups):,} of {n:,} groups)",
        columns=("items of one text, or nearly",),
        rows=tuple((", ".join(_cut(group)),) for group in part.groups),
    )


def _cut(names: tuple[str, ...]) -> tuple[str, ...]:
    return names if len(names) <= MOST_NAMES else (*names[:MOST_NAMES], "...")


def _overlapping(result: Benchmark) -> Table | None:
    part = result.overlap
    if part is None or not part.systems:
        return None
    return Table(
        title="Overlap with training",
        columns=("system", "items in the file", "other items"),
        rows=tuple(
            (
                row.system,
                result.scale.value(row.overlapping),
                result.scale.value(row.rest),
            )
            for row in part.systems[:MOST_ROWS]
        ),
        numeric=("items in the file", "other items"),
    )


def _account(result: Benchmark) -> Table:
    options, settings, part = result.recipe.options, result.settings, result.reliability
    dropped = "; ".join(f"{n:,} {why}" for why, n in result.items.dropped) or "none"
    rows = [
        ("metric", result.metric_signature),
        ("unit of resampling", unit_text(result.unit, result.unit.n)),
        ("resamples", f"{settings.n_resamples:,}, seed {settings.seed}"),
        ("dropped", dropped),
        ("missing items or scores", str(options["missing"])),
        ("null outputs", str(options["unparseable"])),
        ("rows", result.items.hash),
    ]
    if part is not None:
        rows[3:3] = [
            ("alpha", _estimate(part.alpha)),
            ("split halves, stepped up", _estimate(part.split_half)),
            ("Kendall's tau of halves", _estimate(part.kendall)),
            ("random halves", f"{part.n_splits:,}"),
        ]
    return Table(title="How it was made", columns=("", "value"), rows=tuple(rows))


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"


def _estimate(estimate: Estimate) -> str:
    text = "undefined" if math.isnan(estimate.value) else f"{estimate.value:.3f}"
    if math.isnan(estimate.low):
        return text
    return f"{text} [{estimate.low:.3f}, {estimate.high:.3f}] over resampled systems"
