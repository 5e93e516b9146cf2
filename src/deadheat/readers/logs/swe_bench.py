"""SWE-bench reports: lists of the instances that a run resolved, or one report an instance."""

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

TOOL = "SWE-bench"
VERSIONS = "reports of schema version 1 and 2, results of the experiments repository, report.json"
QUIRKS = (
    "A report lists ids by what became of them; an instance that is not among the resolved ones "
    "is not resolved, also without a patch, after an error or when it was not submitted.",
    "Results that list neither what was generated nor what was submitted name the resolved "
    "instances alone: the others are taken from the references or from the other systems.",
    "The system is the name of the file up to the run (MODEL.RUN.json), or else its folder.",
)

_LOOK = 1 << 20
_LISTS = re.compile(rb'"(resolved_ids|resolved)"\s*:\s*\[')
_MARKS = (
    rb'"(submitted_ids|empty_patch_ids|unresolved_ids|no_generation|no_logs|with_logs|completed_ids)"'
    rb"\s*:\s*\["
)
_OTHER_LISTS = re.compile(_MARKS)
_ONE = re.compile(rb'\s*\{\s*"[\w.-]+__[\w.-]+"\s*:\s*\{\s*"patch_is_None"\s*:')
_GENERIC = frozenset({"results", "report", "result"})
_FATES = {
    "resolved_ids": "resolved",
    "resolved": "resolved",
    "unresolved_ids": "unresolved",
    "empty_patch_ids": "empty patch",
    "error_ids": "error",
    "incomplete_ids": "not submitted",
    "completed_ids": "unresolved",
    "submitted_ids": "unresolved",
    "applied": "unresolved",
    "with_logs": "unresolved",
    "generated": "unresolved",
    "no_apply": "patch does not apply",
    "test_errored": "error",
    "test_timeout": "timeout",
    "install_fail": "error",
    "reset_failed": "error",
    "no_logs": "no logs",
    "no_generation": "no patch",
}
"""What became of the ids of a list; of an id in several lists, the first applies."""

_COMPLETE = ("submitted_ids", "generated", "with_logs", "applied", "completed_ids")
"""Lists one of which a file has that tells of every instance."""


class _Lists(msgspec.Struct):
    total_instances: int | None = None
    resolved_instances: int | None = None
    resolved_ids: list[str] | None = None
    resolved: list[str] | None = None
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


def recognises(path: str, head: bytes) -> bool:
    """Whether a document lists ids of instances by what became of them, or reports of one."""
    look = head[:_LOOK]
    if not look.lstrip().startswith(b"{"):
        return False
    if _ONE.match(look):
        return True
    return _LISTS.search(look) is not None and _OTHER_LISTS.search(look) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each instance.

    Raises
    ------
    FormatError
        If the document is not of a known shape, or lists no instance.
    """
    if _ONE.match(log.head):
        return _reports(log)
    lists = log.document(_Lists, "a report of SWE-bench")
    fates: dict[str, str] = {}
    for name, fate in _FATES.items():
        for item in getattr(lists, name) or ():
            fates.setdefault(item, fate)
    if not fates:
        raise FormatError("no instance is listed: 0 rows.", where=log.path)
    complete = any(getattr(lists, name) is not None for name in _COMPLETE)
    notes = [*_counted(log, lists, fates)]
    if complete:
        notes.extend(_failed(log, fates))
    return _table(log, _system(log), fates, unlisted=None if complete else 0.0, notes=notes)


def _reports(log: Log) -> Table:
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
    return _table(log, log.folder(2), fates, unlisted=None, notes=[])


def _table(
    log: Log, system: str, fates: dict[str, str], *, unlisted: float | None, notes: list[Note]
) -> Table:
    items = [*fates]
    return Table(
        columns={
            "instance_id": pl.Series(items, dtype=pl.String),
            "system": pl.repeat(system, len(items), dtype=pl.String, eager=True),
            "resolved": pl.Series([fates[item] == "resolved" for item in items]),
            "fate": pl.Series([fates[item] for item in items], dtype=pl.String),
        },
        height=len(items),
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


def _counted(log: Log, lists: _Lists, fates: dict[str, str]) -> list[Note]:
    """Hold the counts that the report states against its lists."""
    said = []
    resolved = sum(fate == "resolved" for fate in fates.values())
    if lists.resolved_instances is not None and lists.resolved_instances != resolved:
        said.append(f"{lists.resolved_instances:,} resolved instances, and lists {resolved:,}")
    if lists.total_instances is not None and lists.total_instances != len(fates):
        said.append(f"{lists.total_instances:,} instances, and lists {len(fates):,}")
    if not said:
        return []
    message = f"{log.path} states {'; '.join(said)}. The lists were used."
    return [Note(code="published_disagrees", message=message)]


def _failed(log: Log, fates: dict[str, str]) -> list[Note]:
    counts: dict[str, int] = {}
    for fate in fates.values():
        if fate not in ("resolved", "unresolved"):
            counts[fate] = counts.get(fate, 0) + 1
    if not counts:
        return []
    listed = ", ".join(f"{n:,} {fate}" for fate, n in counts.items())
    message = (
        f"{log.path}: instances that count as not resolved, as the benchmark counts them: {listed}."
    )
    return [Note(code="failed_as_wrong", message=message)]
