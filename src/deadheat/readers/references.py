"""Right answers that come in a file, frame or array of their own."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from deadheat.errors import InputError, UsageError
from deadheat.evaluation import References, Source
from deadheat.readers import arrays, frames
from deadheat.readers.cells import groups, ids, labels_or_lists, plain
from deadheat.readers.columns import Options, is_number, resolve, sought
from deadheat.readers.expressions import from_ids, with_derived
from deadheat.readers.formats import read_table
from deadheat.readers.hints import cluster_candidates
from deadheat.readers.layout import Layout
from deadheat.readers.table import Table


def read_references(value: Any, options: Options) -> tuple[References, Layout]:
    """Read right answers that come in a file, frame or array of their own.

    Raises
    ------
    InputError
        If it is not clear which column holds them.
    """
    named = _reference_columns(options)
    if isinstance(value, (str, PathLike)):
        wanted = sought(named.values())
        table = read_table(fspath(value), wanted, empty_texts=options.empty_texts)
    elif frames.recognises(value):
        table = frames.read(value, sought(named.values()))
    elif arrays.recognises(value):
        series = plain(arrays.read(value, "the array of references"))
        source = Source(path="", sha256="", format="array")
        found = References(items=None, values=series, source=source)
        return found, Layout(answers=(), roles=frozenset(), notes=())
    else:
        raise UsageError(
            f"the references are {type(value).__name__}, which cannot be read.",
            fix="Give a path, a data frame or an array.",
        )
    # Expressions over item ids are applied to the answers.
    for role in from_ids(options, table):
        named.pop(role, None)
    table = with_derived(table, options, named)
    roles = resolve(table, named, optional={"item", "cluster", "stratum"})
    column = roles.get("reference") or _only_other(table, roles)
    references = References(
        items=ids(table, roles["item"]) if "item" in roles else None,
        values=labels_or_lists(table, column),
        clusters=groups(table, roles["cluster"]) if "cluster" in roles else None,
        strata=groups(table, roles["stratum"]) if "stratum" in roles else None,
        source=table.source,
        rows=table.rows,
        candidates=cluster_candidates(table, roles | {"reference": column}),
    )
    return references, Layout(answers=(), roles=frozenset(roles), notes=table.notes)


def _reference_columns(options: Options) -> dict[str, str | int]:
    """Columns that may be named in a file of references: all by name, or all by number."""
    named = options.named(("reference", "item", "cluster", "stratum"))
    if "reference" not in named:
        return {role: column for role, column in named.items() if not is_number(column)}
    by_number = is_number(named["reference"])
    return {role: column for role, column in named.items() if is_number(column) == by_number}


def _only_other(table: Table, roles: dict[str, str]) -> str:
    """Return the one column of a file of references that is nothing else."""
    rest = [column for column in table.columns if column not in roles.values()]
    beside = ("item", "cluster", "stratum")
    others = [column for role, column in roles.items() if role not in beside]
    if len(table.columns) == 1:
        return next(iter(table.columns))
    if "item" in roles and len(rest) == 1 and not others:
        return rest[0]
    if not rest and len(others) == 1:
        return others[0]
    raise InputError(
        "no column is known to hold the references; the columns are "
        f"{', '.join(repr(column) for column in list(table.columns)[:12])}.",
        where=table.place,
        fix="Name it with --reference-column (a number means that there is no header).",
    )
