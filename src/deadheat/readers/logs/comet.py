"""COMET: scores of segments, as --to_json writes them or comet-score prints them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import PurePath

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.speech import head_lines, words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "COMET"
VERSIONS = "the layout of unbabel-comet 2 (--to_json, standard output); no real file was tried"
QUIRKS = (
    "The item is the number of the segment, from 0; systems are called by their files without "
    "folder and ending, as long as that tells them apart.",
    "In JSON the source and the reference of a segment say whether two files hold the same items; "
    "translations stay there as the column mt.",
    "Scores of systems alone (--only_system) are refused.",
)

_LOOK = 1 << 17
_JSON = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\[\s*\{')
_SEGMENT = re.compile(r"(.+)\tSegment (\d{1,15})\tscore: (-?\d+(?:\.\d+)?|nan)$")
_SYSTEM = re.compile(r"(.+)\tscore: (-?\d+(?:\.\d+)?|nan)$")
_PRINTED = re.compile(rb".+\t(?:Segment \d+\t)?score: (?:-?\d+(?:\.\d+)?|nan)$")
_ALSO = ("Predictions saved in:", "CacheInfo(")


class _Segment(msgspec.Struct, rename={"score": "COMET"}):
    mt: str | None = None
    src: str | None = None
    ref: str | None = None
    score: float | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is an object of lists of scored segments, or of printed scores."""
    look = head[:_LOOK]
    if look.lstrip().startswith(b"{"):
        return bool(_JSON.match(look)) and all(m in look for m in (b'"mt"', b'"COMET"'))
    first = look.lstrip().partition(b"\n")[0].rstrip(b"\r")
    if not _PRINTED.match(first):
        return False
    also = tuple(mark.encode() for mark in _ALSO)
    return all(_PRINTED.match(line) or line.startswith(also) for line in head_lines(head))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each segment of each system.

    Raises
    ------
    NoAnswersError
        If there are scores of systems alone.
    FormatError
        If the file is broken.
    """
    if log.head[:_LOOK].lstrip().startswith(b"{"):
        return _of_json(log)
    return _printed(log)


def _of_json(log: Log) -> Table:
    found = log.document(dict[str, list[_Segment]], "segments of COMET")
    names = _names([*found])
    rows = [
        (names[file], number, segment)
        for file, segments in found.items()
        for number, segment in enumerate(segments)
    ]
    if not rows:
        raise FormatError("there are no segments: 0 rows.", where=log.path)
    columns = {
        "segment": pl.Series([number for _, number, _ in rows], dtype=pl.Int64),
        "system": pl.Series([system for system, _, _ in rows], dtype=pl.String),
        "COMET": pl.Series([segment.score for _, _, segment in rows], dtype=pl.Float64),
    }
    roles = {"item": "segment", "system": "system"}
    for name in ("mt", "ref"):
        if any(getattr(segment, name) is not None for _, _, segment in rows):
            columns[name] = pl.Series([getattr(s, name) for _, _, s in rows], dtype=pl.String)
    if "ref" in columns:
        roles["reference"] = "ref"
    if any(segment.src is not None for _, _, segment in rows):
        hashes = [_hash(segment.src, segment.ref) for _, _, segment in rows]
        columns["asked"] = pl.Series(hashes, dtype=pl.String)
        roles["hash"] = "asked"
    unscored = columns["COMET"].null_count()
    message = f"{log.path}: {unscored:,} segments have no score."
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="segment"),
        source=log.source("comet"),
        roles=roles,
        scores=("COMET",),
        notes=(Note(code="unscored_samples", message=message),) if unscored else (),
    )


def _printed(log: Log) -> Table:
    rows: list[tuple[str, int, float]] = []
    stated: dict[str, float] = {}
    for number, line in log.lines():
        text = words(log, number, line)
        if found := _SEGMENT.match(text):
            rows.append((found[1], int(found[2]), float(found[3])))
        elif found := _SYSTEM.match(text):
            stated[found[1]] = float(found[2])
        elif not text.startswith(_ALSO):
            raise FormatError(
                "the line is no score that comet-score prints.",
                where=f"{log.path}, line {number}",
                fix="Remove it, or use --to_json.",
            )
    if not rows:
        raise NoAnswersError(
            "these are scores of COMET of whole systems.",
            where=log.path,
            fix="Run comet-score without --only_system, or with --to_json FILE.",
        )
    names = _names([*dict.fromkeys(file for file, _, _ in rows)])
    columns = {
        "segment": pl.Series([number for _, number, _ in rows], dtype=pl.Int64),
        "system": pl.Series([names[file] for file, _, _ in rows], dtype=pl.String),
        "COMET": pl.Series([score for _, _, score in rows], dtype=pl.Float64).fill_nan(None),
    }
    roles = {"item": "segment", "system": "system"}
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="segment"),
        source=log.source("comet"),
        roles=roles,
        scores=("COMET",),
        notes=disagreements(log.path, columns, roles, _published(stated, names, columns)),
    )


def _published(
    stated: dict[str, float], names: dict[str, str], columns: dict[str, pl.Series]
) -> list[Published]:
    """Return values further from the means than two roundings to four digits are."""
    found = []
    for file, value in stated.items():
        scores = columns["COMET"].filter(columns["system"] == names.get(file, ""))
        mean = scores.mean()
        if isinstance(mean, float) and abs(mean - value) > 1.01e-4:
            found.append(Published(score="COMET", value=value, system=names[file]))
    return found


def _names(files: Sequence[str]) -> dict[str, str]:
    """Call systems by their files, without folder and ending where that tells them apart."""
    stems = {file: PurePath(file).stem or file for file in files}
    return stems if len(set(stems.values())) == len(files) else {file: file for file in files}


def _hash(source: str | None, reference: str | None) -> str:
    return hashlib.sha256(msgspec.json.encode([source, reference])).hexdigest()[:16]
