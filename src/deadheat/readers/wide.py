"""Which columns of a wide table are systems, and whether they hold scores or outputs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.errors import InputError
from deadheat.notes import Note
from deadheat.readers.cells import labels_or_lists, looks_numeric, numbers
from deadheat.readers.columns import normal
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

_NO_SCORES = frozenset(
    {"cost", "costs", "price", "latency", "time", "timestamp", "tstamp", "date", "year", "seconds"}
    | {"duration", "tokens", "length", "words", "chars", "bytes", "turn", "turns", "index", "idx"}
    | {"count", "total", "num", "number", "rank", "version", "level", "age"}
)
"""Words in the names of numbers that are about a system or an item and are no score."""

_NO_SCORE = "by its name no score"


def stripped(column: str) -> str:
    """Return the name of the system whose column this is.

    Examples
    --------
    >>> stripped("system_a_correct"), stripped("model_b")
    ('a', 'model_b')
    """
    name = column.removeprefix("system_").removesuffix("_correct")
    return name or column


def looks_wide(columns: Sequence[str]) -> list[str]:
    """Columns whose names say that they belong to a system, if there are several."""
    named = [c for c in columns if c.startswith("system_") or c.endswith("_correct")]
    return named if len(named) > 1 else []


def chosen(
    table: Table,
    columns: Sequence[str],
    references: pl.Series | None,
    *,
    asked: bool,
    notes: list[Note],
) -> dict[str, bool]:
    """Choose the system columns, each with whether it holds outputs rather than scores.

    Parameters
    ----------
    columns : sequence of str
        That play no other role; the systems themselves when `asked`.
    references : polars.Series or None
        Right answers: columns that share values with them are outputs.
    asked : bool
        Whether the user named the columns.

    Raises
    ------
    InputError
        If the columns do not look alike and it is for the user to say which are systems.
    """
    pattern = [] if asked else looks_wide(columns)
    candidates = list(pattern or columns)
    known = _texts(references) if references is not None else frozenset()
    sharing = [c for c in candidates if known and not known.isdisjoint(_values(table, c))]
    if sharing:
        if len(sharing) < len(candidates) and not (asked or pattern):
            others = [c for c in candidates if c not in sharing]
            raise InputError(
                f"columns {listed(sharing)} hold values that are references and {listed(others)} "
                "do not.",
                where=table.place,
                fix=f"Name the systems, for example --system {','.join(sharing)}.",
            )
        return dict.fromkeys(candidates, True)
    sure = asked or pattern
    numeric = candidates if sure else [c for c in candidates if looks_numeric(table, c)]
    if asked and references is not None and not all(looks_numeric(table, c) for c in candidates):
        return dict.fromkeys(candidates, True)
    ignored = [c for c in columns if c not in numeric]
    if not numeric or (len(numeric) == 1 and ignored and not asked):
        raise _none(table, columns, numeric)
    if not (asked or pattern):
        _check_alike(table, numeric)
    if ignored and not asked:
        notes.append(
            Note(
                code="columns_ignored",
                message=f"In {table.place} the columns {listed(numeric)} were read as systems, "
                f"and not {listed(ignored)}.",
            )
        )
    return dict.fromkeys(numeric, False)


def _none(table: Table, columns: Sequence[str], numeric: Sequence[str]) -> InputError:
    what = f"the only one with numbers is {numeric[0]!r}" if numeric else "none has numbers"
    return NoAnswersError(
        "no column is known to hold the scores or outputs of a system; the columns are "
        f"{listed(columns)}, and {what}.",
        where=table.place,
        fix="Name one with --score or --output-column, or several systems with --system A,B; "
        "outputs need a reference column or --reference FILE.",
    )


def _texts(values: pl.Series) -> frozenset[str]:
    """Return the different values as text; of lists, their entries, any of which may be right."""
    distinct = values.unique().cast(pl.String).drop_nulls()
    if values.dtype != pl.Binary:
        return frozenset(distinct.to_list())
    found: set[str] = set()
    for value in map(msgspec.json.decode, distinct.to_list()):
        found.update(map(str, value if isinstance(value, list) else [value]))
    return frozenset(found)


def _values(table: Table, column: str) -> frozenset[str]:
    values = table.columns[column]
    if values.dtype == pl.Object or values.dtype.is_nested() or values.dtype == pl.Binary:
        return frozenset()
    return _texts(labels_or_lists(table, column))


def _check_alike(table: Table, columns: Sequence[str]) -> None:
    """Refuse numeric columns of different kinds or scales."""
    described = {column: _kind(table, column) for column in columns}
    kinds = {kind for kind, _, _ in described.values()}
    spans = [(low, high) for _, low, high in described.values()]
    if len(kinds) == 1 and kinds <= {"0/1", "0 to 1"}:
        return
    widths = [high - low for low, high in spans]
    overlap = max(low for low, _ in spans) <= min(high for _, high in spans)
    comparable = len(kinds) == 1 and _NO_SCORE not in kinds
    if comparable and overlap and max(widths) <= 10 * min(widths):
        return
    shown = "; ".join(
        f"{column!r} ({kind}, {low:g} to {high:g})"
        for column, (kind, low, high) in list(described.items())[:8]
    ) + ("; ..." if len(described) > 8 else "")
    scores = [c for c, (kind, _, _) in described.items() if kind != _NO_SCORE]
    shares = [c for c in scores if described[c][0] in ("0/1", "0 to 1")]
    likely = (shares if len(shares) > 1 else scores or list(columns))[:3]
    raise InputError(
        f"the columns with numbers do not look alike: {shown}.",
        where=table.place,
        fix=f"Name those that are systems, for example --system {','.join(likely)}.",
    )


def _kind(table: Table, column: str) -> tuple[str, float, float]:
    values = numbers(table, column).drop_nulls()
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)  # type: ignore[arg-type]
    if says_no_score(column):
        return _NO_SCORE, low, high
    if bool(values.is_in([0.0, 1.0]).all()):
        return "0/1", low, high
    if low >= 0.0 and high <= 1.0:
        return "0 to 1", low, high
    return ("whole" if bool((values == values.round()).all()) else "real"), low, high


def says_no_score(column: str) -> bool:
    """Whether a name says that numbers are about a system or an item, and no score."""
    return bool(_NO_SCORES & set(normal(column).split("_")))


def listed(columns: Sequence[str], n: int = 8) -> str:
    """Show the first few names."""
    return ", ".join(map(repr, columns[:n])) + (", ..." if len(columns) > n else "")
