"""What sacrebleu prints: scores of sentences, and of whole sets."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.speech import head_lines
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "sacrebleu"
VERSIONS = "output of 2.6"
QUIRKS = (
    "Systems and references are files of one segment a line, read as such: deadheat compare A B "
    "--reference REF --metric bleu. They are split at line feeds alone.",
    "What --sentence-level prints is read as a score a line, paired by order. The mean of sentence "
    "scores is not the score of the set, which a note says.",
    "Scores of whole sets (-f json, text and the tables of paired tests) are refused: they hold no "
    "segments.",
)

_NAME = r"(?:BLEU|chrF\d*\+*|TER)"
_SENTENCE = re.compile(
    rf"\s*({_NAME})\|((?:nrefs|#):[^ |]+\|(?:[^ |]+\|)*(?:version|v):[^ |]+)"
    r" = (-?\d+(?:\.\d+)?|nan)(?=\s|$)"
)
_SENTENCE_BYTES = re.compile(_SENTENCE.pattern.encode())
_JSON = re.compile(
    rf'(?:\[\s*)?\{{\s*"name"\s*:\s*"{_NAME}"\s*,\s*"score"\s*:[^,]*,\s*"signature"\s*:\s*"'
    r"(?:nrefs|#):".encode()
)
_TABLE_JSON = re.compile(rf'\[\s*\{{\s*"system"\s*:\s*"[^"]*"\s*,\s*"{_NAME}"\s*:\s*["{{]'.encode())
_SIGNATURES = re.compile(rf"Metric signatures\n-+\n - {_NAME} +(?:nrefs|#):".encode())
_LOOK = 1 << 16


def recognises(path: str, head: bytes) -> bool:
    """Whether a line has a name, a signature and a score, or the whole is a result of sacrebleu."""
    look = head[:_LOOK].lstrip()
    if _SENTENCE_BYTES.match(look):
        return all(map(_SENTENCE_BYTES.match, head_lines(head)))
    return bool(_JSON.match(look) or _TABLE_JSON.match(look) or _SIGNATURES.search(look))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read the score of each sentence.

    Raises
    ------
    NoAnswersError
        If the scores are those of whole sets.
    FormatError
        If a line is of another shape, or lines are of different metrics.
    """
    if not _SENTENCE_BYTES.match(log.head[:_LOOK].lstrip()):
        raise _of_sets(log)
    found: dict[tuple[str, str], None] = {}
    scores: list[float] = []
    lines: list[int] = []
    for number, line in log.lines():
        match = _SENTENCE.match(line.decode("utf-8", "replace"))
        if match is None:
            raise FormatError(
                "the line is no score of sacrebleu.",
                where=f"{log.path}, line {number}",
                fix="The file may be cut off: run sacrebleu again.",
            )
        found[match[1], match[2]] = None
        scores.append(float(match[3]))
        lines.append(number)
    name, signature = next(iter(found))
    of_sentences = "eff:yes" in signature or "e:yes" in signature or "chrF" in name or name == "TER"
    if len(found) > 1 or (len(scores) == 1 and not ("BLEU" in name and of_sentences)):
        raise _of_sets(log)
    message = (
        f"{log.path} holds {name} of sentences, and their mean is compared: it is not the {name} "
        "of the set. For that, give the outputs and --reference."
    )
    return Table(
        columns={name: pl.Series(scores, dtype=pl.Float64)},
        height=len(scores),
        rows=Rows(word="line", lines=np.array(lines, dtype=np.int64)),
        source=log.source("sacrebleu"),
        scores=(name,),
        about={"": {"metric": f"{name}|{signature}"}},
        notes=(Note(code="sentence_scores", message=message),),
    )


def _of_sets(log: Log) -> NoAnswersError:
    return NoAnswersError(
        "these are scores of sacrebleu of whole sets: there are no segments to compare on.",
        where=log.path,
        fix="Give the outputs, one segment a line: deadheat compare SYSTEM_A SYSTEM_B --reference "
        "REFERENCE --metric bleu,chrf.",
    )
