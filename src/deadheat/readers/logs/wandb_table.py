"""W&B tables, and other tables in split form: columns and a list for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers import split_form
from deadheat.readers.columns import ROLES, is_alias, normal
from deadheat.readers.log import Log
from deadheat.readers.logs import mlflow
from deadheat.readers.records import Records
from deadheat.readers.table import Table

TOOL = "W&B table"

VERSIONS = 'NAME.table.json, and any table that pandas wrote with orient="split"'

QUIRKS = (
    "The table is read as any other: a column id is the item, one called score or correct the "
    "score, and other columns are named with --score, --system and so on.",
    "Where there are outputs, no references and no column of that kind, every column of numbers or "
    "truths is a score, the first one first.",
    "Images, files and other objects of W&B stand in cells as objects and are not looked into.",
)


def recognises(path: str, head: bytes) -> bool:
    """Whether a document begins with the names of columns, and no tool is known to write them."""
    return bool(split_form.header(head)) and not mlflow.recognises(path, head)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each row.

    Raises
    ------
    FormatError
        If rows and columns do not fit.
    """
    cells = split_form.read(log, "a table of columns and data")
    records = Records(log.path, wanted, sum(map(len, cells.values())))
    for row in zip(*cells.values(), strict=True):
        records.add(dict(zip(cells, row, strict=True)))
    columns = records.columns()
    roles = _roles(columns)
    scores = _scores(columns, roles)
    own = {role: column for role, column in roles.items() if role != "output"}
    return Table(
        columns=columns,
        height=records.height,
        rows=Rows(word="row"),
        source=log.source("wandb_table"),
        nested=records.nested,
        roles=own if scores else {},
        scores=scores,
    )


def _roles(columns: Mapping[str, pl.Series]) -> dict[str, str]:
    """Return the first column of each role, by names that say so."""
    return {
        name: next(column for column in columns if normal(column) in role.aliases)
        for name, role in ROLES.items()
        if any(normal(column) in role.aliases for column in columns)
    }


def _scores(columns: Mapping[str, pl.Series], roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return columns of numbers beside outputs that nothing else could score."""
    if "output" not in roles or roles.keys() & {"reference", "score"}:
        return ()
    return tuple(
        name
        for name, values in columns.items()
        if (values.dtype.is_numeric() or values.dtype == pl.Boolean) and not is_alias(name)
    )
