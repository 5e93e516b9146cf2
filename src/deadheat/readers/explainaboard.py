"""ExplainaBoard's multiple choice: references and outputs in lists of their own, without ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from deadheat.readers import json_array
from deadheat.readers.content import Content
from deadheat.readers.structured import structured
from deadheat.readers.table import Table

BY_LINES = False

TOOL = "ExplainaBoard"

VERSIONS = "multiple-choice tasks of 2022"

QUIRKS = (
    "Outputs and the data set are lists without ids, paired by order; the option that was chosen "
    "is held against the right one.",
)

OUTPUT = "predicted_answers.option_index"
REFERENCE = "answers.option_index"
OPTIONS = "options"

_OUTPUTS = re.compile(rb'\s*\[\s*\{[^{}]*"predicted_answers"\s*:\s*\{[^{}]*"option_index"\s*:')
_REFERENCES = re.compile(rb'\s*\[\s*\{[^{}]*"answers"\s*:\s*\{[^{}]*"option_index"\s*:')


def recognises(path: str, head: bytes) -> bool:
    """Whether the first row of an array holds the option that was chosen, or the right one."""
    return bool(_OUTPUTS.match(head) or _REFERENCES.match(head))


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read a row for each question; the number of the option is the output or the reference.

    Raises
    ------
    FormatError
        If the file is not one complete array of objects.
    """
    found = [
        (role, column)
        for role, column, mark in (
            ("output", OUTPUT, _OUTPUTS),
            ("reference", REFERENCE, _REFERENCES),
        )
        if mark.match(content.data)
    ]
    named = [*wanted, *(column for _, column in found), OPTIONS]
    table = json_array.read(content, named)
    columns = dict(table.columns)
    if OPTIONS in columns:
        # As text, so that questions with the same options can be seen to be related.
        options = structured(OPTIONS, columns[OPTIONS].to_list())
        columns[OPTIONS] = options.cast(pl.String)
    return replace(table, columns=columns, roles=dict(found))
