"""Tables in delimited text: comma, semicolon or tab between fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from deadheat.errors import FormatError, UsageError
from deadheat.evaluation import Rows, Source
from deadheat.notes import Note
from deadheat.readers.columns import is_alias, is_number
from deadheat.readers.content import Content, check_text
from deadheat.readers.quoting import QUOTE, Records, records
from deadheat.readers.table import Table

BY_LINES = True

_DELIMITERS = (b"\t", b";", b",")
_WORDS = {b"\t": "tabs", b";": "semicolons", b",": "commas"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How fields are separated and whether quotes enclose them."""

    delimiter: bytes
    quoted: bool


def recognises(path: str, head: bytes) -> bool:
    """Whether the lines at the head of a file have fields.

    Content decides. Only where lines of text happen to hold commas does the ending of the name
    say whether irregular fields are a broken table or no table.
    """
    if is_regular(head) or has_known_field(head):
        return True
    has_fields = any(delimiter in _complete(head) for delimiter in _DELIMITERS)
    return has_fields and path.lower().endswith((".csv", ".tsv", ".tab"))


def is_regular(head: bytes) -> bool:
    """Whether there are several lines at the head of a file, all with the same fields."""
    lines = _complete(head)
    more = lines.partition(b"\n")[2]
    return bool(more.strip() and (unwrapped(lines) or _dialect(lines)))


def has_known_field(head: bytes) -> bool:
    """Whether the first line has fields, and one of them is a known name of a column."""
    first = head.partition(b"\n")[0]
    return any(_has_alias(first, delimiter) for delimiter in _DELIMITERS)


def first_fields(head: bytes) -> set[str]:
    """Return the fields of the first line by any separator that it holds."""
    first = head.partition(b"\n")[0]
    return {
        name for delimiter in _DELIMITERS if delimiter in first for name in _names(first, delimiter)
    }


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read delimited text, every column as text.

    Parameters
    ----------
    content : Content
        Of the file.
    wanted : sequence of (str or int)
        Columns that were asked for; a number says that there is no header.

    Raises
    ------
    FormatError
        If lines differ in their number of fields, quotes do not enclose whole fields, a column
        name occurs twice or nothing follows the header.
    """
    check_text(content)
    path, data = content.path, content.data
    if b"\n" not in data and b"\r" in data.strip():
        raise FormatError(
            "lines end in carriage returns alone.", where=path, fix="Save it with line feeds."
        )
    notes: list[Note] = []
    plain = unwrapped(data)
    if plain is not None:
        data = plain
        notes.append(
            Note(
                code="quoted_lines",
                message=f"Whole lines of {path} stand in quotes; what is inside was read.",
            )
        )
    found, dialect = _records(path, data, notes)
    try:
        names = _fields(data[: found.ends[0]], dialect)
    except csv.Error as error:
        raise FormatError(
            f"the header cannot be read ({error}).",
            where=path,
            fix="Carriage returns stand at the ends of lines alone, or inside of quotes, and in a "
            f"header with quotes no name has more than {csv.field_size_limit():,} characters.",
        ) from None
    header = not any(map(is_number, wanted))
    if not header:
        names = [str(k) for k in range(1, len(names) + 1)]
        if named := [str(column) for column in wanted if not is_number(column)]:
            raise UsageError(
                f"a column given by number means that there is no header, and {named[0]!r} is a "
                "name.",
                where=path,
                fix="Give all columns by number or all by name.",
            )
    body = data[found.ends[0] + 1 if header else 0 : found.ends[-1]]
    height = len(found.ends) - header
    if not height:
        raise FormatError(
            f"there is a header ({', '.join(names)}) and no row below it.",
            where=path,
            fix="Check how the file was written.",
        )
    keys = [str(k) for k in range(len(names))]
    try:
        frame = pl.read_csv(
            io.BytesIO(body),
            has_header=False,
            separator=dialect.delimiter.decode(),
            quote_char='"' if dialect.quoted else None,
            schema=dict.fromkeys(keys, pl.String()),
        )
    except pl.exceptions.PolarsError as error:
        raise FormatError(f"the table cannot be read: {error}.", where=path) from None
    if frame.height != height:
        raise FormatError(
            f"{height:,} rows were expected and {frame.height:,} could be read.",
            where=path,
            fix="Check for empty lines and for quotes that are not closed.",
        )
    kept = [
        (name, frame[key].alias(name))
        for name, key in zip(names, keys, strict=True)
        if name or frame[key].null_count() < height
    ]
    _check_names(path, [name for name, _ in kept])
    return Table(
        columns=dict(kept),
        height=height,
        rows=_rows(data, found, header),
        source=Source(path=path, sha256=content.sha256, format="csv"),
        named=header,
        decimal_comma=dialect.delimiter != b",",
        notes=tuple(notes),
    )


def _complete(head: bytes) -> bytes:
    """Cut a head after its last complete record, as far as that can be told."""
    if len(head) < 1 << 20:
        return head
    cut = head.rfind(b"\n")
    while cut > 0 and head.count(b'"', 0, cut) % 2:
        cut = head.rfind(b"\n", 0, cut)
    return head[:cut] if cut > 0 else head


def _readings(data: bytes, delimiter: bytes) -> list[tuple[Dialect, Records]]:
    """Both readings of the quotes, the likelier one first.

    Text in tab-separated files is often written without any quoting, so that a stray quote could
    swallow lines; there a reading that keeps each line a record goes first.
    """
    literal = (Dialect(delimiter, False), records(data, delimiter[0], quoted=False))
    if QUOTE not in data:
        return [literal]
    quoted = (Dialect(delimiter, True), records(data, delimiter[0], quoted=True))
    joins = len(quoted[1].ends) != len(literal[1].ends)
    return [literal, quoted] if delimiter == b"\t" and joins else [quoted, literal]


def _dialect(data: bytes) -> Dialect | None:
    """Find the one way of reading that gives every record the same fields."""
    regular = []
    for delimiter in _DELIMITERS:
        for dialect, found in _readings(data, delimiter):
            if found.regular():
                known = _has_alias(data[: found.ends[0]], delimiter)
                regular.append((known, int(found.fields[0]), dialect))
                break
    return max(regular, key=lambda entry: entry[:2])[2] if regular else None


def _records(path: str, data: bytes, notes: list[Note]) -> tuple[Records, Dialect]:
    """Find records and dialect of a whole file, or say what is wrong with it."""
    guess = _dialect(_complete(data[: 1 << 20])) or _likeliest(data)
    readings = _readings(data, guess.delimiter)
    for dialect, found in readings:
        if found.regular():
            if QUOTE in data and not dialect.quoted:
                notes.append(
                    Note(
                        code="quotes_kept",
                        message=f"Quotes in {path} do not enclose whole fields; "
                        "they were kept as characters.",
                    )
                )
            return found, dialect
    found = readings[0][1] if readings[0][1].bad_quote is None else readings[-1][1]
    odd = found.irregular() or 0
    line = _line(data, found, odd)
    if found.fields[0] < 2:
        what = "the first line is a single field."
    elif int(found.ends[odd]) - (int(found.ends[odd - 1]) + 1 if odd else 0) <= 1:
        what = f"{line} is empty."
    else:
        what = f"{line} has {found.fields[odd]} fields and the first line {found.fields[0]}."
    bad = next((f.bad_quote for d, f in readings if d.quoted and f.bad_quote is not None), None)
    if bad is not None:
        at = data.count(b"\n", 0, bad) + 1
        what = f"a quote in line {at} does not enclose a whole field, and without quoting {what}"
    raise FormatError(
        f"read with {_WORDS[guess.delimiter]} between fields, {what}",
        where=path,
        fix="Every line needs the same fields; a field that holds the separator, a quote or a "
        'line break goes in quotes, with quotes inside it doubled ("").',
    )


def _likeliest(data: bytes) -> Dialect:
    """Choose the separator of an irregular table by its first line."""
    first = data.split(b"\n", 1)[0]
    known = [delimiter for delimiter in _DELIMITERS if _has_alias(first, delimiter)]
    delimiter = max(known or _DELIMITERS, key=first.count)
    return Dialect(delimiter, False)


def _has_alias(line: bytes, delimiter: bytes) -> bool:
    if delimiter not in line:
        return False
    return any(map(is_alias, _names(line, delimiter)))


def _names(line: bytes, delimiter: bytes) -> list[str]:
    return [field.strip(b' "\r').decode("utf-8", "replace") for field in line.split(delimiter)]


def _fields(line: bytes, dialect: Dialect) -> list[str]:
    text = line.decode().rstrip("\r\n")
    delimiter = dialect.delimiter.decode()
    if not dialect.quoted:
        return [field.strip() for field in text.split(delimiter)]
    # The csv module counts lines by the strings it is given, so a line break in a field is safe.
    return [field.strip() for field in next(csv.reader([text], delimiter=delimiter))]


def _check_names(path: str, names: Sequence[str]) -> None:
    """Refuse a header that names two columns alike."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FormatError(
            f"the header names {len(twice)} column(s) more than once: "
            + ", ".join(repr(name) for name in twice[:3])
            + ".",
            where=path,
            fix="Rename them; or is the first line no header? Then give columns by number.",
        )


def _line(data: bytes, found: Records, record: int) -> str:
    start = int(found.ends[record - 1]) + 1 if record else 0
    return f"line {data.count(bytes([10]), 0, start) + 1}"


def _rows(data: bytes, found: Records, header: bool) -> Rows:
    """Name rows by line, also where fields hold line breaks."""
    newlines = data.count(b"\n", 0, int(found.ends[-1]))
    if newlines == len(found.ends) - 1:
        return Rows(word="line", first=2 if header else 1)
    at = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
    lines = np.concatenate([[1], np.searchsorted(at, found.ends[:-1]) + 2])
    return Rows(word="line", lines=lines[1:] if header else lines)


def unwrapped(data: bytes) -> bytes | None:
    """Undo quotes around whole lines, where every line below the first has them."""
    second = data[data.find(b"\n") + 1 :].split(b"\n", 1)[0].rstrip(b"\r")
    if not _is_quoted(second):
        return None
    lines = [line.removesuffix(b"\r") for line in data.rstrip(b"\r\n").split(b"\n")]
    if not all(map(_is_quoted, lines[1:])):
        return None
    inner = [line[1:-1].replace(b'""', b'"') if _is_quoted(line) else line for line in lines]
    joined = b"\n".join(inner)
    return joined if _dialect(joined) else None


def _is_quoted(line: bytes) -> bool:
    """Whether a line is one field in quotes."""
    inner = line[1:-1]
    wrapped = len(line) > 2 and line[:1] == line[-1:] == b'"'
    return wrapped and b'"' not in inner.replace(b'""', b"")
