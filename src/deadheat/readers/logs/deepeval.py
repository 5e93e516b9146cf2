"""DeepEval: a test run, with the metrics of each test case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "DeepEval"
VERSIONS = "test runs of 1.x to 3.x, in camelCase and in snake_case"
QUIRKS = (
    "A metric is a score column; success says whether all metrics passed their thresholds and "
    "comes first.",
    "Names such as test_case_0 say the order and no item: the item is then the input of the test "
    "case, where inputs differ.",
    "A metric whose judge failed has no score; success of such a case is missing too.",
)

_CASES = re.compile(rb'"(testCases|test_results|testResults)"\s*:\s*\[')
_METRICS = re.compile(rb'"(metricsData|metrics_data)"\s*:')
_NUMBERED = re.compile(r"(conversational_)?test_case_\d+$")
_LOOK = 1 << 18


class _Metric(msgspec.Struct, rename={"metric": "name"}):
    metric: str
    score: float | None = None
    success: bool | None = None
    error: str | None = None


class _Case(msgspec.Struct):
    name: str | None = None
    input: str | None = None
    success: bool | None = None
    metricsData: list[_Metric] | None = None  # noqa: N815 - as on disk
    metrics_data: list[_Metric] | None = None


class _Run(msgspec.Struct):
    testCases: list[_Case] | None = None  # noqa: N815
    testResults: list[_Case] | None = None  # noqa: N815
    test_results: list[_Case] | None = None
    hyperparameters: dict[str, str | float | int | bool | None] | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has test cases with data of metrics."""
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"{")
        and _CASES.search(look) is not None
        and _METRICS.search(look) is not None
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each test case.

    Raises
    ------
    FormatError
        If there is no test case.
    """
    run = log.document(_Run, "a test run of DeepEval")
    cases = run.testCases or run.testResults or run.test_results or []
    if not cases:
        raise FormatError("there are no test cases: 0 rows.", where=log.path)
    stated = run.hyperparameters or {}
    system = str(stated.get("model") or Path(log.path).stem)
    metrics = [{m.metric: m for m in case.metricsData or case.metrics_data or []} for case in cases]
    names = [*dict.fromkeys(name for found in metrics for name in found)]
    broken = [any(m.score is None for m in found.values()) for found in metrics]
    success = [None if failed else case.success for case, failed in zip(cases, broken, strict=True)]
    columns = {
        "item": _items(cases),
        "system": pl.repeat(system, len(cases), dtype=pl.String, eager=True),
        "success": pl.Series(success, dtype=pl.Boolean),
    }
    for name in names:
        values = [found[name].score if name in found else None for found in metrics]
        columns[name] = pl.Series(name, values, dtype=pl.Float64)
    notes: tuple[Note, ...] = ()
    if any(broken):
        message = f"{log.path}: {sum(broken):,} test cases have a metric whose judge failed."
        notes = (Note(code="unscored_samples", message=message),)
    return Table(
        columns=columns,
        height=len(cases),
        rows=Rows(word="test case"),
        source=log.source("deepeval"),
        roles={"item": "item", "system": "system"},
        scores=("success", *names),
        about={"": {key: str(value) for key, value in stated.items() if value is not None}},
        notes=notes,
    )


def _items(cases: Sequence[_Case]) -> pl.Series:
    """Return names where they are names, else inputs where these differ, else the order."""
    names = [case.name for case in cases]
    named = all(name and not _NUMBERED.match(name) for name in names)
    if named and len(set(names)) == len(names):
        return pl.Series(names, dtype=pl.String)
    inputs = [case.input for case in cases]
    if all(text is not None for text in inputs) and len(set(inputs)) == len(inputs):
        return pl.Series(inputs, dtype=pl.String)
    return pl.Series([name or str(at) for at, name in enumerate(names)], dtype=pl.String)
