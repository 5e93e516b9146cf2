"""Lay out what an input holds."""

from __future__ import annotations

import os

from deadheat.inspecting import InspectedFile, Inspection
from deadheat.report.pieces import counted, notes_of
from deadheat.report.report import Report, Sentence, Table

MOST = 40
"""Files that are listed one by one."""


def layout(result: Inspection) -> Report:
    """Lay out an inspection: files, systems, what can be run, notes."""
    usable = sum(not file.problem for file in result.files)
    blocks: list[Sentence | Table] = [_files(result.files)]
    if result.systems:
        blocks.append(_systems(result))
        blocks.extend(
            Sentence(
                text=", ".join(f"{key} {value}" for key, value in found.about.items()),
                label=f"about {found.system}",
            )
            for found in result.systems
            if found.about
        )
    if result.problem:
        blocks.append(Sentence(text=result.problem, role="reading", label="cannot be compared"))
    if result.possible:
        # Each on a line of its own, so that it can be copied.
        blocks.extend(
            Sentence(text=one.command, role="signature", label=one.shows) for one in result.possible
        )
    blocks.extend(notes_of(result.notes))
    return Report(
        title=f"{counted(len(result.files), 'file')}, {usable:,} of them to read, "
        f"{counted(len(result.systems), 'system')}",
        blocks=tuple(blocks),
    )


def _files(files: tuple[InspectedFile, ...]) -> Table:
    folder = _folder([file.path for file in files])
    shown = [
        (
            file.path if not folder else os.path.relpath(file.path, folder),
            file.format or "-",
            f"{file.rows:,}" if file.rows else "",
            _named(file.systems),
            _named(file.tasks),
            file.problem or _named(file.scores),
        )
        for file in files[:MOST]
    ]
    if len(files) > MOST:
        shown.append((f"and {len(files) - MOST:,} more", "", "", "", "", ""))
    return Table(
        title=f"Files in {folder}" if folder else "Files",
        columns=("file", "format", "rows", "systems", "tasks", "scores, or why not"),
        rows=tuple(shown),
        numeric=("rows",),
    )


def _folder(paths: list[str]) -> str:
    """Return the folder that several files have in common, if it has a name."""
    if len(paths) < 2:
        return ""
    return os.path.commonpath([os.path.dirname(path) or "." for path in paths]).removeprefix(".")


def _systems(result: Inspection) -> Table:
    return Table(
        title="Systems"
        + (
            "" if result.matched is None else f" ({counted(result.matched, 'item')} in all of them)"
        ),
        columns=("system", "items", "runs", "clusters", "without a score", "holds"),
        rows=tuple(
            (
                found.system,
                f"{found.items:,}",
                f"{found.runs:,}",
                f"{found.clusters:,}" if found.clusters else "",
                f"{found.unscored:,}",
                found.kind,
            )
            for found in result.systems
        ),
        numeric=("items", "runs", "clusters", "without a score"),
    )


def _named(names: tuple[str, ...], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
