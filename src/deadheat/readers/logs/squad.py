"""SQuAD: predictions by question id, lists of n best ones, and data sets with right answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.entries import entries
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "SQuAD"
VERSIONS = "ExplainaBoard's files; SQuAD 1.1 and 2.0 and Transformers' predictions by their layout"
QUIRKS = (
    "Predictions are one object {id: text}. As many files of settings are objects of texts too, "
    "ids have to be those of SQuAD, or hold digits in a file whose name speaks of predictions.",
    "The empty prediction is the text that says that there is no answer, and not missing.",
    "Of n best predictions the first counts, as in predictions.json at a null threshold of 0.",
    "The data set is a file of references: --reference dev.json --metric squad_f1,squad_em. "
    'Questions about one paragraph are a cluster; a question without answers has the answer "".',
    "ExplainaBoard's lists of predicted_answers and its data sets are paired by order.",
    "null_odds.json holds no answers and is refused.",
)

_LOOK = 1 << 16
_STRING = rb'"(?:[^"\\]|\\.)*+"'
_ID = rb'"(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-\d+|_\d+)?"'
_DIGITS = rb'"(?=[^"\\]*\d)[^"\\]+"'
_PREDICTIONS = re.compile(rb"\s*\{\s*" + _ID + rb"\s*:\s*" + _STRING + rb"\s*[,}]", re.DOTALL)
_NAMED = re.compile(r"predict|answers?\b|_preds?\b|^preds?\b", re.IGNORECASE)
_ENTRY = re.compile(rb"\s*" + _DIGITS + rb"\s*:\s*" + _STRING + rb"\s*([,}])", re.DOTALL)
_BEST = re.compile(
    rb"\s*\{\s*" + _STRING + rb"\s*:\s*\[\s*\{\s*(?:" + _STRING + rb"\s*:)", re.DOTALL
)
_BEST_MARKS = (b'"text"', b'"probability"')
_ODDS = re.compile(rb"\s*\{\s*" + _ID + rb"\s*:\s*-?\d[\d.eE+-]*\s*[,}]", re.DOTALL)
_DATA_MARKS = (b'"data"', b'"paragraphs"', b'"qas"')
_LISTED = re.compile(
    rb'\s*\[\s*\{\s*"predicted_answers"\s*:\s*\{\s*"text"\s*:\s*' + _STRING + rb"\s*\}", re.DOTALL
)
_LISTED_DATA = (b'"context"', b'"question"', b'"answers"', b'"answer_start"')


class _Best(msgspec.Struct):
    text: str


class _Answer(msgspec.Struct):
    text: str


class _Question(msgspec.Struct):
    id: str | int
    answers: list[_Answer] = []


class _Paragraph(msgspec.Struct):
    qas: list[_Question]


class _Article(msgspec.Struct):
    paragraphs: list[_Paragraph]
    title: str = ""


class _Data(msgspec.Struct):
    data: list[_Article]
    version: str | float | None = None


class _Listed(msgspec.Struct):
    predicted_answers: _Answer


class _Texts(msgspec.Struct):
    text: str | list[str]


class _ListedQuestion(msgspec.Struct):
    answers: _Texts
    id: str | int | None = None
    context: str = ""


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of predictions by id, of n best ones, or of a data set."""
    return _kind(path, head) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each question: outputs, or references of a data set.

    Raises
    ------
    NoAnswersError
        If the file holds odds and no answers.
    FormatError
        If it is broken, of another shape or names a question twice.
    """
    kind = _kind(log.path, log.head)
    if kind == "odds":
        raise NoAnswersError(
            "these are odds that there is no answer, and no answers.",
            where=log.path,
            fix="Give predictions.json beside it.",
        )
    if kind == "data":
        return _of_data(log)
    if kind == "listed data":
        return _of_listed_data(log, wanted)
    if kind == "listed":
        listed = log.document(list[_Listed], "predicted answers")
        return _table(log, None, [one.predicted_answers.text for one in listed])
    if kind == "best":
        best = entries(log, list[_Best], "n best predictions")
        return _table(
            log, [*best], [several[0].text if several else None for several in best.values()]
        )
    predictions = entries(log, str, "predictions by question id")
    return _table(log, [*predictions], [*predictions.values()])


def _kind(path: str, head: bytes) -> str | None:
    look = head[:_LOOK]
    first = look[:4096].lstrip()
    if first.startswith(b"["):
        if _LISTED.match(look):
            return "listed"
        return "listed data" if all(mark in look for mark in _LISTED_DATA) else None
    if not first.startswith(b"{"):
        return None
    if _PREDICTIONS.match(look):
        return "predictions"
    if _ODDS.match(look):
        return "odds"
    if _BEST.match(look) and all(mark in look for mark in _BEST_MARKS):
        return "best"
    if all(mark in look for mark in _DATA_MARKS):
        return "data"
    return "predictions" if _NAMED.search(Path(path).stem) and _all_texts(look) else None


def _all_texts(look: bytes) -> bool:
    """Whether all entries at the start of an object are texts whose ids hold digits."""
    at, n = look.index(b"{") + 1, 0
    while found := _ENTRY.match(look, at):
        at, n = found.end(), n + 1
        if found[1] == b"}":
            return n > 0 and not look[at:].strip()
    # Only what the look cuts off may be left.
    return n > 1 and len(look) == _LOOK and len(look) - at < _LOOK // 2


def _table(log: Log, items: Sequence[str] | None, texts: Sequence[str | None]) -> Table:
    if not texts:
        raise FormatError("there are no predictions: 0 rows.", where=log.path)
    columns = {} if items is None else {"id": pl.Series(items, dtype=pl.String)}
    columns["prediction"] = pl.Series(texts, dtype=pl.String)
    roles = {} if items is None else {"item": "id"}
    return Table(
        columns=columns,
        height=len(texts),
        rows=Rows(word="entry"),
        source=log.source("squad"),
        roles=roles | {"output": "prediction"},
    )


def _references(
    log: Log, items: list[str] | None, answers: list[list[str]], paragraphs: list[str]
) -> Table:
    if not answers:
        raise FormatError("there are no questions: 0 rows.", where=log.path)
    columns: dict[str, Any] = {} if items is None else {"id": pl.Series(items, dtype=pl.String)}
    columns["answers"] = pl.Series("answers", answers, dtype=pl.List(pl.String))
    columns["paragraph"] = pl.Series(paragraphs, dtype=pl.String)
    roles = {} if items is None else {"item": "id"}
    return Table(
        columns=columns,
        height=len(answers),
        rows=Rows(word="question"),
        source=log.source("squad"),
        roles=roles | {"reference": "answers", "cluster": "paragraph"},
    )


def _of_data(log: Log) -> Table:
    found = log.document(_Data, "a data set of SQuAD")
    items: list[str] = []
    answers: list[list[str]] = []
    paragraphs: list[str] = []
    for number, article in enumerate(found.data, start=1):
        for k, paragraph in enumerate(article.paragraphs, start=1):
            for question in paragraph.qas:
                items.append(str(question.id))
                answers.append([*dict.fromkeys(a.text for a in question.answers)] or [""])
                paragraphs.append(f"{article.title or number} {k}")
    return _references(log, items, answers, paragraphs)


def _of_listed_data(log: Log, wanted: Sequence[str | int]) -> Table:
    found = log.document(list[_ListedQuestion], "a data set of SQuAD")
    contexts: dict[str, int] = {}
    for question in found:
        contexts.setdefault(question.context, len(contexts) + 1)
    texts = [question.answers.text for question in found]
    # A single text is how ExplainaBoard writes them, whose outputs have no ids.
    by_order = all(isinstance(text, str) for text in texts) and "id" not in wanted
    has_ids = all(question.id is not None for question in found)
    return _references(
        log,
        [str(question.id) for question in found] if has_ids and not by_order else None,
        [[text] if isinstance(text, str) else [*dict.fromkeys(text)] or [""] for text in texts],
        [str(contexts[question.context]) for question in found],
    )
