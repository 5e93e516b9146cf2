"""SegLST of CHiME and meeteval: a list of segments with session, speaker, times and words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.speech import cluster_hint, transcripts
from deadheat.readers.table import Table

TOOL = "SegLST"
VERSIONS = "meeteval's example files"
QUIRKS = (
    "A segment is an item by its session, speaker, start and end; times may be numbers or texts.",
    "Segments that systems cut by themselves do not pair. --item recording puts the words of a "
    "session together in order of time, with a note where there are several speakers: that is not "
    "the cpWER of meetings.",
    "--cluster session takes sessions as clusters.",
)

RECORDING = "recording"
_LOOK = 1 << 16
_FIRST = re.compile(rb"\[\s*\{[^{}]*\}", re.DOTALL)
_MARKS = (b'"session_id"', b'"words"')
_TIMES = (b'"start_time"', b'"end_time"', b'"speaker"')


class _Segment(msgspec.Struct):
    session_id: str
    words: str
    speaker: str | int | None = None
    start_time: float | str | None = None
    end_time: float | str | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first element of an array is a segment of a session."""
    found = _FIRST.match(head[:_LOOK].lstrip())
    return (
        found is not None
        and all(mark in found[0] for mark in _MARKS)
        and any(mark in found[0] for mark in _TIMES)
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each segment, or for each session where recordings are asked for.

    Raises
    ------
    FormatError
        If an element is no segment.
    """
    segments = log.document(list[_Segment], "segments of SegLST")
    sessions = [segment.session_id for segment in segments]
    texts = [" ".join(segment.words.split()) for segment in segments]
    if RECORDING in wanted:
        return _by_session(log, segments, texts)
    speakers = ["" if segment.speaker is None else str(segment.speaker) for segment in segments]
    times = [f"{_time(s.start_time)} {_time(s.end_time)}" for s in segments]
    return transcripts(
        log,
        "seglst",
        item="segment",
        items=[
            " ".join(f"{session} {speaker} {time}".split())
            for session, speaker, time in zip(sessions, speakers, times, strict=True)
        ],
        texts=texts,
        lines=range(1, len(segments) + 1),
        more={"session": sessions, "speaker": speakers, RECORDING: sessions},
        wanted=wanted,
        notes=cluster_hint(sessions, "session", wanted),
    )


def _time(value: float | str | None) -> str:
    """Write a time in one way, however it is stated."""
    number = _seconds(value)
    return ("" if value is None else str(value)) if number is None else format(number, ".15g")


def _seconds(value: float | str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _by_session(log: Log, segments: Sequence[_Segment], texts: Sequence[str]) -> Table:
    of: dict[str, list[int]] = {}
    for at, segment in enumerate(segments):
        of.setdefault(segment.session_id, []).append(at)
    several = sum(len({segments[at].speaker for at in rows}) > 1 for rows in of.values())
    notes = []
    if several:
        message = (
            f"{log.path}: in {several:,} sessions several speakers were put one after the other "
            "by the start of their segments. Where they overlap, this is no cpWER."
        )
        notes.append(Note(code="speakers_joined", message=message))
    order = {
        session: sorted(rows, key=lambda at: _seconds(segments[at].start_time) or 0.0)
        for session, rows in of.items()
    }
    return transcripts(
        log,
        "seglst",
        item=RECORDING,
        items=[*order],
        texts=[" ".join(filter(None, (texts[at] for at in rows))) for rows in order.values()],
        lines=[rows[0] + 1 for rows in of.values()],
        notes=notes,
    )
