"""TRN transcripts of SCTK: the words of an utterance, and its id in parentheses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadheat.errors import FormatError
from deadheat.readers.log import Log
from deadheat.readers.speech import Said, allowed, first_line, head_lines, transcripts, words
from deadheat.readers.table import Table

TOOL = "SCTK transcripts (TRN)"
VERSIONS = "SCTK's own test files (sclite 2.4)"
QUIRKS = (
    "The utterance id in parentheses at the end of a line is the item, in lower case: sclite tells "
    "ids of another case not apart.",
    "Files of references are written alike and are given with --reference.",
    "Alternations such as { um / uh / @ } become lists of the texts that they allow; metrics that "
    "take one reference, such as wer, refuse them.",
    "Words in parentheses stay as they are written, with a note, and tags behind a semicolon too.",
)

_ID = re.compile(r"\(([^()\s]+)\)\s*$")
_LINE = re.compile(
    rb".*\(([^()\s]*(?:[_:./-]|[0-9][A-Za-z]|[A-Za-z][0-9])[^()\s]*)\)[ \t]*$", re.DOTALL
)


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines end in ids in parentheses that look like ids, most of them different."""
    if not _LINE.match(first_line(head)):
        return False
    lines = head_lines(head)
    ids = [found[1] for found in map(_LINE.match, lines) if found]
    if len(ids) < len(lines) or not ids or 2 * len(set(ids)) <= len(ids):
        return False
    return len(ids) > 1 or path.lower().endswith(".trn")


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each utterance.

    Raises
    ------
    FormatError
        If a line has no id.
    """
    items: list[str] = []
    texts: list[Said] = []
    lines: list[int] = []
    for number, line in log.lines():
        text = words(log, number, line)
        if text.lstrip().startswith(";;"):
            continue
        found = _ID.search(text)
        if found is None:
            raise FormatError(
                "the line does not end in an utterance id in parentheses.",
                where=f"{log.path}, line {number}",
                fix="The file may be cut off: write it again, or remove the line.",
            )
        said = text[: found.start()].strip()
        items.append(found[1].lower())
        texts.append(allowed(said, f"{log.path}, line {number}") if "{" in said else said)
        lines.append(number)
    return transcripts(log, "trn", item="utterance", items=items, texts=texts, lines=lines)
