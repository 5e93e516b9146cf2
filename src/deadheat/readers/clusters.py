"""Clusters and strata: derived from item ids, or pointed out where a column suggests them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

from deadheat.errors import InputError, UsageError
from deadheat.notes import Note
from deadheat.readers.columns import ROLES, Options, normal
from deadheat.readers.table import Table


def cluster_rule(options: Options, table: Table) -> str | None:
    """Return the expression that derives clusters from item ids, if that was asked for."""
    cluster = options.cluster
    if not isinstance(cluster, str) or cluster in table.columns:
        return None
    return cluster[5:] if cluster.startswith("item:") else None


def derived(table: Table, item: pl.Series | None, rule: str) -> pl.Series:
    """Clusters from item ids: the first group of an expression, or all that it matches.

    Raises
    ------
    UsageError
        If there are no item ids, or the expression is none.
    InputError
        If an item id does not match it.
    """
    if item is None:
        raise UsageError(
            "--cluster item:... derives clusters from item ids, and there are none.",
            where=table.place,
        )
    try:
        group = 1 if re.compile(rule).groups else 0
        found = item.cast(pl.String).str.extract(f"{rule}", group)
    except (re.error, pl.exceptions.PolarsError) as error:
        raise UsageError(
            f"{rule!r} is not a regular expression ({str(error).splitlines()[0]}).",
            fix="Write --cluster 'item:REGEX'; the first (group) is the cluster.",
        ) from None
    if found.null_count():
        row = int(found.is_null().arg_true()[0])
        raise InputError(
            f"item {item[row]!r} does not match {rule!r}, from which the cluster is derived.",
            where=table.where(row),
        )
    return found


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
