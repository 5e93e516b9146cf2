"""One job: what was sent is put into files, the command is run on them, and all forms are written.

Runs in a worker, in the folder of the job, so that records and commands name files as whoever sent
them does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import deadheat
from deadheat.errors import UsageError
from deadheat.web.calls import keywords, python, shell
from deadheat.web.jobs import DATA, OUT, RESULT
from deadheat.web.options import READS, Option
from deadheat.web.pasted import counted, stored
from deadheat.web.pickers import pickers
from deadheat.web.uploads import TEXT
from deadheat.web.written import write

Told = Callable[[int, int, str], None]


def work(task: Mapping[str, Any], folder: Path, told: Told) -> None:
    """Do a job and leave its result in its folder.

    Parameters
    ----------
    task : mapping
        `command`, checked `values`, the `options` of the command, `files` as (sent, stored),
        `names` of systems, whether a table was `pasted`, `counts` or None, and most `rows`.
    folder : Path
        Of the job.
    told : callable
        Told how much is done, of how much, and what is being done.

    Raises
    ------
    DeadheatError
        If the command cannot be run on it.
    """
    data, out = folder / DATA, folder / OUT
    out.mkdir()
    os.chdir(data)
    command: str = task["command"]
    options = [Option(**option) for option in task["options"]]
    values, said = dict(task["values"]), list[str]()
    made: str | None = None
    if task["pasted"]:
        made, said = stored(data / TEXT, data, values, task["rows"])
    elif task["counts"] is not None:
        made = counted(task["counts"], data, task["rows"])
    sources = _sources(task, options, values, made)
    told(0, 0, "Reading")
    result, lines = _run(command, sources, options, values, told)
    told(0, 0, "Writing the report")
    found = write(result, command, out, data, made)
    if command == "inspect":
        found |= pickers(result)
    found |= lines | {"warnings": [{"code": "pasted", "message": text} for text in said]}
    (folder / RESULT).write_text(json.dumps(found, allow_nan=False), encoding="utf-8")


def _sources(
    task: Mapping[str, Any],
    options: Sequence[Option],
    values: dict[str, Any],
    made: str | None,
) -> list[str]:
    """Return the sources of the command, and put stored names into options that name files."""
    at = dict(map(tuple, task["files"]))
    taken: set[str] = set()
    for option in options:
        if option.kind == "file" and option.name in values:
            values[option.name] = at[values[option.name]]
            taken.add(values[option.name])
        elif option.kind == "files" and option.name in values:
            values[option.name] = [at[sent] for sent in values[option.name]]
            taken.update(values[option.name])
    if task["command"] not in READS:
        return []
    names: dict[str, str | None] = {} if made is None else {made: None}
    for (_, path), name in zip(task["files"], task["names"], strict=True):
        if path not in taken:
            source = path.partition("/")[0]
            names[source] = names.get(source) or name
    if not names:
        raise UsageError(
            "there is nothing to read.", fix="Drop files, paste a table or type counts."
        )
    return [source if name is None else f"{name}={source}" for source, name in names.items()]


def _run(
    command: str,
    sources: Sequence[str],
    options: Sequence[Option],
    values: Mapping[str, Any],
    told: Told,
) -> tuple[Any, dict[str, str]]:
    """Run a command; return its result, and how to get the same elsewhere."""
    arguments = keywords(values)
    positional: Sequence[Any] = sources
    given = {}
    if command == "adjust":
        positional, arguments = _p_values(arguments)
    elif command in READS:
        given["progress"] = lambda done, total: told(done, total, "Working")
    result = getattr(deadheat, command)(*positional, **arguments, **given)
    lines = {
        "command": shell(command, sources, options, values),
        "python": python(command, positional, arguments),
    }
    return result, lines


def _p_values(arguments: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Read p-values as the command line does, from a table or as they were typed."""
    from deadheat.multiplicity import column_of, parsed

    rest = dict(arguments)
    typed, path = rest.pop("p_values", ()), rest.pop("file", None)
    columns = rest.pop("column", None), rest.pop("label_column", None)
    if path is None and any(columns):
        raise UsageError("the column is one of no file.", fix="Drop a file, or paste a table.")
    if path is not None and typed:
        raise UsageError("p-values were given both in a file and typed.", fix="Choose.")
    if path is None:
        return [parsed(typed)], rest
    numbers, labels = column_of(path, *columns)
    return [numbers], rest | ({} if labels is None else {"labels": labels})
