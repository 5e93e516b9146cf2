"""Runs and relevance judgements of TREC: rankings of documents, and what is relevant."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.speech import first_line, head_lines
from deadheat.readers.structured import Nested, canonical
from deadheat.readers.table import Table

TOOL = "TREC runs and qrels"
VERSIONS = "test files of trec_eval 9"
QUIRKS = (
    "The item is the query. A run is a ranking for each query, by its scores and not by its "
    "ranks, as trec_eval takes it; qrels are references: --reference QRELS --metric ndcg@10, mrr "
    "or recall@100.",
    "Documents with equal scores have no order: metrics are means over all orders, where "
    "trec_eval orders them by their ids.",
    "Negative relevances, which mark what was not judged, are left out.",
    "Queries of the qrels for which a run has no document count as missing, with --missing wrong "
    "as 0, which is what trec_eval -c does.",
)

_RUN = re.compile(rb"(\S+)[ \t]+Q0[ \t]+(\S+)[ \t]+(\S+)[ \t]+([-+.\deEinfa]+)(?:[ \t]+(\S.*))?$")
_QREL = re.compile(rb"(\S+)[ \t]+(?:0|Q0|\d)[ \t]+(\S+)[ \t]+(-?\d{1,2})[ \t]*$")


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines are of a run (Q0 in the second place), or of judgements.

    Where the name of the file does not say qrel, documents have to be named by more than digits.
    """
    first = first_line(head)
    if not (_RUN.match(first) or _QREL.match(first)):
        return False
    lines = head_lines(head)
    if all(map(_RUN.match, lines)):
        return True
    found = [match for match in map(_QREL.match, lines) if match]
    if len(found) < len(lines) or len(found) < 2:
        return False
    named = "qrel" in Path(path).name.lower()
    return named or not any(match[2].isdigit() for match in found)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each query: a ranking as an output, or relevances as a reference.

    Raises
    ------
    FormatError
        If a line is of another shape, or a document stands twice under one query.
    """
    ranked = bool(_RUN.match(head_lines(log.head)[0]))
    found: dict[str, Nested | None] = {}
    lines: dict[str, int] = {}
    tags: dict[str, None] = {}
    query = ""
    documents: dict[str, float] = {}
    for number, line in log.lines():
        name, document, value, tag = _parts(log, number, line, ranked=ranked)
        if tag:
            tags[tag] = None
        if name != query:
            _store(found, query, documents)
            query, documents = name, _stored(found, name)
            lines.setdefault(name, number)
        if document in documents:
            raise FormatError(
                f"document {document!r} stands twice under query {name!r}.",
                where=f"{log.path}, line {number}",
                fix="The file may hold a run twice: write it again.",
            )
        if ranked or value >= 0.0:
            documents[document] = value
    _store(found, query, documents)
    column, role = ("ranking", "output") if ranked else ("relevances", "reference")
    about = {"": {"run_tag": ", ".join([*tags][:3])}} if tags else {}
    return Table(
        columns={
            "query": pl.Series([*found], dtype=pl.String),
            column: pl.Series(column, [*found.values()], dtype=pl.Object),
        },
        height=len(found),
        rows=Rows(word="line", lines=np.array([*lines.values()], dtype=np.int64)),
        source=log.source("trec"),
        roles={"item": "query", role: column},
        about=about,
    )


def _parts(
    log: Log, number: int, line: bytes, *, ranked: bool
) -> tuple[str, str, float, str | None]:
    match = (_RUN if ranked else _QREL).match(line.rstrip(b"\r"))
    try:
        if match is None:
            raise ValueError
        query, document = match[1].decode(), match[2].decode()
        value = float(match[4 if ranked else 3])
        tag = match[5].decode().strip() if ranked and match[5] else None
        if not math.isfinite(value):
            raise ValueError
    except ValueError:
        what = "a query, Q0, a document, its rank, its score and a tag"
        what = what if ranked else "a query, 0, a document and its relevance"
        raise FormatError(
            f"the line is not {what}.",
            where=f"{log.path}, line {number}",
            fix="The file may be cut off: write it again.",
        ) from None
    return query, document, value, tag


def _store(found: dict[str, Nested | None], query: str, documents: dict[str, float]) -> None:
    """Keep the documents of a query as JSON, which is a tenth of what a dictionary takes."""
    if documents:
        found[query] = Nested("dict", canonical(documents))


def _stored(found: dict[str, Nested | None], query: str) -> dict[str, float]:
    """Return what is there already of a query whose lines do not stand together."""
    kept = found.setdefault(query, None)
    return msgspec.json.decode(kept.data or b"{}", type=dict[str, float]) if kept else {}
