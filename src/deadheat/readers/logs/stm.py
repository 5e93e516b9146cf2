"""STM of NIST: segments of recordings with speaker, times and transcript."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.errors import FormatError
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.speech import (
    Said,
    allowed,
    cluster_hint,
    first_line,
    head_lines,
    joined,
    transcripts,
    words,
)
from deadheat.readers.table import Table

TOOL = "NIST segments (STM)"
VERSIONS = "SCTK's and meeteval's test files; TED-LIUM by its layout"
QUIRKS = (
    "A segment is an item by its file, channel, speaker, begin and end; channels and files of "
    "another case are the same, as for sclite.",
    "Segments that systems cut by themselves do not pair. --item recording puts the words of a "
    "recording, which is a file and its channel, together in order of time, also of CTM files.",
    "Overlapping speakers of a recording are then one after the other, with a note: that is not "
    "the cpWER of meetings.",
    "Segments marked ignore_time_segment_in_scoring are left out, with a note.",
    "Subset labels such as <o,f0,male> are the column label, for --stratum label; --cluster "
    "session takes recordings as clusters, --cluster speaker their speakers.",
    "Alternations such as { um / uh / @ } become lists of the texts that they allow.",
)

RECORDING = "recording"
_TIME = rb"\d+(?:\.\d*)?"
_LINE = re.compile(
    rb"(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+(" + _TIME + rb")[ \t]+(" + _TIME + rb")(?:[ \t]+(.*))?$",
    re.DOTALL,
)
_CHANNEL = re.compile(rb"[A-Za-z]|\d{1,2}")
_LABEL = re.compile(r"(<[^\s<>]*>)(?:\s+|$)")
_IGNORED = "ignore_time_segment_in_scoring"


@dataclass(frozen=True, slots=True)
class _Segment:
    recording: str
    speaker: str
    begin: str
    end: str
    label: str
    text: Said
    line: int

    @property
    def item(self) -> str:
        return f"{self.recording} {self.speaker} {self.begin} {self.end}"


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines have a file, a channel, a speaker, two times and mostly words.

    Where the name of the file does not end in .stm, channels have to look like channels, and
    files or speakers must not be mere numbers.
    """
    if not _LINE.match(first_line(head)):
        return False
    named = path.lower().endswith(".stm")
    lines = head_lines(head)
    found = [match for match in map(_LINE.match, lines) if match]
    if len(found) < len(lines) or not found:
        return False
    if any(float(match[4]) > float(match[5]) for match in found):
        return False
    if named:
        return True
    worded = sum(any(byte >= 65 for byte in match[6] or b"") for match in found)
    return (
        all(_CHANNEL.fullmatch(match[2]) for match in found)
        and not any((match[1] + match[3]).isdigit() for match in found)
        and 2 * worded > len(found) > 1
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each segment, or for each recording where that is asked for.

    Raises
    ------
    FormatError
        If a line is no segment.
    """
    segments: list[_Segment] = []
    ignored = 0
    for number, line in log.lines():
        text = words(log, number, line)
        if text.startswith(";;"):
            continue
        segment = _segment(log, number, text)
        if segment is None:
            ignored += 1
        else:
            segments.append(segment)
    notes = []
    if ignored:
        message = f"{log.path}: {ignored:,} segments that are marked to be ignored were left out."
        notes.append(Note(code="segments_ignored", message=message))
    if RECORDING in wanted:
        return _by_recording(log, segments, notes)
    sessions = [segment.recording for segment in segments]
    return transcripts(
        log,
        "stm",
        item="segment",
        items=[segment.item for segment in segments],
        texts=[segment.text for segment in segments],
        lines=[segment.line for segment in segments],
        more={
            "session": sessions,
            "speaker": [segment.speaker for segment in segments],
            "label": [segment.label for segment in segments],
            RECORDING: sessions,
        },
        wanted=wanted,
        notes=[*notes, *cluster_hint(sessions, "session", wanted)],
    )


def _segment(log: Log, number: int, line: str) -> _Segment | None:
    """Read a line; None where it says that the segment is ignored."""
    found = _LINE.match(line.encode())
    if found is None:
        raise FormatError(
            "the line is no segment: file, channel, speaker, begin, end and words are expected.",
            where=f"{log.path}, line {number}",
            fix="The file may be cut off: write it again, or remove the line.",
        )
    file, channel, speaker, begin, end, rest = ((part or b"").decode() for part in found.groups())
    label = _LABEL.match(rest)
    text = (rest[label.end() :] if label else rest).strip()
    if text.lower() == _IGNORED:
        return None
    return _Segment(
        recording=f"{file} {channel}".lower(),
        speaker=speaker,
        begin=format(float(begin), ".15g"),
        end=format(float(end), ".15g"),
        label=label[1] if label else "",
        text=allowed(text, f"{log.path}, line {number}"),
        line=number,
    )


def _by_recording(log: Log, segments: Sequence[_Segment], notes: list[Note]) -> Table:
    """Put the segments of each recording together in order of their begin."""
    of: dict[str, list[_Segment]] = {}
    for segment in segments:
        of.setdefault(segment.recording, []).append(segment)
    several = sum(len({part.speaker for part in parts}) > 1 for parts in of.values())
    if several:
        message = (
            f"{log.path}: in {several:,} recordings several speakers were put one after the other "
            "by the begin of their segments. Where they overlap, this is no cpWER."
        )
        notes = [*notes, Note(code="speakers_joined", message=message)]
    texts = [
        joined(
            [part.text for part in sorted(parts, key=lambda part: float(part.begin))],
            f"{log.path}, recording {recording}",
        )
        for recording, parts in of.items()
    ]
    return transcripts(
        log,
        "stm",
        item=RECORDING,
        items=[*of],
        texts=texts,
        lines=[parts[0].line for parts in of.values()],
        notes=notes,
    )
