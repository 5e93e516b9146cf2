"""CTM of NIST: a word a line, with its recording and time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from deadheat.errors import FormatError
from deadheat.readers.log import Log
from deadheat.readers.speech import Said, first_line, head_lines, joined, transcripts, words
from deadheat.readers.table import Table

TOOL = "NIST time-marked words (CTM)"
VERSIONS = "SCTK's and meeteval's test files"
QUIRKS = (
    "The item is a recording, which is a file and its channel; its words are put in order of time. "
    "A CTM file has no segments: give references in STM with --item recording.",
    "Files and channels of another case are the same, as for sclite.",
    "Alternations (<ALT_BEGIN>, <ALT>, <ALT_END>) become lists of the texts that they allow.",
    "Confidences are not used.",
)

RECORDING = "recording"
_NUMBER = r"(?:-?\d+(?:\.\d*)?|-?\.\d+)"
_WORD = re.compile(rf"(\S+)\s+(\S+)\s+({_NUMBER})\s+{_NUMBER}(?:\s+(\S+))?(?:\s+\S+){{0,3}}\s*$")
_MARK = re.compile(r"(\S+)\s+(\S+)\s+\*\s+\*\s+<(ALT_BEGIN|ALT|ALT_END)>", re.IGNORECASE)
_CHANNEL = re.compile(r"[A-Za-z]|\d{1,2}")
_FEWEST = 10


@dataclass(slots=True)
class _Recording:
    """What was said so far: pieces that are each a word or an alternation, with their begin."""

    line: int
    pieces: list[tuple[float, Said]] = field(default_factory=list)
    options: list[list[str]] | None = None
    begin: float = 0.0


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines have a file, a channel, a begin, a duration and a word.

    Where the name of the file does not end in .ctm, there have to be ten lines in order of time
    with channels that look like channels, and mostly words that are no numbers.
    """
    named = path.lower().endswith(".ctm")
    first = first_line(head).decode("utf-8", "replace")
    if not (_WORD.match(first) or _MARK.match(first)):
        return False
    lines = head_lines(head)
    if not lines or not (named or len(lines) >= _FEWEST):
        return False
    texts = [line.decode("utf-8", "replace") for line in lines]
    found = [match for text in texts if (match := _WORD.match(text) or _MARK.match(text))]
    if len(found) < len(lines):
        return False
    timed = [match for match in found if match.re is _WORD]
    if named or not timed:
        return named
    order = [(match[1], match[2], float(match[3])) for match in timed]
    worded = sum(bool(match[4]) and match[4][0].isalpha() for match in timed)
    return (
        all(_CHANNEL.fullmatch(channel) for _, channel, _ in order)
        and all(a[2] <= b[2] for a, b in pairwise(order) if a[:2] == b[:2])
        and 2 * worded > len(timed)
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each recording.

    Raises
    ------
    FormatError
        If a line is no word, or an alternation is not closed.
    """
    recordings: dict[str, _Recording] = {}
    for number, line in log.lines():
        text = words(log, number, line)
        if text.startswith(";;"):
            continue
        word = _WORD.match(text)
        mark = None if word else _MARK.match(text)
        if word is None and mark is None:
            raise FormatError(
                "the line is no word: file, channel, begin, duration and word are expected.",
                where=f"{log.path}, line {number}",
                fix="The file may be cut off: write it again, or remove the line.",
            )
        file, channel = (word or mark).group(1, 2)  # type: ignore[union-attr]  # one is there
        recording = recordings.setdefault(f"{file} {channel}".lower(), _Recording(line=number))
        if word:
            _add(recording, float(word[3]), word[4])
        elif mark:
            _turn(log, number, recording, mark[3].upper())
    for name, recording in recordings.items():
        if recording.options is not None:
            raise FormatError(
                f"an alternation of recording {name} is not closed.",
                where=log.path,
                fix="The file may be cut off: write it again.",
            )
    texts = [
        joined(
            [piece for _, piece in sorted(recording.pieces, key=lambda piece: piece[0])],
            f"{log.path}, recording {name}",
        )
        for name, recording in recordings.items()
    ]
    return transcripts(
        log,
        "ctm",
        item=RECORDING,
        items=[*recordings],
        texts=texts,
        lines=[recording.line for recording in recordings.values()],
        wanted=wanted,
    )


def _add(recording: _Recording, begin: float, word: str | None) -> None:
    """Add a word; a line without one says that nothing was said."""
    if recording.options is None:
        if word is not None:
            recording.pieces.append((begin, word))
        return
    if not any(recording.options):
        recording.begin = begin
    if word is not None and word != "@":
        recording.options[-1].append(word)


def _turn(log: Log, number: int, recording: _Recording, mark: str) -> None:
    """Begin an alternation, its next option, or end it."""
    if (mark == "ALT_BEGIN") is not (recording.options is None):
        raise FormatError(
            f"<{mark}> does not follow here: alternations do not lie in each other.",
            where=f"{log.path}, line {number}",
            fix="Check how the file was written.",
        )
    if mark == "ALT_BEGIN":
        recording.options = [[]]
        recording.begin = recording.pieces[-1][0] if recording.pieces else 0.0
        return
    assert recording.options is not None
    if mark == "ALT":
        recording.options.append([])
        return
    texts = [*dict.fromkeys(" ".join(option) for option in recording.options)]
    recording.pieces.append((recording.begin, texts if len(texts) > 1 else texts[0]))
    recording.options = None
