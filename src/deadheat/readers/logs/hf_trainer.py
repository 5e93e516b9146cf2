"""What the example scripts of Hugging Face Transformers write: predictions and metrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.speech import first_line, head_lines, words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Hugging Face Trainer"
VERSIONS = "the layouts that example scripts of Transformers 4 write; no real file was tried"
QUIRKS = (
    "predict_results_TASK.txt has indexes and predictions, and no right answers: these are given "
    "with --reference. The item is the index, and the system the folder of the file.",
    "predictions.txt of run_ner, a line of tags for each sentence, becomes lists of tags for "
    "span_f1; the references may be a CoNLL file.",
    "generated_predictions.txt is plain lines, read as such; predictions of run_qa are those of "
    "SQuAD.",
    "all_results.json, eval_results.json and trainer_state.json hold values of whole sets and are "
    "refused.",
)

_LOOK = 1 << 16
_HEADER = re.compile(rb"index\tprediction\r?\n0\t")
_TAGS = re.compile(rb"(?:O|[BIESLU]-\S+)(?: (?:O|[BIESLU]-\S+))* ?$")
_METRIC = (
    rb"(?:eval|train|test|predict)_(?:loss|runtime|samples|samples_per_second|steps_per_second)"
)
_RESULTS = re.compile(rb'"' + _METRIC + rb'"\s*:')
_STATE = (b'"log_history"', b'"global_step"', b'"best_metric"')
_GENERIC = frozenset({"predictions", "test_predictions", "predict_predictions"})


def recognises(path: str, head: bytes) -> bool:
    """Whether a file has the header of predictions, lines of tags, or metrics of a Trainer."""
    look = head[:_LOOK]
    if _HEADER.match(look):
        return True
    first = look.lstrip()
    if first.startswith(b"{"):
        return _are_results(first, whole=len(head) < _LOOK) or all(m in look for m in _STATE)
    return _are_tags(look)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each prediction.

    Raises
    ------
    NoAnswersError
        If the file holds metrics.
    FormatError
        If a line is of another shape.
    """
    if _HEADER.match(log.head):
        return _by_index(log)
    if not log.head.lstrip().startswith(b"{"):
        return _tags(log)
    raise NoAnswersError(
        "these are metrics of whole sets that a Trainer reports.",
        where=log.path,
        fix="Predictions lie beside it where --do_predict was given: predict_results_*.txt, "
        "generated_predictions.txt, predictions.txt or *_predictions.json.",
    )


def _are_results(first: bytes, *, whole: bool) -> bool:
    """Whether a small object holds numbers alone, some of them measured by a Trainer."""
    if not whole or not _RESULTS.search(first):
        return False
    try:
        found = msgspec.json.decode(first, type=dict[str, float | str | None])
    except (msgspec.MsgspecError, RecursionError):
        return False
    return sum(isinstance(value, float) for value in found.values()) * 2 > len(found)


def _are_tags(look: bytes) -> bool:
    """Whether lines are tags alone, of sentences of different lengths."""
    if not _TAGS.match(first_line(look)):
        return False
    lines = head_lines(look)
    if not all(map(_TAGS.match, lines)):
        return False
    lengths = {len(line.split()) for line in lines}
    return len(lengths) > 1 and any(b"-" in line for line in lines)


def _by_index(log: Log) -> Table:
    items: list[int] = []
    texts: list[str] = []
    lines: list[int] = []
    for number, line in log.lines():
        if number == 1:
            continue
        index, tab, text = words(log, number, line).partition("\t")
        if not tab or not index.isdecimal() or len(index) > 18:
            raise FormatError(
                "the line is no index and prediction with a tab between them.",
                where=f"{log.path}, line {number}",
                fix="The file may be cut off: write it again.",
            )
        items.append(int(index))
        texts.append(text)
        lines.append(number)
    columns = {
        "index": pl.Series(items, dtype=pl.Int64),
        "system": pl.repeat(log.folder(), len(items), dtype=pl.String, eager=True),
        "prediction": _typed(texts),
    }
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="line", lines=np.array(lines, dtype=np.int64)),
        source=log.source("hf_trainer"),
        roles={"item": "index", "system": "system", "output": "prediction"},
    )


def _typed(texts: Sequence[str]) -> pl.Series:
    """Return numbers as such, where all predictions are: those of a regression, or of classes."""
    values = pl.Series(texts, dtype=pl.String)
    for dtype in (pl.Int64(), pl.Float64()):
        numbers = values.cast(dtype, strict=False)
        if not numbers.null_count():
            return numbers
    return values


def _tags(log: Log) -> Table:
    """Read a list of tags a line; an empty line is a sentence without tokens."""
    values: list[list[str]] = []
    data = log.data().decode("utf-8", "replace")
    for number, line in enumerate(data.removesuffix("\n").split("\n"), start=1):
        tags = line.split()
        if line.strip() and not _TAGS.match(line.strip().encode()):
            raise FormatError(
                "the line holds what is no tag.",
                where=f"{log.path}, line {number}",
                fix="The file may be cut off: write it again.",
            )
        values.append(tags)
    columns: dict[str, pl.Series] = {"tags": pl.Series("tags", values, dtype=pl.List(pl.String))}
    roles = {"output": "tags"}
    if Path(log.path).stem in _GENERIC:
        columns["system"] = pl.repeat(log.folder(), len(values), dtype=pl.String, eager=True)
        roles["system"] = "system"
    return Table(
        columns=columns,
        height=len(values),
        rows=Rows(word="line"),
        source=log.source("hf_trainer"),
        roles=roles,
    )
