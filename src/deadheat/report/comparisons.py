"""Lay out two systems compared by several metrics."""

from __future__ import annotations

from deadheat.comparison import Comparison, Comparisons
from deadheat.report.comparison import account
from deadheat.report.pieces import DIRECTIONS, counted, level_text, notes_by_metric, notes_of
from deadheat.report.report import Report, Sentence, Table
from deadheat.scale import p_text


def layout(result: Comparisons) -> Report:
    """Lay out the readings one after the other, then a row a metric in each table."""
    first = result[0]
    found = result.comparisons
    shared = all(comparison.items == first.items for comparison in found)
    items = counted(first.items.n, "item") if shared else "items of each metric as said below"
    return Report(
        title=f"{first.candidate.system} minus {first.baseline.system}: "
        f"{counted(len(found), 'metric')}, {items}, {first.pairing}",
        blocks=(
            *(
                Sentence(
                    text=comparison.reading.text,
                    role="reading",
                    label=f"{comparison.metric}: {comparison.reading.code}",
                )
                for comparison in found
            ),
            _values(result),
            _differences(result),
            *_tests(result),
            *(
                account((comparison,) if not shared else found)
                for comparison in ((first,) if shared else found)
            ),
            *notes_of(result.notes),
            *notes_by_metric(found),
            *(Sentence(text=comparison.signature, role="signature") for comparison in found),
        ),
    )


def _values(result: Comparisons) -> Table:
    baseline, candidate = result[0].baseline.system, result[0].candidate.system
    level = f"{level_text(result[0].settings.confidence_level)} interval"
    rows = []
    for comparison in result:
        row = [comparison.metric, "greater" if comparison.greater_is_better else "lower"]
        for side in (comparison.baseline, comparison.candidate):
            row += [
                comparison.scale.value(side.value),
                comparison.scale.ends(side.interval, signed=False),
            ]
        rows.append(tuple(row))
    # Two columns may not have one name: the second interval is that of the candidate.
    columns = ("metric", "better", baseline, level, candidate, f"{level} ")
    return Table(title="Systems", columns=columns, rows=tuple(rows), numeric=columns[2:])


def _differences(result: Comparisons) -> Table:
    level = f"{level_text(result[0].difference.interval.confidence_level)} interval"
    rows = tuple(
        (
            comparison.metric,
            comparison.scale.difference(comparison.difference.estimate),
            comparison.scale.interval(comparison.difference.interval),
            comparison.difference.interval.method,
            _p_value(comparison),
            comparison.reading.code,
        )
        for comparison in result
    )
    return Table(
        title="Difference, candidate - baseline",
        columns=("metric", "estimate", level, "method", "p-value dual to it", "reading"),
        rows=rows,
        numeric=("estimate", level, "p-value dual to it"),
    )


def _p_value(comparison: Comparison) -> str:
    found = comparison.difference
    return p_text(found.p_value, found.p_value_bound, found.p_value_error)


def _tests(result: Comparisons) -> tuple[Table, ...]:
    rows = tuple(
        (
            comparison.metric,
            test.name,
            test.variant,
            DIRECTIONS[test.alternative],
            p_text(test.p_value, test.p_value_bound, test.monte_carlo_error),
        )
        for comparison in result
        for test in comparison.difference.tests
    )
    if not rows:
        return ()
    return (
        Table(
            title="Tests (the first of a metric is the companion of its reading)",
            columns=("metric", "test", "variant", "alternative", "p-value"),
            rows=rows,
            numeric=("p-value",),
        ),
    )
