"""What the caller gave: paths, NAME=PATH, frames, arrays, or arrays by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import polars as pl

from deadheat.errors import UsageError
from deadheat.evaluation import Answers, References, Source
from deadheat.readers import arrays, frames
from deadheat.readers.cells import finite, plain
from deadheat.readers.columns import Options, sought
from deadheat.readers.files import read_file
from deadheat.readers.folders import read_folder
from deadheat.readers.layout import Layout, lay_out, wanted_here
from deadheat.readers.runs import run_scores

ARRAY = Source(path="", sha256="", format="array")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One source, with the name that its system was given, if any."""

    value: Any
    name: str | None


def named_sources(sources: Sequence[object], names: Sequence[str] | None) -> list[Given]:
    """Pair sources with names; a mapping becomes one source for each entry.

    Raises
    ------
    UsageError
        If there is no source or the names are not as many as the sources.
    """
    given: list[Given] = []
    for source in sources:
        if isinstance(source, Mapping):
            given.extend(Given(value=value, name=str(name)) for name, value in source.items())
        elif isinstance(source, str):
            given.append(named_path(source))
        else:
            given.append(Given(value=source, name=None))
    if not given:
        raise UsageError("there is nothing to read.", fix="Name files, frames or arrays.")
    if names is not None:
        if len(names) != len(given):
            raise UsageError(
                f"there are {len(names)} names for {len(given)} sources.",
                fix="Give one name for each source.",
            )
        given = [
            Given(value=source.value, name=str(name))
            for source, name in zip(given, names, strict=True)
        ]
    return _default_names(given)


def read_answers(source: Given, options: Options, references: References | None) -> Layout:
    """Read what one source says of one or more systems.

    Raises
    ------
    InputError
        If it cannot be read.
    UsageError
        If it is no source, or a list of paths.
    """
    value, name = source.value, source.name
    if isinstance(value, (str, PathLike)):
        path = fspath(value)
        if Path(path).is_dir():
            return read_folder(path, options, references, name=name)
        return read_file(path, options, references, name=name)
    if frames.recognises(value):
        wanted = sought(wanted_here(options, apart=references is not None).values())
        table = frames.read(value, [*wanted, *(options.systems or ())])
        return lay_out(table, options, name=name, references=references)
    if arrays.recognises(value):
        _check_not_paths(value)
        if references is None and (runs := run_scores(value)):
            answers = replace(runs, system=name or "")
            return Layout(answers=(answers,), roles=frozenset(), notes=())
        series = arrays.read(value, f"the array of {name!r}")
        as_scores = references is None and (
            series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null)
        )
        answers = Answers(
            system=name or "",
            items=None,
            outputs=None if as_scores else plain(series),
            scores=finite(series) if as_scores else None,
            source=ARRAY,
        )
        return Layout(answers=(answers,), roles=frozenset(), notes=())
    raise UsageError(
        f"a source is {type(value).__name__}, which cannot be read.",
        fix="Give a path, a data frame, an array or a mapping of names to arrays.",
    )


def named_path(text: str) -> Given:
    """Split NAME=PATH, unless the whole is a path that exists.

    Raises
    ------
    UsageError
        If either part is empty.
    """
    if "=" not in text or Path(text).exists():
        return Given(value=text, name=None)
    name, _, path = text.partition("=")
    if not name.strip() or not path:
        raise UsageError(f"{text!r} is neither a path nor NAME=PATH.", fix="Give both parts.")
    return Given(value=path, name=name.strip())


def _default_names(given: Sequence[Given]) -> list[Given]:
    """Name arrays that have no name: two are the baseline and the candidate."""
    nameless = [
        k
        for k, source in enumerate(given)
        if source.name is None and not isinstance(source.value, (str, PathLike))
    ]
    arrays_ = [k for k in nameless if not frames.recognises(given[k].value)]
    if len(given) == len(arrays_) == 2:
        defaults = dict(zip(arrays_, ("baseline", "candidate"), strict=True))
    else:
        defaults = {k: f"system_{k + 1}" for k in arrays_}
    return [
        Given(value=source.value, name=source.name or defaults.get(k))
        for k, source in enumerate(given)
    ]


def _check_not_paths(values: object) -> None:
    """Catch a list of paths that was meant as several sources."""
    if not isinstance(values, (list, tuple)) or not 0 < len(values) <= 1_000:
        return
    if all(isinstance(v, (str, PathLike)) for v in values) and all(
        len(fspath(v)) < 1_000 and Path(v).is_file() for v in values
    ):
        raise UsageError("a list of paths was given as one source.", fix="Give them one by one.")
