"""trec_eval: a measure, a query and its value, a line each."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.speech import head_lines, words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "trec_eval"
VERSIONS = "output of version 9 (-q, -a)"
QUIRKS = (
    "The item is the query; every measure is a score, map first where there is one.",
    "The rows of the query all are no item: their values are held against the means of the others.",
    "Counts (num_ret, num_rel, num_rel_ret and the like), texts and geometric means are no scores "
    "of queries and are left out.",
    "Output without -q holds averages alone and is refused.",
    "The system is the name of the file: many tools write one run tag for all systems.",
)

ALL = "all"
_LINE = re.compile(rb"(\S+?)[ ]*\t(\S+)[ ]*\t[ ]*(\S.*?)[ ]*$")
_PADDED = re.compile(rb"\S{1,21} +\t\S+\t")
_KNOWN = re.compile(
    rb"(?:runid|num_q|num_ret|num_rel|num_rel_ret|map|gm_map|Rprec|bpref|recip_rank|infAP|ndcg|set_F"
    rb"|(?:P|recall|ndcg_cut|map_cut|success)_\d+|iprec_at_recall_[\d.]+)[ ]*\t"
)
_COUNTS = re.compile(r"num_|runid$|gm_|prefs_num_|relstring")


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines are a measure, a query and a value, and the first is written as such."""
    first = head[:4096].lstrip().partition(b"\n")[0]
    if not (_KNOWN.match(first) or _PADDED.match(first)) or not _LINE.match(first.rstrip(b"\r")):
        return False
    return all(map(_LINE.match, head_lines(head)))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each query.

    Raises
    ------
    NoAnswersError
        If there are averages alone, or no measure is a score.
    FormatError
        If a line is of another shape.
    """
    queries: list[str] = []
    values: list[dict[str, float | None]] = []
    last: dict[str, int] = {}
    measures: dict[str, None] = {}
    summary: dict[str, str] = {}
    left: dict[str, None] = {}
    for number, line in log.lines():
        measure, query, text = _parts(log, number, line)
        if query == ALL:
            summary[measure] = text
            continue
        if _COUNTS.match(measure):
            left[measure] = None
            continue
        try:
            value = float(text)
        except ValueError:
            left[measure] = None
            continue
        measures[measure] = None
        at = last.get(query)
        if at is None or measure in values[at]:
            at = last[query] = len(queries)
            queries.append(query)
            values.append({})
        values[at][measure] = value
    if not queries:
        raise NoAnswersError(
            "this holds averages over queries alone."
            if summary
            else "there is no value of any query: 0 rows.",
            where=log.path,
            fix="Run trec_eval with -q, which writes the values of each query.",
        )
    names = [*measures]
    if "map" in measures:
        names.remove("map")
        names.insert(0, "map")
    columns = {"query": pl.Series(queries, dtype=pl.String)} | {
        name: pl.Series([row.get(name) for row in values], dtype=pl.Float64) for name in names
    }
    roles = {"item": "query"}
    notes = [*disagreements(log.path, columns, roles, _stated(summary, columns))]
    if left:
        message = (
            f"{log.path}: {len(left)} measures are counts or texts, no scores of queries, and were "
            f"left out: {', '.join(left)}."
        )
        notes.insert(0, Note(code="not_item_scores", message=message))
    tag = summary.get("runid")
    return Table(
        columns=columns,
        height=len(queries),
        rows=Rows(word="query"),
        source=log.source("trec_eval"),
        roles=roles,
        scores=tuple(names),
        about={"": {"run_tag": tag}} if tag else {},
        notes=tuple(notes),
    )


def _parts(log: Log, number: int, line: bytes) -> tuple[str, str, str]:
    found = _LINE.match(line.rstrip(b"\r"))
    if found is None:
        raise FormatError(
            "the line is no measure, query and value with tabs between them.",
            where=f"{log.path}, line {number}",
            fix="The file may be cut off: run trec_eval again.",
        )
    measure, query, value = (words(log, number, part) for part in found.groups())
    return measure, query, value


def _stated(summary: dict[str, str], columns: dict[str, pl.Series]) -> list[Published]:
    """Return averages that are further from the means than two roundings to four digits are."""
    stated = []
    for name, text in summary.items():
        if name not in columns or _COUNTS.match(name):
            continue
        try:
            value = float(text)
        except ValueError:
            continue
        mean = columns[name].mean()
        if isinstance(mean, float) and abs(mean - value) > 1.01e-4:
            stated.append(Published(score=name, value=value))
    return stated
