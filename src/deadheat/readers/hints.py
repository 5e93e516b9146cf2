"""Columns whose names or values suggest clusters or strata: pointed out, not used."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import polars as pl

from deadheat.notes import Note
from deadheat.readers.columns import ROLES, normal
from deadheat.readers.table import Table

_SHARED = frozenset(
    {"context", "passage", "paragraph", "article", "document", "story", "dialogue", "conversation"}
    | {"conversation_id", "dialogue_id", "session", "session_id", "repo", "repository", "title"}
    | {"author", "user_id", "template", "template_id", "source_id", "page", "url"}
)
"""Names of what several items may be about or come from."""

_LONG = 30
"""Mean characters from which on a text that several rows share is a document, not a category."""

_LARGEST = 1_000_000
"""Rows up to which texts are looked through."""


def stratum_hints(table: Table, roles: dict[str, str]) -> Iterable[Note]:
    """Point out columns that could be strata."""
    role = ROLES["stratum"]
    for name, values in table.columns.items():
        if role.name in roles or normal(name) not in role.hints or name in roles.values():
            continue
        if values.dtype == pl.Object or values.dtype.is_nested():
            continue
        distinct = values.n_unique()
        if 1 < distinct < table.height:
            yield Note(
                code="stratum_hint",
                message=f"Column {name!r} has {distinct:,} values and may name the stratum (parts "
                f"of a set that are sampled on their own); {role.option} {name} uses it.",
            )


def cluster_candidates(
    table: Table, roles: dict[str, str], systems: Collection[str] = ()
) -> dict[str, pl.Series]:
    """Return the columns that could be clusters, by name; `deadheat.hints` says what they would do.

    Parameters
    ----------
    table : Table
    roles : dict
        Column by role.
    systems : collection of str
        Columns that are systems.
    """
    if "cluster" in roles or not table.named:
        return {}
    found = {}
    for name, values in table.columns.items():
        if name in roles.values() or name in systems or values.dtype in (pl.Object, pl.Binary):
            continue
        if values.dtype.is_nested() or values.dtype.is_float():
            continue
        named = normal(name) in ROLES["cluster"].hints or normal(name) in _SHARED
        if (named or _long(table, values)) and 1 < values.n_unique() < table.height:
            found[name] = values
    return found


def _long(table: Table, values: pl.Series) -> bool:
    """Whether the first values of a column are texts of some length."""
    if values.dtype != pl.String or table.height > _LARGEST or values.null_count():
        return False
    mean = values.head(1_000).str.len_chars().mean()
    return isinstance(mean, (int, float)) and mean >= _LONG and not (values == "").any()
