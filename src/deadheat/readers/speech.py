"""Transcripts of speech, and the texts that the alternations in them allow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

MOST = 256
"""Texts that one transcript may stand for."""

TEXT = "text"
"""Column of what was said."""

Said = str | list[str]
"""What was said: a text, or the texts that alternations allow."""

_OUTSIDE = re.compile(r"\{|[^\s{]+")
_INSIDE = re.compile(r"[{}/]|[^\s{}/]+")
_OPTIONAL = re.compile(r"(?:^|\s)\([^\s()]+\)(?=\s|$)")
_DEEPEST = 20
_LOOK = 1 << 15


def head_lines(head: bytes) -> list[bytes]:
    r"""Return the whole lines at the start of a head, without comments and what is blank.

    Examples
    --------
    >>> head_lines(b";; a comment\r\n\nrec 1 a\r\n")
    [b'rec 1 a']
    """
    if len(head) > _LOOK:
        end = head.rfind(b"\n", 0, _LOOK)
        head = head[: end if end >= 0 else _LOOK]
    lines = (line.rstrip(b"\r") for line in head.split(b"\n"))
    return [line for line in lines if line.strip() and not line.lstrip().startswith(b";;")]


def first_line(head: bytes) -> bytes:
    r"""Return the first line that is no comment and not blank: a look before looking at all.

    Examples
    --------
    >>> first_line(b";; a comment\r\n\nrec 1 a\r\nrec 1 b\n")
    b'rec 1 a'
    """
    at = 0
    while at < min(len(head), _LOOK):
        end = head.find(b"\n", at)
        end = len(head) if end < 0 else end
        line = head[at : min(end, at + _LOOK)].rstrip(b"\r")
        if line.strip() and not line.lstrip().startswith(b";;"):
            return line
        at = end + 1
    return b""


def words(log: Log, number: int, line: bytes) -> str:
    """Decode a line without the line end of Windows.

    Raises
    ------
    FormatError
        If it is not UTF-8, with its number.
    """
    try:
        return line.rstrip(b"\r").decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            f"the line holds byte 0x{line[error.start]:02x}, which is not UTF-8.",
            where=f"{log.path}, line {number}",
            fix="Save the file as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8.",
        ) from None


def allowed(text: str, where: str) -> Said:
    """Return the texts that a transcript with alternations allows; a text where it is one.

    ``{ a / b c / @ }`` stands for "a", for "b c" or for nothing, and alternations may hold others.
    Braces that are not closed or part nothing are text.

    Parameters
    ----------
    text : str
    where : str
        For messages.

    Raises
    ------
    FormatError
        If there are more than 256, or alternations lie too deep in each other.

    Examples
    --------
    >>> allowed("i { um / @ } see and/or", "")
    ['i um see and/or', 'i see and/or']
    >>> allowed("a { b } c", "")
    'a { b } c'
    """
    if "{" not in text:
        return text
    pieces: list[list[str]] = []
    at = 0
    while found := _OUTSIDE.search(text, at):
        at = found.end()
        if found[0] != "{":
            pieces.append([found[0]])
            continue
        inner = _alternation(text, at, where, 1)
        if inner is None:
            return text
        options, at = inner
        pieces.append(options)
    return _one(_products(pieces, where))


def _alternation(text: str, at: int, where: str, depth: int) -> tuple[list[str], int] | None:
    """Read up to the brace that closes an alternation; None where it is none."""
    if depth > _DEEPEST:
        raise _too_many(where)
    options: list[str] = []
    pieces: list[list[str]] = []
    while found := _INSIDE.search(text, at):
        at = found.end()
        if found[0] == "{":
            inner = _alternation(text, at, where, depth + 1)
            if inner is None:
                return None
            pieces.append(inner[0])
            at = inner[1]
        elif found[0] in "/}":
            options.extend(_products(pieces, where))
            pieces = []
            if found[0] == "}":
                return ([*dict.fromkeys(options)], at) if len(options) > 1 else None
        elif found[0] != "@":
            pieces.append([found[0]])
    return None


def _products(pieces: Sequence[Sequence[str]], where: str) -> list[str]:
    """Return every way to take one text of each piece, in order."""
    n = 1
    for options in pieces:
        n *= len(options)
        if n > MOST:
            raise _too_many(where)
    texts = (" ".join(filter(None, chosen)) for chosen in product(*pieces))
    return [*dict.fromkeys(texts)]


def _too_many(where: str) -> FormatError:
    return FormatError(
        f"the alternations of the transcript allow more than {MOST} texts.",
        where=where,
        fix="Let sclite choose among them (-o sgml), and compare the files that it writes.",
    )


def joined(parts: Sequence[Said], where: str) -> Said:
    """Return what several transcripts, one after the other, say.

    Raises
    ------
    FormatError
        If there are too many.
    """
    lists = [[part] if isinstance(part, str) else part for part in parts if part]
    return _one(_products(lists, where))


def _one(texts: list[str]) -> Said:
    return texts if len(texts) > 1 else texts[0]


def transcripts(
    log: Log,
    tool: str,
    *,
    item: str,
    items: Sequence[str],
    texts: Sequence[Said],
    lines: Sequence[int],
    more: Mapping[str, Sequence[str]] | None = None,
    wanted: Sequence[str | int] = (),
    notes: Sequence[Note] = (),
) -> Table:
    """Make a table of items and what was said in them: outputs, or references of others.

    Parameters
    ----------
    log : Log
    tool : str
        Name of the reader.
    item : str
        Column of items.
    items : sequence of str
    texts : sequence of (str or list of str)
        What was said in each item.
    lines : sequence of int
        On which each item stands.
    more : mapping of str to sequence of str, optional
        Columns that are there where they are asked for.
    wanted : sequence of (str or int)
        Columns that were asked for.
    notes : sequence of Note

    Raises
    ------
    FormatError
        If there is no item.
    """
    if not items:
        raise FormatError("there is no transcript in the file.", where=log.path)
    said = [*notes]
    several = sum(isinstance(text, list) for text in texts)
    if several:
        values = pl.Series(texts, dtype=pl.Object)
        message = (
            f"{log.path}: {several:,} of {len(texts):,} transcripts hold alternations and were "
            "read as lists of the texts that they allow."
        )
        said.append(Note(code="alternations", message=message))
    else:
        values = pl.Series(texts, dtype=pl.String)
    optional = sum(map(_is_optional, texts))
    if optional:
        message = (
            f"{log.path}: {optional:,} of {len(texts):,} transcripts hold words in parentheses, "
            "which sclite can be told to take as optional; they were read as they stand."
        )
        said.append(Note(code="optional_words", message=message))
    columns = {item: pl.Series(items, dtype=pl.String), TEXT: values}
    rest = []
    for name, found in (more or {}).items():
        if name in wanted:
            columns[name] = pl.Series(found, dtype=pl.String)
        else:
            rest.append(name)
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="line", lines=np.array(lines, dtype=np.int64)),
        source=log.source(tool),
        roles={"item": item, "output": TEXT},
        nested=tuple(rest),
        notes=tuple(said),
    )


def _is_optional(text: Said) -> bool:
    """Whether a word stands in parentheses."""
    if isinstance(text, list):
        return any(map(_is_optional, text))
    return "(" in text and _OPTIONAL.search(text) is not None


def cluster_hint(values: Sequence[str], column: str, wanted: Sequence[str | int]) -> list[Note]:
    """Say that items of one session are related, unless that was asked for already."""
    distinct = len(set(values))
    if column in wanted or not 1 < distinct < len(values):
        return []
    message = (
        f"The {len(values):,} segments are of {distinct:,} recordings; segments of one are not "
        f"independent; --cluster {column} uses it."
    )
    return [Note(code="cluster_hint", message=message)]
