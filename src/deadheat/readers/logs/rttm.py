"""RTTM and UEM of NIST: who spoke when, and what is scored; without words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadheat.readers.log import Log
from deadheat.readers.speech import first_line, head_lines
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "NIST speaker turns (RTTM) and scored regions (UEM)"
VERSIONS = "meeteval's example files"
QUIRKS = ("They hold no words and no scores, and are refused.",)

_TURN = re.compile(
    rb"(?:SPEAKER|LEXEME|NON-LEX|NON-SPEECH|SEGMENT|SPKR-INFO|[A-Z/-]+) \S+ \S+ \S+ \S+ .*<NA>"
)
_REGION = re.compile(rb"\S+\s+\S+\s+\d+(?:\.\d+)?\s+\d+(?:\.\d+)?\s*$")


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines are turns with <NA>, or regions in a file called .uem."""
    line = _REGION if path.lower().endswith(".uem") else _TURN
    return bool(line.match(first_line(head))) and all(map(line.match, head_lines(head)))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Refuse the file.

    Raises
    ------
    NoAnswersError
        Always.
    """
    raise NoAnswersError(
        "this says who spoke when, or what is scored, and holds no words.",
        where=log.path,
        fix="Give transcripts: STM, CTM, TRN, SegLST, a NeMo manifest or Kaldi's text.",
    )
