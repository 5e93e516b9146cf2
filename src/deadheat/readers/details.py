"""Details of tasks in Parquet, as lighteval and the Open LLM Leaderboard write them."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError, InputError
from deadheat.notes import Note
from deadheat.readers import panics
from deadheat.readers.content import Content
from deadheat.readers.documents import decoded
from deadheat.readers.log import Log
from deadheat.readers.published import Published

Schema = Mapping[str, pl.DataType]

DIGITS = 12
"""Of a hash."""

_TIME = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"
_NAME = re.compile(rf"details_(?P<task>.+)_(?P<time>{_TIME})\.parquet$")
_VALUE = re.compile(
    r"'(?P<name>[^'\\]+)': (?:np\.\w+\()?"
    r"(?P<value>-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf)|nan|True|False|None)\b"
)
"""One metric in what Python shows of a dictionary."""

_TRUTH = {"True": 1.0, "False": 0.0, "None": None}
_OF_NOTHING = "ef46db3751d8e999"
"""xxHash of no text at all."""

_MOST_ROWS = 20_000_000
_LARGEST_RESULTS = 256 << 20


class Results(msgspec.Struct):
    """A file of results, as far as it is used."""

    results: dict[str, Any]
    config_general: Any = None
    config_tasks: Any = None
    versions: Any = None
    summary_tasks: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What the path of a file of details, and the results that belong to it, say.

    Attributes
    ----------
    task, time, system : str or None
        As far as anything says so.
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


def schema_of(path: str, head: bytes) -> Schema:
    """Return the columns of a Parquet file; none where it is no Parquet file or damaged."""
    if not head.startswith(b"PAR1"):
        return {}
    try:
        with open(path, "rb") as file, panics.quiet():
            return dict(pl.read_parquet_schema(file))
    except panics.ERRORS:
        return {}


def fields_of(dtype: pl.DataType | None) -> dict[str, Any]:
    """Return the fields of a struct; none of anything else."""
    if not isinstance(dtype, pl.Struct):
        return {}
    return {field.name: field.dtype for field in dtype.fields}


def read_columns(log: Log, names: Sequence[str]) -> pl.DataFrame:
    """Read some columns of a Parquet file.

    Raises
    ------
    FormatError
        If it is damaged, has no rows or more than 20 million, or is larger than 1 GB.
    """
    data = log.data()
    try:
        with panics.quiet():
            height = pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item()
            if 0 < height <= _MOST_ROWS:
                return pl.read_parquet(io.BytesIO(data), columns=list(names))
    except panics.ERRORS as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else "damaged"
        raise FormatError(
            f"the Parquet file cannot be read ({reason}).",
            where=log.path,
            fix="It may be cut off: copy or write it again.",
        ) from None
    raise FormatError(
        f"the Parquet file has {height:,} rows.",
        where=log.path,
        fix=f"From 1 to {_MOST_ROWS:,} are read; check how it was written.",
    )


def place_of(log: Log) -> Place:
    """Find out what belongs to a file of details.

    lighteval writes OUT/details/ORG/MODEL/TIME/details_TASK_TIME.parquet and
    OUT/results/ORG/MODEL/results_TIME.json; in repositories it is
    details_ORG__MODEL/TIME/details_TASK_TIME.parquet and details_ORG__MODEL/results_TIME.json.
    """
    path = Path(log.path).absolute()
    named = _NAME.search(path.name)
    if named is None:
        return Place()
    task, time = named["task"], named["time"]
    folders = [path.parent, path.parent.parent]
    inside = _inside_details(path)
    if inside is not None:
        above, model = inside
        folders.insert(0, above / "results" / model)
    found = next(
        (f for folder in folders if (f := folder / f"results_{time}.json").is_file()), None
    )
    results, notes = (None, ()) if found is None else _results(str(found))
    system = within(results and results.config_general, "model_name")
    if not isinstance(system, str) or not system:
        system = _folder(path) if inside is None else inside[1].as_posix()
    return Place(
        task=task,
        time=time,
        system=system,
        path=str(found) if results is not None else None,
        results=results,
        notes=notes,
    )


def _inside_details(path: Path) -> tuple[Path, PurePath] | None:
    """Return the folder that holds "details", and the path of the model inside of that."""
    for folder in path.parents[2:5]:
        if folder.name == "details":
            return folder.parent, path.parent.parent.relative_to(folder)
    return None


def _folder(path: Path) -> str | None:
    """Return the model that the folder is called by, above the one of the time if there is one."""
    folder = path.parent
    if re.fullmatch(_TIME, folder.name):
        folder = folder.parent
    if not folder.name.startswith("details_"):
        return folder.name or None
    return folder.name.removeprefix("details_").removesuffix("_private").replace("__", "/", 1)


def _results(path: str) -> tuple[Results | None, tuple[Note, ...]]:
    try:
        data = Log(path=path, head=b"").data(_LARGEST_RESULTS)
        return decoded(Content(path=path, data=data, sha256=""), Results, "results"), ()
    except InputError as error:
        message = f"The results beside the details were not used: {error}"
        return None, (Note(code="results_unread", message=message),)


def within(value: object, *keys: str) -> Any:
    """Return what lies inside nested objects; None where there is no such thing."""
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def metrics_of(values: pl.Series) -> dict[str, pl.Series | None]:
    """Return the metrics of a column: Float64 by name; None where they are no numbers.

    Up to version 0.7 lighteval wrote what Python shows of a dictionary.
    """
    if values.dtype == pl.String:
        rows = [_shown(text) for text in values]
        names = dict.fromkeys(name for row in rows for name in row)
        return {
            name: number_of(pl.Series([row.get(name) for row in rows], dtype=pl.Float64))
            for name in names
        }
    if not isinstance(values.dtype, pl.Struct):
        return {}
    return {series.name: number_of(series) for series in values.struct.unnest().get_columns()}


def _shown(text: str | None) -> dict[str, float | None]:
    found = {match["name"]: match["value"] for match in _VALUE.finditer(text or "")}
    return {name: _TRUTH[v] if v in _TRUTH else float(v) for name, v in found.items()}


def number_of(series: pl.Series) -> pl.Series | None:
    """Return numbers or truths as Float64, NaN and infinities as null; None for anything else."""
    if not (series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null)):
        return None
    values = series.cast(pl.Float64)
    return values.set(~values.is_finite().fill_null(True), None)


def hashes_of(texts: pl.Series) -> pl.Series:
    """Return the first digits of the SHA-256 digests of texts."""
    return pl.Series(
        [
            None if text is None else hashlib.sha256(str(text).encode()).hexdigest()[:DIGITS]
            for text in texts.to_list()
        ],
        dtype=pl.String,
    )


def by_text(hashes: pl.Series) -> tuple[pl.Series, tuple[Note, ...]]:
    """Make item ids of hashes of what items ask; the second of a kind is HASH#2."""
    frame = hashes.cast(pl.String).fill_null("").alias("hash").to_frame()
    at = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("hash").alias("at")
    numbered = frame.with_columns(at)
    again = int((numbered["at"] > 1).sum())
    later = pl.col("hash") + "#" + pl.col("at").cast(pl.String)
    items = numbered.select(pl.when(at > 1).then(later).otherwise("hash").alias("item"))["item"]
    if not again:
        return items, ()
    message = (
        f"{again:,} of {len(items):,} items ask what another one asks; those of one text were "
        "told apart by their order."
    )
    return items, (Note(code="repeated_items", message=message),)


def about(place: Place) -> dict[str, str]:
    """Return what is known of the model and of how it was run."""
    general = place.results and place.results.config_general
    setup = within(general, "model_config")
    decoding = within(setup, "generation_parameters") or within(general, "generation_parameters")
    hashes = place.results and within(place.results.summary_tasks, place.task or "", "hashes")
    version = within(general, "lighteval_sha")
    found = {
        "model": place.system,
        "checkpoint": within(general, "model_sha") or within(setup, "revision"),
        "dtype": within(general, "model_dtype") or within(setup, "dtype"),
        "version": None if version == "?" else version,
        "task_version": place.results and within(place.results.versions, place.task or ""),
        "date": place.time and _date(place.time),
        "num_fewshot": _shots(place.task or ""),
        "temperature": within(decoding, "temperature"),
        "top_p": within(decoding, "top_p"),
        "max_tokens": within(decoding, "max_new_tokens"),
        "stop": within(decoding, "stop_tokens"),
        "seed": within(decoding, "seed"),
        "limit": within(general, "max_samples"),
        "prompt_hash": _unless_empty(within(hashes, "hash_full_prompts")),
        "task_hash": _unless_empty(within(hashes, "hash_examples")),
    }
    return {key: text for key, value in found.items() if (text := _text(value))}


def _date(time: str) -> str:
    day, _, clock = time.partition("T")
    return f"{day}T{clock.replace('-', ':')}"


def _shots(task: str) -> str | None:
    """Return the number of examples in SUITE|TASK|SHOTS, with or without what may surround it."""
    parts = task.split("|")
    given = parts[2] if len(parts) > 2 else parts[-1]
    return given if len(parts) > 1 and given.isdecimal() else None


def _unless_empty(digest: object) -> object:
    return None if digest == _OF_NOTHING else digest


def _text(value: object) -> str:
    """Write a setting; 0.0 and 0 are one."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:.15g}"
    return msgspec.json.encode(value).decode()


def is_no_score(place: Place, metric: str) -> bool:
    """Whether a task is known to aggregate a metric by something else than the mean."""
    aggregation = _aggregation(place, metric)
    return aggregation is not None and "mean" not in aggregation.casefold()


def published(place: Place, metrics: Sequence[str]) -> list[Published]:
    """Return the published values of metrics that should be means over items."""
    stated = {} if place.results is None else place.results.results.get(place.task or "")
    values = {metric: within(stated, metric) for metric in metrics}
    return [
        Published(score=metric, value=float(value), place=place.path or "", exact=True)
        for metric, value in values.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]


def _aggregation(place: Place, metric: str) -> str | None:
    """Return how a task aggregates a metric, where its configuration says so."""
    tasks = place.results and place.results.config_tasks
    if not isinstance(tasks, Mapping) or place.task is None:
        return None
    bare = place.task.rpartition("|")[0]
    config = next((tasks[name] for name in (place.task, bare) if name in tasks), None)
    for entry in within(config, "metrics") or within(config, "metric") or ():
        if within(entry, "metric_name") == metric:
            found = within(entry, "corpus_level_fn")
            return found if isinstance(found, str) else None
    return None


def asked_of(frame: pl.DataFrame, wanted: Sequence[str]) -> dict[str, pl.Series]:
    """Return columns, or dotted fields of them, that were asked for.

    Lists of one entry each stand for that entry.
    """
    found = {}
    for name in wanted:
        root, *path = name.split(".")
        if root not in frame.columns:
            continue
        series = frame[root]
        for key in path:
            if key not in fields_of(series.dtype):
                break
            series = series.struct.field(key)
        else:
            if isinstance(series.dtype, pl.List) and (series.list.len() == 1).all():
                series = series.list.first()
            found[name] = series.alias(name)
    return found


def leaves(schema: Schema) -> tuple[str, ...]:
    """Return the columns that may be asked for, fields of structs dotted."""
    return tuple(
        f"{name}.{field}" if field else name
        for name, dtype in schema.items()
        for field in (fields_of(dtype) or [""])
    )
