"""The files of which a table that is counted in passing consists."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import Source
from deadheat.readers.formats import is_log
from deadheat.readers.passing.budget import (
    BYTES_A_VALUE,
    first_line_ends,
    table_need,
    text_need,
)
from deadheat.readers.passing.parts import (
    STORE,
    Part,
    check_alike,
    digest,
    on_disk,
    part_of,
    parts_in_store,
)

SAMPLE_ROWS = 200_000
"""Rows that tell what a table holds."""

Scan = Callable[[str], pl.LazyFrame]


def _strings(separator: str) -> Scan:
    return lambda path: pl.scan_csv(path, separator=separator, infer_schema=False, glob=False)


SCANS: dict[str, tuple[str, Scan]] = {
    ".parquet": ("parquet", lambda path: pl.scan_parquet(path, glob=False)),
    ".csv": ("csv", _strings(",")),
    ".tsv": ("csv", _strings("\t")),
    ".jsonl": ("jsonl", lambda path: pl.scan_ndjson(path)),
    ".ndjson": ("jsonl", lambda path: pl.scan_ndjson(path)),
}
"""Format and lazy reader by the ending of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Parts of one table, in order.

    Attributes
    ----------
    path : str
        As the user gave it.
    parts : tuple of Part
    format : str
    scan : polars.LazyFrame
        All of it; of a store, the first rows.
    need : int
        Bytes that are held at once to read them as a whole, about.
    """

    path: str
    parts: tuple[Part, ...]
    format: str
    scan: pl.LazyFrame
    need: int

    def source(self) -> Source:
        """Return the files with the SHA-256 of their bytes."""
        own = tuple(
            Source(path=part.path, sha256=digest(part.path), format=self.format)
            for part in self.parts
        )
        if len(own) == 1:
            return own[0]
        return Source(path=self.path, sha256="", format=self.format, parts=own)


def files_of(path: str, memory: int, *, spread: bool = False) -> Files | None:
    """Return the files of a path that need more than some memory; None for all others.

    With `spread`, folders are returned however little they need.

    A folder is one table where all its files are Parquet with the same columns. Logs of tools are
    no tables: their readers keep what they need of a file, however large it is.
    """
    if STORE in path:
        return _in_store(path)
    folder = Path(path)
    if folder.is_dir():
        files = sorted(os.fspath(file) for file in folder.iterdir() if file.is_file())
        if not files or any(Path(file).suffix.casefold() != ".parquet" for file in files):
            return None
    elif folder.is_file() and folder.suffix.casefold() in SCANS:
        files = [path]
    else:
        return None
    name, scan = SCANS[Path(files[0]).suffix.casefold()]
    try:
        parts = tuple(map(part_of, files))
        # Nothing is scanned that is held anyway: to tell its columns is to decode its first lines.
        text = name != "parquet"
        if text and (text_need(path) <= memory or not first_line_ends(path)):
            return None
        if is_log(files[0]):
            return None
        frames = [scan(file) for file in files]
        schemas = [frame.collect_schema() for frame in frames]
        first = schemas[0]
        if any(schema.keys() != first.keys() for schema in schemas):
            return None
        rows = [0] if text else list(map(n_rows, frames))
        need = text_need(path) if text else table_need(sum(rows), len(first))
    except (pl.exceptions.PolarsError, InputError, OSError):
        # What is wrong with it is said by the reader that holds the whole.
        return None
    fits = need <= memory
    if fits and not (spread and folder.is_dir()):
        return None
    if not text:
        # A part without rows has no types to speak of.
        kept = [at for at, n in enumerate(rows) if n] or [0]
        first, frames = schemas[kept[0]], [frames[at] for at in kept]
        if fits and any(dict(schemas[at]) != dict(first) for at in kept):
            return None
        for at in kept:
            check_alike(parts[kept[0]].path, first, parts[at].path, schemas[at])
    whole = pl.concat([frame.select(first.names()) for frame in frames])
    return Files(path=path, parts=parts, format=name, scan=whole, need=need)


def n_rows(scan: pl.LazyFrame) -> int:
    """Return the number of rows of a table."""
    return int(scan.select(pl.len()).collect().item())


def _in_store(path: str) -> Files:
    """Return the Parquet files below an address."""
    parts = parts_in_store(path)
    for part in parts:
        with on_disk(part) as (file, _):
            head = pl.scan_parquet(file, glob=False).head(SAMPLE_ROWS).collect(engine="streaming")
        # A part without rows has no types to speak of.
        if head.height:
            break
    # Of a store only the sizes of its objects are known; a packed value takes a byte or so.
    need = sum(part.size or 0 for part in parts) * BYTES_A_VALUE
    return Files(path=path, parts=parts, format="parquet", scan=head.lazy(), need=need)
