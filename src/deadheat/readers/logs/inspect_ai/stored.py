"""Where a log of Inspect AI keeps its header and its samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from deadheat.errors import FormatError
from deadheat.readers.archives import Archive
from deadheat.readers.elements import elements
from deadheat.readers.logs.inspect_ai.shapes import Document, Header, Reduction, Sample
from deadheat.readers.records import without_constants
from deadheat.readers.unreadable import reason_of

T = TypeVar("T")

WHAT = "a log of Inspect AI"

_HEADER = "header.json"
_START = "_journal/start.json"
_SUMMARIES = "summaries.json"
_REDUCTIONS = "reductions.json"
_JOURNAL = re.compile(r"_journal/summaries/([0-9]{1,18})\.json")
_SAMPLE = re.compile(r"samples/.+_epoch_[0-9]+(?:/sample)?\.json", re.DOTALL)

_AT_ONCE = 32 << 20
"""Bytes of summaries that are decoded in one go."""

_LARGEST = 256 << 20
"""Bytes of any one entry but the summaries, which are read piece by piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A log, of which no more than the header has been read.

    Attributes
    ----------
    header : Header
    n_samples : int
        Samples that it holds in full.
    replaced : int or None
        Samples that were written again; of these, as Inspect AI has it, the last one counts.
        None where a sample that comes twice is a sample that comes twice.
    summaries : callable
        Yields the samples without what is long, as far as the log keeps such.
    samples : callable
        Yields the samples in full.
    reductions : callable
        Returns the scores over all epochs.
    """

    header: Header
    n_samples: int
    replaced: int | None
    summaries: Callable[[], Iterable[Sample]]
    samples: Callable[[], Iterable[Sample]]
    reductions: Callable[[], list[Reduction]]


def of_document(document: Document, path: str) -> Stored:
    """Find the samples in a log that is one JSON document."""
    raw = document.samples or []

    def samples() -> Iterator[Sample]:
        for number, one in enumerate(raw, start=1):
            yield decoded(bytes(one), Sample, f"{path}, sample {number}")

    return Stored(
        header=document,
        n_samples=len(raw),
        replaced=None,
        summaries=tuple,
        samples=samples,
        reductions=lambda: document.reductions or [],
    )


def of_archive(archive: Archive) -> Stored:
    """Find the header and the samples in a log that is an archive.

    Raises
    ------
    FormatError
        If it has no header.
    """
    name = next((name for name in (_HEADER, _START) if name in archive.entries), None)
    if name is None:
        raise FormatError(
            f"the archive looks like {WHAT} and has neither {_HEADER} nor {_START}.",
            where=archive.path,
            fix="Copy it again.",
        )
    names = [name for name in archive.entries if _SAMPLE.fullmatch(name)]
    return Stored(
        header=_entry(archive, name, Header),
        n_samples=len(names),
        replaced=sum(1 for name in archive.replaced if _SAMPLE.fullmatch(name)),
        summaries=lambda: _all_summaries(archive),
        samples=lambda: (_entry(archive, name, Sample) for name in names),
        reductions=lambda: (
            _entry(archive, _REDUCTIONS, list[Reduction]) if _REDUCTIONS in archive.entries else []
        ),
    )


def _all_summaries(archive: Archive) -> Iterator[Sample]:
    """Yield the summaries: of a log that has ended from one entry, else from the journal."""
    names = archive.entries
    if _SUMMARIES in names:
        yield from _summaries(archive, _SUMMARIES)
        return
    found = {int(match[1]): name for name in names if (match := _JOURNAL.fullmatch(name))}
    for _, name in sorted(found.items()):
        yield from _summaries(archive, name)


def _summaries(archive: Archive, name: str) -> Iterator[Sample]:
    where = _where(archive, name)
    raw: Iterable[bytes | msgspec.Raw]
    if archive.entries[name].size > _AT_ONCE:
        raw = elements(archive.chunks(name), where)
    else:
        data = archive.data(name, _AT_ONCE)
        try:
            raw = msgspec.json.decode(data, type=list[msgspec.Raw])
        except (msgspec.MsgspecError, RecursionError):
            raw = elements([data], where)  # There may be bare NaN inside of it.
    for number, one in enumerate(raw, start=1):
        yield decoded(one, Sample, f"{where}, sample {number}")


def _entry(archive: Archive, name: str, shape: type[T]) -> T:
    return decoded(archive.data(name, _LARGEST), shape, _where(archive, name))


def _where(archive: Archive, name: str) -> str:
    return f"{archive.path}, entry {name!r}"


def decoded(data: bytes | msgspec.Raw, shape: type[T], where: str) -> T:
    """Decode JSON of a known shape; bare NaN and Infinity are null.

    Raises
    ------
    FormatError
        If it is broken or of another shape.
    """
    try:
        return msgspec.json.decode(data, type=shape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return msgspec.json.decode(without_constants(bytes(data)), type=shape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason = reason_of(error)
        raise FormatError(
            f"this is not what {WHAT} has here ({reason}).",
            where=where,
            fix="Copy the log again." if "truncated" in reason else "Check how it was written.",
        ) from None
