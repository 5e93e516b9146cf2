"""Files that are too large to be held: counted in passing, kind of item by kind of item.

Items that are alike in every column that is asked for are interchangeable (STATISTICS.md 3.2), so
that of a table only its kinds of items are kept, with how many items are of each. polars counts
the rows of a wide table in one pass over the file, whatever its length; the file pairs the
systems, row by row, and item ids are not looked at. The rows of a long table are brought together
by item first. What follows has as many rows as there are kinds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from deadheat.engine import Engine
from deadheat.errors import InputError, known
from deadheat.evaluation import Evaluation, Rows, Source
from deadheat.notes import Note
from deadheat.readers.cells import MISSING, plain
from deadheat.readers.columns import ROLES, Options, resolve, split
from deadheat.readers.expressions import DERIVED, IDS
from deadheat.readers.layout import Layout, lay_out
from deadheat.readers.passing.budget import BYTES_A_VALUE, shown
from deadheat.readers.passing.files import SAMPLE_ROWS, Files, files_of
from deadheat.readers.passing.kinds import COUNT, averages_of, by_parts, kinds_of
from deadheat.readers.passing.long import LongTable, count_long
from deadheat.readers.passing.parts import STORE
from deadheat.readers.table import UNTYPED, Table

HEAD_ROWS = 10_000
"""Rows from which the columns are told apart."""

MOST_KINDS = 50_000
"""More kinds of rows than this among the first ones, and a file has no few kinds."""

OWN = ("output", "score")
GROUPS = ("cluster", "stratum")
SHARED = ("reference", *GROUPS)
"""Roles of columns that kinds of items are made of: of a system, and of an item."""


def read_in_passing(
    path: str, options: Options, memory: int, engine: Engine | None = None
) -> Evaluation | None:
    """Count the kinds of items of a table that would not fit; None where the rest applies.

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
            layout, averaged = _planned(files, options, memory)
        except InputError:
            if fits:
                return None
            raise
        made = _derived(files, layout, options)
        if "system" in layout.columns:
            return None if fits else _of_long(_with(files, made), layout, options, memory)
        if not made and not averaged:
            return _of_wide(files, layout, options, engine)
        if STORE in path:
            why = f"{', '.join(made)} is no column of the files" if made else "it lies in a store"
            raise _too_large(files, memory, why)
        if fits:
            return None
        return _of_wide(_with(files, made), layout, options, None, averaged=averaged)
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"the file is damaged, or its columns change on the way: {str(error).splitlines()[0]}.",
            where=path,
            fix="Write it anew, as Parquet if it can be.",
        ) from None


def _planned(files: Files, options: Options, memory: int) -> tuple[Layout, bool]:
    """Return what the columns are by the first rows, and whether clusters are to be averaged.

    Raises
    ------
    InputError
        If the table cannot be counted in passing.
    """
    head = files.scan.head(HEAD_ROWS).collect(engine="streaming")
    source = Source(path=files.path, sha256="", format=files.format)
    table = _table(head, files, source, word="row")
    # The first rows of a long table may be of one system alone.
    long = "system" in resolve(table, options.named(), optional=ROLES)
    layout = lay_out(
        table, replace(options, systems=None) if long else options, name=None, references=None
    )
    _check(files, layout, memory)
    if long:
        return layout, False
    columns = _of_kinds(layout)
    chosen = _with(files, _derived(files, layout, options)).scan.select(columns)
    if {"cluster", "stratum"} & layout.columns.keys():
        n_kinds = int(
            chosen.select(pl.struct(columns).hash().approx_n_unique())
            .collect(engine="streaming")
            .item()
        )
        if n_kinds * len(columns) * BYTES_A_VALUE > memory:
            if _can_be_averaged(files, layout, chosen, memory):
                return layout, True
            raise _too_large(files, memory, f"there are about {n_kinds:,} kinds of items")
    elif (n_kinds := chosen.head(SAMPLE_ROWS).collect(engine="streaming").n_unique()) > MOST_KINDS:
        raise _too_many(files, n_kinds, memory)
    return layout, False


def _can_be_averaged(files: Files, layout: Layout, chosen: pl.LazyFrame, memory: int) -> bool:
    """Whether there are clusters, few enough, of scores that are numbers."""
    types = chosen.collect_schema()
    scores = layout.wide or _columns(layout, OWN)
    if "cluster" not in layout.columns or any(a.outputs is not None for a in layout.answers):
        return False
    if files.format not in UNTYPED and not all(types[name].is_numeric() for name in scores):
        return False
    groups = _columns(layout, GROUPS)
    counted = chosen.select(pl.struct(groups).hash().approx_n_unique())
    n_groups = int(counted.collect(engine="streaming").item())
    return n_groups * (len(scores) + len(groups)) * BYTES_A_VALUE <= memory


def _with(files: Files, made: Mapping[str, pl.Expr]) -> Files:
    """Return files with more columns."""
    return replace(files, scan=files.scan.with_columns(**made))


def _derived(files: Files, layout: Layout, options: Options) -> dict[str, pl.Expr]:
    """Return what makes the columns that are taken out of others, by their names."""
    there = files.scan.collect_schema()
    found: dict[str, pl.Expr] = {}
    for role in DERIVED:
        asked = layout.columns.get(role)
        if asked is None or asked in there:
            continue
        column, rule = split(asked)
        if column == IDS and role != "item":
            column = layout.columns["item"]
        source = found.get(column, pl.col(column))
        group = 1 if re.compile(rule or "").groups else 0
        found[asked] = source.cast(pl.String).str.extract(rule or "", group)
    return found


def _of_kinds(layout: Layout) -> list[str]:
    """Return the columns of a wide table of which kinds of items are made."""
    return [*_columns(layout, SHARED), *(layout.wide or _columns(layout, OWN))]


def _of_wide(
    files: Files,
    layout: Layout,
    options: Options,
    engine: Engine | None,
    *,
    averaged: bool = False,
) -> Evaluation:
    columns = _of_kinds(layout)
    if averaged:
        scores = layout.wide or _columns(layout, OWN)
        scan = files.scan
        if files.format in UNTYPED:
            scan = scan.with_columns(map(_as_numbers, scores))
        kinds = averages_of(scan, _columns(layout, GROUPS), scores)
        source = files.source()
    elif engine is None and STORE not in files.path:
        kinds, source = kinds_of(files.scan.select(columns), columns), files.source()
    else:
        kinds, source = by_parts(files, columns, engine, options.progress)
    found = lay_out(_table(kinds.drop(COUNT), files, source), options, name=None, references=None)
    ignored = [note for note in layout.notes if note.code == "columns_ignored"]
    what = (
        f"averaged within clusters, {kinds.height:,} means: of scores that nearly all differ "
        "nothing else is kept, so that the design effect is not known"
        if averaged
        else f"{kinds.height:,} kinds of items"
    )
    said = (
        f"{int(kinds[COUNT].sum()):,} rows were counted in passing: {what}. "
        "Item ids were not looked at, so that an item that stands twice counts twice; "
        f"{_hashed(source)}"
    )
    return Evaluation(
        answers=found.answers,
        multiplicities=kinds[COUNT],
        averaged=averaged,
        digest=_digest(source),
        notes=(
            *(note for note in found.notes if note.code != "columns_ignored"),
            *ignored,
            Note(code="counted_in_passing", message=said),
        ),
    )


def _as_numbers(name: str) -> pl.Expr:
    """Read a column of text as numbers; what is none, and no word for a missing one, fails."""
    text = pl.col(name).str.strip_chars()
    missing = text.str.to_lowercase().is_in(sorted(MISSING))
    return pl.when(missing).then(None).otherwise(text).cast(pl.Float64).alias(name)


def _of_long(files: Files, layout: Layout, options: Options, memory: int) -> Evaluation:
    item, system = (layout.columns[role] for role in ("item", "system"))
    own, shared = _columns(layout, OWN), _columns(layout, SHARED)
    rows = files.scan.select(item, pl.col(system).cast(pl.String), *own, *shared)
    if files.format in UNTYPED:
        rows = rows.with_columns(pl.col(name).replace("", None) for name in (item, system))
    if options.systems is not None:
        _check_systems(files, system, options.systems)
        rows = rows.filter(pl.col(system).is_in(options.systems))
    long = LongTable(rows=rows, item=item, system=system, own=own, shared=shared, place=files.path)
    found = count_long(long, memory, options.progress)
    source = files.source()
    layout = lay_out(_table(found.rows, files, source), options, name=None, references=None)
    kinds = found.kinds
    notes = [
        *layout.notes,
        Note(
            code="counted_in_passing",
            message=f"{found.n_rows:,} rows of {int(kinds[COUNT].sum()):,} items were counted in "
            f"passing: {kinds.height:,} kinds of items. {_hashed(source).capitalize()}",
        ),
    ]
    if found.written:
        message = (
            f"The table is not in the order of its items: to bring their rows together, "
            f"{shown(found.written)} were written aside and read again. Sorted by item it is read "
            "in one pass."
        )
        notes.append(Note(code="rows_apart", message=message))
    return Evaluation(
        answers=layout.answers,
        multiplicities=kinds[COUNT],
        representatives=plain(kinds[item]),
        digest=_digest(source),
        notes=tuple(notes),
    )


def _check_systems(files: Files, column: str, asked: tuple[str, ...]) -> None:
    """Refuse systems that are asked for and not there."""
    names = files.scan.select(pl.col(column).cast(pl.String).drop_nulls().unique())
    present = names.collect(engine="streaming").to_series().sort().to_list()
    for system in asked:
        if system not in present:
            raise InputError(
                f"column {column!r} names no system {system!r} (--system).",
                where=files.path,
                fix=known(present, system),
            )


def _columns(layout: Layout, roles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(layout.columns[role] for role in roles if role in layout.columns)


def _digest(source: Source) -> str:
    digests = "".join(part.sha256 for part in source.files)
    return hashlib.sha256(digests.encode()).hexdigest()


def _hashed(source: Source) -> str:
    what = "the file" if len(source.files) == 1 else "the files"
    return f"the hash of the rows is that of the bytes of {what}."


def _table(frame: pl.DataFrame, files: Files, source: Source, word: str = "kind of items") -> Table:
    return Table(
        columns={column.name: column for column in frame.get_columns()},
        height=frame.height,
        rows=Rows(word=word),
        source=source,
    )


def _check(files: Files, layout: Layout, memory: int) -> None:
    """Refuse what needs the items themselves."""
    roles = layout.columns
    if "run" in roles:
        raise _too_large(files, memory, f"{ROLES['run'].option} needs the items themselves")
    if not layout.wide and "system" not in roles and len(files.parts) > 1:
        # Each may be of a system of its own.
        raise _too_large(files, memory, "its files have no column for each system")
    if "system" in roles:
        if "item" not in roles:
            raise _too_large(files, memory, "it has a row for each system, and no item ids")
        if STORE in files.path:
            raise _too_large(files, memory, "it has a row for each system, and lies in a store")


def _too_large(files: Files, memory: int, why: str) -> InputError:
    than = f", more than the {shown(memory)} of --memory, and" if files.need > memory else " and"
    return InputError(
        f"about {shown(files.need)} are needed to hold this table{than} it cannot be counted in "
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
