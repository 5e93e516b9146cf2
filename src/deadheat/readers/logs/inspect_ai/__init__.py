"""Logs of Inspect AI: archives (.eval) and JSON documents, whole or still being written."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from deadheat.errors import FormatError
from deadheat.readers.archives import SIGNATURE, Archive
from deadheat.readers.content import LARGEST_DOCUMENT
from deadheat.readers.documents import one_document
from deadheat.readers.log import Log
from deadheat.readers.logs.inspect_ai.contents import is_inside
from deadheat.readers.logs.inspect_ai.reading import table_of
from deadheat.readers.logs.inspect_ai.shapes import Document
from deadheat.readers.logs.inspect_ai.stored import WHAT, of_archive, of_document
from deadheat.readers.table import Table

TOOL = "Inspect AI"

VERSIONS = "0.3.41 to 0.3.285, .eval and .json"

QUIRKS = (
    "An .eval log is a ZIP archive, packed with deflate, or with Zstandard (method 93, in one "
    "frame or several) by default since 0.3.206. Nothing of it is written to disk.",
    "Scores are read from the summaries, which are small. The samples are read one by one where "
    "there are fewer summaries than samples, where the summaries hold no scores or a field that "
    "is asked for was shortened, where samples were invalidated, and for outputs and answers.",
    "The item is the id of the sample, the run is the epoch, the system is the model.",
    "C is 1, I and N are 0, P is 0.5; yes, no, true, false and numbers written as text are read "
    "as Inspect AI reads them. Other texts are no scores: Inspect AI counts them as 0, here they "
    "are missing, with a note.",
    "A value that is an object or a list gives a column for each entry: SCORER.KEY, or SCORER.0, "
    "SCORER.1 and so on.",
    "The main score is that of the headline metric, else the first of the results; the others "
    "follow in the order of the results.",
    "NaN, null, no score, and what an invalidated sample was given are missing. A sample that "
    "ended in an error is missing too, unless it was scored all the same. A note counts them.",
    "A log in which no sample was scored is refused, and passed over in a folder.",
    "A log that is not finished is read as far as it goes, with a note. Without header.json the "
    "journal says what there is.",
    "A log without samples is read from its reductions: one score an item, over all epochs.",
    "A sample that an .eval log holds twice was written again; the later version counts, as in "
    "Inspect AI, with a note.",
    "Logs of one folder that have the same task id and model are attempts at one evaluation (a "
    "retry, a recovered or a scored copy): the latest counts, the others are passed over.",
    "The hash of an item is that of the texts of its input, the first 5,120 characters of each. "
    "The choices do not count: they may be shuffled, and older summaries lack them.",
    "The published accuracy and mean are compared with the samples; other metrics and other "
    "reducers than the mean are not.",
    "Fields of samples are columns where they are asked for: metadata.NAME, target, total_time, "
    "input_tokens, output_tokens, total_tokens, scores.SCORER.answer (what the scorer took for "
    "the answer) and output (what the model said).",
)

_LOOK = 1 << 16
_EVAL = re.compile(rb'"eval"\s*:\s*\{')
_FIRST = re.compile(
    rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:\s*\{'
)
_MARKS = (b'"task_id"', b'"run_id"', b'"task_version"', b'"dataset"', b'"model"')
_ENTRY = re.compile(
    rb"PK\x03\x04.{26}(_journal/(?:start\.json|summaries/\d+\.json)|header\.json|summaries\.json"
    rb"|reductions\.json|samples/[^\0]{1,400}?_epoch_\d+(?:/[a-z]+)?\.json)",
    re.DOTALL,
)


def recognises(path: str, head: bytes) -> bool:
    """Whether an archive holds the entries, or a document the fields, that Inspect AI writes."""
    if head.startswith(SIGNATURE):
        first = _ENTRY.match(head)
        if first is not None and first[1].startswith((b"_journal/", b"samples/")):
            return True
        return len(_ENTRY.findall(head)) > 1
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"{")
        and _EVAL.search(look) is not None
        and (_FIRST.match(look) is not None or all(mark in look for mark in _MARKS))
        and one_document(head)
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample and epoch.

    Raises
    ------
    FormatError
        If the log is damaged, cut off or would fill the memory.
    NoAnswersError
        If it holds no sample with a score.
    """
    asked = [*filter(is_inside, map(str, wanted))]
    if not log.head.startswith(SIGNATURE):
        if os.path.getsize(log.path) > LARGEST_DOCUMENT:
            raise FormatError(
                f"the log is one JSON document of more than {LARGEST_DOCUMENT >> 30} GB.",
                where=log.path,
                fix="Convert it: inspect log convert LOG --to eval --output-dir FOLDER",
            )
        document = log.document(Document, WHAT)
        return table_of(log, of_document(document, log.path), asked)
    with log.open() as file:
        return table_of(log, of_archive(Archive(file, log.path)), asked)
