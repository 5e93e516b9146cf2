"""Files that are too large to be held: counted in passing, kind of item by kind of item.

Items that are alike in every column that is asked for are interchangeable (STATISTICS.md 3.2), so
that of a wide table only its kinds of rows are kept, with how many items are of each. polars
counts them in one pass over the file, whatever its length, and what follows has as many rows as
there are kinds. Item ids are not looked at: the file pairs the systems, row by row.
"""

from __future__ import annotations

import hashlib
import io
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

STORE = "://"
"""What an address in a store has."""

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
    parts : tuple of str
        Files, or addresses of objects in a store that fsspec knows.
    format : str
    scan : polars.LazyFrame
        All of it; of a store, the first part.
    """

    path: str
    parts: tuple[str, ...]
    format: str
    scan: pl.LazyFrame

    @property
    def need(self) -> int:
        """Bytes that are held at once to read them as a whole, about."""
        if self.format == "parquet":
            rows = int(self.scan.select(pl.len()).collect().item())
            return rows * len(self.scan.collect_schema()) * BYTES_A_VALUE
        return _text_need(self.parts)

    def source(self) -> Source:
        """Return the files with the SHA-256 of their bytes."""
        own = tuple(
            Source(path=part, sha256=_digest(part), format=self.format) for part in self.parts
        )
        if len(own) == 1:
            return own[0]
        return Source(path=self.path, sha256="", format=self.format, parts=own)


def files_of(path: str, memory: int) -> Files | None:
    """Return the files of a path that need more than some memory; None for all others.

    A folder is one table where all its files are Parquet with the same columns. Logs of tools are
    no tables: their readers keep what they need of a file, however large it is.
    """
    if STORE in path:
        return _in_store(path)
    folder = Path(path)
    if folder.is_dir():
        parts = tuple(sorted(os.fspath(file) for file in folder.iterdir() if file.is_file()))
        if not parts or any(Path(part).suffix.casefold() != ".parquet" for part in parts):
            return None
    elif folder.is_file() and folder.suffix.casefold() in SCANS:
        parts = (path,)
    else:
        return None
    name, scan = SCANS[Path(parts[0]).suffix.casefold()]
    try:
        # Nothing is scanned that is held anyway: to tell its columns is to decode its first lines.
        text = name != "parquet"
        if text and (_text_need(parts) <= memory or not _first_line_ends(path)):
            return None
        if is_log(parts[0]):
            return None
        frames = [scan(part) for part in parts]
        if len({tuple(frame.collect_schema().items()) for frame in frames}) > 1:
            return None
        files = Files(path=path, parts=parts, format=name, scan=pl.concat(frames))
        return files if files.need > memory else None
    except (pl.exceptions.PolarsError, InputError, OSError):
        # What is wrong with it is said by the reader that holds the whole.
        return None


def _text_need(parts: tuple[str, ...]) -> int:
    return sum(map(os.path.getsize, parts)) * TEXT_FACTOR


def _first_line_ends(path: str) -> bool:
    with open(path, "rb") as file:
        return len(file.readline(LONGEST_LINE + 1)) <= LONGEST_LINE


def _in_store(path: str) -> Files:
    """Return the Parquet files below an address."""
    try:
        import fsspec
    except ImportError:
        raise InputError(
            "addresses in a store need the package fsspec, which is not installed.",
            where=path,
            fix="pip install 'deadheat[cluster]'",
        ) from None
    try:
        system, root = fsspec.core.url_to_fs(path)
        found = sorted(name for name in system.find(root) if name.endswith(".parquet"))
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"the store cannot be listed: {error}.", where=path) from None
    if not found:
        raise InputError("there is no Parquet file there.", where=path, fix="Check the address.")
    parts = tuple(system.unstrip_protocol(name) for name in found)
    with fsspec.open(parts[0]) as file:
        head = pl.read_parquet(file, n_rows=SAMPLE_ROWS)
    return Files(path=path, parts=parts, format="parquet", scan=head.lazy())


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
        Counts the parts where it works; then everything is counted in passing.

    Raises
    ------
    InputError
        If it does not fit and cannot be counted in passing.
    """
    files = files_of(path, memory if engine is None else 0)
    if files is None:
        return None
    try:
        return _evaluation(files, options, memory, engine)
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"the file is damaged, or its columns change on the way: {str(error).splitlines()[0]}.",
            where=path,
            fix="Write it anew, as Parquet if it can be.",
        ) from None


def _evaluation(files: Files, options: Options, memory: int, engine: Engine | None) -> Evaluation:
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
    if engine is None and STORE not in files.path:
        kinds, source = _kinds(chosen, columns), files.source()
    else:
        kinds, source = _by_parts(files, columns, engine)
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
    files: Files, columns: list[str], engine: Engine | None
) -> tuple[pl.DataFrame, Source]:
    """Count every part where the engine works, and put the counts together."""
    tasks = [(part, columns) for part in files.parts]
    found = (
        [count_part(*task) for task in tasks]
        if engine is None
        else engine.each(count_part, tasks, files.parts)
    )
    counted, sources = [], []
    for part, (kinds, digest) in zip(files.parts, found, strict=True):
        counted.append(kinds)
        sources.append(Source(path=part, sha256=digest, format=files.format))
    together = pl.concat(counted).group_by(columns).agg(pl.col(COUNT).sum()).sort(columns)
    if len(sources) == 1:
        return together, sources[0]
    whole = Source(path=files.path, sha256="", format=files.format, parts=tuple(sources))
    return together, whole


def count_part(path: str, columns: list[str]) -> tuple[pl.DataFrame, str]:
    """Count the kinds of rows of one file; what an engine runs.

    Parameters
    ----------
    path : str
        File, or address in a store.
    columns : list of str

    Returns
    -------
    kinds : polars.DataFrame
        The columns, and how many rows are of each kind.
    digest : str
        SHA-256 of the bytes of the file.

    Raises
    ------
    InputError
        If fewer or more rows were counted than the file says it has.
    """
    if STORE in path:
        import fsspec

        with fsspec.open(path) as file:
            held = file.read()
        stated = pl.scan_parquet(io.BytesIO(held)).select(pl.len()).collect().item()
        kinds = _kinds(pl.read_parquet(io.BytesIO(held), columns=columns).lazy(), columns)
        digest = hashlib.sha256(held).hexdigest()
    else:
        ending = Path(path).suffix.casefold()
        scan = SCANS[ending][1](path)
        kinds = _kinds(scan.select(columns), columns)
        stated = scan.select(pl.len()).collect().item() if ending == ".parquet" else None
        digest = _digest(path)
    counted = int(kinds[COUNT].sum())
    if stated is not None and counted != stated:
        raise InputError(
            f"{counted:,} rows were counted, and the file says that it has {stated:,}.",
            where=path,
            fix="It is damaged or being written: try again when it is whole.",
        )
    return kinds, digest


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
    return InputError(
        f"about {_size(files.need)} are needed to hold this table, more than the {_size(memory)} "
        f"of --memory, and it cannot be counted in passing: {why}.",
        where=files.path,
        fix="Give a greater --memory, or a wide table with a column of scores for each system.",
    )


def _too_many(files: Files, kinds: int, memory: int) -> InputError:
    return _too_large(
        files,
        memory,
        f"its first {SAMPLE_ROWS:,} rows are of {kinds:,} kinds, and such a count grows with them",
    )


def _size(n: int) -> str:
    return f"{n / 1e9:.1f} GB" if n >= 1e8 else f"{n / 1e6:.1f} MB"


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
