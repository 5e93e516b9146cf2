"""Braintrust: the events of an experiment, of which those of whole rows are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import polars as pl

from deadheat.notes import Note
from deadheat.readers import pages
from deadheat.readers.assembly import (
    by_question,
    fingerprint,
    label,
    no_scores_of_items,
    occurrences,
    score_columns,
    stated,
    texts,
    unpacked,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Braintrust"

VERSIONS = (
    "events of an experiment as JSON or JSON lines, as the UI and the API give them (2024-26)"
)

QUIRKS = (
    "Only root spans are rows: the spans below them are steps, and their scores are no scores of "
    "the row.",
    "The item is the record of the data set (dataset_record_id or origin), else the input. Trials "
    "of one item are its runs.",
    "A score of null, and every score of a row with an error, is missing.",
    "Scores that are no numbers are left out.",
    "A hash of the input is compared between systems where records have ids.",
    "The events do not name their experiment: the file names the system, unless it holds events of "
    "several experiments, which their ids name.",
)

_LOOK = 1 << 19
_MARKS = (b'"span_id"', b'"root_span_id"', b'"scores"')


class _Event(msgspec.Struct):
    span_id: str = ""
    root_span_id: str = ""
    is_root: bool | None = None
    span_parents: Any = None
    experiment_id: str | None = None
    scores: dict[str, Any] | None = None
    error: msgspec.Raw = msgspec.Raw(b"null")
    input: msgspec.Raw = msgspec.Raw(b"null")
    dataset_record_id: str | None = None
    origin: Any = None
    metadata: Any = None

    @property
    def whole(self) -> bool:
        """Whether it is of a row, and not of a step inside one."""
        if self.is_root is not None:
            return self.is_root
        return not self.span_parents and self.span_id == self.root_span_id

    @property
    def failed(self) -> bool:
        return bytes(self.error).strip() not in (b"null", b'""')

    @property
    def record(self) -> str | None:
        """Id of the record of the data set."""
        origin = self.origin.get("id") if isinstance(self.origin, dict) else None
        return self.dataset_record_id or (str(origin) if origin else None)

    @property
    def model(self) -> str | None:
        model = self.metadata.get("model") if isinstance(self.metadata, dict) else None
        return model if isinstance(model, str) else None


def recognises(path: str, head: bytes) -> bool:
    """Whether spans have scores and say which span they are below."""
    look = head[:_LOOK]
    if look.lstrip()[:1] not in (b"{", b"[") or not all(mark in look for mark in _MARKS):
        return False
    return b'"is_root"' in look or b'"span_parents"' in look


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each root span.

    Raises
    ------
    FormatError
        If the file is broken.
    NoAnswersError
        If no root span has a score.
    """
    what = "events of an experiment of Braintrust"
    spans, named = pages.records(log, _Event, what, "span", ("events", "rows", "data"))
    at = [k for k, event in enumerate(spans) if event.whole]
    events = [spans[k] for k in at]
    failed = [event.failed for event in events]
    scores, left_out = score_columns(
        [
            {name: None if f else value for name, value in (event.scores or {}).items()}
            for event, f in zip(events, failed, strict=True)
        ]
    )
    if not scores:
        raise NoAnswersError(
            f"none of the {len(events):,} root spans has a score.",
            where=log.path,
            fix="Give the events of an experiment, and not of logs without scores.",
        )
    columns, roles, by_order = _items(events, log.path)
    experiments = [event.experiment_id for event in events]
    if len(set(experiments)) > 1 and None not in experiments:
        columns["system"] = pl.Series(experiments, dtype=pl.String)
        roles["system"] = "system"
    runs = occurrences(zip(experiments, columns["item"], strict=True))
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    scores = {f"score {n}" if n in columns else n: values for n, values in scores.items()}
    models = {event.model for event in events}
    return Table(
        columns=columns | scores,
        height=len(events),
        rows=named.take(np.asarray(at, dtype=np.int64)),
        source=log.source("braintrust"),
        roles=roles,
        scores=tuple(scores),
        about={"": stated(model=models.pop() if len(models) == 1 else None)},
        notes=(
            *by_order,
            *no_scores_of_items(left_out, "Scores of Braintrust"),
            *unscored(log.path, sum(failed), "rows ended in an error"),
        ),
    )


def _items(
    events: Sequence[_Event], path: str
) -> tuple[dict[str, pl.Series], dict[str, str], tuple[Note, ...]]:
    """Return items as records of the data set, else by what they asked, else by order."""
    asked = [unpacked(event.input, path) for event in events]
    records = [event.record for event in events]
    hashes = [None if question is None else fingerprint(question, path) for question in asked]
    if None not in records:
        columns = {"item": texts(records), "hash": texts(hashes)}
        roles = {"item": "item", "hash": "hash"}
        return columns, {k: v for k, v in roles.items() if columns[v].null_count() < len(asked)}, ()
    if None in hashes:
        return by_question(asked, path)
    return {"item": texts(label(question, path) for question in asked)}, {"item": "item"}, ()
