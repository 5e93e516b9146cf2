"""Lay out what an input holds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby

from deadheat.inspecting import InspectedFile, InspectedSystem, Inspection
from deadheat.report.pieces import counted, notes_of
from deadheat.report.report import Report, Sentence, Table

MOST = 40
"""Files, or systems, that are listed one by one."""

_SAID = frozenset({"folder", "files_skipped", "other_scores"})
"""Codes of notes that the tables and commands make needless."""

_ELSEWHERE = frozenset({"model", "score"})
"""What is known of a system that stands elsewhere in the report."""


def layout(result: Inspection) -> Report:
    """Lay out an inspection: files, systems, what can be run, what cannot and why, notes."""
    used = [file for file in result.files if not file.problem]
    folder = _folder([file.path for file in result.files])
    logs = [file for file in used if file.rows]
    blocks: list[Sentence | Table] = [_files(logs, folder)] if logs else []
    if beside := [_inside(file.path, folder) for file in used if not file.rows]:
        blocks.append(Sentence(text=_named(tuple(beside)), label="read with the logs beside them"))
    blocks.extend(_problems([file for file in result.files if file.problem], folder))
    if result.systems:
        blocks.append(_systems(result))
    blocks.extend(_about(result.systems))
    # Each on a line of its own, so that it can be copied.
    blocks.extend(
        Sentence(text=one.command, role="signature", label=one.shows) for one in result.possible
    )
    blocks.extend(
        Sentence(text=one.why, role="reading", label=f"cannot be compared, {one.what}")
        for one in result.impossible
    )
    blocks.extend(notes_of(note for note in result.notes if note.code not in _SAID))
    names = {one.system for one in result.systems}
    return Report(
        title=f"{counted(len(result.files), 'file')}, {len(used):,} of them to read, "
        f"{counted(len(names), 'system')}",
        blocks=tuple(blocks),
    )


def _files(files: Sequence[InspectedFile], folder: str) -> Table:
    if len(files) <= MOST:
        rows = [_row(_inside(file.path, folder), [file]) for file in files]
    else:
        rows = list(_folded(files, folder))
    tasks = any(row[3] for row in rows)
    runs = any(row[5] not in ("", "1") for row in rows)
    scores = any(row[6] for row in rows)
    shown = [True, True, True, tasks, True, runs, scores]
    columns = ("file", "what it is", "systems", "tasks", "rows", "runs", "scores")
    return Table(
        title=f"Files in {folder}" if folder else "Files",
        columns=tuple(name for name, show in zip(columns, shown, strict=True) if show),
        rows=tuple(
            tuple(cell for cell, show in zip(row, shown, strict=True) if show) for row in rows
        ),
        numeric=("rows", "runs"),
    )


def _row(name: str, files: Sequence[InspectedFile]) -> tuple[str, ...]:
    """Describe a file, or several of one system by one tool."""
    first = files[0]
    tasks = tuple(dict.fromkeys(task for file in files for task in file.tasks))
    return (
        name,
        first.tool,
        _named(first.systems),
        _named(tasks),
        f"{sum(file.rows for file in files):,}",
        f"{max(file.runs for file in files):,}",
        _named(first.scores),
    )


def _folded(files: Sequence[InspectedFile], folder: str) -> Iterator[tuple[str, ...]]:
    """Put many files together by tool, systems and scores."""

    def key(file: InspectedFile) -> tuple[object, ...]:
        return file.tool, file.systems, file.scores

    order = {k: at for at, k in reversed([*enumerate(map(key, files))])}
    groups = [[*group] for _, group in groupby(sorted(files, key=lambda f: order[key(f)]), key)]
    for group in groups[:MOST]:
        name = _inside(group[0].path, folder)
        yield _row(f"{name} and {len(group) - 1:,} more" if len(group) > 1 else name, group)
    if len(groups) > MOST:
        yield (f"and {counted(len(groups) - MOST, 'more group')} of files", *[""] * 6)


def _problems(files: Sequence[InspectedFile], folder: str) -> Iterator[Sentence]:
    """Say which files are not used, and why: those of one reason together."""
    by_reason: dict[str, list[InspectedFile]] = {}
    for file in files:
        said = all(repr(column) in file.problem for column in file.columns)
        columns = "" if said else f", columns {_named(tuple(map(repr, file.columns)), 12)}"
        reason = f"{file.tool}{columns}: {file.problem}".removeprefix(": ")
        by_reason.setdefault(reason, []).append(file)
    for reason, same in [*by_reason.items()][:MOST]:
        names = _named(tuple(_inside(file.path, folder) for file in same))
        yield Sentence(text=f"{names} ({reason})", label="not used")
    if len(by_reason) > MOST:
        yield Sentence(text=counted(len(by_reason) - MOST, "more reason"), label="not used")


def _folder(paths: Sequence[str]) -> str:
    """Return the folder that several files have in common, if it has a name."""
    if len(paths) < 2:
        return ""
    return os.path.commonpath([os.path.dirname(path) or "." for path in paths]).removeprefix(".")


def _inside(path: str, folder: str) -> str:
    return os.path.relpath(path, folder) if folder else os.path.normpath(path)


def _systems(result: Inspection) -> Table:
    of_all = (
        "" if result.matched is None else f" ({counted(result.matched, 'item')} in all of them)"
    )
    apart = any(one.file for one in result.systems)
    clusters = any(one.clusters for one in result.systems)
    columns = ["system", *(["file"] if apart else []), "items", "runs"]
    duplicated = any(one.duplicated for one in result.systems)
    columns += ["duplicates"] if duplicated else []
    columns += [*(["clusters"] if clusters else []), "without a score", "holds"]
    folder = _folder([one.file for one in result.systems if one.file])
    rows = []
    for one in result.systems[:MOST]:
        row = [one.system]
        if apart:
            row.append(_inside(one.file, folder))
        row += [f"{one.items:,}", f"{one.runs:,}"]
        row += [f"{one.duplicated:,}"] if duplicated else []
        if clusters:
            row.append(f"{one.clusters:,}" if one.clusters else "")
        rows.append((*row, f"{one.unscored:,}", one.kind))
    if len(result.systems) > MOST:
        more = f"and {len(result.systems) - MOST:,} more"
        rows.append((more, *[""] * (len(columns) - 1)))
    return Table(
        title=f"Systems{of_all}" if len(result.systems) > 1 else "Systems",
        columns=tuple(columns),
        rows=tuple(rows),
        numeric=("items", "runs", "duplicates", "clusters", "without a score"),
    )


def _about(systems: Sequence[InspectedSystem]) -> Iterator[Sentence]:
    """Say what logs know of systems, where that is more than a name."""
    alike: dict[str, dict[str, None]] = {}
    for one in systems:
        known = {key: value for key, value in one.about.items() if key not in _ELSEWHERE}
        if known:
            text = ", ".join(f"{key} {value}" for key, value in known.items())
            alike.setdefault(text, {})[one.system] = None
    for text, names in [*alike.items()][:MOST]:
        yield Sentence(text=text, label=f"about {_named(tuple(names))}")


def _named(names: tuple[str, ...], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
