"""What an inspection found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deadheat._version import __version__
from deadheat.notes import Note
from deadheat.rendering import Rendered, plain_dict

SCHEMA = "deadheat/inspection/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedFile:
    """One file.

    Attributes
    ----------
    path : str
    tool : str
        The tool that wrote it, or the form of a table; empty where neither is known.
    version : str
        Of the tool, if the log says so.
    rows, runs : int
        Rows, and runs of the item that has most of them.
    systems, tasks, scores : tuple of str
        That it names; scores are those of a log, the one used first.
    columns : tuple of str
        Of a table that is not used.
    problem : str
        Why it is not used; empty where it is.
    """

    path: str
    tool: str = ""
    version: str = ""
    rows: int = 0
    runs: int = 0
    systems: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedSystem:
    """One system, in whatever files it lies.

    Attributes
    ----------
    system : str
    file : str
        In which it lies, where files could not be taken together; else empty.
    items, rows, runs, clusters, tasks : int
        Distinct items, rows, runs of the item that has most of them, clusters and tasks (0: none
        named).
    duplicated : int
        Rows of an item and run that has a row already.
    unscored : int
        Rows without a score; of outputs without a usable one.
    kind : {"0/1 scores", "scores", "outputs", "outputs with references"}
    about : mapping of str to str
        What the log knows of it.
    """

    system: str
    file: str = ""
    items: int
    rows: int
    runs: int
    clusters: int
    tasks: int
    unscored: int
    kind: str
    duplicated: int = 0
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """A command that runs on the input, and what it shows."""

    command: str
    shows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossible:
    """What cannot be compared, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection(Rendered):
    """What an input holds.

    Attributes
    ----------
    files : tuple of InspectedFile
    systems : tuple of InspectedSystem
    matched : int or None
        Items that every system has; None where that cannot be said.
    possible : tuple of Possible
        Every command was tried.
    impossible : tuple of Impossible
    notes : tuple of Note
    """

    files: tuple[InspectedFile, ...]
    systems: tuple[InspectedSystem, ...]
    matched: int | None
    possible: tuple[Possible, ...]
    impossible: tuple[Impossible, ...]
    notes: tuple[Note, ...]
    version: str = __version__

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/inspection/1."""
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "files": [
                    {
                        "path": file.path,
                        "tool": file.tool or None,
                        "version": file.version or None,
                        "rows": file.rows,
                        "runs": file.runs,
                        "systems": list(file.systems),
                        "tasks": list(file.tasks),
                        "scores": list(file.scores),
                        "columns": list(file.columns),
                        "problem": file.problem or None,
                    }
                    for file in self.files
                ],
                "systems": [
                    {
                        "system": found.system,
                        "file": found.file or None,
                        "items": found.items,
                        "rows": found.rows,
                        "runs": found.runs,
                        "duplicated": found.duplicated,
                        "clusters": found.clusters or None,
                        "tasks": found.tasks or None,
                        "unscored": found.unscored,
                        "kind": found.kind,
                        "about": dict(found.about),
                    }
                    for found in self.systems
                ],
                "matched": self.matched,
                "possible": [{"command": one.command, "shows": one.shows} for one in self.possible],
                "impossible": [{"what": one.what, "why": one.why} for one in self.impossible],
                "notes": [note.to_dict() for note in self.notes],
            }
        )
