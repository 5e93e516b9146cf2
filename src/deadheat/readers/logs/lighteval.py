"""Details that lighteval writes of a task in Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.details import (
    about,
    asked_of,
    by_text,
    fields_of,
    hashes_of,
    is_no_score,
    leaves,
    metrics_of,
    place_of,
    published,
    read_columns,
    schema_of,
)
from deadheat.readers.log import Log
from deadheat.readers.published import disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "lighteval"

VERSIONS = "0.4 to 0.13"

QUIRKS = (
    "Files are details/ORG/MODEL/TIME/details_TASK|SHOTS_TIME.parquet; their names hold | and :. "
    "The model is called as in results/ORG/MODEL/results_TIME.json, else by the path. In a "
    "repository of details the results lie beside the folders of times.",
    "Since 0.11 the columns are doc, metric and model_response, which the documentation calls "
    "__doc__, __metric__ and __model_response__. Items are paired by doc.id, and those whose "
    "doc.query differs between systems are refused.",
    "A task with metrics of two kinds, such as generated answers and log-probabilities, has two "
    "rows for an item, each with the metrics of one kind: they are one item.",
    "Up to 0.10 the columns are metrics, example, gold and predictions, without an id: an item is "
    "called by a hash of its example, whatever the order of the rows. A second item with the same "
    "text is HASH#2.",
    "Up to 0.7 every column is the text that Python shows of its value; numbers in the metrics are "
    "read out of that.",
    "Several times are runs of the model, and several tasks are strata.",
    "Metrics of a whole task, such as bleu, leave lists or records with the items: these are no "
    "scores and left out, as are metrics that the results do not aggregate by a mean.",
    "A file of results alone holds no items. Files of details in a clone without Git LFS are "
    "pointers, and are refused.",
)

_NEW = ("", "__")
"""What surrounds the names of columns since 0.11, on disk and in the documentation."""

_AT = "row"

_OLD = frozenset({"example", "metrics", "predictions", "num_effective_few_shots"})
_RESULTS = re.compile(rb'\s*\{\s*"(?:config_general|results)"\s*:\s*\{')
_OF_RESULTS = frozenset({"config_general", "results", "versions", "config_tasks"})


def recognises(path: str, head: bytes) -> bool:
    """Whether a file holds details, or results, of lighteval."""
    if _RESULTS.match(head):
        return b'"config_general"' in head and (
            b'"lighteval_sha"' in head or b'"summary_general"' in head
        )
    schema = schema_of(path, head)
    return schema.keys() >= _OF_RESULTS or _around(schema) is not None or _is_old(schema)


def _around(schema: Mapping[str, pl.DataType]) -> str | None:
    """Return what surrounds the names of the columns of a file since 0.11; None of another."""
    for around in _NEW:
        doc, metric, response = (
            f"{around}{name}{around}" for name in ("doc", "metric", "model_response")
        )
        if (
            {"query", "gold_index"} <= fields_of(schema.get(doc)).keys()
            and isinstance(schema.get(metric), pl.Struct)
            and response in schema
        ):
            return around
    return None


def _is_old(schema: Mapping[str, pl.DataType]) -> bool:
    return schema.keys() >= _OLD and "hashes" not in schema


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each item, with a score for each metric.

    Raises
    ------
    FormatError
        If the file is damaged or empty.
    NoAnswersError
        If it holds results, or no scores of items.
    """
    schema = schema_of(log.path, log.head)
    if not schema or schema.keys() >= _OF_RESULTS:
        raise NoAnswersError(
            "the file holds results of lighteval over whole tasks, and no items.",
            where=log.path,
            fix="Name the folder with the details_*.parquet files, which --save-details writes.",
        )
    place = place_of(log)
    around = _around(schema)
    old = around is None
    asked = [str(name) for name in wanted]
    roots = {name.partition(".")[0] for name in asked} & schema.keys()
    names = ("example", "metrics") if old else (f"{around}doc{around}", f"{around}metric{around}")
    frame = read_columns(log, [*dict.fromkeys((*names, *sorted(roots)))])
    every = metrics_of(frame[names[1]])
    left_out = [name for name, v in every.items() if v is None or is_no_score(place, name)]
    scores = {name: v.alias(name) for name, v in every.items() if v is not None}
    scores = {name: v for name, v in scores.items() if name not in left_out}
    if not scores:
        raise NoAnswersError(
            f"no metric has scores of items ({', '.join(every) or 'there is no metric'}).",
            where=log.path,
        )
    identity, notes = _by_example(frame) if old else _by_id(frame[names[0]])
    columns = identity | scores | asked_of(frame, asked)
    task = place.task if old else _task(frame[names[0]]) or place.task
    merged, kept = _one_row_an_item(columns, [*scores])
    constant = {"system": place.system, "task": task, "run": place.time}
    for name, value in constant.items():
        if value is not None:
            merged[name] = pl.Series(name, [value]).new_from_index(0, len(merged["item"]))
    roles = {role: role for role in ("item", "hash", *constant) if role in merged}
    return Table(
        columns=merged,
        height=len(merged["item"]),
        rows=Rows(word="row", lines=kept),
        source=log.source("lighteval", *([place.path] if place.path else [])),
        nested=leaves(schema),
        roles=roles,
        scores=tuple(scores),
        about={"": about(place)},
        notes=(
            *place.notes,
            *notes,
            *_left_out(left_out),
            *disagreements(log.path, merged, roles, published(place, [*scores])),
        ),
    )


def _by_id(doc: pl.Series) -> tuple[dict[str, pl.Series], tuple[Note, ...]]:
    """Call items by the ids of their documents, or by what they ask where these are empty."""
    fields = doc.struct.unnest()
    asked = hashes_of(fields["query"])
    ids = fields["id"] if "id" in fields.columns else None
    if ids is None or ids.null_count() or (ids.cast(pl.String) == "").any():
        items, notes = by_text(asked)
        return {"item": items}, notes
    return {"item": ids.alias("item"), "hash": asked.alias("hash")}, ()


def _by_example(frame: pl.DataFrame) -> tuple[dict[str, pl.Series], tuple[Note, ...]]:
    items, notes = by_text(hashes_of(frame["example"]))
    return {"item": items}, notes


def _task(doc: pl.Series) -> str | None:
    """Return the name of the task, where all documents state the same."""
    if "task_name" not in fields_of(doc.dtype):
        return None
    names = doc.struct.field("task_name").drop_nulls().unique().to_list()
    return str(names[0]) if len(names) == 1 and names[0] else None


def _one_row_an_item(
    columns: dict[str, pl.Series], scores: Sequence[str]
) -> tuple[dict[str, pl.Series], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Put rows of an item together of which each has metrics that the others lack.

    Rows of an item that have a metric in common stay as they are.

    Returns
    -------
    columns : dict of str to polars.Series
    rows : numpy.ndarray
        Number of the first row of each item, from 1.
    """
    items = columns["item"]
    every = np.arange(1, len(items) + 1)
    if items.n_unique() == len(items):
        return columns, every
    frame = pl.DataFrame({name: columns[name] for name in ("item", *scores)})
    grouped = frame.with_row_index(_AT).group_by("item", maintain_order=True)
    held = grouped.agg(pl.col(name).count() for name in scores).select(pl.max_horizontal(scores))
    if (held.to_series() > 1).any():
        return columns, every
    merged = grouped.agg(
        pl.col(_AT).first(), *(pl.col(name).drop_nulls().first() for name in scores)
    )
    first = merged[_AT]
    kept = {name: values.gather(first) for name, values in columns.items() if name not in scores}
    return kept | {name: merged[name] for name in scores}, first.to_numpy().astype(np.int64) + 1


def _left_out(metrics: Sequence[str]) -> Iterator[Note]:
    if metrics:
        yield Note(
            code="not_item_scores",
            message=f"Left out as metrics of a whole task, of which items hold no scores: "
            f"{', '.join(metrics)}.",
        )
