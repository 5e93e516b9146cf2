"""HELM: the statistics of each instance of a run, in the folder of the run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "HELM"
VERSIONS = "0.2 to 0.5 (per_instance_stats.json, display_predictions.json)"
QUIRKS = (
    "per_instance_stats.json is read; the other files of a run tell its model and settings.",
    "A perturbed copy of an instance has the id of the original: it is an item of its own, named "
    "ID@PERTURBATION, and the original is its cluster.",
    "Train trials are runs.",
    "Counts, costs, runtimes and finish reasons are no scores; exact_match and the like come first "
    "in the order of the run's metrics.",
    "A statistic that an instance lacks is missing.",
)

_STATS = re.compile(rb'\s*\[\s*\{\s*"instance_id"\s*:')
_MARKS = (b'"train_trial_index"', b'"stats"')
_OTHERS = {
    b'"request_states"': "scenario_state.json of HELM: the requests of a run",
    b'"adapter_spec"': "run_spec.json of HELM: the settings of a run",
}
_BOOKKEEPING = re.compile(
    r"^(num_|training_|inference_|batch_size$|finish_reason_|prompt_truncated$|max_prob$|logprob$|"
    r"estimated_|logprob_per_byte|bits_per_byte|perplexity)"
)
_MAIN = (
    "exact_match",
    "quasi_exact_match",
    "final_number_exact_match",
    "math_equiv",
    "math_equiv_chain_of_thought",
    "f1_score",
    "rouge_2",
    "bleu_4",
)
_LOOK = 1 << 18


class _Perturbation(msgspec.Struct):
    name: str = ""


class _Name(msgspec.Struct):
    name: str
    split: str | None = None
    perturbation: _Perturbation | None = None


class _Stat(msgspec.Struct):
    name: _Name
    mean: float | None = None
    count: int = 0


class _Instance(msgspec.Struct):
    instance_id: str
    train_trial_index: int = 0
    perturbation: _Perturbation | None = None
    stats: list[_Stat] | dict[str, float | None] = []


class _Adapter(msgspec.Struct):
    model: str | None = None
    model_deployment: str | None = None
    method: str | None = None
    instructions: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    num_outputs: int | None = None
    max_train_instances: int | None = None
    max_eval_instances: int | None = None


class _Spec(msgspec.Struct):
    name: str = ""
    adapter_spec: _Adapter | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a list holds the statistics of instances, or a document is another file of a run."""
    look = head[:_LOOK]
    if _STATS.match(look):
        return all(mark in look for mark in _MARKS)
    return _other(path, look) is not None


def _other(path: str, look: bytes) -> str | None:
    if b'"adapter_spec"' in look and look.lstrip().startswith(b"{"):
        if b'"request_states"' in look or Path(path).name == "scenario_state.json":
            return _OTHERS[b'"request_states"']
        if b'"scenario_spec"' in look:
            return _OTHERS[b'"adapter_spec"']
    if Path(path).name == "stats.json" and re.match(rb'\s*\[\s*\{\s*"name"\s*:\s*\{', look):
        return "stats.json of HELM: the aggregates of a run"
    return None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each instance, perturbation and train trial.

    Raises
    ------
    NoAnswersError
        If the file is another one of a run.
    FormatError
        If no instance has a statistic that is a score.
    """
    other = _other(log.path, log.head[:_LOOK])
    if other is not None:
        raise NoAnswersError(
            f"this is {other}.", where=log.path, fix="Give per_instance_stats.json beside it."
        )
    instances = log.document(list[_Instance], "statistics of instances of HELM")
    rows: list[tuple[str, str, int, dict[str, float | None]]] = []
    for one in instances:
        for perturbation, values in _values(one).items():
            name = f"{one.instance_id}@{perturbation}" if perturbation else one.instance_id
            rows.append((name, one.instance_id, one.train_trial_index, values))
    rows = _merged(rows)
    names = [*dict.fromkeys(name for row in rows for name in row[3])]
    scores = [name for name in names if not _BOOKKEEPING.match(name)]
    scores.sort(key=lambda name: _MAIN.index(name) if name in _MAIN else len(_MAIN))
    if not scores:
        raise FormatError(
            "no instance has a statistic that is a score.",
            where=log.path,
            fix=f"Statistics are: {', '.join(names[:12])}.",
        )
    spec, files = _spec(log)
    adapter = spec.adapter_spec or _Adapter()
    folder = log.folder()
    system = adapter.model or _in_name(folder, "model") or folder
    columns = {
        "item": pl.Series([row[0] for row in rows], dtype=pl.String),
        "system": pl.repeat(system, len(rows), dtype=pl.String, eager=True),
        "task": pl.repeat(_task(spec.name or folder), len(rows), dtype=pl.String, eager=True),
    }
    roles = {"item": "item", "system": "system", "task": "task"}
    for name in scores:
        columns[name] = pl.Series(name, [row[3].get(name) for row in rows], dtype=pl.Float64)
    if any(row[0] != row[1] for row in rows):
        columns["instance_id"] = pl.Series([row[1] for row in rows], dtype=pl.String)
        roles["cluster"] = "instance_id"
    if len({row[2] for row in rows}) > 1:
        columns["run"] = pl.Series([row[2] for row in rows], dtype=pl.Int64)
        roles["run"] = "run"
    left_out = [name for name in names if name not in scores]
    notes = list(disagreements(log.path, columns, roles, _published(log, scores, roles)))
    if left_out:
        message = (
            f"Statistics of HELM that are no scores of items were left out: {', '.join(left_out)}."
        )
        notes.append(Note(code="not_item_scores", message=message))
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="instance"),
        source=log.source("helm", *files),
        roles=roles,
        scores=tuple(scores),
        about={"": _about(adapter)},
        notes=tuple(notes),
    )


def _values(one: _Instance) -> dict[str, dict[str, float | None]]:
    """Return the statistics of an instance, apart for each perturbation."""
    outer = one.perturbation.name if one.perturbation else ""
    if isinstance(one.stats, dict):
        return {outer: dict(one.stats)}
    found: dict[str, dict[str, float | None]] = {}
    for stat in one.stats:
        inner = stat.name.perturbation.name if stat.name.perturbation else outer
        found.setdefault(inner, {})[stat.name.name] = stat.mean
    return found or {outer: {}}


def _merged(
    rows: Sequence[tuple[str, str, int, dict[str, float | None]]],
) -> list[tuple[str, str, int, dict[str, float | None]]]:
    """Put together rows of one instance and trial whose statistics do not overlap."""
    found: dict[tuple[str, int], list[tuple[str, str, int, dict[str, float | None]]]] = {}
    for row in rows:
        same = found.setdefault((row[0], row[2]), [])
        if same and not same[-1][3].keys() & row[3].keys():
            same[-1][3].update(row[3])
        else:
            same.append(row)
    return [row for same in found.values() for row in same]


def _spec(log: Log) -> tuple[_Spec, tuple[str, ...]]:
    path = os.path.join(os.path.dirname(log.path), "run_spec.json")
    if not os.path.isfile(path):
        return _Spec(), ()
    return Log(path=path, head=b"").document(_Spec, "the settings of a run of HELM"), (path,)


def _about(adapter: _Adapter) -> dict[str, str]:
    stated: dict[str, Any] = {
        "model": adapter.model,
        "deployment": adapter.model_deployment,
        "method": adapter.method,
        "temperature": adapter.temperature,
        "max_tokens": adapter.max_tokens,
        "num_fewshot": adapter.max_train_instances,
        "max_eval_instances": adapter.max_eval_instances,
    }
    return {key: str(value) for key, value in stated.items() if value is not None}


def _task(name: str) -> str:
    """Return the name of a run without its model: what the systems have in common."""
    head, _, rest = name.replace(":", ",", 1).partition(",")
    parts = [part for part in rest.split(",") if part and not part.startswith("model")]
    if "-" in head and not rest:
        return head
    return ",".join([head, *parts])


def _in_name(folder: str, key: str) -> str | None:
    found = re.search(rf"[,:]{key}=([^,]+)", folder)
    return found[1] if found else None


def _published(log: Log, scores: Sequence[str], roles: dict[str, str]) -> list[Published]:
    """Return the means that stats.json states of the instances as they are, if all are such."""
    path = os.path.join(os.path.dirname(log.path), "stats.json")
    if not os.path.isfile(path) or "cluster" in roles:
        return []
    try:
        found = Log(path=path, head=b"").document(list[_Stat], "aggregates of HELM")
    except FormatError:
        return []
    means: dict[str, list[float]] = {}
    for stat in found:
        plain = stat.name.perturbation is None and stat.mean is not None and stat.count > 0
        if plain and stat.name.name in scores:
            means.setdefault(stat.name.name, []).append(float(stat.mean or 0.0))
    return [
        Published(score=name, value=values[0], place=path)
        for name, values in means.items()
        if len(values) == 1
    ]
