"""What files hold: which systems, tasks, scores and runs, and what can be compared."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from deadheat._version import __version__
from deadheat.alignment import align
from deadheat.errors import DeadheatError, UsageError
from deadheat.evaluation import Answers, Evaluation
from deadheat.notes import Note
from deadheat.readers import read
from deadheat.readers.columns import Options
from deadheat.readers.files import table_of
from deadheat.readers.layout import Layout, lay_out
from deadheat.readers.listing import listing
from deadheat.readers.sources import named_path
from deadheat.readers.table import Table
from deadheat.rendering import Rendered, plain_dict

SCHEMA = "deadheat/inspection/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedFile:
    """One file.

    Attributes
    ----------
    path : str
    format : str
        Of a table, or the tool whose log it is; empty where it could not be read.
    rows : int
    systems, tasks, scores : tuple of str
        That it names; scores are those of a log, the one used first.
    problem : str
        Why it cannot be used; empty where it can.
    """

    path: str
    format: str = ""
    rows: int = 0
    systems: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedSystem:
    """One system, in whatever files it lies.

    Attributes
    ----------
    system : str
    items, rows, runs, clusters : int
        Distinct items, rows, runs of the item that has most of them, clusters (0: none named).
    unscored : int
        Rows without a score; of outputs without a usable one.
    kind : {"0/1 scores", "scores", "outputs", "outputs with references"}
    about : mapping of str to str
        What the log knows of it.
    """

    system: str
    items: int
    rows: int
    runs: int
    clusters: int
    unscored: int
    kind: str
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """A command that can be run on the input, and what it would show."""

    command: str
    shows: str


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
    problem : str
        Why nothing can be compared; empty where something can.
    notes : tuple of Note
    """

    files: tuple[InspectedFile, ...]
    systems: tuple[InspectedSystem, ...]
    matched: int | None
    possible: tuple[Possible, ...]
    problem: str
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
                        "format": file.format or None,
                        "rows": file.rows,
                        "systems": list(file.systems),
                        "tasks": list(file.tasks),
                        "scores": list(file.scores),
                        "problem": file.problem or None,
                    }
                    for file in self.files
                ],
                "systems": [
                    {
                        "system": found.system,
                        "items": found.items,
                        "rows": found.rows,
                        "runs": found.runs,
                        "clusters": found.clusters or None,
                        "unscored": found.unscored,
                        "kind": found.kind,
                        "about": dict(found.about),
                    }
                    for found in self.systems
                ],
                "matched": self.matched,
                "possible": [{"command": one.command, "shows": one.shows} for one in self.possible],
                "problem": self.problem or None,
                "notes": [{"code": note.code, "message": note.message} for note in self.notes],
            }
        )


def inspect(*sources: Any, **reading: Any) -> Inspection:
    r"""Say what files hold, what can be compared and what cannot and why.

    Parameters
    ----------
    *sources : path or "NAME=PATH"
        Files and folders.
    **reading
        Options of `deadheat.read`, such as item, score or references.

    Raises
    ------
    UsageError
        If there is no source, or one is no path.
    InputError
        If a path does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "wide.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("item,a,b\n1,1,0\n2,1,1\n")
    >>> found = inspect(path)
    >>> [(s.system, s.items, s.kind) for s in found.systems], found.matched
    ([('a', 2, '0/1 scores'), ('b', 2, '0/1 scores')], 2)
    """
    if not sources:
        raise UsageError("there is nothing to inspect.", fix="Name files or folders.")
    for source in sources:
        if not isinstance(source, (str, os.PathLike)):
            raise UsageError(
                f"a source is {type(source).__name__}, and only files are inspected.",
                fix="Give paths.",
            )
    texts = [os.fspath(source) for source in sources]
    files = tuple(file for text in texts for file in _files(text, reading))
    try:
        evaluation = read(*texts, **reading)
    except UsageError:
        raise
    except DeadheatError as error:
        if len(files) == 1 and files[0].problem:
            raise
        return Inspection(
            files=files, systems=(), matched=None, possible=(), problem=str(error), notes=()
        )
    matched, problem, notes = _matched(evaluation)
    return Inspection(
        files=files,
        systems=tuple(map(_system, evaluation.answers)),
        matched=matched,
        possible=() if problem else tuple(_possible(texts, reading, evaluation, matched, files)),
        problem=problem,
        notes=tuple(dict.fromkeys((*evaluation.notes, *notes))),
    )


def _files(text: str, reading: Mapping[str, Any]) -> list[InspectedFile]:
    path = str(named_path(text).value)
    if not os.path.isdir(path):
        return [_file(path, reading, alone=True)]
    listed = listing(path)
    return [_file(listed.full(file), reading, alone=False) for file in listed.files]


def _file(path: str, reading: Mapping[str, Any], *, alone: bool) -> InspectedFile:
    """Read one file by itself; what cannot be read is a problem of its own."""
    roles = ("item", "score", "output", "reference", "cluster", "stratum", "run", "system")
    names = {"output": "output_column", "reference": "reference_column", "system": "system_column"}
    given: dict[str, Any] = {role: reading.get(names.get(role, role)) for role in roles}
    systems = reading.get("systems")
    options = Options(**given, systems=None if systems is None else tuple(systems))
    try:
        table = table_of(path, options, None, file=None if alone else os.path.basename(path))
    except DeadheatError as error:
        return InspectedFile(path=path, problem=_bare(error, path))
    scores = tuple(table.scores)
    if given["score"] in scores:
        scores = (str(given["score"]), *(name for name in scores if name != given["score"]))
    seen = InspectedFile(path=path, format=table.source.format, rows=table.height, scores=scores)
    try:
        layout = lay_out(table, options, name=None, references=None)
    except DeadheatError as error:
        return replace(seen, problem=_bare(error, path))
    return replace(
        seen,
        systems=tuple(dict.fromkeys(answers.system for answers in layout.answers)),
        tasks=_tasks(layout, table),
    )


def _tasks(layout: Layout, table: Table) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for answers in layout.answers:
        values = answers.tasks if answers.tasks is not None else answers.strata
        if values is not None:
            found |= dict.fromkeys(values.cast(pl.String).unique(maintain_order=True).drop_nulls())
    return tuple(found)


def _bare(error: DeadheatError, path: str) -> str:
    """Return what an error says, without the path that stands beside it."""
    where = error.where.removeprefix(path).lstrip(", ")
    return " ".join(
        part for part in (f"{where}: {error.found}" if where else error.found, error.fix) if part
    )


def _system(answers: Answers) -> InspectedSystem:
    given = answers.scores if answers.scores is not None else answers.outputs
    assert given is not None
    rows = len(given)
    items = rows if answers.items is None else answers.items.n_unique()
    runs = 1
    if answers.items is not None and rows > items:
        runs = int(answers.items.value_counts()["count"].max())  # type: ignore[arg-type]
    return InspectedSystem(
        system=answers.system,
        items=items,
        rows=rows,
        runs=runs,
        clusters=0 if answers.clusters is None else answers.clusters.n_unique(),
        unscored=given.null_count(),
        kind=_kind(answers),
        about=answers.about,
    )


def _kind(answers: Answers) -> str:
    if answers.scores is not None:
        binary = answers.scores.drop_nulls().is_in([0.0, 1.0]).all()
        return "0/1 scores" if binary else "scores"
    return "outputs" if answers.references is None else "outputs with references"


def _matched(evaluation: Evaluation) -> tuple[int | None, str, tuple[Note, ...]]:
    """Count the items that all systems have; or say why they do not pair."""
    try:
        found = align(evaluation, missing="drop", runs="keep")
    except DeadheatError as error:
        return None, str(error) if len(evaluation.answers) > 1 else "", ()
    return found.matched, "", found.notes


def _possible(
    sources: Sequence[str],
    reading: Mapping[str, Any],
    evaluation: Evaluation,
    matched: int | None,
    files: Sequence[InspectedFile],
) -> list[Possible]:
    inputs = " ".join(map(shlex.quote, sources)) + _spelled(reading)
    systems = evaluation.systems
    n = "" if matched is None else f" on {matched:,} items"
    found = [Possible(command=f"deadheat score {inputs}", shows="each system with its interval")]
    if len(systems) == 2:
        shows = f"{systems[1]} minus {systems[0]}{n}"
        found.insert(0, Possible(command=f"deadheat compare {inputs}", shows=shows))
    if len(systems) > 2:
        pair = f" --baseline {shlex.quote(systems[0])} --candidate {shlex.quote(systems[1])}"
        found[:0] = [
            Possible(command=f"deadheat rank {inputs}", shows=f"{len(systems)} systems{n}"),
            Possible(
                command=f"deadheat compare {inputs}{pair}",
                shows=f"{systems[1]} minus {systems[0]}",
            ),
        ]
    incomplete = matched is not None and any(
        answers.items is not None and answers.items.n_unique() > matched
        for answers in evaluation.answers
    )
    unscored = any(_system(answers).unscored for answers in evaluation.answers)
    if len(systems) > 1 and (incomplete or unscored):
        first = found[0].command
        found[0] = Possible(
            command=f"{first} --missing drop", shows=f"{found[0].shows}, what all systems have"
        )
        found.insert(
            1,
            Possible(command=f"{first} --missing wrong", shows="the same, missing scored wrong"),
        )
    others = dict.fromkeys(name for file in files for name in file.scores[1:])
    if others and reading.get("score") is None:
        found.extend(
            Possible(
                command=f"{found[0].command} --score {shlex.quote(name)}",
                shows=f"the same by {name}",
            )
            for name in [*others][:4]
        )
    return found


SPELLED = {
    "item": "--item",
    "system_column": "--system-column",
    "score": "--score",
    "output_column": "--output-column",
    "references": "--reference",
    "reference_column": "--reference-column",
    "cluster": "--cluster",
    "stratum": "--stratum",
    "run": "--run",
}
"""Options of the command line by their names in Python."""


def _spelled(reading: Mapping[str, Any]) -> str:
    """Write options as on the command line, with a blank before each."""
    said = [
        f" {option} {shlex.quote(str(reading[name]))}"
        for name, option in SPELLED.items()
        if reading.get(name) is not None
    ]
    if reading.get("systems"):
        said.append(f" --system {shlex.quote(','.join(reading['systems']))}")
    if reading.get("label_map"):
        pairs = ",".join(f"{old}={new}" for old, new in reading["label_map"].items())
        said.append(f" --label-map {shlex.quote(pairs)}")
    return "".join(said)
