"""The numbers of results as data frames, at full precision: the columns are those of `COLUMNS`.

Whatever is read here comes from `to_dict`, so that a frame and the JSON form cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import polars as pl

from deadheat.errors import UsageError, known
from deadheat.rendering import encodable
from deadheat.tabular import as_frame

Row = dict[str, Any]

TYPES: dict[str, type[pl.DataType]] = {
    "text": pl.String,
    "number": pl.Float64,
    "count": pl.Int64,
    "flag": pl.Boolean,
}

_INTERVAL = {"low": "number", "high": "number", "confidence_level": "number", "method": "text"}

COLUMNS: dict[str, dict[str, str]] = {
    "Comparison": {
        "metric": "text",
        "baseline": "text",
        "candidate": "text",
        "baseline_value": "number",
        "candidate_value": "number",
        "estimate": "number",
        "standard_error": "number",
        **_INTERVAL,
        "p_value": "number",
        "test": "text",
        "variant": "text",
        "test_p_value": "number",
        "items": "count",
        "unit": "text",
        "units": "count",
        "pairing": "text",
        "reading": "text",
    },
    "Scorecard": {
        "metric": "text",
        "system": "text",
        "value": "number",
        "standard_error": "number",
        **_INTERVAL,
        "items": "count",
        "unit": "text",
        "units": "count",
    },
    "Leaderboard": {
        "metric": "text",
        "rank": "count",
        "system": "text",
        "value": "number",
        **_INTERVAL,
        "rank_low": "count",
        "rank_high": "count",
        "band": "text",
        "top": "flag",
        "best_share": "number",
        "in_confidence_set": "flag",
        "arena_rank": "count",
        "cost": "number",
        "on_front": "flag",
    },
    "Plan": {"by": "text", "items": "count", "power": "number"},
    "Claim": {
        "what": "text",
        "discordant": "count",
        "only_baseline": "count",
        "only_candidate": "count",
        "items": "count",
        **_INTERVAL,
        "p_value": "number",
        "reading": "text",
        "items_to_resolve": "count",
    },
    "Benchmark": {
        "code": "text",
        "severity": "text",
        "found": "text",
        "why": "text",
        "action": "text",
    },
    "Adjustment": {
        "label": "text",
        "p_value": "number",
        "p_adjusted": "number",
        "rejected": "flag",
    },
    "Inspection": {
        "system": "text",
        "file": "text",
        "items": "count",
        "rows": "count",
        "runs": "count",
        "clusters": "count",
        "tasks": "count",
        "unscored": "count",
        "kind": "text",
    },
    "Conversion": {"system": "text", "rows": "count"},
    "Verification": {"name": "text", "changed": "flag", "detail": "text"},
}
"""By kind of result: its columns with what they hold; several metrics give the rows of each."""


def frame_of(result: Any, kind: str | None = None) -> Any:
    """Return the numbers of a result as a data frame.

    Parameters
    ----------
    result : a result of deadheat
    kind : {"polars", "pandas", "pyarrow"}, optional
        By default the kind of frame that came in.

    Raises
    ------
    UsageError
        If there is no such kind of frame.
    """
    parts = getattr(result, "parts", (result,))
    name = type(parts[0]).__name__
    if name not in COLUMNS:
        raise UsageError(f"there is no frame of a {name}.", fix=known(COLUMNS, name))
    columns = COLUMNS[name]
    rows = [row for part in parts for row in ROWS[name](part.to_dict())]
    frame = pl.DataFrame(
        {
            column: pl.Series([_held(row.get(column)) for row in rows], dtype=TYPES[holds])
            for column, holds in columns.items()
        }
    )
    came: str = getattr(getattr(result, "recipe", result), "frame", "polars")
    return as_frame(frame, came if kind is None else kind)


def _held(value: Any) -> Any:
    """Return a value as a frame can hold it: text without lone surrogates."""
    return encodable(value) if isinstance(value, str) else value


def _comparison(tree: Row) -> Iterator[Row]:
    found = tree["difference"]
    companion = tree["tests"][0] if tree["tests"] else {}
    yield {
        **{side: tree[side]["system"] for side in ("baseline", "candidate")},
        **{f"{side}_value": tree[side]["value"] for side in ("baseline", "candidate")},
        **found,
        **found["interval"],
        "metric": tree["metric"]["name"],
        "test": companion.get("name"),
        "variant": companion.get("variant"),
        "test_p_value": companion.get("p_value"),
        "items": tree["items"]["n"],
        "unit": tree["unit"]["kind"],
        "units": tree["unit"]["n"],
        "pairing": tree["pairing"],
        "reading": tree["reading"]["code"],
    }


def _scorecard(tree: Row) -> Iterator[Row]:
    for row in tree["systems"]:
        yield {
            **row,
            **row["interval"],
            "metric": tree["metric"]["name"],
            "items": row["items"]["n"],
            "unit": row["unit"]["kind"],
            "units": row["unit"]["n"],
        }


def _leaderboard(tree: Row) -> Iterator[Row]:
    for row in tree["systems"]:
        low, high = row["rank_interval"]
        metric = tree["metric"]["name"]
        yield {**row, **row["interval"], "metric": metric, "rank_low": low, "rank_high": high}


def _claim(tree: Row) -> Iterator[Row]:
    for row in tree["table"]:
        yield {**row, **row["interval"], "what": ", ".join(row["what"])}
    for row in tree["methods"]:
        yield {**row["interval"], "what": "published value", "items": row["items"]}


def _list(name: str) -> Callable[[Row], Iterable[Row]]:
    return lambda tree: tree[name]


ROWS: dict[str, Callable[[Row], Iterable[Row]]] = {
    "Adjustment": _list("p_values"),
    "Benchmark": _list("findings"),
    "Claim": _claim,
    "Comparison": _comparison,
    "Conversion": _list("systems"),
    "Inspection": _list("systems"),
    "Leaderboard": _leaderboard,
    "Plan": _list("needed"),
    "Scorecard": _scorecard,
    "Verification": _list("checks"),
}
