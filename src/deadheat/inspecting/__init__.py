"""What files hold: which systems, tasks, scores and runs, and what can be compared."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from deadheat.alignment import align
from deadheat.errors import DeadheatError, InputError, UsageError
from deadheat.evaluation import Evaluation
from deadheat.inspecting.inspection import (
    Impossible,
    InspectedFile,
    InspectedSystem,
    Inspection,
    Possible,
)
from deadheat.inspecting.looking import Seen, system_of, usable
from deadheat.inspecting.trying import Input, Said, best_pair, parts, readings, whole
from deadheat.notes import Note
from deadheat.readers import read
from deadheat.readers.files import kept_tables
from deadheat.readers.listing import listing
from deadheat.readers.passing.budget import check_fits
from deadheat.readers.sources import named_path
from deadheat.recipe import READING, chosen
from deadheat.remarks import about_of, settings_differ
from deadheat.settings import MEMORY, size_of

__all__ = [
    "Impossible",
    "InspectedFile",
    "InspectedSystem",
    "Inspection",
    "Possible",
    "inspect",
]

_ASKED = re.compile(r"Say --item (\S+?)[;.](?:\s|$)")

_LISTED = 6
"""Reasons that an error lists."""


def inspect(
    *sources: Any,
    references: Any = None,
    item: str | None = None,
    system_column: str | None = None,
    systems: Sequence[str] | None = None,
    score: str | None = None,
    output_column: str | None = None,
    reference_column: str | int | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    run: str | None = None,
    label_map: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    different_items: bool = False,
    memory: int | str = MEMORY,
    progress: Callable[[int, int], None] | None = None,
) -> Inspection:
    r"""Say what files hold, what can be compared and what cannot and why.

    Every file is read once. Where the input as a whole cannot be compared, the files in it that
    asked the same are looked for. Every command that is returned was tried.

    Parameters
    ----------
    *sources : path or "NAME=PATH"
        Files and folders.
    references, item, system_column, systems, score, output_column, reference_column, cluster, \
    stratum, run, label_map, names, different_items
        As for `deadheat.read`.
    memory : int or str
        Bytes that tables may take, such as "500MB"; what needs more is refused.
    progress : callable, optional
        Told how many files of a folder were looked at, of how many.

    Raises
    ------
    UsageError
        If there is no source, or one is no path.
    InputError
        If a path does not exist, or no file can be used.

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
    reading = chosen(locals(), READING)
    if not sources:
        raise UsageError("there is nothing to inspect.", fix="Name files or folders.")
    for source in sources:
        if not isinstance(source, (str, os.PathLike)):
            raise UsageError(
                f"a source is {type(source).__name__}, and only files are inspected.",
                fix="Give paths.",
            )
    texts = tuple(os.fspath(source) for source in sources)
    paths = [named_path(text).value for text in texts]
    check_fits([*paths, *([references] if references is not None else [])], size_of(memory))
    with kept_tables():
        return _inspected(Input(texts=texts, reading=reading, progress=progress))


def _inspected(asked: Input) -> Inspection:
    said = Said()
    asked, seen = _with_items(asked, asked.seen(), said)
    if not usable(seen) and (error := _unusable(seen, asked)) is not None:
        raise error
    asked, evaluation = _read(asked, said)
    matched: int | None = None
    notes: tuple[Note, ...] = ()
    if evaluation is not None:
        matched, notes = _matched(evaluation)
        whole(asked, seen, evaluation, said)
        about = about_of(evaluation, {}, evaluation.systems)
        notes = (*settings_differ(about), *evaluation.notes, *notes)
    if not said.possible:
        parts(asked, seen, said)
    if not said.possible:
        readings(asked, seen, said)
    if not said.possible and evaluation is not None:
        best_pair(asked.command("rank"), evaluation.answers, said)
    return Inspection(
        files=_files(seen, evaluation),
        systems=_systems(seen, evaluation),
        matched=matched,
        possible=tuple(said.possible.values()),
        impossible=tuple(said.impossible),
        notes=tuple(dict.fromkeys(notes)),
    )


def _read(asked: Input, said: Said) -> tuple[Input, Evaluation | None]:
    """Read the input as a whole; a folder around one other is left out if that helps."""
    inner = replace(asked, texts=tuple(map(_inside, asked.texts)))
    try:
        return asked, read(*asked.texts, **asked.reading)
    except UsageError:
        raise
    except DeadheatError as error:
        said.may_not("all of it together", error)
    if inner.texts == asked.texts:
        return asked, None
    try:
        return inner, read(*inner.texts, **asked.reading)
    except DeadheatError:
        return asked, None


def _inside(text: str) -> str:
    """Return the folder inside a folder that holds nothing else to read; else what is given."""
    if not os.path.isdir(text):
        return text
    inner = {file.partition("/")[0] for file in listing(text).files}
    if len(inner) != 1 or not os.path.isdir(path := os.path.join(text, *inner)):
        return text
    return _inside(path)


def _with_items(asked: Input, seen: list[Seen], said: Said) -> tuple[Input, list[Seen]]:
    """Take the column of item ids that errors ask for, if they all ask for one."""
    errors = [one.error for one in seen if one.error is not None]
    columns = {found[1] for error in errors if (found := _ASKED.match(error.fix))}
    if len(columns) != 1 or asked.reading.get("item") is not None:
        return asked, seen
    (column,) = columns
    again = replace(asked, reading={**asked.reading, "item": column})
    with_it = again.seen()
    if len(usable(with_it)) <= len(usable(seen)):
        return asked, seen
    why = next(error.found for error in errors if _ASKED.match(error.fix))
    said.may_not("as it stands", f"{why.rstrip('.')}; --item {column} is taken here.")
    return again, with_it


def _unusable(seen: Sequence[Seen], asked: Input) -> DeadheatError | None:
    """Say why there is nothing to tell of any file, in one error; None where there is."""
    try:
        read(*asked.texts, **asked.reading)
    except DeadheatError as error:
        first = error
    else:
        return None
    errors = [one.error for one in seen if one.error is not None]
    if isinstance(first, UsageError):
        return first
    if any(one.table or one.refuses for one in seen):
        return None
    if len(errors) < 2:
        return errors[0] if errors else first
    by_reason: dict[str, list[str]] = {}
    for one in seen:
        by_reason.setdefault(one.file.problem, []).append(os.path.basename(one.file.path))
    listed = [
        f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {reason}"
        for reason, names in [*by_reason.items()][:_LISTED]
    ]
    more = f" And {len(by_reason) - _LISTED} more reasons." if len(by_reason) > _LISTED else ""
    return InputError(
        f"none of {len(seen)} files holds answers of systems. {' '.join(listed)}{more}",
        where=", ".join(asked.texts),
    )


def _files(seen: Sequence[Seen], evaluation: Evaluation | None) -> tuple[InspectedFile, ...]:
    """Name the systems of files as they are called together: in a folder, by folders."""
    called: dict[str, dict[str, None]] = {}
    for answers in () if evaluation is None else evaluation.answers:
        for source in answers.source.files:
            called.setdefault(source.path, {})[answers.system] = None
    # What a tool writes beside a log, such as its settings, is read with it.
    return tuple(
        replace(one.file, systems=tuple(called[one.file.path]), problem="")
        if one.file.path in called
        else one.file
        for one in seen
    )


def _systems(seen: Sequence[Seen], evaluation: Evaluation | None) -> tuple[InspectedSystem, ...]:
    if evaluation is not None:
        return tuple(map(system_of, evaluation.answers))
    return tuple(system_of(answers, one.file.path) for one in seen for answers in one.answers)


def _matched(evaluation: Evaluation) -> tuple[int | None, tuple[Note, ...]]:
    """Count the items that all systems have; None where they do not pair."""
    try:
        found = align(evaluation, missing="drop", runs="keep")
    except DeadheatError:
        return None, ()
    return found.matched, found.notes
