"""What was run on what: enough to run it again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.evaluation import Evaluation

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
)
"""Options that `read` takes."""

MEASURING = ("labels", "positive", "zero_division", "greater_is_better")
"""Options that a metric takes."""


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
    """

    command: str
    sources: tuple[str, ...]
    options: dict[str, Any]
    files: dict[str, str]
    repeatable: bool


def recipe_of(
    command: str, sources: Sequence[Any], options: Mapping[str, Any], evaluation: Evaluation
) -> Recipe:
    """Write down a call; what cannot be written as text makes it unrepeatable."""
    described = {name: _plain(value) for name, value in options.items()}
    origins = [answer.source for answer in evaluation.answers]
    if evaluation.references is not None:
        origins.append(evaluation.references.source)
    return Recipe(
        command=command,
        sources=tuple(str(_plain(source)) for source in sources),
        options=described,
        files={origin.path: origin.sha256 for origin in origins if origin.sha256},
        repeatable=all(origin.sha256 for origin in origins),
    )


def chosen(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the options of some names."""
    return {name: options[name] for name in names}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and len(value) <= 1_000:
        return [_plain(item) for item in value]
    return f"({type(value).__name__} in memory)"
