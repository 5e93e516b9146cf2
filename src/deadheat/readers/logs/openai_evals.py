"""OpenAI evals: a header, the events of samples in any order, and a final report."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import (
    constant,
    fingerprint,
    no_scores_of_items,
    score_columns,
    stated,
    texts,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "OpenAI evals"

VERSIONS = "logs of 2023 to 2025, with a model or a list of completion_fns in the header"

QUIRKS = (
    "Samples are put together from their events by sample_id, in whatever order they were written.",
    "The score correct is data.correct of events of type match; numbers and truths in events of "
    "type metrics are further scores.",
    "Where a sample has several match or metrics events they are its runs.",
    "A sample that was begun and has no score, such as one that ended in an error, is missing.",
    "A model-graded eval names its grader last: it is the judge and not the system.",
    "raw_sample events, which the tool writes since late 2023, say what an item asked; their hash "
    "is compared between systems.",
    "A file without a final report was cut off, which is said.",
)

_HEAD = re.compile(rb'\s*\{\s*"spec"\s*:\s*\{')
_MARKS = (b'"completion_fn', b'"eval_name"', b'"base_eval"')
_LOOK = 1 << 16
_MEANS = ("accuracy", "f1_score", "score", "metascore")
"""Values of a final report that are means over samples, by the source of the evals."""


_WHAT = "an event of OpenAI evals"


class _Line(msgspec.Struct):
    spec: dict[str, Any] | None = None
    final_report: Any = None
    sample_id: str | int | None = None
    type: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"null")


@dataclass(slots=True)
class _Sample:
    """What the events say of one sample."""

    matches: list[bool | None] = field(default_factory=list)
    metrics: list[dict[str, object]] = field(default_factory=list)
    asked: str | None = None
    prompt: bytes | None = None

    @property
    def runs(self) -> int:
        return max(len(self.matches), len(self.metrics), 1)

    def values(self, run: int) -> dict[str, object]:
        """Return the scores of a run; correct goes before the others."""
        correct = {"correct": self.matches[run]} if run < len(self.matches) else {}
        return correct | (self.metrics[run] if run < len(self.metrics) else {})


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a specification of an eval."""
    look = head[:_LOOK]
    return _HEAD.match(look) is not None and any(mark in look for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample, or for each run of one.

    Raises
    ------
    FormatError
        If a line is broken, or the file holds the events of two runs of the tool.
    NoAnswersError
        If no event scores a sample.
    """
    spec, report, samples = _events(log)
    ids = [sample for sample, events in samples.items() for _ in range(events.runs)]
    values = [events.values(run) for events in samples.values() for run in range(events.runs)]
    scores, left_out = score_columns(values)
    scores = {"correct": scores.pop("correct"), **scores} if "correct" in scores else scores
    if not any(len(column) > column.null_count() for column in scores.values()):
        raise NoAnswersError(
            "no event scores a sample (of type match or metrics).",
            where=log.path,
            fix="The log may be cut off: run the eval again.",
        )
    columns = {"sample_id": pl.Series(ids, dtype=pl.String)}
    roles = {"item": "sample_id"}
    constants = {"system": _system(spec), "task": _task(spec)}
    for role, value in constants.items():
        if value is not None:
            columns[role] = constant(value, len(ids))
            roles[role] = role
    if len(ids) > len(samples):
        runs = [run + 1 for events in samples.values() for run in range(events.runs)]
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    if any(events.asked for events in samples.values()):
        columns["hash"] = texts(e.asked for e in samples.values() for _ in range(e.runs))
        roles["hash"] = "hash"
    columns |= scores
    begun = sum(not events.matches and not events.metrics for events in samples.values())
    return Table(
        columns=columns,
        height=len(ids),
        rows=Rows(word="sample"),
        source=log.source("openai_evals"),
        roles=roles,
        scores=tuple(scores),
        about={"": _about(spec) | _prompts(samples)},
        notes=(
            *_cut_off(log, report),
            *disagreements(log.path, columns, roles, _published(report, scores)),
            *no_scores_of_items(left_out, "Values of metrics events"),
            *unscored(log.path, begun, "samples were begun or ended in an error"),
        ),
    )


def _events(log: Log) -> tuple[dict[str, Any], Any, dict[str, _Sample]]:
    """Return the header, the final report and the samples by their ids."""
    spec: dict[str, Any] | None = None
    report: Any = None
    samples: dict[str, _Sample] = {}
    for number, line in log.records(_Line, _WHAT):
        if line.spec is not None:
            if spec is not None:
                raise FormatError(
                    "a second header stands in the file: it holds the events of two runs.",
                    where=f"{log.path}, line {number}",
                    fix="Give one file for each run of the tool.",
                )
            spec = line.spec
        if line.final_report is not None:
            report = line.final_report
        if line.sample_id is None:
            continue
        sample = samples.setdefault(str(line.sample_id), _Sample())
        try:
            _add(sample, line, log)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise log.broken(number, line.data, error, _WHAT) from None
    return spec or {}, report, samples


def _add(sample: _Sample, line: _Line, log: Log) -> None:
    """Note what an event says of a sample."""
    if line.type == "match":
        correct = _fields(line.data).get("correct")
        sample.matches.append(correct if isinstance(correct, bool) else None)
    elif line.type == "metrics":
        sample.metrics.append(_fields(line.data))
    elif line.type == "raw_sample" and sample.asked is None:
        sample.asked = fingerprint(msgspec.json.decode(line.data), log.path)
    elif line.type == "sampling" and sample.prompt is None:
        sample.prompt = _prompt(line.data)


class _Sampling(msgspec.Struct):
    prompt: msgspec.Raw = msgspec.Raw(b"")


def _prompt(data: msgspec.Raw) -> bytes | None:
    """Return the hash of what the model was given."""
    try:
        prompt = bytes(msgspec.json.decode(data, type=_Sampling).prompt)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return hashlib.sha256(prompt).digest() if prompt else None


def _fields(data: msgspec.Raw) -> dict[str, Any]:
    found = msgspec.json.decode(data)
    return found if isinstance(found, dict) else {}


def _part(value: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return what stands under names inside one another, as far as those are objects."""
    found: Any = value
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _functions(spec: Mapping[str, Any]) -> list[str]:
    """Return the models of a run, the grader of a model-graded eval among them."""
    functions = spec.get("completion_fns")
    if isinstance(functions, list) and functions:
        return [*map(str, functions)]
    one = spec.get("model") or spec.get("completion_fn") or spec.get("model_name")
    return [str(one)] if one else []


def _graded(spec: Mapping[str, Any]) -> bool:
    return "modelgraded" in str(_part(spec, "run_config", "eval_spec").get("cls"))


def _system(spec: Mapping[str, Any]) -> str | None:
    functions = _functions(spec)
    if len(functions) > 2 and _graded(spec):
        return ", ".join(functions[:-1])
    return functions[0] if functions else None


def _task(spec: Mapping[str, Any]) -> str | None:
    task = spec.get("base_eval") or spec.get("eval_name")
    return str(task) if task else None


def _about(spec: Mapping[str, Any]) -> dict[str, str]:
    run = _part(spec, "run_config")
    functions = _functions(spec)
    several = len(functions) > 1
    return stated(
        model=_system(spec),
        judge=functions[-1] if several and _graded(spec) else None,
        completion_fns=", ".join(functions) if several and not _graded(spec) else None,
        task_version=spec.get("eval_name"),
        date=spec.get("created_at"),
        seed=run.get("seed"),
        num_fewshot=_part(run, "eval_spec", "args").get("num_few_shot"),
        max_samples=run.get("max_samples"),
    )


def _prompts(samples: Mapping[str, _Sample]) -> dict[str, str]:
    """Return a hash over the first prompts of all samples."""
    if not all(events.prompt for events in samples.values()):
        return {}
    digest = hashlib.sha256()
    for name in sorted(samples):
        digest.update(samples[name].prompt or b"")
    return {"prompt_hash": digest.hexdigest()[:12]}


def _cut_off(log: Log, report: object) -> tuple[Note, ...]:
    if report is not None:
        return ()
    message = f"{log.path} has no final report: the run was cut off, or is still going on."
    return (Note(code="unfinished_log", message=message),)


def _published(report: object, scores: Mapping[str, pl.Series]) -> list[Published]:
    """Return the values of the report that are means of a column."""
    found = []
    for name in _MEANS:
        value = report.get(name) if isinstance(report, dict) else None
        column = "correct" if name == "accuracy" and name not in scores else name
        if isinstance(value, float | int) and column in scores:
            found.append(Published(score=column, value=float(value), exact=True))
    return found
