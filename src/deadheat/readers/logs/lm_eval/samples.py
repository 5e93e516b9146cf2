"""Samples of lm-evaluation-harness, decoded block by block into columns."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any

import msgspec
import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.readers.log import Block, Log
from deadheat.readers.structured import Nested, canonical
from deadheat.readers.unreadable import reason_of

WHAT = "a sample of lm-evaluation-harness"

PLAIN = ("doc_id", "doc_hash", "prompt_hash", "filter", "metrics")
"""Fields of a sample that are decoded."""

RAW = ("doc", "target", "arguments", "resps", "filtered_resps", "target_hash")
"""Fields that are decoded only where somebody asks for what is in them."""

NO_ANSWER = msgspec.Raw(b'["[invalid]"]')
"""What a filter that finds no answer leaves of one response."""

DIGITS = 12
"""Of a hash: they tell items apart well enough, and polars holds them without a heap."""

_ODD = re.compile(r'[\\"\x00-\x1f]')
"""What msgspec does not take in the name of a field."""

_FIXED = frozenset(PLAIN + RAW)
_MOST_METRICS = 1_000
_MOST_FIELDS = 100
_AT_A_TIME = 1_000
"""Elements of an array that are decoded at a time."""

_DOC, _FILTER, _METRICS, _FILTERED, _DOC_HASH, _PROMPT_HASH = map(
    attrgetter, ("doc_id", "filter", "metrics", "filtered_resps", "doc_hash", "prompt_hash")
)

_TRUTH = {"True": 1.0, "False": 0.0}
_NULL = msgspec.Raw(b"null")
_Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """All samples of a file, one a row, in its order.

    Attributes
    ----------
    doc, line : polars.Series
        Int64.
    filter : polars.Series
        UInt16: positions in `filters`.
    filters : tuple of str
        Names of the filters; empty where samples do not name theirs.
    item_hash, prompt_hash : polars.Series
        String: the first digits of the hashes of documents and prompts.
    responses : polars.Series
        Int64: hashes of the responses before any filter, where samples do not name theirs.
    no_answer : polars.Series
        Boolean: whether the filter found no answer.
    metrics : dict of str to (polars.Series or None)
        Float64 by name; None where values are no numbers.
    asked : dict of str to list
        What else was asked for.
    fields : tuple of str
        What could be asked for.
    """

    doc: pl.Series
    line: pl.Series
    filter: pl.Series
    filters: tuple[str, ...]
    item_hash: pl.Series
    prompt_hash: pl.Series
    responses: pl.Series
    no_answer: pl.Series
    metrics: dict[str, pl.Series | None]
    asked: dict[str, list[Any]]
    fields: tuple[str, ...]


def read_samples(log: Log, *, array: bool, asked: Sequence[str]) -> Samples:
    """Decode all samples of a file.

    Parameters
    ----------
    log : Log
        Whose head holds a sample.
    array : bool
        Whether they are one JSON array, which is held as a whole.
    asked : sequence of str
        Fields that are wanted, dotted inside nested ones.

    Raises
    ------
    FormatError
        If a sample is broken, cut off or of another shape, with its line.
    """
    columns: _Columns | None = None
    for block in _elements(log) if array else log.blocks():
        if columns is None and isinstance(block, Block) and not block.data.strip():
            continue
        if columns is None:
            columns = _Columns(log, _first(log, block), asked)
        columns.add(block)
    assert columns is not None
    return columns.finished()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Elements:
    """Some elements of an array, from the one of the number `first`."""

    first: int
    data: list[msgspec.Raw]


def _elements(log: Log) -> Iterator[_Elements]:
    """Yield the elements of an array, some at a time."""
    every = log.document(list[msgspec.Raw], f"an array, each entry {WHAT}")
    for start in range(0, len(every), _AT_A_TIME):
        yield _Elements(first=start + 1, data=every[start : start + _AT_A_TIME])


def _first(log: Log, block: Block | _Elements) -> dict[str, Any]:
    """Return the first sample of a file as it stands."""
    if isinstance(block, _Elements):
        start: Block | _Elements = replace(block, data=block.data[:1])
    else:
        number, line = next(block.split())
        start = Block(first=number, lines=1, data=line + b"\n" * (b"\n" in block.data))
    record: dict[str, Any] = _records(log, start, msgspec.json.Decoder(dict[str, Any]))[1][0]
    return record


def _records(
    log: Log, block: Block | _Elements, decoder: msgspec.json.Decoder[Any]
) -> tuple[Sequence[int], list[Any]]:
    """Decode the lines of a block, or some elements of an array."""
    if isinstance(block, Block):
        return log.decoded(block, decoder, WHAT)
    records = []
    for number, element in enumerate(block.data, start=block.first):
        try:
            records.append(decoder.decode(element))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            reason = reason_of(error)
            raise FormatError(
                f"the entry is not {WHAT} ({reason}).",
                where=f"{log.path}, sample {number}",
                fix="Check how the file was written.",
            ) from None
    return range(block.first, block.first + len(records)), records


class _Columns:
    """Columns that grow by a block at a time."""

    def __init__(self, log: Log, first: dict[str, Any], asked: Sequence[str]) -> None:
        self._log = log
        self._names_metrics = "metrics" in first
        self._names_filter = "filter" in first
        self._has_hash = "doc_hash" in first
        self._fields = tuple(islice(_leaves(first), _MOST_FIELDS))
        paths = {name: name.split(".") for name in asked}
        self._asked = {name: path for name, path in paths.items() if path[0] in _FIXED}
        self._values: dict[str, list[Any]] = {name: [] for name in self._asked}
        self._codes: dict[str, int] = {}
        self._series: dict[str, list[pl.Series]] = {}
        self._scores: dict[str, list[pl.Series] | None] = {}
        self._lists: set[bytes] = set()
        self._usual = _NULL
        self._height = 0
        self._learn([first])

    def add(self, block: Block | _Elements) -> None:
        """Append the samples of a block."""
        try:
            numbers, records = self._decode(block)
        except FormatError:
            # A metric that no sample had so far is a field that the shape does not know.
            if self._names_metrics or not self._learn(self._loose(block)):
                raise
            numbers, records = self._decode(block)
        if self._names_metrics and self._learn(self._other_lists(records)):
            numbers, records = self._decode(block)
        self._append(numbers, records)

    def _other_lists(self, records: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the lists of metrics that no sample had so far."""
        lists = [*map(_METRICS, records)]
        if lists.count(self._usual) == len(lists):
            return []
        new = {bytes(named) for named in lists} - self._lists
        self._lists |= new
        self._usual = msgspec.Raw(bytes(lists[-1]))
        return [{"metrics": msgspec.json.decode(named)} for named in sorted(new)]

    def _decode(self, block: Block | _Elements) -> tuple[Sequence[int], list[Any]]:
        return _records(self._log, block, self._decoder)

    def _loose(self, block: Block | _Elements) -> list[dict[str, Any]]:
        return _records(self._log, block, msgspec.json.Decoder(dict[str, msgspec.Raw]))[1]

    def _learn(self, records: Sequence[Mapping[str, Any]]) -> bool:
        """Make room for metrics that samples have; False where none of them is new."""
        found: dict[str, None] = {}
        for record in records:
            names = record["metrics"] if self._names_metrics else record
            if isinstance(names, (list, dict)):
                found |= dict.fromkeys(str(name) for name in names)
        new = [name for name in found if name not in self._scores and name not in _FIXED]
        if odd := next((name for name in new if _ODD.search(name)), None):
            raise FormatError(
                f"a field is called {odd!r}, which is no name of a metric.",
                where=self._log.path,
                fix="Check how the file was written.",
            )
        if not new and self._height:
            return False
        if len(self._scores) + len(new) > _MOST_METRICS:
            raise FormatError(
                f"the samples have more than {_MOST_METRICS:,} metrics.",
                where=self._log.path,
                fix="Every sample of a task is expected to have the same fields.",
            )
        for name in new:
            self._scores[name] = [pl.repeat(None, self._height, dtype=pl.Float64, eager=True)]
        self._decoder = msgspec.json.Decoder(self._shape())
        return bool(new)

    def _shape(self) -> type[msgspec.Struct]:
        """Return what to decode; without a list of metrics a field unknown to it is an error."""
        raw = {"filtered_resps", *(path[0] for path in self._asked.values())}
        if not self._has_hash:
            raw.add("doc")
        if not self._names_filter:
            raw.add("resps")
        if not self._names_metrics:
            raw.update(RAW)
        raw.difference_update(PLAIN)
        metrics = {f"m{k}": name for k, name in enumerate(self._scores)}
        text = str | None
        fields: list[Any] = [
            ("doc_id", _Int64),
            ("doc_hash", text, None),
            ("prompt_hash", text, None),
            ("filter", text, None),
            ("metrics", msgspec.Raw, _NULL),
            *((name, msgspec.Raw, _NULL) for name in sorted(raw)),
            *((name, Any, None) for name in metrics),
        ]
        return msgspec.defstruct(
            "Sample", fields, rename=metrics, forbid_unknown_fields=not self._names_metrics
        )

    def _append(self, numbers: Sequence[int], records: list[Any]) -> None:
        names = [*map(_FILTER, records)]
        for name in dict.fromkeys(names):
            self._codes.setdefault(name or "none", len(self._codes))
        code = self._codes | {None: self._codes.get("none")}
        if self._has_hash:
            hashes = _shortened([*map(_DOC_HASH, records)])
        else:
            hashes = [_hash_of(record.doc) for record in records]
        responses = [] if self._names_filter else [hash(bytes(r.resps)) for r in records]
        filtered = [*map(_FILTERED, records)]
        invalid = NO_ANSWER in filtered
        no_answer = [invalid and answer == NO_ANSWER for answer in filtered]
        found = {
            "doc": pl.Series([*map(_DOC, records)], dtype=pl.Int64),
            "line": pl.Series(np.array(numbers, dtype=np.int64)),
            "filter": pl.Series([code[name] for name in names], dtype=pl.UInt16),
            "item_hash": pl.Series(hashes, dtype=pl.String),
            "prompt_hash": pl.Series(_shortened([*map(_PROMPT_HASH, records)]), dtype=pl.String),
            "responses": pl.Series(responses, dtype=pl.Int64),
            "no_answer": pl.Series(no_answer, dtype=pl.Boolean),
        }
        for name, series in found.items():
            self._series.setdefault(name, []).append(series)
        for k, (name, parts) in enumerate(self._scores.items()):
            if parts is None:
                continue
            values = numbers_of([*map(attrgetter(f"m{k}"), records)])
            if values is None:
                self._scores[name] = None
            else:
                parts.append(values)
        for name, (root, *rest) in self._asked.items():
            self._values[name].extend(
                part_of(field, rest) for field in map(attrgetter(root), records)
            )
        self._height += len(records)

    def finished(self) -> Samples:
        """Return the columns, and let go of the blocks that they were made of."""
        whole = {name: pl.concat(self._series.pop(name)) for name in [*self._series]}
        return Samples(
            filters=tuple(self._codes) if self._names_filter else (),
            metrics={
                name: pl.concat(parts) if parts else None for name, parts in self._scores.items()
            },
            asked={k: v for k, v in self._values.items() if any(x is not None for x in v)},
            fields=self._fields,
            **whole,
        )


def numbers_of(values: Sequence[Any]) -> pl.Series | None:
    """Return the values of a metric as Float64; None where any of them is no number.

    What the harness cannot write as JSON, such as a float32 of NumPy, is a text of it.
    """
    kinds = set(map(type, values)) - {NoneType}
    if kinds <= {float}:
        return pl.Series(values, dtype=pl.Float64)
    if not kinds <= {float, int, bool, str}:
        return None
    found: list[float | None] = []
    for value in values:
        try:
            number = None if value is None else _TRUTH.get(value, value)
            found.append(None if number is None else float(number))
        except OverflowError:
            found.append(math.inf)
        except ValueError:
            return None
    return pl.Series(found, dtype=pl.Float64)


def part_of(value: Any, path: Sequence[str]) -> Any:
    """Return what lies inside a field; a list of one entry stands for the entry.

    Examples
    --------
    >>> part_of(msgspec.Raw(b'[["18"]]'), [])
    '18'
    """
    if isinstance(value, msgspec.Raw):
        value = msgspec.json.decode(value)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, (list, dict)):
        return Nested(type(value).__name__, canonical(value))
    return value


def _shortened(hashes: Sequence[Any]) -> list[str | None]:
    try:
        return [digits[:DIGITS] for digits in hashes]
    except TypeError:
        return [None if digits is None else digits[:DIGITS] for digits in hashes]


def _hash_of(doc: msgspec.Raw) -> str | None:
    """Return the hash that the harness would have stated of a document, where it states none."""
    text = json.dumps(msgspec.json.decode(doc), indent=2, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _leaves(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of fields, and of fields of documents, that somebody may ask for."""
    for name in ("target", "filtered_resps", "resps"):
        if name in record:
            yield name
    doc = record.get("doc")
    if isinstance(doc, dict):
        yield from (f"doc.{key}" for key in doc)
