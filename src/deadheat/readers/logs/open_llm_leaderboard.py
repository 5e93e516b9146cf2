"""Details of the first Open LLM Leaderboard in Parquet."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers.details import (
    DIGITS,
    about,
    asked_of,
    by_text,
    fields_of,
    leaves,
    metrics_of,
    number_of,
    place_of,
    published,
    read_columns,
    schema_of,
)
from deadheat.readers.log import Log
from deadheat.readers.published import disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Open LLM Leaderboard"

VERSIONS = "version 1, July 2023 to June 2024; version 2 is lm-evaluation-harness"

QUIRKS = (
    "Files are details_ORG__MODEL/TIME/details_harness|TASK|SHOTS_TIME.parquet; their names hold "
    "|, and until August 2023 the times hold colons. The folder names the model unless "
    "results_TIME.json beside the folders of times does.",
    "Rows come in another order at other times. An item is called by the hash of its example that "
    "the row states (hashes.example); a second item with the same text, as MMLU has some, is "
    "HASH#2.",
    "Scores stand in metrics or, in most files, in columns of their own: acc, acc_norm, mc1, mc2, "
    "em, f1 and the like.",
    "Several times are runs of the model, and several tasks are strata.",
    "A hash over all prompts tells models apart that were asked with other examples before the "
    "question.",
)

_KNOWN = ("acc", "acc_norm", "mc1", "mc2", "em", "f1", "exact_match", "qem", "pem")
"""Metrics in columns of their own, in the order in which the harness writes them."""


def recognises(path: str, head: bytes) -> bool:
    """Whether a file holds details of the leaderboard."""
    schema = schema_of(path, head)
    return (
        "example" in fields_of(schema.get("hashes"))
        and ("example" in schema or "query" in schema)
        and (isinstance(schema.get("metrics"), pl.Struct) or bool(_own_columns(schema)))
    )


def _own_columns(schema: Mapping[str, pl.DataType]) -> list[str]:
    """Return the columns that are metrics."""
    return [name for name in _KNOWN if name in schema]


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each item, with a score for each metric.

    Raises
    ------
    FormatError
        If the file is damaged or empty.
    NoAnswersError
        If no metric holds numbers.
    """
    schema = schema_of(log.path, log.head)
    place = place_of(log)
    asked = [str(name) for name in wanted]
    roots = {name.partition(".")[0] for name in asked} & schema.keys()
    together = isinstance(schema.get("metrics"), pl.Struct)
    own = ["metrics"] if together else _own_columns(schema)
    frame = read_columns(log, [*dict.fromkeys(("hashes", *own, *sorted(roots)))])
    found = metrics_of(frame["metrics"]) if together else {k: number_of(frame[k]) for k in own}
    scores = {name: v.alias(name) for name, v in found.items() if v is not None}
    if not scores:
        raise NoAnswersError(f"no metric has scores of items ({', '.join(found)}).", where=log.path)
    hashes = frame["hashes"].struct.unnest()
    items, notes = by_text(hashes["example"].cast(pl.String).str.slice(0, DIGITS))
    columns = {"item": items.alias("item")}
    constant = {"system": place.system, "task": place.task, "run": place.time}
    for name, value in constant.items():
        if value is not None:
            columns[name] = pl.Series(name, [value]).new_from_index(0, frame.height)
    columns |= scores | asked_of(frame, asked)
    roles = {role: role for role in ("item", *constant) if role in columns}
    return Table(
        columns=columns,
        height=frame.height,
        rows=Rows(word="row"),
        source=log.source("open_llm_leaderboard", *([place.path] if place.path else [])),
        nested=leaves(schema),
        roles=roles,
        scores=tuple(scores),
        about={"": about(place) | _prompts(hashes)},
        notes=(
            *place.notes,
            *notes,
            *disagreements(log.path, columns, roles, published(place, [*scores])),
        ),
    )


def _prompts(hashes: pl.DataFrame) -> dict[str, str]:
    """Return a hash over the hashes of all prompts, in whatever order they come."""
    if "full_prompt" not in hashes.columns or hashes["full_prompt"].null_count():
        return {}
    every = "".join(hashes["full_prompt"].cast(pl.String).sort().to_list())
    return {"prompt_hash": hashlib.sha256(every.encode()).hexdigest()[:DIGITS]}
