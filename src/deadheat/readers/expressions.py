"""Values taken out of another column by a regular expression: ``COLUMN:REGEX`` for a role."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from deadheat.errors import InputError, UsageError
from deadheat.readers.columns import ROLES, Options, split
from deadheat.readers.table import Table

DERIVED = ("item", "system", "cluster", "stratum", "run")
"""Roles whose values may be taken out of another column."""

IDS = "item"
"""Stands for the item ids, whatever their column is called, for all other roles."""


def with_derived(table: Table, options: Options, roles: Iterable[str] = DERIVED) -> Table:
    """Add the columns that expressions make of other columns, called as they were asked for.

    Nothing is added where a column has the whole text as its name, or none has the part before
    the colon.

    Raises
    ------
    UsageError
        If an expression is none.
    InputError
        If a row does not match it.
    """
    added: dict[str, pl.Series] = {}
    for role in set(DERIVED).intersection(roles) - from_ids(options, table).keys():
        asked = getattr(options, role)
        if not isinstance(asked, str) or asked in table.columns:
            continue
        column, rule = split(asked)
        if column in table.columns and rule is not None:
            added[asked] = derived(table, column, table.columns[column], rule, role)
    return replace(table, columns={**table.columns, **added}) if added else table


def from_ids(options: Options, table: Table) -> dict[str, str]:
    """Return, by role, the expressions that are to be applied to the item ids."""
    found: dict[str, str] = {}
    for role in DERIVED:
        asked = getattr(options, role)
        if role == "item" or not isinstance(asked, str) or asked in table.columns:
            continue
        column, rule = split(asked)
        if column == IDS and rule is not None:
            found[role] = rule
    return found


def with_derived_from_ids(
    table: Table, options: Options, roles: dict[str, str], items: pl.Series | None
) -> Table:
    """Add the columns that expressions make of the item ids, and their roles to `roles`.

    Raises
    ------
    UsageError
        If there are no item ids, or an expression is none.
    InputError
        If an item id does not match it.
    """
    added: dict[str, pl.Series] = {}
    for role, rule in from_ids(options, table).items():
        asked = str(getattr(options, role))
        if items is None:
            raise UsageError(
                f"{ROLES[role].option} item:... takes the {role} out of item ids, and there are "
                "none.",
                where=table.place,
                fix="Name the column of item ids with --item.",
            )
        added[asked] = derived(table, "item", items, rule, role)
        roles[role] = asked
    return replace(table, columns={**table.columns, **added}) if added else table


def derived(table: Table, column: str, values: pl.Series, rule: str, role: str) -> pl.Series:
    """Return the first group of an expression, or all that it matches, in every row.

    Raises
    ------
    UsageError
        If the expression is none.
    InputError
        If a row does not match it, with its line.
    """
    if values.dtype == pl.Object or values.dtype.is_nested() or values.dtype == pl.Binary:
        raise InputError(
            f"the {role} cannot be taken out of column {column!r}, which holds more than text.",
            where=table.place,
        )
    try:
        group = 1 if re.compile(rule).groups else 0
        found = values.cast(pl.String).str.extract(rule, group)
    except (re.error, pl.exceptions.PolarsError) as error:
        raise UsageError(
            f"{rule!r} is not a regular expression ({str(error).splitlines()[0]}).",
            fix=f"Write {ROLES[role].option} 'COLUMN:REGEX'; the first (group) is the {role}.",
        ) from None
    if found.null_count():
        row = int(found.is_null().arg_true()[0])
        what = "the cell is empty and" if values[row] is None else f"{column} {values[row]!r}"
        raise InputError(
            f"{what} does not match {rule!r}, from which the {role} is taken.",
            where=table.where(row),
            fix="Every row has to match.",
        )
    return found.alias(f"{column}:{rule}")
