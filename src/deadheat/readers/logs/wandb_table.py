"""W&B tables, and other tables in split form: columns and a list for each row."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.evaluation import Rows
from deadheat.readers import split_form
from deadheat.readers.log import Log
from deadheat.readers.logs import mlflow
from deadheat.readers.records import Records
from deadheat.readers.table import Table

TOOL = "W&B table"

VERSIONS = 'NAME.table.json, and any table that pandas wrote with orient="split"'

QUIRKS = (
    "The table is read as any other: a column id is the item, one called score or correct the "
    "score, and other columns are named with --score, --system and so on.",
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
    columns = split_form.read(log, "a table of columns and data")
    size = sum(map(len, columns.values()))
    records = Records(log.path, wanted, size)
    for row in zip(*columns.values(), strict=True):
        records.add(dict(zip(columns, row, strict=True)))
    return Table(
        columns=records.columns(),
        height=records.height,
        rows=Rows(word="row"),
        source=log.source("wandb_table"),
        nested=records.nested,
    )
