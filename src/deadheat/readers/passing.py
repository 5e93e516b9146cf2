"""Files that are too large to be held: counted in passing, kind of item by kind of item.

Items that are alike in every column that is asked for are interchangeable (STATISTICS.md 3.2), so
that of a wide table only its kinds of rows are kept, with how many items are of each. polars
counts them in one pass over the file, whatever its length, and what follows has as many rows as
there are kinds. Item ids are not looked at: the file pairs the systems, row by row.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from deadheat.engine import Engine
from deadheat.errors import InputError
from deadheat.evaluation import Evaluation, Rows, Source
from deadheat.notes import Note
from deadheat.readers.columns import ROLES, Options
from deadheat.readers.content import LONGEST_LINE
from deadheat.readers.formats import is_log
from deadheat.readers.layout import Layout, lay_out
from deadheat.readers.parts import (
    STORE,
    Part,
    check_alike,
    digest,
    on_disk,
    part_of,
    parts_in_store,
)
from deadheat.readers.table import Table

HEAD_ROWS = 10_000
"""Rows from which the columns are told apart."""

SAMPLE_ROWS = 200_000
MOST_KINDS = 50_000
"""More kinds of rows than this among the first ones, and a file has no few kinds."""

BYTES_A_VALUE = 32
"""Held at once for a value of a table: as read, as typed, as paired and as scored."""

TEXT_FACTOR = 6
"""Held at once for a byte of a text file."""

APART = ("stratum", "run", "system")
"""Roles of columns that need the items themselves."""

COUNT = "\x00items"
"""Column of multiplicities; no file has one of this name."""

Scan = Callable[[str], pl.LazyFrame]
Progress = Callable[[int, int], None]


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
        if text and (_text_need(parts) <= memory or not _first_line_ends(path)):
            return None
        if is_log(files[0]):
            return None
        frames = [scan(file) for file in files]
        schemas = [frame.collect_schema() for frame in frames]
        first = schemas[0]
        if any(schema.keys() != first.keys() for schema in schemas):
            return None
        rows = [0] if text else list(map(_n_rows, frames))
        need = _text_need(parts) if text else sum(rows) * len(first) * BYTES_A_VALUE
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


def _n_rows(scan: pl.LazyFrame) -> int:
    return int(scan.select(pl.len()).collect().item())


def _text_need(parts: tuple[Part, ...]) -> int:
    return sum(part.size or 0 for part in parts) * TEXT_FACTOR


def _first_line_ends(path: str) -> bool:
    with open(path, "rb") as file:
        return len(file.readline(LONGEST_LINE + 1)) <= LONGEST_LINE


def _in_store(path: str) -> Files:
    """Return the Parquet files below an address."""
    parts = parts_in_store(path)
    for part in parts:
        with on_disk(part) as (file, _):
            head = pl.scan_parquet(file, glob=False).head(SAMPLE_ROWS).collect(engine="streaming")
        # A part without rows has no types to speak of.
        if head.height:
            break
    return Files(path=path, parts=parts, format="parquet", scan=head.lazy(), need=_text_need(parts))


def read_in_passing(
    path: str, options: Options, memory: int, engine: Engine | None = None
) -> Evaluation | None:
    """Count the kinds of rows of a wide table that would not fit; None where the rest applies.

    Parameters
    ----------
    path : str
        File, or folder of Parquet files that are parts of one table.
    options : Options
        Columns that the user named.
    memory : int
        Bytes that may be held.
    engine : Engine, optional
        Counts the parts where it works. A folder of parts is then counted in passing, however
        small it is, where that can be done.

    Raises
    ------
    InputError
        If it does not fit and cannot be counted in passing.
    """
    files = files_of(path, memory, spread=engine is not None)
    if files is None:
        return None
    fits = STORE not in path and files.need <= memory
    # Texts are looked at one by one.
    if fits and options.empty_texts:
        return None
    try:
        try:
            layout, columns = _planned(files, options, memory)
        except InputError:
            if fits:
                return None
            raise
        return _evaluation(files, layout, columns, options, engine)
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"the file is damaged, or its columns change on the way: {str(error).splitlines()[0]}.",
            where=path,
            fix="Write it anew, as Parquet if it can be.",
        ) from None


def _planned(files: Files, options: Options, memory: int) -> tuple[Layout, list[str]]:
    """Return what the columns are by the first rows, and those that are counted.

    Raises
    ------
    InputError
        If it does not fit and cannot be counted in passing.
    """
    head = files.scan.head(HEAD_ROWS).collect(engine="streaming")
    layout = lay_out(
        _table(head, files, Source(path=files.path, sha256="", format=files.format)),
        options,
        name=None,
        references=None,
    )
    _check(files, layout, options, memory)
    wanted = ("cluster", "reference")
    columns = [*(layout.columns[role] for role in wanted if role in layout.columns), *layout.wide]
    chosen = files.scan.select(columns)
    if "cluster" in layout.columns:
        n_kinds = int(chosen.select(pl.struct(columns).hash().approx_n_unique()).collect().item())
        if n_kinds * len(columns) * BYTES_A_VALUE > memory:
            raise _too_large(files, memory, f"there are about {n_kinds:,} kinds of items")
    elif (n_kinds := chosen.head(SAMPLE_ROWS).collect(engine="streaming").n_unique()) > MOST_KINDS:
        raise _too_many(files, n_kinds, memory)
    return layout, columns


def _evaluation(
    files: Files, layout: Layout, columns: list[str], options: Options, engine: Engine | None
) -> Evaluation:
    if engine is None and STORE not in files.path:
        kinds, source = _kinds(files.scan.select(columns), columns), files.source()
    else:
        kinds, source = _by_parts(files, columns, engine, options.progress)
    found = lay_out(_table(kinds.drop(COUNT), files, source), options, name=None, references=None)
    digests = "".join(part.sha256 for part in source.files)
    n = int(kinds[COUNT].sum())
    return Evaluation(
        answers=found.answers,
        multiplicities=kinds[COUNT],
        digest=hashlib.sha256(digests.encode()).hexdigest(),
        notes=(
            *(note for note in found.notes if note.code != "columns_ignored"),
            *(note for note in layout.notes if note.code == "columns_ignored"),
            Note(
                code="counted_in_passing",
                message=f"{n:,} rows were counted in passing: {kinds.height:,} kinds of items. "
                "Item ids were not looked at, so that an item that stands twice counts twice; the "
                "hash of the rows is that of the bytes of "
                f"{'the file' if len(source.files) == 1 else 'the files'}.",
            ),
        ),
    )


def _kinds(table: pl.LazyFrame, columns: list[str]) -> pl.DataFrame:
    """Count the rows that are alike in some columns."""
    counted = table.group_by(columns).agg(pl.len().cast(pl.Int64).alias(COUNT))
    return counted.collect(engine="streaming").sort(columns)


def _by_parts(
    files: Files, columns: list[str], engine: Engine | None, progress: Progress | None
) -> tuple[pl.DataFrame, Source]:
    """Count every part where the engine works, and put the counts together."""
    tasks = [(part, columns) for part in files.parts]
    found = (
        (count_part(*task) for task in tasks)
        if engine is None
        else engine.each(count_part, tasks, [part.path for part in files.parts])
    )
    first = files.scan.select(columns).collect_schema()
    counted, sources = [pl.DataFrame(schema={**first, COUNT: pl.Int64})], []
    for part, (kinds, sha256) in zip(files.parts, found, strict=True):
        # A part without rows has no types to speak of.
        if kinds.height:
            check_alike(files.parts[0].path, first, part.path, kinds.schema)
            counted.append(kinds)
        sources.append(Source(path=part.path, sha256=sha256, format=files.format))
        if progress is not None:
            progress(len(sources), len(files.parts))
    together = pl.concat(counted).group_by(columns).agg(pl.col(COUNT).sum()).sort(columns)
    if len(sources) == 1:
        return together, sources[0]
    whole = Source(path=files.path, sha256="", format=files.format, parts=tuple(sources))
    return together, whole


def count_part(part: Part, columns: list[str]) -> tuple[pl.DataFrame, str]:
    """Count the kinds of rows of one part; what an engine runs.

    Parameters
    ----------
    part : Part
    columns : list of str

    Returns
    -------
    kinds : polars.DataFrame
        The columns, and how many rows are of each kind.
    sha256 : str
        Of the bytes of the file.

    Raises
    ------
    InputError
        If a column is missing, fewer or more rows were counted than the file says it has, or it
        is another file than the one that was listed.
    """
    ending = Path(part.path).suffix.casefold()
    with on_disk(part) as (file, sha256):
        scan = SCANS[ending][1](file)
        absent = [name for name in columns if name not in scan.collect_schema()]
        if absent:
            raise InputError(
                f"there is no column {absent[0]!r}, which the first part has.",
                where=part.path,
                fix="Write all parts with the same columns of the same types.",
            )
        kinds = _kinds(scan.select(columns), columns)
        stated = _n_rows(scan) if ending == ".parquet" else None
    counted = int(kinds[COUNT].sum())
    if stated is not None and counted != stated:
        raise InputError(
            f"{counted:,} rows were counted, and the file says that it has {stated:,}.",
            where=part.path,
            fix="It is damaged or being written: try again when it is whole.",
        )
    return kinds, sha256


def _table(frame: pl.DataFrame, files: Files, source: Source) -> Table:
    return Table(
        columns={column.name: column for column in frame.get_columns()},
        height=frame.height,
        rows=Rows(word="kind of items", first=1),
        source=source,
    )


def _check(files: Files, layout: Layout, options: Options, memory: int) -> None:
    """Refuse what needs the items themselves."""
    asked = [ROLES[role].option for role in APART if role in layout.columns]
    if asked:
        raise _too_large(files, memory, f"{', '.join(asked)} needs the items themselves")
    if not layout.wide:
        raise _too_large(files, memory, "it has no column for each system")


def _too_large(files: Files, memory: int, why: str) -> InputError:
    than = f", more than the {_size(memory)} of --memory, and" if files.need > memory else " and"
    return InputError(
        f"about {_size(files.need)} are needed to hold this table{than} it cannot be counted in "
        f"passing: {why}.",
        where=files.path,
        fix="Give a greater --memory, or a wide table with a column of scores for each system."
        if STORE not in files.path
        else "Copy it here, or give a wide table with a column of scores for each system.",
    )


def _too_many(files: Files, kinds: int, memory: int) -> InputError:
    return _too_large(
        files,
        memory,
        f"its first {SAMPLE_ROWS:,} rows are of {kinds:,} kinds, and such a count grows with them",
    )


def _size(n: int) -> str:
    return f"{n / 1e9:.1f} GB" if n >= 1e8 else f"{n / 1e6:.1f} MB"
