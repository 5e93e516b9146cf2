"""Samples that lm-evaluation-harness logs of a task (``--log_samples``), of all its versions."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.logs.lm_eval.results import (
    Beside,
    about,
    beside,
    directions,
    errors_of_zero,
    filters,
    incomplete,
    is_no_score,
    is_results,
    published,
    task_hash,
)
from deadheat.readers.logs.lm_eval.samples import DIGITS, Samples, read_samples
from deadheat.readers.published import disagreements
from deadheat.readers.records import typed_series
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "lm-evaluation-harness"

VERSIONS = "0.4.0 to 0.4.12, and the builds between 0.4.2 and 0.4.3"

QUIRKS = (
    "Files are samples_TASK_TIME.jsonl in a folder of the model. The results_TIME.json of the "
    "same time, or STEM_TIME.json, says what the model is called, which version of the harness "
    "ran, how answers were decoded and which values were published; without it the folder names "
    "the system.",
    "Up to 0.4.2 a .jsonl is one JSON array called by the arguments of the model and the task, "
    "and results.json beside it says which is which. Builds between 0.4.2 and 0.4.3 wrote arrays "
    "into samples_*.json. Arrays are read up to 1 GB.",
    "A sample stands in the file once for each filter of the task. There is one row for each "
    "document and one score for each metric and filter, called METRIC,FILTER as in the results; "
    "the first is used, and --score METRIC takes the first filter of that metric.",
    "Before 0.4.7 samples do not name their filter. Those of one document are in the order of the "
    "filters: the results name them, else they are METRIC,filter 1 and so on, as long as the "
    "responses before the filters are the same. Otherwise they are duplicates.",
    "Files are opened to append. A document that is there twice under one filter stays twice, and "
    "is refused when systems are paired.",
    "Several GPUs leave documents unsorted, and --samples leaves gaps. Documents are paired by "
    "doc_id, and those whose doc_hash differs between systems are refused. Before 0.4.3, without "
    "a doc_hash, the hash is taken of the document in the log.",
    "Several times in one folder are runs of the model; several tasks, such as those of a group, "
    "are strata.",
    "Values that are lists or texts, such as the pairs behind bleu, f1 or word_perplexity, and "
    "metrics that a task does not aggregate by a mean are no scores of items and left out. So is "
    "bypass, which --predict_only writes: then outputs can be scored here, with --output-column "
    "filtered_resps.",
    "The filters write [invalid] where they find no answer, which the harness counts as wrong. "
    "How often that was is said.",
    "RULER scores each document at one length and writes -1 for the others: these are missing.",
    "What the results publish is held against the means of the samples, where the task aggregates "
    "by the mean. A standard error of N/A is not read, and one of 0 beside a value between 0 and 1 "
    "is pointed out, as are metrics of which lower values are better.",
    "A file of results alone holds no samples.",
)

_START = re.compile(rb'\s*\[?\s*\{\s*"doc_id"\s*:\s*-?\d+\s*,\s*"doc"\s*:')
_MARKS = (b'"doc_id"', b'"filtered_resps"', b'"arguments"')
_OTHER_LENGTH = -1.0
_LONGEST = re.compile(r"samples_.+\.jsonl?$")


def recognises(path: str, head: bytes) -> bool:
    """Whether a file holds samples, or results, of the harness."""
    if is_results(head):
        return True
    if all(mark in head for mark in _MARKS):
        return bool(_START.match(head)) or _first_is_sample(head)
    # One document can be longer than the head; then the name of the file has to say the rest.
    long = len(head) >= 1 << 20 and b"\n{" not in head
    return bool(long and _START.match(head) and _LONGEST.search(path))


def _first_is_sample(head: bytes) -> bool:
    """Whether the first line, of a file that somebody else wrote again, has the fields."""
    line = head.lstrip().partition(b"\n")[0]
    if not line.startswith(b"{"):
        return False
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError):
        return False
    return fields.keys() >= {"doc_id", "doc", "arguments", "resps", "filtered_resps"}


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each document, with a score for each metric and filter.

    Raises
    ------
    FormatError
        If a sample is broken, cut off or of another shape.
    NoAnswersError
        If the file holds results, or no scores of samples and no outputs were asked for.
    """
    if is_results(log.head):
        raise NoAnswersError(
            "the file holds results of lm-evaluation-harness over whole tasks, and no samples.",
            where=log.path,
            fix="Name the folder with the samples_*.jsonl files, which --log_samples writes.",
        )
    array = log.head.lstrip().startswith(b"[")
    known = beside(log, array=array)
    samples = read_samples(log, array=array, asked=[str(name) for name in wanted])
    spread = _spread(samples, filters(known))
    scores, names = _scores(samples, spread, known)
    columns = _identity(samples, spread, known) | scores
    first = {metric: name for name, metric in reversed(names.items())}
    for name in map(str, wanted):
        if name not in columns and name in first:
            columns[name] = columns[first[name]].alias(name)
    for name, values in samples.asked.items():
        picked = values if spread.rows is None else [values[at] for at in spread.rows]
        columns.setdefault(name, typed_series(name, picked, log.path))
    _check_any(log, samples, scores)
    roles = {"item": "doc_id", "hash": "doc_hash", "system": "system", "task": "task"}
    roles = {role: name for role, name in {**roles, "run": "run"}.items() if name in columns}
    return Table(
        columns=columns,
        height=len(columns["doc_id"]),
        rows=_rows(samples, spread, "sample" if array else "line"),
        source=log.source("lm_eval", *([known.path] if known.path else [])),
        nested=samples.fields,
        roles=roles,
        scores=tuple(scores),
        about={"": about(known) | _prompts(samples, spread, known)},
        notes=(
            *known.notes,
            *_left_out(samples, known),
            *_no_answers(log, samples, spread),
            *incomplete(known, samples.doc.n_unique()),
            *directions(known, names),
            *errors_of_zero(known, names),
            *disagreements(log.path, columns, roles, published(known, names)),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spread:
    """Where the samples of each document stand.

    Attributes
    ----------
    rows : polars.Series or None
        Position of the first sample of each row to be; None where every sample is a row.
    filters : mapping of str to (polars.Series or None)
        Positions of the samples of each filter, null where a document has none; None where every
        sample is a row. A name is "" where it does not matter.
    """

    rows: pl.Series | None
    filters: Mapping[str, pl.Series | None]

    def first(self, values: pl.Series) -> pl.Series:
        """Return the value of the first sample of each row."""
        return values if self.rows is None else values.gather(self.rows)

    def under(self, filter_: str, values: pl.Series) -> pl.Series:
        """Return the value of the sample of each row under a filter."""
        at = self.filters[filter_]
        return values if at is None else values.gather(at)


def _spread(samples: Samples, named: Sequence[str]) -> _Spread:
    """Bring the samples of a document under several filters into one row.

    What a document has twice under one filter gets a further row.
    """
    names: Sequence[str] = samples.filters
    if names:
        codes = samples.filter
    else:
        names, codes, again = _told_by_order(samples, named)
    present = {name: codes == code for code, name in enumerate(names)}
    at = {name: own.arg_true() for name, own in present.items() if own.any()}
    if len(at) == 1:
        return _Spread(rows=None, filters=dict.fromkeys(at))
    first, *others = at.values()
    docs = samples.doc.gather(first)
    if docs.n_unique() == len(docs) and all(docs.equals(samples.doc.gather(o)) for o in others):
        return _Spread(rows=first, filters=at)
    if samples.filters:
        again = _before(samples, codes)
    key = ["doc", "again"]
    frame = pl.DataFrame({"doc": samples.doc, "again": again}).with_row_index("at")
    rows = frame.unique(key, keep="first", maintain_order=True)
    filters_ = {
        name: rows.select(key).join(frame[own], on=key, how="left", maintain_order="left")["at"]
        for name, own in at.items()
    }
    return _Spread(rows=rows["at"], filters=filters_)


def _told_by_order(
    samples: Samples, named: Sequence[str]
) -> tuple[Sequence[str], pl.Series, pl.Series]:
    """Tell the filters of samples apart that do not name theirs.

    Returns
    -------
    names : sequence of str
        "" for a single one that nothing names.
    codes, again : polars.Series
        Filter of each sample, and how often its document had that filter before.
    """
    frame = pl.DataFrame({"doc": samples.doc, "responses": samples.responses})
    per_doc = frame.group_by("doc").agg(pl.len().alias("n"), pl.col("responses").n_unique())
    alike = int((per_doc["responses"] > 1).sum()) == 0
    n = len(named) or (int(per_doc["n"].to_numpy().min()) if alike else 1)
    before = _before(samples)
    if named:
        return named, before % n, before // n
    names = [f"filter {k + 1}" for k in range(n)] if n > 1 else [""]
    return names, before % n, before // n


def _before(samples: Samples, codes: pl.Series | None = None) -> pl.Series:
    """Count how often the document of each sample, or it under its filter, stood before."""
    keys = [samples.doc.to_numpy()] if codes is None else [codes.to_numpy(), samples.doc.to_numpy()]
    # A stable sort, since windows over millions of small groups take polars ten times as long.
    order = np.lexsort(keys)
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    place = np.arange(len(order))
    before = np.empty_like(place)
    before[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return pl.Series("before", before)


def _rows(samples: Samples, spread: _Spread, word: str) -> Rows:
    """Name each row by the line of its first sample."""
    lines = spread.first(samples.line).to_numpy()
    if lines[-1] - lines[0] == len(lines) - 1 and spread.rows is None:
        return Rows(word=word, first=int(lines[0]))
    return Rows(word=word, lines=lines)


def _identity(samples: Samples, spread: _Spread, known: Beside) -> dict[str, pl.Series]:
    """Return the columns that say which document of which run a row is."""
    constant = {"system": known.system, "task": known.task, "run": known.time}
    columns = {"doc_id": spread.first(samples.doc).alias("doc_id")}
    for name, value in constant.items():
        if value is not None:
            columns[name] = pl.Series(name, [value]).new_from_index(0, len(columns["doc_id"]))
    if samples.item_hash.null_count() < len(samples.item_hash):
        columns["doc_hash"] = spread.first(samples.item_hash).alias("doc_hash")
    return columns


def _scores(
    samples: Samples, spread: _Spread, known: Beside
) -> tuple[dict[str, pl.Series], dict[str, str]]:
    """Return the columns of scores in the order of the harness, and the metric of each."""
    columns, metrics = {}, {}
    for filter_, metric in itertools.product(spread.filters, samples.metrics):
        values = samples.metrics[metric]
        if values is None or is_no_score(known, metric):
            continue
        if metric.isdigit():
            values = values.set((values == _OTHER_LENGTH).fill_null(False), None)
        name = f"{metric},{filter_}" if filter_ else metric
        columns[name] = spread.under(filter_, values).alias(name)
        metrics[name] = metric
    return columns, metrics


def _check_any(log: Log, samples: Samples, scores: Mapping[str, pl.Series]) -> None:
    if scores or samples.asked:
        return
    found = ", ".join(samples.metrics)
    what = f"its metrics ({found}) are none of single documents" if found else "there is no metric"
    raise NoAnswersError(
        f"the samples have no scores: {what}.",
        where=log.path,
        fix="Score the outputs here: --output-column filtered_resps --reference-column target, "
        "with a --metric.",
    )


def _prompts(samples: Samples, spread: _Spread, known: Beside) -> dict[str, str]:
    """Return hashes over all prompts, and of the whole task as the harness states it."""
    docs, prompts = spread.first(samples.doc), spread.first(samples.prompt_hash)
    if prompts.null_count():
        return {}
    in_order = docs.is_sorted()
    if not in_order:
        prompts = pl.DataFrame({"doc": docs, "hash": prompts}).sort("doc", "hash")["hash"]
    digest = hashlib.sha256()
    for part in prompts.to_frame().iter_slices():
        digest.update("".join(part.to_series().to_list()).encode())
    found = {"prompt_hash": digest.hexdigest()[:DIGITS]}
    # What the harness states depends on the order of the documents, which GPUs may change.
    if in_order and (whole := task_hash(known)):
        found["task_hash"] = whole[:DIGITS]
    return found


def _left_out(samples: Samples, known: Beside) -> Iterator[Note]:
    """Name the metrics whose values are no scores of documents."""
    out = [m for m, values in samples.metrics.items() if values is None or is_no_score(known, m)]
    if out:
        yield Note(
            code="not_item_scores",
            message=f"Left out as metrics of a whole task, of which samples hold no scores: "
            f"{', '.join(out)}.",
        )


def _no_answers(log: Log, samples: Samples, spread: _Spread) -> Iterator[Note]:
    """Say how often a filter found no answer."""
    counts = {f: int(spread.under(f, samples.no_answer).sum()) for f in spread.filters}
    said = [f"{n:,} under {name}" if name else f"{n:,}" for name, n in counts.items() if n]
    if said:
        n = len(spread.first(samples.doc))
        yield Note(
            code="failed_as_wrong",
            message=f"{log.path}: no answer was found ([invalid]) in {', '.join(said)} of {n:,} "
            "responses; the harness counts them as wrong.",
        )
