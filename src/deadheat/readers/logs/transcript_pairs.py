"""Pairs of what was said and what was heard, by utterance: {id: {"ground", "transcript"}}."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.entries import entries
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "Transcript pairs (ground, transcript)"
VERSIONS = "by the layout alone; no real file was tried"
QUIRKS = (
    "One JSON object: its keys are the items, ground the references, transcript the outputs.",
    "A transcript that is null is no usable output.",
)

_LOOK = 1 << 16
_TEXT = rb'(?:"(?:[^"\\]|\\.)*+"|null)'
_FIRST = re.compile(
    rb'\s*\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\{\s*(?:"ground"\s*:\s*'
    + _TEXT
    + rb'\s*,\s*"transcript"|"transcript"\s*:\s*'
    + _TEXT
    + rb'\s*,\s*"ground")\s*:',
    re.DOTALL,
)


class _Pair(msgspec.Struct):
    ground: str
    transcript: str | None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first entry of an object is a pair."""
    return _FIRST.match(head[:_LOOK]) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each utterance.

    Raises
    ------
    FormatError
        If an entry is no pair, or an id stands twice.
    """
    pairs = entries(log, _Pair, "pairs of transcripts")
    if not pairs:
        raise FormatError("there are no transcripts: 0 rows.", where=log.path)
    return Table(
        columns={
            "utterance": pl.Series([*pairs], dtype=pl.String),
            "ground": pl.Series([pair.ground for pair in pairs.values()], dtype=pl.String),
            "transcript": pl.Series([pair.transcript for pair in pairs.values()], dtype=pl.String),
        },
        height=len(pairs),
        rows=Rows(word="entry"),
        source=log.source("transcript_pairs"),
        roles={"item": "utterance", "reference": "ground", "output": "transcript"},
    )
