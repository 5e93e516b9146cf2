"""SWE-bench reports: lists of the instances that a run resolved, or one report an instance."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "SWE-bench"
VERSIONS = (
    "the layouts of schema versions 1 and 2, of the experiments repository and of report.json, by "
    "the source of 2026; no real file was tried"
)
QUIRKS = (
    "A report lists ids by what became of them; an instance that is not among the resolved ones "
    "is not resolved, also without a patch, after an error, after what looks like a failure of "
    "the infrastructure or when it was not submitted, as the benchmark counts it. A note counts "
    "them.",
    "Submitted ids that are none of the data set are left out, with a note.",
    "Results that do not list every instance name the resolved ones at least: the others are "
    "taken from the references or from the other systems.",
    "The system is the name of the file up to the run (MODEL.RUN.json), or else its folder; "
    "several reports of a model in a folder are its runs.",
    "The report.json of an instance is passed over where the report of its run lies above it.",
)

_LOOK = 1 << 20
_LISTS = re.compile(rb'"(resolved_ids|resolved)"\s*:\s*\[')
_OTHER_LISTS = re.compile(
    rb'"(submitted_ids|incomplete_ids|empty_patch_ids|unresolved_ids|no_generation|no_logs|with_logs'
    rb'|completed_ids)"\s*:\s*\['
)
_NOT_OURS = (b'"is_resolved"', b'"n_resolved"', b'"leaderboards"')
"""Fields of Terminal-Bench, which lists resolved ids beside its trials, and of boards."""

_INSTANCE = rb'\s*\{\s*"[\w.-]+__[\w.-]+"\s*:\s*\{\s*'
_REPORT = re.compile(_INSTANCE + rb'"patch_is_None"\s*:')
_DETAILS = re.compile(_INSTANCE + rb'[^{}]*"resolved"\s*:\s*(?:true|false|null)[^{}]*\}', re.DOTALL)
_GENERIC = frozenset({"results", "report", "result", "per_instance_details"})
_FATES = {
    "resolved_ids": "resolved",
    "resolved": "resolved",
    "infra_failure_ids": "infrastructure failure",
    "unresolved_ids": "unresolved",
    "empty_patch_ids": "empty patch",
    "error_ids": "error",
    "incomplete_ids": "not submitted",
    "completed_ids": "unresolved",
    "submitted_ids": "unresolved",
    "no_apply": "patch does not apply",
    "test_errored": "error",
    "test_timeout": "timeout",
    "install_fail": "error",
    "reset_failed": "error",
    "no_logs": "no logs",
    "no_generation": "no patch",
    "applied": "unresolved",
    "with_logs": "unresolved",
    "generated": "unresolved",
}
"""What became of the ids of a list; of an id in several lists, the first applies."""


class _Lists(msgspec.Struct):
    total_instances: int | None = None
    resolved_instances: int | None = None
    resolved_ids: list[str] | None = None
    resolved: list[str] | None = None
    infra_failure_ids: list[str] | None = None
    unresolved_ids: list[str] | None = None
    empty_patch_ids: list[str] | None = None
    error_ids: list[str] | None = None
    incomplete_ids: list[str] | None = None
    completed_ids: list[str] | None = None
    submitted_ids: list[str] | None = None
    applied: list[str] | None = None
    with_logs: list[str] | None = None
    generated: list[str] | None = None
    no_apply: list[str] | None = None
    test_errored: list[str] | None = None
    test_timeout: list[str] | None = None
    install_fail: list[str] | None = None
    reset_failed: list[str] | None = None
    no_logs: list[str] | None = None
    no_generation: list[str] | None = None


class _Instance(msgspec.Struct):
    resolved: bool | None = None
    patch_exists: bool | None = None
    patch_successfully_applied: bool | None = None


class _Details(msgspec.Struct):
    resolved: bool | None = None
    cost: float | None = None
    api_calls: float | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document lists ids of instances by what became of them, or reports of one."""
    look = head[:_LOOK]
    if not look.lstrip().startswith(b"{"):
        return False
    if _REPORT.match(look) or _DETAILS.match(look):
        return True
    return (
        _LISTS.search(look) is not None
        and _OTHER_LISTS.search(look) is not None
        and not any(mark in look for mark in _NOT_OURS)
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each instance.

    Raises
    ------
    FormatError
        If the document is not of a known shape, or lists no instance.
    NoAnswersError
        If it is the report of an instance, and that of its run lies above it.
    """
    if _REPORT.match(log.head):
        return _report(log)
    if _DETAILS.match(log.head):
        return _details(log)
    lists = log.document(_Lists, "a report of SWE-bench")
    fates: dict[str, str] = {}
    for name, fate in _FATES.items():
        for item in getattr(lists, name) or ():
            fates.setdefault(item, fate)
    notes = _foreign(log, lists, fates)
    if not fates:
        raise FormatError("no instance is listed: 0 rows.", where=log.path)
    complete = _lists_all(lists, fates)
    notes += _counted(log, lists, fates, complete=complete)
    if complete:
        notes += _failed(log, fates)
    scores = {item: fate == "resolved" for item, fate in fates.items()}
    return _table(
        log,
        _system(log),
        scores,
        {"fate": pl.Series([*fates.values()], dtype=pl.String)},
        unlisted=None if complete else 0.0,
        notes=notes,
    )


def _report(log: Log) -> Table:
    """Read the report of one instance, as the harness writes one into the folder of each."""
    parents = Path(os.path.abspath(log.path)).parents
    if len(parents) > 3:
        name = f"{parents[1].name}.{parents[2].name}.json"
        above = next((p / name for p in parents[3:7] if (p / name).is_file()), None)
        if above is not None:
            raise NoAnswersError(
                f"the report of its run, {name}, lies above it and lists every instance.",
                where=log.path,
                fix=f"Give {name}.",
            )
    found = log.document(dict[str, _Instance], "a report of one instance of SWE-bench")
    fates = {
        item: "resolved"
        if one.resolved
        else "unresolved"
        if one.patch_successfully_applied
        else "patch does not apply"
        if one.patch_exists
        else "no patch"
        for item, one in found.items()
    }
    scores = {item: fate == "resolved" for item, fate in fates.items()}
    columns = {"fate": pl.Series([*fates.values()], dtype=pl.String)}
    return _table(log, log.folder(2), scores, columns, unlisted=None, notes=())


def _details(log: Log) -> Table:
    """Read per_instance_details.json; an instance without an outcome has no score."""
    found = log.document(dict[str, _Details], "details of instances of SWE-bench")
    scores = {item: one.resolved for item, one in found.items()}
    columns = {
        "cost": pl.Series([one.cost for one in found.values()], dtype=pl.Float64),
        "api_calls": pl.Series([one.api_calls for one in found.values()], dtype=pl.Float64),
    }
    unscored = sum(score is None for score in scores.values())
    message = f"{log.path}: {unscored:,} instances have no outcome and no score."
    notes = (Note(code="unscored_samples", message=message),) if unscored else ()
    return _table(log, _system(log), scores, columns, unlisted=None, notes=notes)


def _table(
    log: Log,
    system: str,
    scores: Mapping[str, bool | None],
    columns: Mapping[str, pl.Series],
    *,
    unlisted: float | None,
    notes: Sequence[Note],
) -> Table:
    n = len(scores)
    return Table(
        columns={
            "instance_id": pl.Series([*scores], dtype=pl.String),
            "system": pl.repeat(system, n, dtype=pl.String, eager=True),
            "resolved": pl.Series([*scores.values()], dtype=pl.Boolean),
            **columns,
        },
        height=n,
        rows=Rows(word="instance"),
        source=log.source("swe_bench"),
        roles={"item": "instance_id", "system": "system"},
        scores=("resolved",),
        unlisted=unlisted,
        notes=tuple(notes),
    )


def _system(log: Log) -> str:
    name = Path(log.path).name.removesuffix(".json")
    if name in _GENERIC:
        folder = log.folder()
        return log.folder(2) if folder in _GENERIC else folder
    return name.rpartition(".")[0] or name


def _lists_all(lists: _Lists, fates: dict[str, str]) -> bool:
    """Whether a report tells of every instance of its data set."""
    if lists.incomplete_ids is not None:
        return True
    if lists.total_instances is not None:
        return len(fates) >= lists.total_instances
    return lists.generated is not None and lists.no_generation is not None


def _foreign(log: Log, lists: _Lists, fates: dict[str, str]) -> list[Note]:
    """Leave out ids that were submitted and are none of the data set."""
    if lists.incomplete_ids is None or lists.completed_ids is None:
        return []
    ours = {
        item for name in _FATES if name != "submitted_ids" for item in getattr(lists, name) or ()
    }
    foreign = [item for item in fates if item not in ours]
    if not foreign:
        return []
    for item in foreign:
        del fates[item]
    message = (
        f"{log.path}: {len(foreign):,} submitted ids are none of the data set and were left out, "
        f"such as {foreign[0]}."
    )
    return [Note(code="foreign_items", message=message)]


def _counted(log: Log, lists: _Lists, fates: dict[str, str], *, complete: bool) -> list[Note]:
    """Hold the counts that the report states against its lists."""
    said = []
    resolved = sum(fate == "resolved" for fate in fates.values())
    if lists.resolved_instances is not None and lists.resolved_instances != resolved:
        said.append(f"{lists.resolved_instances:,} resolved instances, and lists {resolved:,}")
    total = lists.total_instances
    if total is not None and total != len(fates) and (complete or total < len(fates)):
        said.append(f"{total:,} instances, and lists {len(fates):,}")
    if not said:
        return []
    message = f"{log.path} states {'; '.join(said)}. The lists were used."
    return [Note(code="published_disagrees", message=message)]


def _failed(log: Log, fates: dict[str, str]) -> list[Note]:
    counts = Counter(fate for fate in fates.values() if fate not in ("resolved", "unresolved"))
    if not counts:
        return []
    listed = ", ".join(f"{n:,} {fate}" for fate, n in counts.items())
    message = (
        f"{log.path}: instances that count as not resolved, as the benchmark counts them: {listed}."
    )
    return [Note(code="failed_as_wrong", message=message)]
