"""One text a line, as text metrics read it: an empty line is the empty text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from deadheat.readers import delimited, lines
from deadheat.readers.columns import is_number
from deadheat.readers.content import Content
from deadheat.readers.table import Table

_OTHERWISE = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".parquet")
"""Endings of names that say that lines are more than texts."""

_BEGINS_JSON = re.compile(rb'\{\s*"|\[\s*\{|[\[{\s]*$|\[\s*".*,$')


def recognises(path: str, head: bytes, wanted: Sequence[str | int]) -> bool:
    """Whether nothing says that the lines of a file are more than texts.

    A sentence may hold commas, begin with a bracket or be one word that is the name of a column.
    So lines are a table only where the name of the file says so, where the first one holds a
    column that was asked for, or where all have the same fields, of which one has a known name or
    any was asked for by its number; and JSON only where the first one is, or begins, an object or
    an array.
    """
    if head.startswith(b"PAR1") or path.lower().endswith(_OTHERWISE):
        return False
    first = head.lstrip().split(b"\n", 1)[0].rstrip()
    if first[:1] in (b"{", b"[") and _is_json(first):
        return False
    if any(map(is_number, wanted)):
        return not delimited.is_regular(head)
    if not delimited.first_fields(head).isdisjoint(wanted):
        return False
    return not (delimited.has_known_field(head) and delimited.is_regular(head))


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read one text a line as it stands; the first is a header only where it was asked for.

    Raises
    ------
    FormatError
        If lines end in carriage returns alone, or nothing follows a header.
    """
    return lines.of_lines(content, is_header=lambda name: name in wanted)


def _is_json(first: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(first), (dict, list))
    except (msgspec.MsgspecError, RecursionError):
        return bool(_BEGINS_JSON.match(first))
