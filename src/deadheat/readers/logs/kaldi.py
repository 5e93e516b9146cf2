"""Kaldi's text: an utterance id and its words, a line each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from deadheat.readers.log import Log
from deadheat.readers.speech import first_line, head_lines, transcripts, words
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Kaldi (text)"
VERSIONS = "meeteval's example files; Kaldi and ESPnet by their layout"
QUIRKS = (
    "The first word of a line is the utterance id and the item; what follows is what was said.",
    "Nothing marks such a file, so it is known by ids that hold digits with a hyphen or an "
    "underscore and that differ from each other, or by a name such as text, text_hyp or hyp.text "
    "and ids in order. Any other file of lines stays one text a line.",
    "Files of references are written alike and are given with --reference.",
    "Lists beside it, such as wav.scp and utt2spk, hold no transcripts and are refused.",
)

_ID = re.compile(rb"[A-Za-z0-9](?=[^\s]*\d)(?=[^\s]*[-_])[\w.:/+-]*$", re.ASCII)
_NAMED = re.compile(r"(?:text|trans)(?:[_.-](?:ref|hyp|filt|int|txt)\w*)*|(?:ref|hyp)[_.]text")
_LISTS = re.compile(
    r"(?:wav|feats|cmvn|vad)\.scp|(?:utt|spk|reco)2\w+|segments|spk2utt", re.IGNORECASE
)
_NUMERIC = re.compile(rb"[-+0-9.eE\s]*$")
_OTHERS = re.compile(
    rb"\S+[ \t]+(?:Q0[ \t]|\S+[ \t]+(?:\S+[ \t]+)?[\d.]+[ \t]+[\d.]+(?:\s|$))|.*\([^()\s]+\)\s*$",
    re.DOTALL,
)
"""Lines of runs of TREC, of STM and CTM, and of TRN."""


def recognises(path: str, head: bytes) -> bool:
    """Whether all lines begin with different words that look like ids of utterances."""
    name = Path(path).name
    first = first_line(head).split(None, 1)
    named = bool(_NAMED.fullmatch(name.lower()))
    if not first or not (named or _LISTS.fullmatch(name) or _ID.match(first[0])):
        return False
    lines = head_lines(head)
    if len(lines) < 2:
        return False
    pairs = [line.split(None, 1) for line in lines]
    ids = [pair[0] for pair in pairs]
    if len(set(ids)) < len(ids) or all(map(_OTHERS.match, lines)):
        return False
    if all(_NUMERIC.match(b" ".join(pair[1:])) for pair in pairs):
        return False
    if _LISTS.fullmatch(name):
        return all(len(pair) == 2 for pair in pairs)
    if any(line[len(item) : len(item) + 1] == b"\t" for line, item in zip(lines, ids, strict=True)):
        return False
    if not named and not any(len(pair) == 2 and b" " in pair[1].strip() for pair in pairs):
        return False
    return (named and ids == sorted(ids)) or all(map(_ID.match, ids))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each utterance.

    Raises
    ------
    NoAnswersError
        If the file is a list of another kind.
    """
    if _LISTS.fullmatch(Path(log.path).name):
        raise NoAnswersError(
            "this is a list of a Kaldi folder about utterances, and not what was said in them.",
            where=log.path,
            fix="Give the file text beside it.",
        )
    items: list[str] = []
    texts: list[str] = []
    lines: list[int] = []
    for number, line in log.lines():
        item, *rest = words(log, number, line).strip().split(None, 1)
        items.append(item)
        texts.append(rest[0].strip() if rest else "")
        lines.append(number)
    return transcripts(log, "kaldi", item="utterance", items=items, texts=texts, lines=lines)
