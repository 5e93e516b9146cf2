"""Columns whose names suggest clusters or strata: pointed out, not used."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from deadheat.notes import Note
from deadheat.readers.columns import ROLES, normal
from deadheat.readers.table import Table


def hints(table: Table, roles: dict[str, str]) -> Iterable[Note]:
    """Point out columns that could be clusters or strata."""
    for role in (ROLES["cluster"], ROLES["stratum"]):
        for name, values in table.columns.items():
            if role.name in roles or normal(name) not in role.hints or name in roles.values():
                continue
            if values.dtype == pl.Object or values.dtype.is_nested():
                continue
            distinct = values.n_unique()
            if 1 < distinct < table.height:
                what = (
                    "items of one cluster are not independent"
                    if role.name == "cluster"
                    else "parts of a set that are sampled on their own"
                )
                yield Note(
                    code=f"{role.name}_hint",
                    message=f"Column {name!r} has {distinct:,} values in {table.height:,} rows "
                    f"and may name the {role.name} ({what}); {role.option} {name} uses it.",
                )
