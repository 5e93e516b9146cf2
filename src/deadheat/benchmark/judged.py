"""All findings of a check, the worst first."""

from __future__ import annotations

import math

from deadheat.benchmark import findings, item_findings, separation_findings
from deadheat.benchmark.findings import SEVERITIES, Finding
from deadheat.benchmark.item_checks import ENOUGH
from deadheat.benchmark.result import Benchmark


def judged(result: Benchmark) -> tuple[Finding, ...]:
    """Judge the numbers of a check.

    Parameters
    ----------
    result : Benchmark
        With every part, not yet judged.
    """
    made = [finding for finding in (*_of_systems(result), *_of_items(result)) if finding]
    return tuple(sorted(made, key=lambda finding: SEVERITIES.index(finding.severity)))


def _of_systems(result: Benchmark) -> list[Finding | None]:
    scale, settings = result.scale, result.settings
    level = f"{100.0 * settings.confidence_level:.10g}%"
    unknown = [one.system for one in result.systems if not one.trivial and not one.interval.defined]
    made: list[Finding | None] = []
    if result.ceiling is not None:
        made.append(findings.of_ceiling(result.ceiling, scale, settings.alpha))
        made.append(findings.of_headroom(result.ceiling, scale))
    if result.baselines is not None:
        made.append(findings.of_baselines(result.baselines, scale, unknown))
    else:
        made.append(findings.no_baseline())
    if result.spread is not None:
        made.append(separation_findings.of_spread(result.spread, scale))
        made.append(separation_findings.of_order(result.spread, level))
        if result.resolution is not None:
            made.append(separation_findings.of_resolution(result.resolution, result.spread, scale))
        elif not math.isnan(result.spread.ratio):
            made.append(separation_findings.no_resolution())
    if result.label_noise is not None:
        best = result.systems[0].system
        made.append(findings.of_label_noise(result.label_noise, best, scale, unknown))
    made.append(
        separation_findings.of_clusters(result.items.n, result.unit.n, result.design_effect)
    )
    return made


def _of_items(result: Benchmark) -> list[Finding | None]:
    n = sum(not system.trivial for system in result.systems)
    solved = result.table is not None and not result.table["n_right"].null_count()
    made = [
        item_findings.of_items(result.items, solved=solved),
        item_findings.of_unsolved(result.items, solved=solved),
    ]
    if result.discrimination is not None:
        made.append(item_findings.of_discrimination(result.discrimination))
    elif n < ENOUGH and result.table is not None:
        made.append(item_findings.of_few_systems(n))
    if result.upsets is not None:
        made.append(item_findings.of_upsets(result.upsets))
    if result.reliability is not None:
        made.append(item_findings.of_reliability(result.reliability))
    if result.duplicates is not None:
        made.append(item_findings.of_duplicates(result.duplicates))
        made.append(item_findings.of_conflicts(result.duplicates))
    if result.overlap is not None:
        n_empty = 0 if result.duplicates is None else result.duplicates.n_empty
        made.append(item_findings.of_overlap(result.overlap, n_empty))
    return made
