"""The record of a result: enough to recompute it, and the check that does so."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from deadheat._version import __version__
from deadheat.errors import FormatError, InputError, MetricError, UsageError
from deadheat.notes import Note
from deadheat.readers.sources import named_path
from deadheat.recipe import IN_MEMORY, Recipe
from deadheat.recorded import OPTIONS
from deadheat.rendering import Rendered, plain
from deadheat.resampling import kernel
from deadheat.writing import write_whole

if TYPE_CHECKING:
    from deadheat.benchmark import Benchmark
    from deadheat.comparison import Comparison, Comparisons
    from deadheat.leaderboard import Leaderboard, Leaderboards
    from deadheat.scorecard import Scorecard, Scorecards

    Result: TypeAlias = (
        Benchmark | Comparison | Comparisons | Leaderboard | Leaderboards | Scorecard | Scorecards
    )

SCHEMA = "deadheat/record/1"
VERIFICATION = "deadheat/verification/1"

COMMANDS = {"check": "benchmark", "compare": "comparing", "rank": "ranks", "score": "scorecard"}
"""Module of each command whose results have records; only the one needed is loaded."""

TOLERANCE = 1e-9
"""Relative; special functions may differ in their last digits between machines."""

NEAR_ZERO = 1e-15
"""Absolute, for what cancels to about 0."""

LARGEST = 64 << 20
"""Bytes that a record may have."""

MOST = 5
"""Changes of one part that are spelled out."""

PROSE = ("schema", "version", "signature.deadheat", "reading.text")
ROWS = ("signature.rows", "signature.n", "unit.n")
OF_SYSTEMS = tuple(
    f"items.{name}" for name in ("informative", "all_right", "all_wrong", "unsolved")
)
"""Counts of items that the scores decide."""
NUMBERS = ("resampling.undefined", "resampling.critical_value")
SETTINGS = ("signature", "metric.", "pairing", "unit.", "comparisons.", "resampling.")
CHOICES = ("system", "method", "confidence_level", "alternative", "tests.name", "tests.variant")
"""What belongs to which part, by the names of leaves; the rest are numbers."""

FILES = ("texts", "training")
"""Options that name files, besides the references."""

_OF_SEVERAL = re.compile(r"^(comparisons|leaderboards|scorecards)\[\d+\]\.")
"""How the leaves of one of several results begin; it is taken apart as it would be alone."""

_FINDING = re.compile(r"findings\.(found|why|action)$")
"""Sentences of a check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One part of a record held against what was recomputed."""

    name: str
    changed: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification(Rendered):
    """What changed since a record was written.

    Attributes
    ----------
    path : str
        Of the record.
    checks : tuple of Check
        Rows, outputs, settings and numbers; the version is a note while numbers are equal.
    notes : tuple of Note
    """

    path: str
    checks: tuple[Check, ...]
    notes: tuple[Note, ...] = ()
    version: str = __version__

    @property
    def holds(self) -> bool:
        """Whether nothing changed."""
        return not any(check.changed for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/verification/1."""
        return {
            "schema": VERIFICATION,
            "version": self.version,
            "record": self.path,
            "holds": self.holds,
            "changed": [check.name for check in self.checks if check.changed],
            "checks": [
                {"name": check.name, "changed": check.changed, "detail": check.detail}
                for check in self.checks
            ],
            "notes": [note.to_dict() for note in self.notes],
        }


def save(result: Rendered, path: str | Path) -> None:
    """Write the record of a result; paths in it are relative to the record's folder.

    Raises
    ------
    UsageError
        If the data or the metric came from memory, so that they could not be read again, or there
        is no result.
    """
    recipe = getattr(result, "recipe", None)
    if not isinstance(recipe, Recipe):
        raise UsageError(
            f"a record is written of a result, and this is of type {type(result).__name__}.",
            fix="Give what compare, rank, score or check returned.",
        )
    if str(recipe.options["metric"]).endswith(IN_MEMORY):
        raise UsageError(
            "a record has to name the metric, and this one was given as an object.",
            fix="Give its name, such as bleu, or my_metrics:within_one for what my_metrics.py "
            "defines.",
        )
    if not recipe.repeatable:
        raise UsageError(
            "a record can only be written of files, and this result was made of data in memory.",
            fix="Write the data to a file and compare the file.",
        )
    folder = Path(os.path.realpath(path)).parent
    found = result.to_dict()
    references = recipe.options["references"]
    written = {
        "schema": SCHEMA,
        "version": found["version"],
        "kernel": kernel.name(),
        "command": recipe.command,
        "sources": [
            {"name": source.name, "path": _relative(source.value, folder)}
            for source in map(named_path, recipe.sources)
        ],
        "references": None if references is None else _relative(references, folder),
        "options": {
            name: _moved(name, value, lambda file: _relative(file, folder))
            for name, value in recipe.options.items()
            if name != "references"
        },
        "files": {_relative(file, folder): digest for file, digest in recipe.files.items()},
        "result": found,
    }
    try:
        text = msgspec.json.format(msgspec.json.encode(plain(written)), indent=2).decode()
    except UnicodeEncodeError:
        raise UsageError(
            "a file or system has a name that is not UTF-8, which a record cannot hold.",
            fix="Rename the file, or name the system with NAME=PATH.",
        ) from None
    write_whole(path, f"{text}\n")


def _moved(name: str, value: Any, move: Callable[[str], str]) -> Any:
    """Write the path of an option that names a file from another folder."""
    return move(value) if name in FILES and isinstance(value, str) else value


def _relative(file: str, folder: Path) -> str:
    return Path(os.path.relpath(os.path.realpath(file), folder)).as_posix()


class _Origin(msgspec.Struct, forbid_unknown_fields=True):
    name: str | None
    path: str


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal["deadheat/record/1"]
    version: str
    command: Literal["check", "compare", "rank", "score"]
    sources: list[_Origin]
    references: str | None
    options: msgspec.Raw
    files: dict[str, str]
    result: dict[str, Any]
    kernel: Literal["c", "numpy"] | None = None


def verify(path: str | Path, *, progress: Callable[[int, int], None] | None = None) -> Verification:
    """Recompute a record from its files and say what changed.

    Parameters
    ----------
    path : path of a record
    progress : callable, optional
        Told how many resamples are done, of how many.

    Raises
    ------
    FormatError
        If the file is not a record.
    """
    record, options = _load(Path(path))
    folder = Path(os.path.realpath(path)).parent
    sources = [
        file if origin.name is None else f"{origin.name}={file}"
        for origin in record.sources
        for file in (str(folder / origin.path),)
    ]
    references = None if record.references is None else str(folder / record.references)
    options = {
        name: _moved(name, value, lambda file: str(folder / file))
        for name, value in options.items()
    }
    run = getattr(import_module(f"deadheat.{COMMANDS[record.command]}"), record.command)
    try:
        again: Result = run(*sources, references=references, progress=progress, **options)
    except (InputError, MetricError) as error:
        # What cannot be read or paired any more is changed rows, what cannot be scored outputs.
        part = "outputs" if isinstance(error, MetricError) else "rows"
        return Verification(
            path=str(path), checks=(Check(name=part, changed=True, detail=str(error)),)
        )
    return Verification(
        path=str(path),
        checks=tuple(_checks(record.result, again.to_dict())),
        notes=tuple(_notes(record, again, folder)),
    )


def files_of(path: str | Path) -> list[str]:
    """Return the files that a record names.

    Raises
    ------
    FormatError
        If the file is not a record.
    """
    record, _ = _load(Path(path))
    folder = Path(os.path.realpath(path)).parent
    return [str(folder / file) for file in record.files]


def _load(path: Path) -> tuple[_Record, dict[str, Any]]:
    """Read a record and its options, checked against what the command takes."""
    if not path.is_file():
        raise FormatError("there is no such file.", where=str(path), fix="Check the path.")
    if path.stat().st_size > LARGEST:
        raise FormatError(
            f"this file has more than {LARGEST >> 20} MB, and no record does.",
            where=str(path),
            fix="Give the file that --record wrote.",
        )
    try:
        record = msgspec.json.decode(path.read_bytes(), type=_Record)
        given = msgspec.json.decode(record.options, type=OPTIONS[record.command])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            f"this is not a record of deadheat: {error}.",
            where=str(path),
            fix="Give the file that --record wrote.",
        ) from None
    options = msgspec.structs.asdict(given)
    return record, options | {"zero_division": float(options["zero_division"])}


def _checks(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Check]:
    leaves = dict(_leaves(_by_name(before))), dict(_leaves(_by_name(after)))
    for part in ("rows", "outputs", "settings", "numbers"):
        chosen = [{k: v for k, v in side.items() if _part(k) == part} for side in leaves]
        names = [
            name
            for name in dict.fromkeys([*chosen[0], *chosen[1]])
            if not _equal(chosen[0].get(name), chosen[1].get(name))
        ]
        names.sort(key=lambda name: "difference" not in name)
        shown = "; ".join(
            f"{name} was {chosen[0].get(name)}, is {chosen[1].get(name)}" for name in names[:MOST]
        )
        more = f"; and {len(names) - MOST:,} more" if len(names) > MOST else ""
        yield Check(name=part, changed=bool(names), detail=f"{shown}{more}")


def _by_name(result: dict[str, Any]) -> dict[str, Any]:
    """Put the systems of boards, whose order is a result of theirs, in the order of their names."""
    boards, rows = result.get("leaderboards"), result.get("systems")
    if isinstance(boards, list) and all(isinstance(board, dict) for board in boards):
        return result | {"leaderboards": [_by_name(board) for board in boards]}
    if "best_set" not in result or not isinstance(rows, list):
        return result
    if not all(isinstance(row, dict) for row in rows):
        return result
    return result | {"systems": sorted(rows, key=lambda row: str(row.get("system")))}


def _leaves(tree: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Walk a result; the signature is taken apart into its settings."""
    if _OF_SEVERAL.sub("", name) == "signature":
        for setting in str(tree).split("|"):
            key, _, value = setting.partition(":")
            yield f"{name}.{key}", value
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from _leaves(item, f"{name}.{key}" if name else str(key))
    elif isinstance(tree, list):
        for position, item in enumerate(tree):
            yield from _leaves(item, f"{name}[{position}]")
    else:
        yield name, tree


def _part(name: str) -> str:
    """Name the part of a record that a leaf belongs to; prose and the version belong to none."""
    bare = re.sub(r"\[\d+\]", "", _OF_SEVERAL.sub("", name))
    if bare in PROSE or bare.startswith("notes") or _FINDING.match(bare):
        return ""
    if bare in OF_SYSTEMS:
        return "numbers"
    if bare in ROWS or bare.startswith("items.") or ".items." in bare:
        return "rows"
    if bare.endswith("hash"):
        return "outputs"
    if bare in NUMBERS:
        return "numbers"
    return "settings" if bare.startswith(SETTINGS) or bare.endswith(CHOICES) else "numbers"


def _equal(before: Any, after: Any) -> bool:
    numbers = (int, float)
    if isinstance(before, numbers) and isinstance(after, numbers):
        return math.isclose(before, after, rel_tol=TOLERANCE, abs_tol=NEAR_ZERO)
    return bool(before == after)


def _notes(record: _Record, again: Result, folder: Path) -> Iterator[Note]:
    if record.version != again.version:
        yield Note(
            code="version",
            message=f"The record was written by version {record.version}; this is {again.version}.",
        )
    digests = {_relative(file, folder): digest for file, digest in again.recipe.files.items()}
    changed = [file for file, digest in record.files.items() if digests.get(file) != digest]
    if changed:
        yield Note(
            code="files",
            message=f"The bytes of {', '.join(changed)} differ from those recorded; rows and "
            "outputs above say whether their content does.",
        )
