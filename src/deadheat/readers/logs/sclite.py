"""SGML alignments of sclite, from which sc_stats compares systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.speech import words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "sclite (SGML)"
VERSIONS = "files of format 2.4 (-o sgml); format 2.0 by its documentation"
QUIRKS = (
    "References and outputs are put together from the alignment; a word that sclite counts as "
    "right although it is written otherwise, such as a fragment or an optional word, is the same "
    "in both.",
    "sclite weighs a substitution 4 and other errors 3, so that it can count a few errors more "
    "than wer does, which counts a shortest alignment.",
    "Several systems may stand in one file; the system is the title without its folders.",
    "Reports for readers (.sys, .raw, .pra, .dtl, of sc_stats) and nl.sgml are refused.",
)

_LOOK = 1 << 14
_SYSTEM = re.compile(rb'\s*<SYSTEM title="[^"]*"[^<>]*\bcreation_date="')
_REPORTS = (
    b"DUMP OF SYSTEM ALIGNMENT STRUCTURE",
    b"SYSTEM SUMMARY PERCENTAGES by SPEAKER",
    b"SEGMENTATION REPORT FOR SYSTEMS",
    b"DETAILED OVERALL REPORT FOR THE SYSTEM",
    b"SENTENCE LEVEL REPORT FOR THE SYSTEM",
    b"MTCH_PR_RESULTS (systems:",
    b"COMPARISON MATRIX: FOR THE MATCHED PAIRS TEST",
)
_TAG = re.compile(r"<(/?)(SYSTEM|SPEAKER|PATH|LABEL|CATEGORY)\b([^>]*)>")
_FIELD = re.compile(r'(\w+)="([^"]*)"')
_WORD = re.compile(r'([CSDIMTU]),(?:"([^"]*)")?(?:,(?:"([^"]*)")?)?((?:,[^:",]*)*)(?::|$)')


@dataclass(slots=True)
class _Rows:
    systems: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def recognises(path: str, head: bytes) -> bool:
    """Whether the file begins with a system of sclite, or is one of its reports."""
    look = head[:_LOOK]
    return bool(_SYSTEM.match(look)) or any(mark in look for mark in _REPORTS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each aligned utterance of each system.

    Raises
    ------
    NoAnswersError
        If the file is a report for readers.
    FormatError
        If it is cut off or an alignment cannot be read.
    """
    if not _SYSTEM.match(log.head[:_LOOK]):
        raise NoAnswersError(
            "this is a report of sclite or sc_stats for readers.",
            where=log.path,
            fix="Let sclite write alignments with -o sgml, or give the transcripts themselves.",
        )
    rows = _Rows()
    created: dict[str, str] = {}
    _read(log, rows, created)
    if not rows.items:
        raise FormatError("no utterance is aligned: 0 rows.", where=log.path)
    return Table(
        columns={
            "utterance": pl.Series(rows.items, dtype=pl.String),
            "system": pl.Series(rows.systems, dtype=pl.String),
            "speaker": pl.Series(rows.speakers, dtype=pl.String),
            "reference": pl.Series(rows.references, dtype=pl.String),
            "hypothesis": pl.Series(rows.outputs, dtype=pl.String),
        },
        height=len(rows.items),
        rows=Rows(word="line", lines=np.array(rows.lines, dtype=np.int64)),
        source=log.source("sclite"),
        roles={
            "item": "utterance",
            "system": "system",
            "reference": "reference",
            "output": "hypothesis",
        },
        about={system: {"date": date} for system, date in created.items() if date},
    )


def _read(log: Log, rows: _Rows, created: dict[str, str]) -> None:
    system = speaker = ""
    inside: tuple[int, str] | None = None
    open_tags: list[str] = []
    said: list[tuple[str, str]] = []
    for number, line in log.lines():
        text = words(log, number, line).strip()
        tag = _TAG.match(text)
        if tag is None:
            if inside is None:
                raise _broken(log, number)
            said.extend(_aligned(log, number, text))
            continue
        closing, name, rest = tag.groups()
        fields = dict(_FIELD.findall(rest))
        if closing:
            if not open_tags or open_tags.pop() != name:
                raise _broken(log, number)
            if name == "PATH" and inside is not None:
                at, item = inside
                rows.systems.append(system)
                rows.speakers.append(speaker)
                rows.items.append(item)
                rows.lines.append(at)
                rows.references.append(" ".join(right for right, _ in said if right))
                rows.outputs.append(" ".join(heard for _, heard in said if heard))
                inside, said = None, []
            continue
        open_tags.append(name)
        if name == "SYSTEM":
            title = fields.get("title", "")
            system = PurePosixPath(title).name or title
            created[system] = fields.get("creation_date", "")
        elif name == "SPEAKER":
            speaker = fields.get("id", "")
        elif name == "PATH":
            inside = number, fields.get("id", "").strip("()")
    if open_tags:
        raise FormatError(
            "the last alignment is not closed: the file is cut off, or still being written.",
            where=log.path,
            fix="Let sclite write it again.",
        )


def _aligned(log: Log, number: int, text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of the reference and of the output that stand against each other."""
    at = 0
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            raise _broken(log, number)
        kind, first, second, _ = found.groups()
        at = found.end()
        if kind == "C":
            yield first or "", first or ""
        else:
            yield first or "", second or ""


def _broken(log: Log, number: int) -> FormatError:
    return FormatError(
        "the line is no alignment of sclite.",
        where=f"{log.path}, line {number}",
        fix="Write it with -o sgml (nl.sgml is not read); the file may be cut off.",
    )
