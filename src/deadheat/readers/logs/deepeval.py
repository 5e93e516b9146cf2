"""DeepEval: a test run, with the metrics of each test case."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import (
    constant,
    fingerprint,
    label,
    scores,
    stated,
    texts,
    told_apart,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "DeepEval"

VERSIONS = "test runs of 1.x to 4.x, in camelCase and in snake_case"

QUIRKS = (
    "success says whether all metrics passed their thresholds, and is the score used; every "
    "metric is a score of its own. Two metrics of one name are NAME and NAME (2).",
    "A metric whose judge failed is missing, and so is the success of its test case, unless the "
    "metric is marked as flaky, which never decides. DeepEval counts it as failed.",
    "Names such as test_case_0 say the order and no item: the item is then the input of the test "
    "case where inputs differ, and else its place in the order.",
    "A hash of the input, or of the scenario of a conversation, is compared between systems.",
    "The system is the hyperparameter model where it was logged, and else the file.",
    "Conversations stand in a list of their own and are read as test cases are.",
)

_CASES = re.compile(
    rb'"(?:testCases|conversationalTestCases|test_results|testResults|test_cases)"\s*:\s*\['
)
_METRICS = (b'"metricsData"', b'"metrics_data"')
_NUMBERED = re.compile(r"(conversational_)?test_case_\d+$")
_LOOK = 1 << 20


class _Metric(msgspec.Struct):
    name: str = ""
    metric: str = ""
    score: float | None = None
    success: bool | None = None
    error: str | None = None
    flaky: bool = False

    @property
    def failed(self) -> bool:
        """Whether the judge gave no score."""
        return self.score is None or bool(self.error)


class _Case(msgspec.Struct):
    name: str | None = None
    input: Any = None
    scenario: str | None = None
    success: bool | None = None
    metricsData: list[_Metric] | None = None  # noqa: N815 - as on disk
    metrics_data: list[_Metric] | None = None

    @property
    def asked(self) -> object:
        return self.scenario if self.input is None else self.input

    @property
    def metrics(self) -> dict[str, _Metric]:
        listed = self.metricsData or self.metrics_data or []
        names = told_apart(one.name or one.metric for one in listed)
        return dict(zip(names, listed, strict=True))


class _Scores(msgspec.Struct):
    metric: str = ""
    scores: list[float | None] = []


class _Run(msgspec.Struct):
    testCases: list[_Case] = []  # noqa: N815
    conversationalTestCases: list[_Case] = []  # noqa: N815
    testResults: list[_Case] = []  # noqa: N815
    test_results: list[_Case] = []
    test_cases: list[_Case] = []
    conversational_test_cases: list[_Case] = []
    metricsScores: list[_Scores] = []  # noqa: N815
    hyperparameters: dict[str, Any] | None = None
    testFile: str | None = None  # noqa: N815
    datasetAlias: str | None = None  # noqa: N815
    datasetVersion: str | None = None  # noqa: N815
    identifier: str | None = None

    @property
    def cases(self) -> list[_Case]:
        return [
            *self.testCases,
            *self.conversationalTestCases,
            *self.testResults,
            *self.test_results,
            *self.test_cases,
            *self.conversational_test_cases,
        ]


class _Latest(_Run):
    testRunData: _Run | None = None  # noqa: N815


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has test cases with data of metrics."""
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"{")
        and any(mark in look for mark in _METRICS)
        and _CASES.search(look) is not None
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each test case.

    Raises
    ------
    NoAnswersError
        If there is no test case, or none names a metric.
    """
    found = log.document(_Latest, "a test run of DeepEval")
    run = found.testRunData or found
    cases = run.cases
    metrics = [case.metrics for case in cases]
    names = [*dict.fromkeys(name for one in metrics for name in one)]
    columns = {name: scores(name, _scores_of(name, metrics)) for name in names}
    if not columns:
        what = f"none of the {len(cases):,} test cases names" if cases else "there are 0, without"
        raise NoAnswersError(
            f"there are no scores of test cases: {what} a metric.",
            where=log.path,
            fix="Check that the metrics ran.",
        )
    undecided = [any(m.failed and not m.flaky for m in one.values()) for one in metrics]
    success = [None if u else case.success for u, case in zip(undecided, cases, strict=True)]
    hyperparameters = run.hyperparameters or {}
    system = next((str(v) for k, v in hyperparameters.items() if k.casefold() == "model"), None)
    identity = {
        "item": _items(cases, log.path),
        "hash": texts(_hash(case, log.path) for case in cases),
    }
    if system is not None:
        identity["system"] = constant(system, len(cases))
    roles = {role: role for role in identity if identity[role].null_count() < len(cases)}
    columns = {"success": scores("success", success), **_renamed(columns, (*identity, "success"))}
    everything = {**identity, **columns}
    failed = sum(map(any, [[m.failed for m in one.values()] for one in metrics]))
    return Table(
        columns=everything,
        height=len(cases),
        rows=Rows(word="test case"),
        source=log.source("deepeval"),
        roles=roles,
        scores=tuple(columns),
        about={"": _about(run)},
        notes=(
            *_by_order(log, identity["item"], cases),
            *disagreements(log.path, everything, roles, _published(run)),
            *unscored(log.path, failed, "test cases have a metric whose judge failed"),
        ),
    )


def _scores_of(name: str, metrics: Sequence[Mapping[str, _Metric]]) -> list[float | None]:
    """Return the score that a metric gave each test case; None where its judge failed."""
    found = (one.get(name) for one in metrics)
    return [None if metric is None or metric.failed else metric.score for metric in found]


def _renamed(columns: Mapping[str, pl.Series], taken: Sequence[str]) -> dict[str, pl.Series]:
    """Tell metrics apart from other columns of their names."""
    return {f"metric {k}" if k in taken else k: values for k, values in columns.items()}


def _items(cases: Sequence[_Case], path: str) -> pl.Series:
    """Return names where they are names, else inputs where these differ, else the order."""
    names = [case.name for case in cases]
    asked = [case.asked for case in cases]
    named = all(name and not _NUMBERED.match(name) for name in names)
    if named and (len(set(names)) == len(names) or not _differ(asked)):
        return texts(names)
    if _differ(asked):
        return texts(label(text, path) for text in asked)
    return texts(name or f"test_case_{at}" for at, name in enumerate(names))


def _differ(asked: Sequence[object]) -> bool:
    """Whether everything was asked something else, as text."""
    return all(isinstance(text, str) for text in asked) and len(set(asked)) == len(asked)


def _by_order(log: Log, items: pl.Series, cases: Sequence[_Case]) -> tuple[Note, ...]:
    numbered = [item for item in items if _NUMBERED.match(item)]
    if len(numbered) < len(cases):
        return ()
    message = (
        f"{log.path} names its test cases by their order alone, and inputs do not tell them apart: "
        "they are paired by order."
    )
    return (Note(code="paired_by_order", message=message),)


def _hash(case: _Case, path: str) -> str | None:
    return None if case.asked is None else fingerprint(case.asked, path)


def _about(run: _Run) -> dict[str, str]:
    known = stated(
        test_file=run.testFile,
        task_version=run.datasetVersion,
        dataset=run.datasetAlias,
        identifier=run.identifier,
    )
    return {**known, **stated(**(run.hyperparameters or {}))}


def _published(run: _Run) -> list[Published]:
    found = []
    for stated_ in run.metricsScores:
        values = [value for value in stated_.scores if value is not None]
        if values:
            mean = sum(values) / len(values)
            found.append(Published(score=stated_.metric, value=mean, exact=True))
    return found
