"""HELM: the statistics of each instance of a run, in the folder of the run."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import (
    Whole,
    constant,
    fingerprint,
    no_scores_of_items,
    stated,
    texts,
)
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Attempt, Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "HELM"

VERSIONS = "0.2 to 0.5 (per_instance_stats.json, display_predictions.json)"

QUIRKS = (
    "per_instance_stats.json is read, or display_predictions.json where it lies alone. The other "
    "files of a run tell its model and settings, what instances asked and what was published; "
    "alone they are refused.",
    "A perturbed copy of an instance has the id of the original: it is an item of its own, named "
    "ID@PERTURBATION, and the original is its cluster.",
    "Train trials are runs.",
    "What each metric says of an instance stands in a record of its own, and is put together.",
    "exact_match and its like come first. Counts, costs, runtimes, probabilities and finish "
    "reasons are no scores and left out, unless --score names one.",
    "A statistic that an instance lacks is missing: HELM leaves out what is null.",
    "A run may hold instances of several splits. All are read, and how many is said; HELM's tables "
    "show one, usually test. Published means are held against the unperturbed instances of their "
    "split.",
    "A variance that HELM states is that of the population, and is not used.",
)

_LOOK = 1 << 18
_STATS = re.compile(rb'\s*\[\s*\{\s*"instance_id"\s*:')
_AGGREGATE = re.compile(rb'\s*\[\s*\{\s*"name"\s*:\s*\{\s*"name"\s*:')
_LARGEST_BESIDE = 256 << 20
_BOOKKEEPING = re.compile(
    r"(num_|training_|inference_|finish_reason_|estimated_|logprob|bits_per_byte|perplexity)"
    r"|(batch_size|prompt_truncated|max_prob|predicted_index)$"
)
_MAIN = (
    *("exact_match", "quasi_exact_match", "final_number_exact_match"),
    *("math_equiv", "math_equiv_chain_of_thought", "f1_score", "rouge_2", "bleu_4"),
)
_SAID = (
    *("input_prefix", "input_suffix", "output_prefix", "output_suffix", "reference_prefix"),
    *("instructions", "global_prefix", "global_suffix", "instance_prefix", "method"),
)
"""Settings that make up the prompt."""


class _Perturbation(msgspec.Struct):
    name: str = ""


class _Name(msgspec.Struct):
    name: str
    split: str | None = None
    sub_split: str | None = None
    perturbation: _Perturbation | None = None

    @property
    def score(self) -> str:
        """Name of the statistic, with the part of a split that it is of."""
        return f"{self.name}/{self.sub_split}" if self.sub_split else self.name


class _Stat(msgspec.Struct):
    name: _Name
    mean: float | None = None
    count: int = 0


class _Instance(msgspec.Struct):
    instance_id: str
    train_trial_index: Whole = 0
    perturbation: _Perturbation | None = None
    stats: list[_Stat] | dict[str, float | None] = []


class _Spec(msgspec.Struct):
    name: str = ""
    adapter_spec: dict[str, Any] = {}


class _Asked(msgspec.Struct):
    id: str | None = None
    input: Any = None
    perturbation: _Perturbation | None = None


@dataclass(slots=True)
class _Row:
    """What a run says of one instance, perturbation and train trial."""

    id: str
    perturbation: str
    trial: int
    split: str | None
    values: dict[str, float | None]

    @property
    def item(self) -> str:
        return f"{self.id}@{self.perturbation}" if self.perturbation else self.id


def recognises(path: str, head: bytes) -> bool:
    """Whether a list holds the statistics of instances, or a document is another file of a run."""
    look = head[:_LOOK]
    if _STATS.match(look):
        return b'"train_trial_index"' in look and b'"stats"' in look
    return _other(look) is not None


def _other(look: bytes) -> str | None:
    """Say what other file of a run this is."""
    if b'"adapter_spec"' in look and look.lstrip().startswith(b"{"):
        if b'"request_states"' in look:
            return "scenario_state.json of HELM: the requests of a run"
        if b'"scenario_spec"' in look:
            return "run_spec.json of HELM: the settings of a run"
    if _AGGREGATE.match(look) and b'"sum_squared"' in look:
        return "stats.json of HELM: the aggregates of a run"
    return None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each instance, perturbation and train trial.

    Raises
    ------
    NoAnswersError
        If the file is another one of a run, or no instance has a statistic that is a score.
    """
    other = _other(log.head[:_LOOK])
    if other is not None:
        raise NoAnswersError(
            f"this is {other}.", where=log.path, fix="Give per_instance_stats.json beside it."
        )
    instances = log.document(list[_Instance], "statistics of instances of HELM")
    rows = _merged(row for one in instances for row in _rows(one))
    names = [*dict.fromkeys(name for row in rows for name in row.values)]
    scores = [n for n in names if n in wanted or not _BOOKKEEPING.match(n)]
    scores.sort(key=lambda name: _MAIN.index(name) if name in _MAIN else len(_MAIN))
    if not scores:
        raise NoAnswersError(
            "no instance has a statistic that is a score.",
            where=log.path,
            fix=f"Statistics are: {', '.join(names[:12])}. --score takes one of them all the same.",
        )
    spec, files = _spec(log)
    columns, roles = _identity(rows, spec, log)
    values = {n: pl.Series([row.values.get(n) for row in rows], dtype=pl.Float64) for n in scores}
    values = {f"stat {n}" if n in columns else n: column for n, column in values.items()}
    columns |= values
    folder = os.path.dirname(os.path.abspath(log.path))
    displayed = any(isinstance(one.stats, dict) for one in instances)
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="instance"),
        source=log.source("helm", *files),
        roles=roles,
        scores=tuple(values),
        about={"": _about(spec.adapter_spec, log.path)},
        attempt=Attempt(of=f"helm {folder}", order=(0.0 if displayed else 1.0,)),
        notes=(
            *_splits(log, rows),
            *_disagreements(log, columns, rows),
            *no_scores_of_items([n for n in names if n not in scores], "Statistics of HELM"),
        ),
    )


def _rows(one: _Instance) -> Iterable[_Row]:
    """Return what a record says of its instance, apart for each perturbation."""
    outer = one.perturbation.name if one.perturbation else ""
    if isinstance(one.stats, dict):
        yield _Row(one.instance_id, outer, one.train_trial_index, None, dict(one.stats))
        return
    found: dict[str, _Row] = {}
    for stat in one.stats:
        inner = stat.name.perturbation.name if stat.name.perturbation else outer
        row = found.setdefault(
            inner, _Row(one.instance_id, inner, one.train_trial_index, stat.name.split, {})
        )
        row.values[stat.name.score] = stat.mean
    yield from found.values() or [_Row(one.instance_id, outer, one.train_trial_index, None, {})]


def _merged(rows: Iterable[_Row]) -> list[_Row]:
    """Put together the records of one instance and trial that do not contradict one another."""
    found: dict[tuple[str, int], list[_Row]] = {}
    for row in rows:
        same = found.setdefault((row.item, row.trial), [])
        if same and _agree(same[-1].values, row.values):
            same[-1].values = {**row.values, **same[-1].values}
            same[-1].split = same[-1].split or row.split
        else:
            same.append(row)
    return [row for same in found.values() for row in same]


def _agree(one: Mapping[str, float | None], other: Mapping[str, float | None]) -> bool:
    """Whether two records say the same where both say something that is a score."""
    both = [name for name in one.keys() & other.keys() if not _BOOKKEEPING.match(name)]
    return all(one[name] == other[name] for name in both) and bool(
        other.keys() - one.keys() or not both
    )


def _identity(
    rows: Sequence[_Row], spec: _Spec, log: Log
) -> tuple[dict[str, pl.Series], dict[str, str]]:
    """Return the columns that say which instance of which run a row is, and their roles."""
    name = spec.name or log.folder()
    columns = {"item": pl.Series([row.item for row in rows], dtype=pl.String)}
    roles = {"item": "item"}
    if system := spec.adapter_spec.get("model") or _in_name(name, "model"):
        columns["system"] = constant(str(system), len(rows))
        columns["task"] = constant(_task(name), len(rows))
        roles |= {"system": "system", "task": "task"}
    if any(row.perturbation for row in rows):
        columns["instance_id"] = pl.Series([row.id for row in rows], dtype=pl.String)
        roles["cluster"] = "instance_id"
    if len({row.trial for row in rows}) > 1:
        columns["run"] = pl.Series([row.trial for row in rows], dtype=pl.Int64)
        roles["run"] = "run"
    if any(row.split is not None for row in rows):
        columns["split"] = texts(row.split for row in rows)
    if asked := _hashes(log):
        columns["hash"] = texts(asked.get((row.id, row.perturbation)) for row in rows)
        roles["hash"] = "hash"
    return columns, roles


def _beside(log: Log, name: str) -> Log | None:
    """Return another file of the run, where there is one of a size that can be read along."""
    path = os.path.join(os.path.dirname(log.path), name)
    if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_BESIDE:
        return None
    return Log(path=path, head=b"")


def _spec(log: Log) -> tuple[_Spec, tuple[str, ...]]:
    beside = _beside(log, "run_spec.json")
    if beside is None:
        return _Spec(), ()
    return beside.document(_Spec, "the settings of a run of HELM"), (beside.path,)


def _hashes(log: Log) -> dict[tuple[str | None, str], str]:
    """Return a hash of what each instance asked, by its id and perturbation."""
    beside = _beside(log, "instances.json")
    if beside is None:
        return {}
    try:
        instances = beside.document(list[_Asked], "instances of HELM")
    except FormatError:
        return {}
    return {
        (one.id, one.perturbation.name if one.perturbation else ""): fingerprint(
            one.input, beside.path
        )
        for one in instances
    }


def _about(adapter: Mapping[str, Any], path: str) -> dict[str, str]:
    said = {name: adapter[name] for name in _SAID if name in adapter}
    return stated(
        model=adapter.get("model"),
        deployment=adapter.get("model_deployment"),
        method=adapter.get("method"),
        temperature=adapter.get("temperature"),
        max_tokens=adapter.get("max_tokens"),
        num_outputs=adapter.get("num_outputs"),
        num_fewshot=adapter.get("max_train_instances"),
        max_eval_instances=adapter.get("max_eval_instances"),
        prompt_hash=fingerprint(said, path)[:12] if said else None,
    )


def _task(name: str) -> str:
    """Return the name of a run without its model: what the systems have in common.

    Examples
    --------
    >>> _task("mmlu:subject=law,model=org_a"), _task("mmlu-subject=law,model=org_a"), _task("gsm:")
    ('mmlu,subject=law', 'mmlu,subject=law', 'gsm')
    """
    head, _, rest = name.replace(":", ",", 1).partition(",")
    parts = [part for part in rest.split(",") if part and not part.startswith("model")]
    return ",".join(re.sub(r"^(\w+)-(?=\w+=)", r"\1,", part) for part in [head, *parts])


def _in_name(folder: str, key: str) -> str | None:
    found = re.search(rf"[,:]{key}=([^,]+)", folder)
    return found[1] if found else None


def _splits(log: Log, rows: Sequence[_Row]) -> tuple[Note, ...]:
    counts = Counter(row.split for row in rows if row.split is not None)
    if len(counts) < 2:
        return ()
    said = ", ".join(f"{split} {n:,}" for split, n in counts.items())
    message = (
        f"{log.path} holds instances of several splits ({said}), and all were used; HELM's own "
        "tables show one of them."
    )
    return (Note(code="several_splits", message=message),)


def _disagreements(
    log: Log, columns: Mapping[str, pl.Series], rows: Sequence[_Row]
) -> tuple[Note, ...]:
    """Hold the means in stats.json against the unperturbed instances of their splits."""
    beside = _beside(log, "stats.json")
    if beside is None:
        return ()
    try:
        found = beside.document(list[_Stat], "aggregates of HELM")
    except FormatError:
        return ()
    plain = [s for s in found if s.name.perturbation is None and s.mean is not None and s.count]
    notes: list[Note] = []
    for split in dict.fromkeys(row.split for row in rows):
        mask = pl.Series([not row.perturbation and row.split == split for row in rows])
        own = {name: column.filter(mask) for name, column in columns.items()}
        claims = [
            Published(score=s.name.score, value=float(s.mean or 0.0), place=beside.path)
            for s in plain
            if split is None or s.name.split == split
        ]
        unsure = {n for n, k in Counter(claim.score for claim in claims).items() if k > 1}
        sure = [claim for claim in claims if claim.score not in unsure]
        where = log.path if split is None else f"{log.path} ({split})"
        notes.extend(disagreements(where, own, {}, sure))
    return tuple(notes)
