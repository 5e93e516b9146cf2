"""CoNLL files: a token a line, tags of spans in a last column, empty lines between sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from deadheat.errors import FormatError, InputError
from deadheat.evaluation import Rows, Source
from deadheat.notes import Note
from deadheat.readers.columns import is_number, split
from deadheat.readers.content import Content, check_text
from deadheat.readers.table import Table

BY_LINES = True

TOOL = "CoNLL"

VERSIONS = "CoNLL-2003 with BIO tags; BIOES and BILOU by their layout"

QUIRKS = (
    "A sentence is an item, its tags a list; there are no ids, so that sentences are paired by "
    "order.",
    "Where several fields of a file hold tags, the column is asked for.",
)

DOCUMENT, TOKENS, TAGS = "document", "tokens", "tags"
"""Columns that are there where they are asked for; the tags are those of the last column."""

_DOCSTART = b"-DOCSTART-"
_NAMED_SO = re.compile(r"\.(conll\w*|bio|iob2?|bioes|iobes|bilou)$", re.IGNORECASE)
_TAG = re.compile(rb"O|[BIESLU](-\S(.*\S)?)?")
_LOOK, _FITTING = 1 << 16, 0.9
"""Bytes, and share of the lines in them, by which a file is known whose name does not say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tokens:
    """The lines of tokens, by position.

    Attributes
    ----------
    fields : list of list of bytes
        Of each token.
    lines : list of int
        On which each token stands, from 1.
    starts : list of int
        Position of the first token of each sentence.
    documents : list of int
        Number of lines -DOCSTART- before each sentence.
    """

    fields: list[list[bytes]]
    lines: list[int]
    starts: list[int]
    documents: list[int]


def recognises(path: str, head: bytes) -> bool:
    """Whether lines are tokens with a tag at their end, and empty lines part them.

    A file whose name ends in .conll, .bio or the like is one unless it begins as JSON does. Any
    other has to have nearly all lines so, with the same fields, and an empty line among them.
    """
    body = head.strip(b"\r\n")
    if _NAMED_SO.search(path):
        return not body.startswith((b"{", b"[{", b"[["))
    tokens = _tokens(body if len(body) < _LOOK else body[: body.rfind(b"\n", 0, _LOOK)])
    if not tokens.fields:
        return False
    width = len(tokens.fields[0])
    fitting = sum(len(fields) == width and _ends_in_tag(fields) for fields in tokens.fields)
    return len(tokens.starts) > 1 and fitting > _FITTING * len(tokens.fields)


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read a sentence a row: its tags as a list in a column "output", or in those asked for.

    Tabs part the fields where the first token has one, else white space does. Lines that begin
    with -DOCSTART- part documents. Lines that begin with # are comments before the first token of
    a sentence, unless they end in a tag as tokens do.

    Parameters
    ----------
    content : Content
        Of the file.
    wanted : sequence of (str or int)
        Columns that were asked for: numbers of columns of tags, "tags" (the last one), "tokens"
        and "document".

    Raises
    ------
    FormatError
        If lines differ in their number of fields, or do not end in a tag.
    InputError
        If several columns hold tags and none was asked for, or one was that is not there.
    """
    check_text(content)
    path = content.path
    if b"\n" not in content.data and b"\r" in content.data.strip():
        raise FormatError(
            "lines end in carriage returns alone.", where=path, fix="Save it with line feeds."
        )
    tokens = _tokens(content.data)
    if not tokens.fields:
        raise FormatError(
            "there is no token in the file.", where=path, fix="Check how it was made."
        )
    width = _width(path, tokens)
    numbers = _asked(path, width, wanted)
    other = _only_tags(path, tokens, width, numbers.values())
    if other is not None:
        numbers["output"] = other
    for number in numbers.values():
        _check_tags(path, tokens, number)
    columns = {name: _by_sentence(tokens, number) for name, number in numbers.items()}
    if TOKENS in wanted:
        columns[TOKENS] = _by_sentence(tokens, 1)
    known = tokens.documents[-1] > 0
    documents = pl.Series(np.array(tokens.documents) - tokens.documents[0] + 1, dtype=pl.Int64)
    if known and DOCUMENT in wanted:
        columns[DOCUMENT] = documents
    return Table(
        columns={name: values.alias(name) for name, values in columns.items()},
        height=len(tokens.starts),
        rows=Rows(word="line", lines=np.array(tokens.lines, dtype=np.int64)[tokens.starts]),
        source=Source(path=path, sha256=content.sha256, format="conll"),
        nested=(TAGS, TOKENS, *([DOCUMENT] if known else ())),
        notes=() if DOCUMENT in wanted else _hint(documents),
    )


def _tokens(data: bytes) -> _Tokens:
    found = _Tokens(fields=[], lines=[], starts=[], documents=[])
    separator: bytes | None = None
    document, inside = 0, False
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.startswith(_DOCSTART):
            document, inside = document + 1, False
            continue
        if not line.strip():
            inside = False
            continue
        if not found.fields:
            separator = b"\t" if b"\t" in line else None
        fields = line.rstrip(b"\r").split(separator)
        if not inside:
            if line.startswith(b"#") and not _is_token(fields, found.fields[:1]):
                continue
            found.starts.append(len(found.fields))
            found.documents.append(document)
            inside = True
        found.fields.append(fields)
        found.lines.append(number)
    return found


def _is_token(fields: Sequence[bytes], first: Sequence[Sequence[bytes]]) -> bool:
    return _ends_in_tag(fields) and all(len(fields) == len(other) for other in first)


def _ends_in_tag(fields: Sequence[bytes]) -> bool:
    return len(fields) > 1 and _TAG.fullmatch(fields[-1]) is not None


def _width(path: str, tokens: _Tokens) -> int:
    width = len(tokens.fields[0])
    odd = next((i for i, fields in enumerate(tokens.fields) if len(fields) != width), None)
    if odd is not None:
        raise FormatError(
            f"the line has {len(tokens.fields[odd])} fields, and the first token "
            f"(line {tokens.lines[0]}) {width}.",
            where=f"{path}, line {tokens.lines[odd]}",
            fix="Part the fields of every token alike, with tabs or with blanks.",
        )
    if width < 2:
        raise FormatError(
            "the line has one field; a token and its tag are expected.",
            where=f"{path}, line {tokens.lines[0]}",
            fix="Part them with a tab or a blank, and sentences with an empty line.",
        )
    return width


def _asked(path: str, width: int, wanted: Sequence[str | int]) -> dict[str, int]:
    """Return the columns of tags that were asked for, with their numbers."""
    asked = {TAGS: width} if TAGS in wanted else {}
    asked |= {str(c): int(split(str(c))[0]) for c in wanted if is_number(c)}
    for number in asked.values():
        if not 1 <= number <= width:
            raise InputError(f"there is no column {number}; there are {width}.", where=path)
    return asked


def _only_tags(path: str, tokens: _Tokens, width: int, asked: Collection[int]) -> int | None:
    """Return the one column of tags that was not asked for; the last is one whatever it holds."""
    rest = [number for number in range(2, width + 1) if number not in asked]
    tagged = [n for n in rest if n == width or all(map(_TAG.fullmatch, _distinct(tokens, n)))]
    if len(tagged) < 2:
        return tagged[0] if tagged else None
    if asked:
        return None
    raise InputError(
        f"columns {', '.join(map(str, tagged[:-1]))} and {tagged[-1]} hold tags.",
        where=path,
        fix="Say which are meant: --output-column N in a file of outputs, --reference-column N in "
        f"one of references, or both, such as --reference-column {tagged[-2]} --output-column "
        f"{tagged[-1]}, where one file holds both.",
    )


def _check_tags(path: str, tokens: _Tokens, number: int) -> None:
    bad = {text for text in _distinct(tokens, number) if not _TAG.fullmatch(text)}
    if not bad:
        return
    odd = next(i for i, fields in enumerate(tokens.fields) if fields[number - 1] in bad)
    text = tokens.fields[odd][number - 1].decode()
    raise FormatError(
        f"{text!r} in column {number} is not a tag.",
        where=f"{path}, line {tokens.lines[odd]}",
        fix="Tags are O, or B-, I-, E-, S-, L- or U- and a type. Another column is named by its "
        "number, with --output-column or --reference-column.",
    )


def _distinct(tokens: _Tokens, number: int) -> set[bytes]:
    return {fields[number - 1] for fields in tokens.fields}


def _by_sentence(tokens: _Tokens, number: int) -> pl.Series:
    """Return the texts of a column as a list for each sentence."""
    text_of = {text: text.decode() for text in _distinct(tokens, number)}
    texts = [text_of[fields[number - 1]] for fields in tokens.fields]
    sentences = np.repeat(np.arange(len(tokens.starts)), np.diff([*tokens.starts, len(texts)]))
    frame = pl.DataFrame({"sentence": sentences, "text": texts})
    return frame.group_by("sentence", maintain_order=True).agg("text")["text"]


def _hint(documents: pl.Series) -> tuple[Note, ...]:
    distinct = documents.n_unique()
    if not 1 < distinct < len(documents):
        return ()
    return (
        Note(
            code="cluster_hint",
            message=f"-DOCSTART- lines part the {len(documents):,} sentences into {distinct:,} "
            f"documents; sentences of one are not independent; --cluster {DOCUMENT} uses it.",
        ),
    )
