"""What was run on what: enough to run it again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.evaluation import Evaluation
from deadheat.metrics.texts.normalization import read_map
from deadheat.tabular import FrameKind, frame_kind

READING = (
    "references",
    "item",
    "system_column",
    "systems",
    "score",
    "output_column",
    "reference_column",
    "cluster",
    "stratum",
    "run",
    "label_map",
    "names",
    "different_items",
)
"""Options that `read` takes."""

MEASURING = (
    "labels",
    "positive",
    "zero_division",
    "greater_is_better",
    "tokenize",
    "normalize",
    "normalize_map",
    "bins",
    "ties",
    "scheme",
)
"""Options that metrics take."""

UNRECORDED = ("sources", "engine", "progress")
"""Arguments of a command that are no options of it."""

IN_MEMORY = " in memory)"
"""How the text ends that stands for what could not be written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A command, its sources and its options.

    Attributes
    ----------
    command : str
        Such as "compare".
    sources : tuple of str
        Paths (or NAME=PATH) as given.
    options : dict
        Every option by its Python name, as plain data.
    files : dict of str to str
        SHA-256 of each file that was read, by its path as given.
    repeatable : bool
        False where data came from memory, so that no file can be read again.
    frame : {"polars", "pandas", "pyarrow"}
        Library of the frames or series that came in; "polars" where none did.
    """

    command: str
    sources: tuple[str, ...]
    options: dict[str, Any]
    files: dict[str, str]
    repeatable: bool
    frame: FrameKind = "polars"


def recipe_of(
    command: str, sources: Sequence[Any], options: Mapping[str, Any], evaluation: Evaluation
) -> Recipe:
    """Write down a call; what cannot be written as text makes it unrepeatable."""
    origins = [file for answer in evaluation.answers for file in answer.source.files]
    if evaluation.references is not None:
        origins.append(evaluation.references.source)
    return Recipe(
        command=command,
        sources=tuple(written_down(source) for source in sources),
        options={
            name: value
            if value is None
            else written_down(value)
            if name == "references"
            else _plain(value)
            for name, value in options.items()
        },
        files={origin.path: origin.sha256 for origin in origins if origin.sha256},
        repeatable=all(origin.sha256 and os.path.isfile(origin.path) for origin in origins)
        and all(_is_plain(value) for value in options.values()),
        frame=frame_kind((*sources, options.get("references"))),
    )


def written_down(source: Any) -> str:
    """Return a path as text; data in memory is told by its type alone."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return f"({type(source).__name__}{IN_MEMORY}"


def call_of(
    arguments: Mapping[str, Any], normalize_map: str | os.PathLike[str] | Mapping[str, str] | None
) -> dict[str, Any]:
    """Return the options of a call; a map of words that is a file is read into them."""
    options = {name: value for name, value in arguments.items() if name not in UNRECORDED}
    if isinstance(normalize_map, (str, os.PathLike)):
        options["normalize_map"] = read_map(os.fspath(normalize_map))
    return options


def chosen(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the options of some names."""
    return {name: options[name] for name in names}


def _is_plain(value: Any) -> bool:
    """Whether `_plain` writes all of a value down."""
    if isinstance(value, Mapping):
        return all(map(_is_plain, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    simple = (bool, int, float, str, os.PathLike, np.number, np.bool_)
    return value is None or isinstance(value, simple)


def _plain(value: Any) -> Any:
    """Write a value down as JSON can hold it; NaN, which it cannot, becomes text."""
    if isinstance(value, (np.number, np.bool_)):
        return _plain(value.item())
    if isinstance(value, float) and value != value:
        return "nan"
    if isinstance(value, str):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if not _is_plain(value):
        return f"({type(value).__name__}{IN_MEMORY}"
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
