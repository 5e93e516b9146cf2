"""What lm-evaluation-harness writes beside its samples: results, settings and versions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from deadheat.errors import InputError
from deadheat.notes import Note
from deadheat.readers.content import Content
from deadheat.readers.documents import decoded
from deadheat.readers.log import Log
from deadheat.readers.published import Published

TIME = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"

_SAMPLES = re.compile(rf"samples_(?P<task>.+)_(?P<time>{TIME})\.jsonl?$")
_RESULTS = re.compile(rb'\s*\{\s*"results"\s*:\s*\{')
_PROOF = (b'"bootstrap_iters"', b'"group_subtasks"', b'"n-shot"', b'"versions"')
_MOST_LOOKED_INTO = 50

_LARGEST = 256 << 20
"""Bytes of a file of results."""

_MODEL_KEYS = ("peft", "delta", "pretrained", "model", "path", "engine")
"""Arguments that name a model, in the order in which the harness asks for them."""

_MEANS = frozenset({"acc", "acc_norm", "acc_mutual_info", "acc_bytes", "exact_match"})
"""Metrics that the harness aggregates by the mean unless a task says otherwise."""

_OTHERWISE = frozenset(
    {"perplexity", "weighted_perplexity", "bits_per_byte", "f1", "matthews_corrcoef", "bleu"}
    | {"chrf", "ter", "brier_score", "bypass"}
)
"""Aggregations under which the value of one sample is no score of it."""

_NO_SCORES = frozenset({"bypass", "perplexity", "word_perplexity", "byte_perplexity"})
"""Metrics whose values of one sample are no scores, where nothing says how they are aggregated."""


class Results(msgspec.Struct, kw_only=True, rename={"n_shot": "n-shot", "n_samples": "n-samples"}):
    """A file of results, as far as it is used."""

    results: dict[str, Any]
    configs: Any = None
    versions: Any = None
    n_shot: Any = None
    n_samples: Any = None
    config: Any = None
    date: Any = None
    git_hash: Any = None
    lm_eval_version: Any = None
    higher_is_better: Any = None
    model_name: Any = None
    model_name_sanitized: Any = None
    task_hashes: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is known of a file of samples from its name and from the results beside it.

    Attributes
    ----------
    task, time : str or None
        As far as the name says so.
    system : str or None
        None where nothing but the name of the file could say it.
    path : str or None
        Of the results.
    results : Results or None
    notes : tuple of Note
    """

    task: str | None = None
    time: str | None = None
    system: str | None = None
    path: str | None = None
    results: Results | None = None
    notes: tuple[Note, ...] = ()


def is_results(head: bytes) -> bool:
    """Whether the first bytes of a file are of results."""
    if not _RESULTS.match(head):
        return False
    return (b'"configs"' in head or b'"config"' in head) and any(key in head for key in _PROOF)


def beside(log: Log, *, array: bool) -> Beside:
    """Find out what belongs to a file of samples.

    Since 0.4.3 samples and results share a time; before, samples are called by the arguments of
    the model and the task, and the results stand in one file for all.

    Parameters
    ----------
    log : Log
    array : bool
        Whether the samples are one JSON array, as before 0.4.3.
    """
    named = _SAMPLES.search(Path(log.path).name)
    if named is None:
        return _of_arguments(log) if array else Beside()
    task, time = named["task"], named["time"]
    path = _of_time(log, time)
    results, notes = _read(path) if path is not None else (None, ())
    return Beside(
        task=task,
        time=time,
        system=_name(results) or _name_by_others(log) or log.folder(),
        path=path if results is not None else None,
        results=results,
        notes=notes,
    )


def _name(results: Results | None) -> str:
    name = None if results is None else results.model_name
    return name if isinstance(name, str) else ""


def _name_by_others(log: Log) -> str:
    """Return the model that the folder is called by, as results of another time say."""
    for path in log.beside("results_*.json")[:1]:
        results, _ = _read(path)
        if results is not None and results.model_name_sanitized == log.folder():
            return _name(results)
    return ""


def _of_time(log: Log, time: str) -> str | None:
    """Return the path of the results that were written with samples of one time."""
    usual = os.path.join(os.path.dirname(log.path), f"results_{time}.json")
    if os.path.isfile(usual):
        return usual
    others = [path for path in log.beside(f"*_{time}.json") if not _SAMPLES.search(path)]
    return others[0] if len(others) == 1 else None


def _of_arguments(log: Log) -> Beside:
    """Find the results whose model and task the name of a file is made of."""
    stem = Path(log.path).stem
    for path in log.beside("*.json")[:_MOST_LOOKED_INTO]:
        try:
            with open(path, "rb") as file:
                head = file.read(1 << 16)
        except OSError:
            continue
        if not _RESULTS.match(head):
            continue
        results, _ = _read(path)
        if results is None:
            continue
        arguments = inside(results.config, "model_args")
        prefix = re.sub("/|=", "__", arguments) + "_" if isinstance(arguments, str) else ""
        task = stem.removeprefix(prefix)
        if prefix and stem != task and task in results.results:
            system = results.model_name or _model_of(arguments) or arguments
            return Beside(task=task, system=str(system), path=path, results=results)
    return Beside()


def _read(path: str) -> tuple[Results | None, tuple[Note, ...]]:
    try:
        content = Content(path=path, data=Log(path=path, head=b"").data(_LARGEST), sha256="")
        return decoded(content, Results, "results of the harness"), ()
    except InputError as error:
        message = f"The results beside the samples were not used: {error}"
        return None, (Note(code="results_unread", message=message),)


def _model_of(arguments: object) -> str | None:
    """Return the name of the model in the arguments of a run."""
    if isinstance(arguments, Mapping):
        return next((str(arguments[key]) for key in _MODEL_KEYS if key in arguments), None)
    given = dict(part.partition("=")[::2] for part in str(arguments).split(","))
    return next((given[key] for key in _MODEL_KEYS if given.get(key)), None)


def inside(value: object, *keys: str) -> Any:
    """Return what lies inside nested objects; None where there is no such thing."""
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def about(known: Beside) -> dict[str, str]:
    """Return what the results say of the model and of how it was run."""
    results, task = known.results, known.task
    if results is None or task is None:
        return {}
    setup = inside(results.configs, task)
    decoding = inside(setup, "generation_kwargs")
    first = inside(results.n_shot, task)
    found = {
        "model": results.model_name or _model_of(inside(results.config, "model_args")),
        "checkpoint": inside(results.config, "model_sha")
        or inside(results.config, "model_revision"),
        "dtype": _text(inside(results.config, "model_dtype")).removeprefix("torch."),
        "version": results.lm_eval_version or results.git_hash,
        "task_version": inside(results.versions, task),
        "date": _date(results.date),
        "num_fewshot": inside(setup, "num_fewshot") if first is None else first,
        "temperature": inside(decoding, "temperature"),
        "top_p": inside(decoding, "top_p"),
        "max_tokens": inside(decoding, "max_gen_toks") or inside(decoding, "max_tokens"),
        "stop": inside(decoding, "until"),
        "seed": inside(results.config, "random_seed"),
        "limit": inside(results.config, "limit"),
    }
    return {key: text for key, value in found.items() if (text := _text(value))}


def _date(value: object) -> str | None:
    if not isinstance(value, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(value, tz=UTC).isoformat(timespec="seconds")
    except (OverflowError, OSError, ValueError):
        return None


def _text(value: object) -> str:
    """Write a setting; 0.0 and 0 are one."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:.15g}"
    return msgspec.json.encode(value).decode()


def filters(known: Beside) -> tuple[str, ...]:
    """Return the names of the filters of a task, in the order in which they were applied."""
    if known.results is None or known.task is None:
        return ()
    values = known.results.results.get(known.task)
    keys = values if isinstance(values, Mapping) else ()
    named = [key.partition(",")[2] for key in keys if "," in key]
    return tuple(dict.fromkeys(named))


def is_no_score(known: Beside, metric: str) -> bool:
    """Whether the values of a metric are known to be no scores of samples."""
    aggregation = _aggregation(known, metric)
    return metric in _NO_SCORES if aggregation is None else aggregation in _OTHERWISE


def published(known: Beside, names: Mapping[str, str]) -> list[Published]:
    """Return the published values that should be means over samples.

    Parameters
    ----------
    known : Beside
    names : mapping of str to str
        Metric of each column of scores; the columns are called as the results call them.
    """
    if known.results is None or known.task is None:
        return []
    found = []
    for column, metric in names.items():
        value = inside(known.results.results, known.task, column)
        aggregation = _aggregation(known, metric)
        mean = metric in _MEANS if aggregation is None else aggregation in ("mean", "nanmean")
        if mean and isinstance(value, (int, float)) and not isinstance(value, bool):
            place = known.path or ""
            found.append(Published(score=column, value=float(value), place=place, exact=True))
    return found


def incomplete(known: Beside, n: int) -> Iterator[Note]:
    """Say where the results count more or fewer documents than there are samples of."""
    counted = inside(known.results.n_samples, known.task or "") if known.results else None
    effective = inside(counted, "effective")
    if isinstance(effective, int) and effective != n:
        yield Note(
            code="samples_incomplete",
            message=f"{known.path} counts {effective:,} documents of {known.task}, and there are "
            f"samples of {n:,}.",
        )


def directions(known: Beside, columns: Mapping[str, str]) -> Iterator[Note]:
    """Name the scores of which the results say that lower is better."""
    stated = inside(known.results and known.results.higher_is_better, known.task or "")
    lower = [name for name, metric in columns.items() if inside(stated, metric) is False]
    if lower:
        yield Note(
            code="lower_is_better",
            message=f"Lower values of {', '.join(lower)} are better, by the results of the "
            "harness: where one of them is the score, say --lower-is-better.",
        )


def errors_of_zero(known: Beside, columns: Mapping[str, str]) -> Iterator[Note]:
    """Name the scores of which the results state an error of 0 that cannot be."""
    stated = inside(known.results and known.results.results, known.task or "")
    for name, metric in columns.items():
        value = inside(stated, name)
        error = inside(stated, f"{metric}_stderr{name.removeprefix(metric)}")
        if isinstance(value, float) and 0.0 < value < 1.0 and error == 0.0:
            yield Note(
                code="published_error_zero",
                message=f"{known.path} states a standard error of 0 for {name} of {known.task} "
                f"beside the value {value:g}; errors are taken from the samples.",
            )


def task_hash(known: Beside) -> str | None:
    """Return the hash of all documents, prompts and targets, which follows their order."""
    value = inside(known.results.task_hashes, known.task or "") if known.results else None
    return value if isinstance(value, str) else None


def _aggregation(known: Beside, metric: str) -> str | None:
    """Return how a task aggregates a metric, where its configuration says so."""
    if known.results is None or known.task is None:
        return None
    listed = inside(known.results.configs, known.task, "metric_list")
    entries: Sequence[object] = listed if isinstance(listed, list) else ()
    for entry in entries:
        if inside(entry, "metric") == metric:
            value = inside(entry, "aggregation")
            return value if isinstance(value, str) else None
    return None
